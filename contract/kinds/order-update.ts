import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { exactField, idText, storable } from "../program/common.ts"
import { orderStatuses, updateOrderBody } from "../program/order.ts"
import { orderRefusal, trackingNumber } from "../tracking-number.ts"
import type { JobKindDescriptor } from "./descriptor.ts"

const seenText = z.nullish(z.string().check(z.maxLength(limits.shortText), storable))

/** The three fields as a person saw them; missing fields are not compared, null and empty are equal. */
export const orderBaseline = z.strictObject({
  status: seenText,
  tracking_number: seenText,
  carrier: seenText,
})
export type OrderBaseline = z.output<typeof orderBaseline>

/** A row of a job of order updates: fields to change, and what the person saw before. Empty text clears a field. */
const rowShape = {
  order_id: idText("Choose an order."),
  status: z.optional(z.enum(orderStatuses)),
  tracking_number: z.optional(trackingNumber),
  carrier: updateOrderBody.shape.carrier,
  /** Numbers of the order's other parcels, kept with the row and never sent: the service has one number per order. */
  also: z.optional(z.array(trackingNumber).check(z.maxLength(limits.otherParcels))),
  expected: z.optional(orderBaseline),
}

/** A row as it is stored: it may be older than a rule for tracking numbers. */
export const storedOrderUpdate = z.strictObject({
  ...rowShape,
  tracking_number: z.optional(exactField()),
  also: z.optional(z.array(exactField())),
})

/** A new row. */
export const orderUpdateRow = z.strictObject(rowShape).check(
  z.refine(
    ({ status, tracking_number, carrier }) =>
      [status, tracking_number, carrier].some((field) => field !== undefined),
    "Change at least one field.",
  ),
  ({ value, issues }) => {
    const message = orderRefusal(value.tracking_number ?? "", value.order_id)?.sentence
    if (message !== undefined)
      issues.push({ code: "custom", path: ["tracking_number"], message, input: value })
  },
)
export type OrderUpdateRow = z.output<typeof orderUpdateRow>

/** The sides of a conflict: the fields as seen before, as they are now, and as this row wants those it changes. */
export const orderConflict = z.object({
  before: orderBaseline,
  theirs: orderBaseline,
  yours: orderBaseline,
  /** Missing for changes made elsewhere. */
  changed_by: z.optional(z.object({ name: z.string(), at: z.string() })),
})
export type OrderConflict = z.output<typeof orderConflict>

export const orderUpdate = {
  api: "program",
  permission: "orders.update",
  reads: "orders.read",
  audit: { action: "order.update", label: "Updated an order" },
  operations: ["PATCH /orders/{order_id}"],
  // The order is read first.
  requestsPerRow: 2,
  subject: "order",
  staysOpen: true,
  name: "Order update",
  noun: "order update",
  pastTense: "changed",
  record: "order",
  recordLabel: "Order",
  fields: {
    order_id: "Order number",
    status: "Status",
    tracking_number: "Tracking number",
    carrier: "Carrier",
  },
  resultFields: ["order_id", "status", "tracking_number", "carrier"],
  visibleInput: {
    fulfilment: "all",
    viewer: ["order_id", "status", "tracking_number", "carrier", "also", "expected"],
  },
  labels: {
    title: "Change the order",
    activity: "Changing orders",
    notAllowed: "You can view orders but not change them.",
    notDone: "Couldn’t change the order.",
    confirmed: "Done",
    lookup: "in the order itself",
    source: "the order itself",
    otherJob: "This link is for a job that isn’t a change of this order.",
  },
  decision: {
    question: "Was {who} changed?",
    again: "Send the change again",
    resendRisk: "The order is checked first, so nothing is overwritten.",
  },
} as const satisfies JobKindDescriptor
