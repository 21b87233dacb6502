import { useQuery } from "@tanstack/react-query"
import { memberNamesQuery } from "../../api/members.ts"
import { useOrderLookup } from "../../api/order-lookup.ts"
import { orderAddressesQuery } from "../../api/orders.ts"
import { isCancelled, isDigital, orderRow, type PackedOrder, typeOf, useRewardTypes } from "./order-row.tsx"

/** Reads what is printed for orders. @param ids at most 200, the same array while they are the same */
export function usePacking(ids: readonly string[]) {
  const lookup = useOrderLookup(ids)
  const found = ids.flatMap((id) => lookup.orders.get(id)?.data ?? [])
  const { types, reading } = useRewardTypes(found)
  const isRead = !lookup.reading && !reading && lookup.error === null && found.length > 0
  const {
    cancelled = [],
    digital = [],
    packed = [],
  } = Object.groupBy(found, (order) =>
    isCancelled(order.status) ? "cancelled" : isDigital(typeOf(order, types)) ? "digital" : "packed",
  )
  const addresses = useQuery({
    ...orderAddressesQuery(packed.map(({ order_id }) => order_id)),
    enabled: isRead && packed.length > 0,
  })
  const goes = new Map(addresses.data?.map((each) => [each.order_id, each]))
  const known = useQuery(memberNamesQuery(packed.flatMap(({ member_id }) => member_id ?? []))).data
  return {
    orders: packed.map((order): PackedOrder => ({
      ...orderRow(order, known, types),
      goes: goes.get(order.order_id),
    })),
    excluded: [
      ...cancelled.map(({ order_id }) => `${order_id} was cancelled`),
      ...digital.map(({ order_id }) => `${order_id} is sent as a code`),
    ],
    lookup,
    addresses,
    nameless: packed.filter(({ member_id }) => member_id && !known?.names.has(member_id)).length,
    ready: isRead && !addresses.isLoading,
  }
}
