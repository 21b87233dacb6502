import { useQuery, useQueryClient } from "@tanstack/react-query"
import { plainNumber } from "../../contract/orders.ts"
import { parcelNumber } from "../../contract/parcel-number.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import { namedOrder, orderFinder, shortOrder } from "../lib/order-ids.ts"
import { orderQuery, ordersInCache, ordersQuery, usedNumbersQuery } from "./orders.ts"
import { useCan } from "./session.ts"

/** The first page as the list reads it: its orders show how ids begin. */
const someOrders = ordersQuery({ page: 1, per_page: 25 })

const numberOf = (order: Order) => plainNumber(shipmentOf(order).tracking_number ?? "")

/** Whether a text can be a whole tracking number. */
const isTrackingNumber = (text: string) =>
  plainNumber(text).length >= 8 && /^[\p{L}\p{N} -]+$/u.test(text) && /(\d\D*){4}/.test(text)

/**
 * Orders by id, also by its digits alone, or by tracking number: in the cache, else among the numbers that Laurel's
 * server knows, else by one request for the id.
 */
export function useOrdersByNumber(typed: string, isRested: boolean) {
  const client = useQueryClient()
  const isAllowed = useCan("orders.read")
  const text = parcelNumber(typed)
  const plain = plainNumber(text)
  const cached = isAllowed ? ordersInCache(client) : []
  const ids = orderFinder(cached.map(({ order_id: id }) => id))(text)
  const isExact = (order: Order) =>
    ids.includes(order.order_id) || (plain !== "" && numberOf(order) === plain)
  const exact = cached.filter(isExact)
  const partly = plain.length < 5 ? [] : cached.filter((order) => numberOf(order).includes(plain))

  const isUnknown = isAllowed && exact.length === 0
  const isNumber = isUnknown && isTrackingNumber(text)
  const isShort = isUnknown && shortOrder(text) !== undefined
  const used = useQuery({ ...usedNumbersQuery([text]), enabled: isNumber && isRested, retry: false })
  const first = useQuery({ ...someOrders, enabled: isShort && isRested && cached.length === 0 })
  const usedOn = (isNumber && used.data?.used) || []
  const id = namedOrder(text, (cached[0] ?? first.data?.data[0])?.order_id)
  // A parcel's number is not an order's id.
  const isId = isUnknown && id !== undefined && (!isNumber || (used.isFetched && usedOn.length === 0))
  const one = useQuery({ ...orderQuery(id ?? ""), enabled: isId && isRested, retry: false })
  const byId = isId && one.error === null && one.data ? [one.data.data] : []
  const isFetching = !isRested || used.isFetching || first.isFetching || one.isLoading
  return {
    orders: [...byId, ...exact, ...partly],
    /** Numbers of orders that were not read. */
    used: usedOn,
    searching: isFetching && (isNumber || isShort || (isUnknown && id !== undefined)),
    error: used.error ?? first.error,
  }
}
