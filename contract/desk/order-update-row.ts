import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { orderStatuses, updateOrderBody } from "../program/order.ts"
import { plainText } from "../program/text.ts"

/** A number that a spreadsheet rounded: its last digits are gone. */
const rounded = /^\d+(?:[.,]\d+)?E\+?\d+$/i

/** A tracking number is text, leading zeros and all. */
const trackingNumber = plainText().check(
  z.refine(
    (text) => !rounded.test(text),
    "A spreadsheet rounded this number, so its last digits are lost. Format the column as text and copy it again.",
  ),
)

/** The three fields as a person saw them; a field that is left out is not compared. */
export const seenOrder = z.strictObject({
  status: z.optional(z.nullable(z.string().check(z.maxLength(limits.shortText)))),
  tracking_number: z.optional(z.nullable(z.string().check(z.maxLength(limits.shortText)))),
  carrier: z.optional(z.nullable(z.string().check(z.maxLength(limits.shortText)))),
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
