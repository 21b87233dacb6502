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
  const cached = isAllowed ? ordersInCache(client) : []
  const { exact, partly } = cachedMatches(cached, text)
  const isUnknown = isAllowed && exact.length === 0
  const number = useTrackingNumber(text, isUnknown, isRested)
  // A parcel's number is not an order's id.
  const order = useOrderById(text, cached[0]?.order_id, isUnknown, isRested && number.isUnused)
  return {
    orders: [...order.orders, ...exact, ...partly],
    /** Numbers of orders that were not read. */
    used: number.used,
    searching: (number.isWanted || order.isWanted) && (!isRested || number.isLoading || order.isLoading),
    error: number.error ?? order.error,
  }
}

/** Orders that have the text as their tracking number, among the numbers that Laurel's server knows. */
function useTrackingNumber(text: string, enabled: boolean, isRested: boolean) {
  const isWanted = enabled && isTrackingNumber(text)
  const query = useQuery({ ...usedNumbersQuery([text]), enabled: isWanted && isRested, retry: false })
  const used = (isWanted && query.data?.used) || []
  const isUnused = !isWanted || (query.isFetched && used.length === 0)
  return { isWanted, used, isUnused, isLoading: query.isLoading, error: query.error }
}

/** The order whose id the text is, read once `isDue`. A short form needs any order as an example. */
function useOrderById(text: string, example: string | undefined, enabled: boolean, isDue: boolean) {
  const needsExample = enabled && example === undefined && shortOrder(text) !== undefined
  const first = useQuery({ ...someOrders, enabled: needsExample && isDue })
  const id = enabled ? namedOrder(text, example ?? first.data?.data[0]?.order_id) : undefined
  const isRead = id !== undefined && isDue
  const query = useQuery({ ...orderQuery(id ?? ""), enabled: isRead, retry: false })
  return {
    isWanted: needsExample || id !== undefined,
    orders: isRead && query.error === null && query.data ? [query.data.data] : [],
    isLoading: first.isLoading || query.isLoading,
    error: first.error,
  }
}

/** Cached orders with this id or tracking number, and those whose tracking number contains it. */
function cachedMatches(orders: readonly Order[], text: string) {
  const plain = plainNumber(text)
  const ids = orderFinder(orders.map(({ order_id: id }) => id))(text)
  const isExact = (order: Order) =>
    ids.includes(order.order_id) || (plain !== "" && numberOf(order) === plain)
  return {
    exact: orders.filter(isExact),
    partly: plain.length < 5 ? [] : orders.filter((order) => numberOf(order).includes(plain)),
  }
}
