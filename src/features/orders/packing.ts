import { useQueries, useQuery } from "@tanstack/react-query"
import { limits } from "../../../contract/limits.ts"
import type { OrderAddress } from "../../../contract/orders.ts"
import type { Order } from "../../../contract/program/order.ts"
import { memberNamesQuery } from "../../api/members.ts"
import { useOrderLookup } from "../../api/order-lookup.ts"
import { orderAddressesQuery } from "../../api/orders.ts"
import { requestParts } from "../../api/paging.ts"
import { isCancelled, isDigital, typeOf, useRewardTypes } from "./order-row.tsx"

/** One order as it is packed: for whom, and where to and how many as far as they were read. */
export interface PackedOrder {
  readonly order: Order
  readonly member: string
  readonly goes: OrderAddress | undefined
}

/** Reads what is printed for orders. @param ids at most 200, the same array while they are the same */
export function usePacking(ids: readonly string[]) {
  const lookup = useOrderLookup(ids)
  const found = ids.flatMap((id) => lookup.orders.get(id)?.data ?? [])
  const { types, reading } = useRewardTypes(found)
  const known = !lookup.reading && !reading && lookup.error === null && found.length > 0
  const {
    cancelled = [],
    digital = [],
    packed = [],
  } = Object.groupBy(found, (order) =>
    isCancelled(order.status) ? "cancelled" : isDigital(typeOf(order, types)) ? "digital" : "packed",
  )
  const addresses = useQuery({
    ...orderAddressesQuery(packed.map(({ order_id }) => order_id)),
    enabled: known && packed.length > 0,
  })
  const goes = new Map(addresses.data?.map((each) => [each.order_id, each]))
  const parts = requestParts(
    [...new Set(packed.flatMap(({ member_id }) => member_id ?? []))],
    limits.perPage.max,
  )
  const named = useQueries({ queries: parts.map((part) => memberNamesQuery(part)) })
  const names = new Map(named.flatMap(({ data }) => [...(data?.names ?? [])]))
  return {
    orders: packed.map((order): PackedOrder => ({
      order,
      member: names.get(order.member_id ?? "") ?? order.member_id ?? "",
      goes: goes.get(order.order_id),
    })),
    excluded: [
      ...cancelled.map(({ order_id }) => `${order_id} was cancelled`),
      ...digital.map(({ order_id }) => `${order_id} is sent as a code`),
    ],
    lookup,
    addresses,
    nameless: packed.filter(({ member_id }) => member_id && !names.has(member_id)).length,
    ready: known && !addresses.isLoading,
  }
}
