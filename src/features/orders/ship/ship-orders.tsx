import { Box, Group, SimpleGrid, Stack } from "@mantine/core"
import { IconPackage } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useEffect, useMemo } from "react"
import type { OrderAddress } from "../../../../contract/orders.ts"
import { isWaiting, type Order, shipmentOf } from "../../../../contract/program/order.ts"
import { memberNamesQuery } from "../../../api/members.ts"
import {
  orderAddressQuery,
  orderClaimsQuery,
  orderQuery,
  ordersToShipQuery,
  publishClaim,
} from "../../../api/orders.ts"
import { useCan } from "../../../api/session.ts"
import {
  addressLines,
  isToShip,
  itemsText,
  orderName,
  type OrderRow,
  type RewardTypes,
  rewardTypeFor,
  useOrderRows,
  Waiting,
  whyNoAddress,
} from "../order-row.tsx"
import type { ShipDesk } from "./desk.ts"
import type { KnownOrder } from "./desk-state.ts"
import type { OutboxData } from "./outbox.ts"
import { ApiError } from "../../../lib/errors.ts"
import { formatCount, formatPoints, listed } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/notice.tsx"
import { AsOf, EmptyState, SkeletonRows } from "../../../ui/query-state.tsx"
import { useLate } from "../../../ui/hooks.ts"
import { Status } from "../../../ui/status.tsx"
import { RelativeTime } from "../../../ui/values.tsx"
import classes from "./ship.module.css"

