import { useQuery } from "@tanstack/react-query"
import type { OrderAddress } from "../../../../contract/orders.ts"
import { memberNamesQuery } from "../../../api/member-names.ts"
import { orderAddressQuery, orderQuery } from "../../../api/orders.ts"
import { useCan } from "../../../api/session.ts"
import { formatPoints } from "../../../lib/format.ts"
import type { KnownOrder } from "./flow-state.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import { addressLines, orderName, type OrderRow, Waiting } from "../order-row.tsx"
import classes from "./ship.module.css"

interface OrderInHandProps {
  known: KnownOrder
  /** As it stands in the queue, if it does. */
  row: OrderRow | undefined
}

/** The order in hand: what, how many, for whom, and where it goes as far as that was captured here. */
export function CurrentOrder({ known, row }: OrderInHandProps) {
  // Read before, by the queue or when it was scanned: nothing is asked for it here.
  const { data: read } = useQuery({ ...orderQuery(known.id), enabled: false })
  const order = row?.order ?? read?.data
  const member = order?.member_id ?? ""
  const { data: names } = useQuery({ ...memberNamesQuery([member]), enabled: row === undefined })
  const mayAddress = useCan("orders.address")
  const { data: where, error } = useQuery({
    ...orderAddressQuery(known.id),
    enabled: mayAddress,
    retry: false,
  })
  const name = row?.member ?? names?.names.get(member) ?? member
  return (
    <section className={classes.order} aria-label="Current order">
      <div className={classes.part}>
        <div className={classes.head}>
          <span className="l-mono text-secondary">{known.id}</span>
          <Status of="order" value={known.status} />
          {order?.created_at && (
            <span className={classes.since}>
              waiting <Waiting since={order.created_at} />
            </span>
          )}
        </div>
        <p className={classes.name}>{order === undefined ? known.id : orderName(order)}</p>
        <p className={classes.count}>
          <Pieces where={where} />{" "}
          {order?.points_spent != null && (
            <span className="text-muted l-num">{formatPoints(order.points_spent)} points</span>
          )}
        </p>
        {where?.quantity.inferred === true && where.quantity.pieces !== null && (
          <p className={classes.label}>Quantity estimated from the points and the current cost</p>
        )}
      </div>
      <div className={classes.part}>
        <p className={classes.label}>Send to</p>
        <p className={classes.person}>{where?.address?.name ?? (name === "" ? "Unknown" : name)}</p>
        {mayAddress && <Address where={where} />}
        {where === undefined && error !== null && (
          <p className={classes.label}>Couldn’t look up the address.</p>
        )}
      </div>
    </section>
  )
}

function Pieces({ where }: { where: OrderAddress | undefined }) {
  const pieces = where?.quantity.pieces
  if (pieces == null) return null
  return <b className="l-num">{pieces === 1 ? "1 item" : `${pieces} items`}</b>
}

const none = {
  not_redeemed_here: "No address here: it was not redeemed with Laurel.",
  none_given: "No address was given at redemption.",
  removed: "The address was removed after the retention period.",
} as const

function Address({ where }: { where: OrderAddress | undefined }) {
  if (where === undefined) return null
  const { address, captured_at: at, why_none: why } = where
  if (address === null) return <p className={classes.label}>{none[why ?? "none_given"]}</p>
  const [, ...lines] = addressLines(address)
  return (
    <>
      <address className={classes.address}>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
      {at !== null && (
        <p className={classes.label}>
          Address taken down at redemption, <RelativeTime at={at} calendar />
        </p>
      )}
    </>
  )
}
