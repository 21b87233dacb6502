import * as z from "zod/mini"
import { limits } from "../limits.ts"
import type { Shipment } from "../events.ts"
import { listReader, type ReadRecord, recordReader } from "../reading.ts"
import { rewardTypes } from "./reward.ts"
import { exactField, paging, plainText } from "./common.ts"

/** States of an order; which moves are allowed is not documented. */
export const orderStatuses = ["pending", "processing", "shipped", "completed", "cancelled"] as const

const fulfilment = {
  type: z.optional(z.enum(rewardTypes)),
  /** A secret, dropped where the response arrives. */
  code: z.optional(z.string()),
  tracking_number: z.optional(z.string()),
  carrier: z.optional(z.string()),
  delivered_at: z.optional(z.iso.datetime({ offset: true })),
}
const keys = { order_id: z.string().check(z.minLength(1)) }
const rest = {
  member_id: z.string(),
  reward_id: z.string(),
  reward_name: z.string(),
  points_spent: z.int(),
  status: z.enum(orderStatuses),
  fulfillment: z.optional(z.strictObject(fulfilment)),
  new_balance: z.optional(z.int()),
  /** The list carries these flat on the order (docs/api/program.md, Order). */
  tracking_number: z.optional(z.string()),
  carrier: z.optional(z.string()),
  created_at: z.optional(z.iso.datetime({ offset: true })),
  shipped_at: z.optional(z.iso.datetime({ offset: true })),
}
/** What the document lists of an order (docs/api/program.md, Order). */
export const documentedOrder: readonly string[] = Object.keys({ ...keys, ...rest })
/** What the document lists inside `fulfillment`. */
export const documentedFulfilment: readonly string[] = Object.keys(fulfilment)
/** Reads one order, in its flat or its nested shape. */
export const orderReader = recordReader(keys, rest)
/** Reads a page of orders. The service gives no total. */
export const orderListReader = listReader(orderReader)
export type Order = ReadRecord<typeof keys, typeof rest>

/** Tracking number and carrier of an order, whichever shape carried them; empty text counts as none. */
export function shipmentOf(order: Pick<Order, "fulfillment" | "tracking_number" | "carrier">): {
  tracking_number: string | undefined
  carrier: string | undefined
} {
  return {
    tracking_number: order.fulfillment?.tracking_number || order.tracking_number || undefined,
    carrier: order.fulfillment?.carrier || order.carrier || undefined,
  }
}

/** Whether an order of this status has not been sent yet. */
export const isWaiting = (status: string | null | undefined) => /^(pending|processing)$/i.test(status ?? "")

/** An order in the shape it came in, with what a change made of it; empty text is none. */
export function withShipment<T extends object>(order: T, { status, ...parcel }: Partial<Shipment>): T {
  const inside: unknown = Reflect.get(order, "fulfillment")
  const nested = typeof inside === "object" && inside !== null && { fulfillment: { ...inside, ...parcel } }
  return { ...order, ...(status !== undefined && { status }), ...parcel, ...nested }
}

/** A change of an order (docs/api/program.md, Orders). Only changed fields are sent; empty text clears. */
export const updateOrderBody = z.strictObject({
  status: z.optional(z.enum(orderStatuses)),
  tracking_number: z.optional(exactField()),
  carrier: z.optional(plainText()),
})

/** Query of the order list; dates are `YYYY-MM-DD`. */
export const orderListQuery = z.strictObject({
  ...paging,
  status: z.optional(z.enum(orderStatuses)),
  member_id: z.optional(z.string().check(z.maxLength(limits.shortText))),
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
})
