import { Box, Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { memberNamesQuery } from "../../../api/members.ts"
import { orderAddressQuery, orderQuery } from "../../../api/orders.ts"
import { useCan } from "../../../api/session.ts"
import { formatPoints } from "../../../lib/format.ts"
import { Status } from "../../../ui/status.tsx"
import { RelativeTime } from "../../../ui/values.tsx"
import { addressLines, itemsText, orderName, type OrderRow, Waiting } from "../order-row.tsx"
import type { KnownOrder } from "./flow-state.ts"
import classes from "./ship.module.css"

const whyNoAddress = {
  not_redeemed_here: "No address here: it was not redeemed with Laurel.",
  none_given: "No address was given at redemption.",
  removed: "The address was removed after the retention period.",
} as const

/** The open order: what, how many, for whom, and where it goes as far as that was captured here. */
export function CurrentOrder({ known, row }: { known: KnownOrder; row: OrderRow | undefined }) {
  // Read before, by the queue or when it was scanned: nothing is requested for it here.
  const { data: read } = useQuery({ ...orderQuery(known.id), enabled: false })
  const order = row?.order ?? read?.data
  const memberId = order?.member_id ?? ""
  const { data: names } = useQuery({ ...memberNamesQuery([memberId]), enabled: row === undefined })
  const member = row?.member ?? names?.names.get(memberId) ?? memberId
  const mayAddress = useCan("orders.address")
  const { data: goes, error } = useQuery({
    ...orderAddressQuery(known.id),
    enabled: mayAddress,
    retry: false,
  })
  const { pieces = null, inferred = false } = goes?.quantity ?? {}
  const address = goes?.address ?? null
  return (
    <section className={`card wrap-anywhere ${classes.order}`} aria-label="Current order">
      <Stack gap={6}>
        <Group gap="4px 8px">
          <span className="l-mono text-secondary">{known.id}</span>
          <Status of="order" value={known.status} />
          {order?.created_at && (
            <Box component="span" ms="auto" className="caption">
              waiting <Waiting since={order.created_at} />
            </Box>
          )}
        </Group>
        <p className={classes.name}>{order === undefined ? known.id : orderName(order)}</p>
        <p className={classes.large}>
          {pieces !== null && <b className="l-num">{itemsText(pieces)}</b>}{" "}
          {order?.points_spent != null && (
            <span className="text-muted l-num">{formatPoints(order.points_spent)} points</span>
          )}
        </p>
        {inferred && pieces !== null && (
          <p className="caption">Quantity estimated from the points and the current cost</p>
        )}
      </Stack>
      <Stack gap={4}>
        <p className="caption">Send to</p>
        <Box component="p" fz={16} fw={600} lh="24px">
          {address?.name ?? (member || "Unknown")}
        </Box>
        {address !== null && (
          <address className={`text-secondary ${classes.large}`}>
            {addressLines(address)
              .slice(1)
              .map((line) => (
                <div key={line}>{line}</div>
              ))}
          </address>
        )}
        {address !== null && goes?.captured_at != null && (
          <p className="caption">
            Address taken down at redemption, <RelativeTime at={goes.captured_at} calendar />
          </p>
        )}
        {goes !== undefined && address === null && (
          <p className="caption">{whyNoAddress[goes.why_none ?? "none_given"]}</p>
        )}
        {goes === undefined && error !== null && <p className="caption">Couldn’t look up the address.</p>}
      </Stack>
    </section>
  )
}
