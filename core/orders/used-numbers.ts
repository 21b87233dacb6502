import type { UsedNumbers } from "../../contract/orders.ts"
import { orderReader, shipmentOf } from "../../contract/program/order.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { stored } from "../errors.ts"
import type { NumbersInJobs } from "./numbers-in-jobs.ts"
import { plainNumber } from "./plain-number.ts"

/** Tells where tracking numbers stand already. */
export interface NumberBook {
  /** @throws DeskFailure when the store fails */
  used(numbers: readonly string[], except: string | undefined): Promise<UsedNumbers>
}

interface SeenNumber {
  readonly orderId: string
  readonly number: string
  /** ms since 1970. */
  readonly at: number
}

/**
 * Looks into our own rows and into the copies of orders that are here; nothing is asked of the service.
 * @param copies of orders and lists of them
 */
export function createNumberBook(
  inJobs: () => Promise<NumbersInJobs>,
  copies: () => readonly CachedResponse[],
): NumberBook {
  return {
    async used(numbers, except) {
      const rows = await stored(inJobs())
      const seen = ordersIn(copies())
      const byNumber = Map.groupBy(seen.values(), ({ number }) => plainNumber(number))
      const oldest = Math.min(...[...seen.values()].map(({ at }) => at))
      return {
        used: numbers.flatMap((number) => {
          const plain = plainNumber(number)
          const jobs = rows.of(plain).map((one) => ({
            number,
            order_id: one.orderId,
            where: "job" as const,
            job: one.job,
            at: isoOf(one.at),
          }))
          const known = new Set(jobs.map((one) => one.order_id))
          const orders = (byNumber.get(plain) ?? [])
            .filter(({ orderId }) => !known.has(orderId))
            .map(({ orderId, at }) => ({
              number,
              order_id: orderId,
              where: "order" as const,
              job: null,
              at: isoOf(at),
            }))
          return [...jobs, ...orders].filter((one) => one.order_id !== except)
        }),
        looked: {
          rows: rows.rows,
          since: rows.since === null ? null : isoOf(rows.since),
          orders: seen.size,
          oldest_order_copy: seen.size === 0 ? null : isoOf(oldest),
        },
      }
    },
  }
}

/** The youngest copy of each order. */
function ordersIn(copies: readonly CachedResponse[]): ReadonlyMap<string, SeenNumber> {
  const seen = new Map<string, SeenNumber>()
  for (const { data, at } of copies) {
    for (const raw of Array.isArray(data) ? (data as readonly unknown[]) : [data]) {
      const order = numberIn(raw)
      if (order === undefined) continue
      const other = seen.get(order.orderId)
      if (other === undefined || other.at <= at) seen.set(order.orderId, { ...order, at })
    }
  }
  return seen
}

type OrderNumber = Pick<SeenNumber, "orderId" | "number">

/** Orders that were looked into; a copy is the same object as long as nothing younger came. */
const looked = new WeakMap<object, OrderNumber | "none">()

function numberIn(raw: unknown): OrderNumber | undefined {
  if (typeof raw !== "object" || raw === null) return undefined
  const before = looked.get(raw)
  if (before !== undefined) return before === "none" ? undefined : before
  const order = orderReader.tolerant.safeParse(raw).data
  const found = order && { orderId: order.order_id, number: shipmentOf(order).tracking_number ?? "" }
  looked.set(raw, found ?? "none")
  return found
}

function isoOf(at: number): string {
  return new Date(at).toISOString()
}
