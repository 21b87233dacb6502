import { IconPackage } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { limits } from "../../../../contract/limits.ts"
import { type Order, shipmentOf } from "../../../../contract/program/order.ts"
import { memberNamesQuery } from "../../../api/member-names.ts"
import { ordersToShipQuery } from "../../../api/orders.ts"
import {
  orderName,
  type OrderRow,
  orderRow,
  type RewardTypes,
  typeOf,
  useRewardTypes,
  Waiting,
  waitsForParcel,
} from "../order-row.tsx"
import type { KnownOrder } from "./flow-state.ts"
import type { OutboxData } from "./outbox.ts"
import { formatCount } from "../../../lib/format.ts"
import { AsOf } from "../../../ui/query-state.tsx"
import { EmptyState } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import classes from "./ship.module.css"

interface ShipQueueProps {
  toShip: ToShip
  /** Id of the order in hand. */
  current: string | undefined
  onPick: (id: string) => void
}

/** What waits to be shipped, the oldest of what was loaded first; a press takes an order in hand. */
export function ShipQueue({ toShip, current, onPick }: ShipQueueProps) {
  const { rows, complete, at, error, isFetching, refetch } = toShip
  return (
    <aside className={classes.queue} aria-label="To ship">
      <div className={classes.queueHead}>
        <h2>To ship</h2>
        {complete !== undefined && (
          <span className="text-muted l-num">{queueWords(rows.length, complete)}</span>
        )}
        <span className={classes.queueEnd}>
          <AsOf at={at} refreshing={isFetching} onRefresh={() => void refetch()} />
        </span>
      </div>
      {error !== null && (
        <div className={classes.queueNote}>
          <ErrorNotice
            error={error}
            what={complete === undefined ? "Couldn’t load the queue." : "Couldn’t refresh the queue."}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {complete === undefined && error === null && <SkeletonRows rows={8} columns={[200, 60]} />}
      {complete !== undefined && rows.length === 0 && (
        <EmptyState
          icon={IconPackage}
          title={complete ? "Nothing to ship" : "Nothing loaded is waiting to ship"}
          help={complete ? "New orders appear here." : "More orders are pending on the Orders page."}
        />
      )}
      <ul>
        {rows.map((row) => (
          <QueueRow key={row.order.order_id} row={row} current={current} onPick={onPick} />
        ))}
      </ul>
      {complete === false && rows.length > 0 && (
        <p className={classes.foot}>
          Only the first 100 pending and the first 100 processing orders are loaded; older ones may be
          missing. You can scan any order.
        </p>
      )}
    </aside>
  )
}

function QueueRow({ row, current, onPick }: { row: OrderRow } & Pick<ShipQueueProps, "current" | "onPick">) {
  const { order, member } = row
  const id = order.order_id
  return (
    <li className={classes.queueRow} aria-current={id === current || undefined}>
      <button type="button" className={classes.pick} onClick={() => onPick(id)}>
        <span className={classes.queueWords}>
          <span className={classes.queueName}>{orderName(order)}</span>
          <span className={classes.who}>
            <span className="l-mono">{id}</span> {member}
          </span>
        </span>
        <span className={classes.age}>
          <Waiting since={order.created_at} />
        </span>
      </button>
    </li>
  )
}

function queueWords(count: number, complete: boolean): string {
  return complete
    ? `${formatCount(count)}, oldest first`
    : `${formatCount(count)}+, oldest of those loaded first`
}

const none: readonly Order[] = []

/** What there is to ship: two upstream requests, one for what kind the rewards are, none while they are fresh. */
export function useToShip(outbox: OutboxData | undefined) {
  const { data, error, isFetching, refetch } = useQuery(ordersToShipQuery)
  const orders = data?.orders ?? none
  const { types } = useRewardTypes(orders)
  const ids = useMemo(
    () => [...new Set(orders.flatMap(({ member_id: id }) => id ?? []))].slice(0, limits.perPage.max),
    [orders],
  )
  const { data: names } = useQuery(memberNamesQuery(ids))
  const loaded = useMemo(() => orders.map((order) => orderRow(order, names, types)), [orders, names, types])
  const at = data?.at ?? 0
  const rows = useMemo(() => {
    const gone = new Set([
      ...(outbox?.parcels ?? []).map(({ order_id: id }) => id),
      // The list may be older than what was shipped since.
      ...(outbox?.shipped ?? []).filter(({ at: when }) => when > at - 60_000).map(({ order_id: id }) => id),
    ])
    return loaded.filter((row) => waitsForParcel(row) && !gone.has(row.order.order_id))
  }, [loaded, outbox, at])
  return { rows, loaded, types, complete: data?.complete, at: data?.at, error, isFetching, refetch }
}

/** What there is to ship. */
export type ToShip = ReturnType<typeof useToShip>

/** An order as the flow knows it. */
export function knownOrder(order: Order, types: RewardTypes): KnownOrder {
  const { tracking_number: number, carrier } = shipmentOf(order)
  return {
    id: order.order_id,
    status: order.status ?? "",
    type: typeOf(order, types) ?? undefined,
    tracking_number: number ?? null,
    carrier: carrier ?? null,
  }
}

/** Orders in the order of the queue, as the flow knows them. */
export function knownOrders(rows: readonly OrderRow[], types: RewardTypes): KnownOrder[] {
  return rows.map(({ order }) => knownOrder(order, types))
}

/** What an order is and for whom, as far as this page has seen it: "Drill kit for Ana Silva". */
export type OrderNames = (id: string) => string | undefined

/** Remembers what orders are: they leave the queue when they are shipped. Never kept beyond the page. */
export function useOrderNames(rows: readonly OrderRow[]): OrderNames {
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(() => new Map())
  const news = rows
    .map((row) => [row.order.order_id, nameOf(row)] as const)
    .filter(([id, name]) => seen.get(id) !== name)
  if (news.length > 0) setSeen(new Map([...seen, ...news]))
  return (id) => seen.get(id)
}

function nameOf({ order, member }: OrderRow): string {
  return member === "" ? orderName(order) : `${orderName(order)} for ${member}`
}
