import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query"
import {
  orderAddress,
  type OrderAddress,
  orderCode,
  type OrderCode,
  usedNumbers,
  type UsedNumbers,
} from "../../contract/orders.ts"
import {
  type Order,
  type OrderListQuery,
  orderListReader,
  orderReader,
} from "../../contract/program/order.ts"
import { registerTopic } from "./events.ts"
import { type Answer, apiPath, request } from "./request.ts"
import * as z from "zod/mini"

/** Every cached list of orders starts with this key. */
export const ordersKey = ["orders"] as const

registerTopic("orders", ordersKey)
registerTopic("orders", () => ["order"])

/** How a read is made. */
interface ReadHow {
  readonly signal?: AbortSignal | undefined
  /** Asks the service itself, past every cache. */
  readonly fresh?: boolean | undefined
}

/**
 * One order (docs/api/program.md, Orders). Lists seed it, as something to show until the order itself is read: a list
 * leaves fields out.
 */
export function orderQuery(id: string, { fresh = false }: { fresh?: boolean } = {}) {
  return queryOptions({
    queryKey: ["order", id],
    queryFn: ({ signal }): Promise<Answer<Order>> =>
      request({ path: apiPath("program", "orders", id), schema: orderReader.tolerant, signal, fresh }),
  })
}

/**
 * One page of orders. The service gives no total: a page with fewer rows than asked is the last one. While another page
 * is read the one before stays, marked as placeholder.
 */
export function ordersQuery(query: OrderListQuery, { fresh = false }: { fresh?: boolean } = {}) {
  return queryOptions({
    queryKey: [...ordersKey, "page", query],
    queryFn: async ({ signal, client }): Promise<Answer<Order[]>> => {
      const answer = await readOrdersPage(query, { signal, fresh })
      seedOrders(client, answer)
      return answer
    },
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}

/** Orders have changed: whatever is shown of them is read again. */
export async function rereadOrders(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ordersKey }),
    client.invalidateQueries({ queryKey: ["order"] }),
  ])
}

/** Reads one page of orders past this browser's cache. */
export function readOrdersPage(
  query: OrderListQuery,
  { signal, fresh }: ReadHow = {},
): Promise<Answer<Order[]>> {
  return request({
    path: apiPath("program", "orders"),
    query: { ...query },
    schema: orderListReader.tolerant,
    signal,
    fresh,
  })
}

/**
 * Puts each order of a page where its own page looks, as something to show while the order is read: a row lacks
 * `fulfillment`, so it is marked as outdated, and never replaces an order that was read.
 */
function seedOrders(client: QueryClient, { data, age, at, stale }: Answer<Order[]>): void {
  for (const order of data) {
    const { queryKey } = orderQuery(order.order_id)
    const known = client.getQueryState(queryKey)
    if (known?.data !== undefined && known.dataUpdatedAt > 1) continue
    client.setQueryData(queryKey, { data: order, age, at, stale }, { updatedAt: 1 })
  }
}

const addressKey = ["order-address"] as const

registerTopic("orders", addressKey)

/** Where one order goes and how many pieces it is, as captured at this desk; `orders.address` only. */
export function orderAddressQuery(id: string) {
  return queryOptions({
    queryKey: [...addressKey, id],
    queryFn: async ({ signal }): Promise<OrderAddress> =>
      (await request({ path: apiPath("orders", id, "address"), schema: orderAddress, signal })).data,
    gcTime: 60_000,
  })
}

/** Where up to 200 orders go, in the order asked; `orders.address` only. */
export function orderAddressesQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: [...addressKey, "many", ids],
    queryFn: async ({ signal }): Promise<OrderAddress[]> => {
      if (ids.length === 0) return []
      const path = apiPath("orders", "addresses")
      return (await request({ method: "POST", path, body: { ids }, schema: z.array(orderAddress), signal }))
        .data
    },
    gcTime: 60_000,
  })
}

/**
 * Reveals the code of a digital order, for the screen that asked: the answer is never kept, by no cache either. The
 * reason and the reveal are in the audit log before the service is asked (docs/security.md).
 */
export async function revealOrderCode(orderId: string, reason: string): Promise<OrderCode> {
  const answer = await request({
    method: "POST",
    path: apiPath("orders", orderId, "reveal"),
    body: { reason },
    schema: orderCode,
  })
  return answer.data
}

/**
 * Where tracking numbers (at most 500) stand already, on other orders than `except`: among our own rows and the orders
 * that were read lately. No upstream request; not found means not among what was looked at.
 */
export function usedNumbersQuery(numbers: readonly string[], except?: string) {
  return queryOptions({
    queryKey: ["used-numbers", numbers, except],
    queryFn: async ({ signal }): Promise<UsedNumbers> => {
      const path = apiPath("orders", "used-numbers")
      const body = { numbers, ...(except === undefined ? {} : { except }) }
      return (await request({ method: "POST", path, body, schema: usedNumbers, signal })).data
    },
    enabled: numbers.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
}
