import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { limits } from "../../../../contract/limits.ts"
import { shipmentOf, type Order } from "../../../../contract/program/order.ts"
import { memberNamesQuery } from "../../../api/member-names.ts"
import { ordersToShipQuery } from "../../../api/order-book.ts"
import type { KnownOrder } from "../ship/known-order.ts"
import type { OutboxData } from "../ship/outbox/parcel.ts"
import { orderRow, typeOf, waitsForParcel, type OrderRow, type RewardTypes } from "../show/order-row.ts"
import { useRewardTypes } from "../show/use-reward-types.ts"

const none: readonly Order[] = []

/** What there is to ship: two upstream requests, one for what kind the rewards are, none while they are fresh. */
export function useToShip(outbox: OutboxData | undefined) {
  const { data, error, isFetching, refetch } = useQuery(ordersToShipQuery)
  const orders = data?.orders ?? none
  const types = useRewardTypes(orders)
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