/** Orders to ship, oldest first; a click opens one. */
export function ShipQueue(props: {
  toShip: ToShip
  current: string | undefined
  packing: ReadonlyMap<string, string>
  onPick: (id: string) => void
}) {
  const { rows, isLoaded, at, error, isFetching, refresh } = props.toShip
  const shown = rows.slice(0, mostShown)
  return (
    <aside className={classes.queue} aria-label="To ship">
      <Group gap="0 8px" align="baseline" px="gutter" pt={12} pb={8}>
        <h2>To ship</h2>
        {isLoaded && <span className="text-muted l-num">{formatCount(rows.length)}, oldest first</span>}
        <Box component="span" ms="auto" className="text-muted">
          <AsOf
            at={at}
            verb={props.toShip.copied ? "Synced" : "Updated"}
            refreshing={isFetching}
            syncing={props.toShip.syncing}
            onRefresh={refresh}
          />
        </Box>
      </Group>
      {error !== null && (
        <Box px="gutter" pt={12} pb={8}>
          <ErrorNotice
            error={error}
            what={!isLoaded ? "Couldn’t load the queue." : "Couldn’t refresh the queue."}
            onRetry={refresh}
          />
        </Box>
      )}
      {!isLoaded && error === null && <SkeletonRows rows={8} columns={[200, 60]} />}
      {isLoaded && rows.length === 0 && (
        <EmptyState icon={IconPackage} title="Nothing to ship" help="New orders appear here." />
      )}
      <ul className="ruled">
        {shown.map(({ order, member }) => (
          <li key={order.order_id} aria-current={order.order_id === props.current || undefined}>
            <button type="button" className={classes.pick} onClick={() => props.onPick(order.order_id)}>
              <ParcelLines title={orderName(order)}>
                <span className="l-mono">{order.order_id}</span> {member}
                {shipmentOf(order).tracking_number !== undefined && (
                  <div className="truncate">Has the number {shipmentOf(order).tracking_number}</div>
                )}
                {props.packing.has(order.order_id) && (
                  <div className="tone-text truncate" data-tone="warning">
                    {props.packing.get(order.order_id)}
                  </div>
                )}
              </ParcelLines>
              <span className="l-meta">
                <Waiting since={order.created_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <Box component="p" className="caption" px="gutter" pt={12} pb={8}>
          {formatCount(rows.length - shown.length)} newer ones follow. You can scan any order.
        </Box>
      )}
    </aside>
  )
}

/** Maximum number of queue rows that are rendered. */
const mostShown = 300

/** Interval at which the claim of an order that is packed here is renewed, in ms. */
const claimInterval = 60_000

/** Publishes that these orders are packed here, until they no longer are. */
export function Claims({ ids }: { ids: readonly string[] }) {
  return [...new Set(ids)].map((id) => <Claim key={id} id={id} />)
}

function Claim({ id }: { id: string }) {
  useEffect(() => {
    const publish = () => publishClaim(id, true)
    publish()
    const timer = setInterval(publish, claimInterval)
    return () => {
      clearInterval(timer)
      publishClaim(id, false)
    }
  }, [id])
  return null
}

/** Who packs other orders. */
export function usePacking(userId: string): ReadonlyMap<string, string> {
  const { data: claims = [] } = useQuery(orderClaimsQuery)
  const others = Map.groupBy(
    claims.filter(({ by }) => by.id !== userId),
    ({ order_id: id }) => id,
  )
  return new Map(
    Array.from(others, ([id, all]) => [
      id,
      `${listed(all.map(({ by }) => by.name))} ${all.length === 1 ? "is" : "are"} packing it`,
    ]),
  )
}

export function ParcelLines({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box className="grow wrap-anywhere" lh="18px">
      <div className="l-medium">{title}</div>
      <div className="caption">{children}</div>
    </Box>
  )
}

const none: readonly Order[] = []

export type ToShip = ReturnType<typeof useToShip>

/** Reads the orders to ship, and the types of rewards where an order has none; `refresh` reads past every cache. */
export function useToShip({ parcels, shipped }: OutboxData) {
  const client = useQueryClient()
  const { data, error, isFetching } = useQuery(ordersToShipQuery())
  const refresh = () => void client.prefetchQuery({ ...ordersToShipQuery({ fresh: true }), staleTime: 0 })
  const { rows: loaded, types } = useOrderRows(data?.orders ?? none)
  const at = data?.at ?? 0
  const rows = useMemo(() => {
    // The list may be older than what was shipped since.
    const sinceRead = shipped.filter(({ shipped_at: when }) => when > at - 60_000)
    const shippedIds = new Set([...parcels, ...sinceRead].map(({ order_id: id }) => id))
    return loaded.filter((row) => isToShip(row) && !shippedIds.has(row.order.order_id))
  }, [loaded, parcels, shipped, at])
  const { copied = false, syncing = false } = data ?? {}
  const read = { isLoaded: data !== undefined, at: data?.at, copied, syncing }
  return { rows, loaded, types, ...read, error, isFetching, refresh }
}

export function knownOrder(order: Order, types: RewardTypes): KnownOrder {
  const { tracking_number = null, carrier = null } = shipmentOf(order)
  const { order_id: id, status, member_id: member = null } = order
  const subject = { reward: orderName(order), member }
  return { id, status: status ?? "", type: rewardTypeFor(order, types), tracking_number, carrier, subject }
}

/** Maximum number of earlier parcels whose names are looked up. */
const mostNamed = 20

/**
 * Labels of orders with their recipient, also after they left the queue. The browser stores the reward and a member's
 * id; names are not stored beyond the page.
 */
export function useOrderNames(rows: readonly OrderRow[], { parcels, shipped }: OutboxData) {
  const recent = [...parcels, ...shipped.slice(0, mostNamed)]
  const { data } = useQuery(memberNamesQuery(recent.flatMap(({ subject }) => subject?.member ?? [])))
  const names = new Map(
    rows.map(({ order, member }) => [order.order_id, parcelName(orderName(order), member)]),
  )
  for (const { order_id: id, subject } of recent) {
    const member = data?.names.get(subject?.member ?? "")
    if (subject !== undefined && (member !== undefined || !names.has(id)))
      names.set(id, parcelName(subject.reward, member ?? ""))
  }
  return names
}

const parcelName = (reward: string, member: string) => (member === "" ? reward : `${reward} for ${member}`)

/**
 * Reads the open order again, since the queue may be minutes old, and passes changes to the desk. Nothing waits for
 * it: the job compares the order before it sends.
 */
export function useOpenOrder(desk: ShipDesk, open: KnownOrder | undefined, { loaded, types }: ToShip) {
  const { data, error, isFetching, isFetchedAfterMount } = useQuery({
    ...orderQuery(open?.id ?? "", { fresh: true }),
    enabled: open !== undefined,
    staleTime: 15_000,
    retry: false,
  })
  const isRead = isFetchedAfterMount && error === null
  const isMissing = error instanceof ApiError && error.status === 404
  useEffect(() => {
    if (open === undefined) return
    if (isMissing) desk.dispatch({ type: "changed", id: open.id, order: null })
    if (data === undefined || !isRead) return
    const now = knownOrder(data.data, types)
    if (now.status !== open.status || now.tracking_number !== open.tracking_number)
      desk.dispatch({ type: "changed", id: open.id, order: now })
  }, [desk, open, data, types, isMissing, isRead])
  const row = loaded.find(({ order }) => order.order_id === open?.id)
  const isUnread = !isRead && (isFetching || error !== null)
  return { order: row?.order ?? data?.data, member: row?.member, isUnread }
}

const large = { fz: "var(--l-fs-body)", lh: "var(--l-lh-body)" } as const

export function CurrentOrder(props: { known: KnownOrder; read: ReturnType<typeof useOpenOrder> }) {
  const { known, read } = props
  const { order } = read
  const isUnread = useLate(read.isUnread)
  const memberId = order?.member_id ?? ""
  const { data: names } = useQuery({ ...memberNamesQuery([memberId]), enabled: read.member === undefined })
  const member = read.member ?? names?.names.get(memberId) ?? memberId
  const mayAddress = useCan("orders.address")
  const { data: goes, error } = useQuery({
    ...orderAddressQuery(known.id),
    enabled: mayAddress,
    retry: false,
  })
  return (
    <SimpleGrid
      component="section"
      type="container"
      cols={{ base: 1, "480px": 2 }}
      p="md"
      className="card wrap-anywhere"
      aria-label="Current order"
    >
      <Stack gap={6}>
        <Group gap="4px 8px">
          <span className="l-mono text-secondary">{known.id}</span>
          <Status of="order" value={known.status} />
          {isUnread && <span className="caption">not checked again yet</span>}
          <Box component="span" ms="auto" className="caption">
            {order !== undefined && <OrderAge status={known.status} order={order} />}
          </Box>
        </Group>
        <Box component="p" fz="clamp(18px, 2vw, 22px)" fw={600} lh="28px" lts="-0.015em">
          {order === undefined ? known.id : orderName(order)}
        </Box>
        <Contents order={order} quantity={goes?.quantity} />
      </Stack>
      <Destination goes={goes} failed={error !== null} member={member} />
    </SimpleGrid>
  )
}

function OrderAge({ status, order }: { status: string; order: Order }) {
  const { created_at, shipped_at } = order
  if (isWaiting(status)) {
    return created_at ? (
      <>
        waiting <Waiting since={created_at} />
      </>
    ) : null
  }
  return shipped_at ? (
    <>
      shipped <RelativeTime at={shipped_at} />
    </>
  ) : null
}

function Contents(props: { order: Order | undefined; quantity: OrderAddress["quantity"] | undefined }) {
  const { pieces = null, inferred = false } = props.quantity ?? {}
  const points = props.order?.points_spent
  return (
    <>
      <Box component="p" {...large}>
        {pieces !== null && <b className="l-num">{itemsText(pieces)}</b>}{" "}
        {points != null && <span className="text-muted l-num">{formatPoints(points)} points</span>}
      </Box>
      {inferred && pieces !== null && <p className="caption">Quantity not certain: check the order</p>}
    </>
  )
}

function Destination(props: { goes: OrderAddress | undefined; failed: boolean; member: string }) {
  const { goes, failed, member } = props
  const address = goes?.address ?? null
  return (
    <Stack gap={4}>
      <p className="caption">Send to</p>
      <Box component="p" fz={16} fw={600} lh="24px">
        {address?.name ?? (member || "Unknown")}
      </Box>
      {address !== null && (
        <Box component="address" className="text-secondary" {...large}>
          {addressLines(address)
            .slice(1)
            .map((line) => (
              <div key={line}>{line}</div>
            ))}
        </Box>
      )}
      <p className="caption">
        {address !== null && goes?.captured_at != null && (
          <>
            Address given at redemption, <RelativeTime at={goes.captured_at} calendar />
          </>
        )}
        {goes !== undefined && address === null && whyNoAddress(goes)}
        {goes === undefined && failed && "Couldn’t look up the address."}
      </p>
    </Stack>
  )
}
