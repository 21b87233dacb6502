import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query"
import {
  orderListReader,
  orderReader,
  type Order,
  type OrderListQuery,
} from "../../contract/program/order.ts"
import { registerTopic } from "./events.ts"
import { apiPath } from "./path.ts"
import { request, type Answer } from "./request.ts"

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
