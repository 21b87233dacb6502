import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query"
import type { JobRow } from "../../contract/job-rows.ts"
import { job, type Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import {
  orderAddress,
  type OrderAddress,
  orderCode,
  type OrderCode,
  usedNumbers,
} from "../../contract/orders.ts"
import {
  type Order,
  type OrderListQuery,
  orderListReader,
  orderReader,
} from "../../contract/program/order.ts"
import { registerTopic } from "./events.ts"
import { readJobRows } from "./jobs.ts"
import { type Answer, apiPath, type ReadHow, request, requestData } from "./request.ts"
import { millis } from "../lib/time.ts"
import * as z from "zod/mini"

/** Every cached list of orders starts with this key. */
export const ordersKey = ["orders"] as const

registerTopic("orders", ordersKey)
registerTopic("orders", () => ["order"])

/**
 * One order (docs/api/program.md, Orders). Lists seed it, as something to show until the order itself is read: a list
 * leaves fields out.
 */
export function orderQuery(id: string, { fresh }: ReadHow = {}) {
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
export function ordersQuery(query: OrderListQuery, { fresh }: ReadHow = {}) {
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
function readOrdersPage(query: OrderListQuery, { signal, fresh }: ReadHow = {}): Promise<Answer<Order[]>> {
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
    queryFn: ({ signal }) =>
      requestData({ path: apiPath("orders", id, "address"), schema: orderAddress, signal }),
    gcTime: 60_000,
  })
}

/** Where up to 200 orders go, in the order asked; `orders.address` only. */
export function orderAddressesQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: [...addressKey, "many", ids],
    queryFn: ({ signal }): OrderAddress[] | Promise<OrderAddress[]> => {
      if (ids.length === 0) return []
      const path = apiPath("orders", "addresses")
      return requestData({ method: "POST", path, body: { ids }, schema: z.array(orderAddress), signal })
    },
    gcTime: 60_000,
  })
}

/**
 * Reveals the code of a digital order, for the screen that asked: the answer is never kept, by no cache either. The
 * reason and the reveal are in the audit log before the service is asked (docs/security.md).
 */
export async function revealOrderCode(orderId: string, reason: string): Promise<OrderCode> {
  const path = apiPath("orders", orderId, "reveal")
  return requestData({ method: "POST", path, body: { reason }, schema: orderCode })
}

/**
 * Where tracking numbers (at most 500) stand already, on other orders than `except`: among our own rows and the orders
 * that were read lately. No upstream request; not found means not among what was looked at.
 */
export function usedNumbersQuery(numbers: readonly string[], except?: string) {
  return queryOptions({
    queryKey: ["used-numbers", numbers, except],
    queryFn: ({ signal }) => {
      const path = apiPath("orders", "used-numbers")
      const body = { numbers, ...(except === undefined ? {} : { except }) }
      return requestData({ method: "POST", path, body, schema: usedNumbers, signal })
    },
    enabled: numbers.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
}

const rowsKey = ["order-rows"] as const

registerTopic("orders", rowsKey)

/** A row of one of our jobs that concerns an order. */
export interface OrderJobRow {
  readonly job: Job
  readonly row: JobRow
}

/** Rows that concern an order. */
interface OrderJobRows {
  readonly rows: readonly OrderJobRow[]
  /** Jobs that were looked through. */
  readonly jobs: number
}

/** Jobs of several orders that are looked through, newest first. */
const mostJobs = 10

/**
 * What our newest jobs of several orders did to one order; single changes stand in the audit log. All of it is the desk's
 * own: no upstream request.
 */
export function orderRowsQuery(orderId: string) {
  return queryOptions({
    queryKey: [...rowsKey, orderId],
    queryFn: async ({ signal }): Promise<OrderJobRows> => {
      const { data } = await request({
        path: apiPath("jobs"),
        query: { kind: "order-update", per_page: limits.perPage.max },
        schema: z.array(job),
        signal,
      })
      const several = data.filter(({ total, state }) => total > 1 && state !== "draft").slice(0, mostJobs)
      const found = await Promise.all(
        several.map(async (each) => {
          const page = { search: orderId, page: 1, per_page: limits.perPage.default }
          const { rows } = await readJobRows(each.id, page, signal)
          return rows
            .filter(({ input }) => input["order_id"] === orderId)
            .map((row): OrderJobRow => ({ job: each, row }))
        }),
      )
      return { rows: found.flat(), jobs: several.length }
    },
    gcTime: 60_000,
  })
}

/** What is waiting to be shipped, as far as it was read. */
export interface OrdersToShip {
  /** Pending and processing orders, oldest first; those known to be digital are not among them. */
  readonly orders: readonly Order[]
  /** Whether every one of them was read: both lists ended in a short page. */
  readonly complete: boolean
  /** When the older of the two lists was answered, in ms since the epoch. */
  readonly at: number
}

/** Statuses of orders that wait for a parcel. */
const waiting = ["pending", "processing"] as const

/** The first 100 pending and the first 100 processing orders: two upstream requests, none while they are fresh. */
export const ordersToShipQuery = toShipQuery(false)

/** The same, asked of the service itself, past every cache: on the refresh button. */
export const freshOrdersToShipQuery = toShipQuery(true)

function toShipQuery(fresh: boolean) {
  return queryOptions({
    queryKey: [...ordersKey, "to-ship"],
    queryFn: async ({ signal }): Promise<OrdersToShip> => {
      const perPage = limits.perPage.max
      const lists = await Promise.all(
        waiting.map((status) => readOrdersPage({ status, page: 1, per_page: perPage }, { signal, fresh })),
      )
      return {
        orders: lists
          .flatMap(({ data }) => data.filter(({ fulfillment }) => fulfillment?.type !== "digital"))
          .toSorted((a, b) => timeOf(a) - timeOf(b)),
        complete: lists.every(({ data }) => data.length < perPage),
        at: Math.min(...lists.map(({ at }) => at)),
      }
    },
  })
}

/** Orders without a date stand last. */
function timeOf({ created_at }: Order): number {
  const at = typeof created_at === "string" ? millis(created_at) : Number.NaN
  return Number.isNaN(at) ? Number.MAX_SAFE_INTEGER : at
}
