import { seenOrder } from "../../../../../contract/job-rows.ts"
import * as z from "zod/mini"

/** What could not be looked up when a parcel was scanned: who else has its number; whose number it is. */
const unchecked = z.enum(["number", "carrier"])

/**
 * Why a parcel waits for a person. `held`: it was not sent yet; `refused`: the desk's server took no job of it;
 * `cancelled`: its job was, before it was sent; `gone`: its job is not there any more; the rest are its row's state.
 */
const question = z.object({
  kind: z.enum(["held", "refused", "cancelled", "gone", "failed", "absent", "conflict"]),
  code: z.string(),
  message: z.string(),
})
/** Why a parcel waits for a person. */
export type ParcelQuestion = z.output<typeof question>

/**
 * A parcel between its second scan and the confirmed change of its order. Ids, a number and a carrier, nothing about
 * people: this is what the browser keeps.
 */
const parcel = z.object({
  /** Idempotency-Key of the job it becomes: made with the scan, so that it is sent once however often it is tried. */
  key: z.string(),
  /** When it was scanned, in ms since the epoch. */
  at: z.number(),
  order_id: z.string(),
  tracking_number: z.string(),
  /** Name as it is written into the order; null: none. */
  carrier: z.nullable(z.string()),
  /** The order as the person saw it. */
  expected: seenOrder,
  unchecked: z.array(unchecked),
  /** `waiting`: not sent, can be undone; `sent`: on its way, however it ends; `asks`: a person is needed. */
  state: z.enum(["waiting", "sent", "asks"]),
  /** The job it became; null: not known to be taken by the desk's server. */
  job: z.nullable(z.string()),
  question: z.nullable(question),
  /**
   * Set: this is the undo of a parcel that was sent already. The order is set back to these values, compared with what
   * the parcel made of it (docs/decisions/0011-ship-desk.md, Undo and correct).
   */
  undoes: z.optional(seenOrder),
})
/** A parcel in the outbox. */
export type Parcel = z.output<typeof parcel>

/** A parcel whose order was confirmed. */
const shippedParcel = z.object({
  order_id: z.string(),
  tracking_number: z.string(),
  carrier: z.nullable(z.string()),
  /** When it was confirmed, in ms since the epoch. */
  at: z.number(),
  /** The parcel's key, when it was scanned, and the order before it; missing in what older versions kept. */
  key: z.optional(z.string()),
  scanned_at: z.optional(z.number()),
  expected: z.optional(seenOrder),
})
/** A parcel whose order was confirmed. */
export type ShippedParcel = z.output<typeof shippedParcel>

/** What one person's outbox in this browser holds. */
export const outboxData = z.object({
  version: z.literal(1),
  /** In the order they were scanned. */
  parcels: z.array(parcel),
  /** Confirmed ones, the last one first. */
  shipped: z.array(shippedParcel),
})
/** What one person's outbox holds. */
export type OutboxData = z.output<typeof outboxData>

/** An outbox with nothing in it. */
export const emptyOutbox: OutboxData = { version: 1, parcels: [], shipped: [] }
