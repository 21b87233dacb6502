import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { orderStatuses, updateOrderBody } from "../program/order.ts"
import { plainText } from "../program/text.ts"

/** A number as a spreadsheet rounds it: its last digits are gone. `12E45` may well be a number as it is. */
const rounded = /^(?:\d+[.,]\d+E\+?\d+|\d+E\+\d+)$/i

/** Whether a spreadsheet rounded this tracking number. */
export function isRounded(text: string): boolean {
  return rounded.test(text.trim())
}

/** A tracking number is text, leading zeros and all; empty text clears it. */
export const trackingNumber = plainText().check(
  z.refine(
    (text) => !isRounded(text),
    "A spreadsheet rounded this number, so its last digits are lost. Format the column as text and copy it again.",
  ),
)

const seenText = z.optional(z.nullable(z.string().check(z.maxLength(limits.shortText))))

/** The three fields as a person saw them; a field that is left out is not compared, null and empty are none. */
export const seenOrder = z.strictObject({
  status: seenText,
  tracking_number: seenText,
  carrier: seenText,
})
/** The three fields as somebody saw them. */
export type SeenOrder = z.output<typeof seenOrder>

/** A row of a job of order updates: fields to change, and what the person saw before. Empty text clears a field. */
export const orderUpdateRow = z
  .strictObject({
    order_id: z.string().check(z.trim(), z.minLength(1, "Choose an order."), z.maxLength(limits.shortText)),
    status: z.optional(z.enum(orderStatuses)),
    tracking_number: z.optional(trackingNumber),
    carrier: updateOrderBody.shape.carrier,
    expected: z.optional(seenOrder),
  })
  .check(
    z.refine(
      ({ status, tracking_number, carrier }) =>
        [status, tracking_number, carrier].some((field) => field !== undefined),
      "Change at least one field.",
    ),
  )
/** A row of a job of order updates. */
export type OrderUpdateRow = z.output<typeof orderUpdateRow>

/**
 * The three sides of a conflict: the fields as they were seen before, as they are at the service, and as this row wants
 * them (only those it changes).
 */
export const orderConflict = z.object({
  before: seenOrder,
  theirs: seenOrder,
  yours: seenOrder,
  /** Who made the other change with Laurel, and when (ISO 8601); missing for changes made elsewhere. */
  changed_by: z.optional(z.object({ name: z.string(), at: z.string() })),
})
/** The three sides of a conflict. */
export type OrderConflict = z.output<typeof orderConflict>
