import { queryOptions } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import type { Order } from "../../contract/program/order.ts"
import { millis } from "../lib/time.ts"
import { ordersKey, readOrdersPage } from "./orders.ts"

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
        orders: lists.flatMap(({ data }) => data.filter(isParcel)).toSorted(oldestFirst),
        complete: lists.every(({ data }) => data.length < perPage),
        at: Math.min(...lists.map(({ at }) => at)),
      }
    },
  })
}

function isParcel(order: Order): boolean {
  return order.fulfillment?.type !== "digital"
}

/** Orders without a date stand last. */
function oldestFirst(one: Order, other: Order): number {
  const [a, b] = [timeOf(one), timeOf(other)]
  return a === b ? 0 : a < b ? -1 : 1
}

function timeOf({ created_at }: Order): number {
  const at = typeof created_at === "string" ? millis(created_at) : Number.NaN
  return Number.isNaN(at) ? Infinity : at
}
