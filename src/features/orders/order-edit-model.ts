import type { CreateJobBody } from "../../../contract/job.ts"
import { type OrderUpdateRow, type SeenOrder, trackingNumber } from "../../../contract/job-rows.ts"
import { orderStatuses, shipmentOf, type Order } from "../../../contract/program/order.ts"
import { hasWrongCheckDigit, parcelNumber } from "../../../contract/parcel-number.ts"
import { expectedOf, isCancelled } from "./order-row.tsx"
import { statusText } from "../../ui/status.tsx"
import * as z from "zod/mini"

/** What the form's fields hold; a carrier that is `fromNumber` is the one the number is recognised as. */
export const editValues = z.object({ status: z.string(), tracking_number: z.string(), carrier: z.string() })
export type EditValues = z.output<typeof editValues>

export const fromNumber = "(from the number)"

/** An order's three fields as the form shows them; with `ship` a parcel is being sent and the status is Shipped. */
export function valuesOf(order: Order, ship: boolean): EditValues {
  const { tracking_number = "", carrier } = shipmentOf(order)
  const status = ship ? "shipped" : (order.status ?? "")
  return { status, tracking_number, carrier: carrier ?? fromNumber }
}

/** The form's rules: a tracking number is text, leading zeros and all, and not the order's own id. */
export function editSchema(orderId: string): z.ZodMiniType<EditValues, EditValues> {
  return editValues.check((ctx) => {
    const { tracking_number: typed } = ctx.value
    const issue = (message: string) =>
      ctx.issues.push({ code: "custom", path: ["tracking_number"], message, input: typed })
    const read = trackingNumber.safeParse(typed.trim())
    if (!read.success) issue(read.error.issues[0]?.message ?? "This isn’t a valid tracking number.")
    else if (read.data.toLowerCase() === orderId.toLowerCase()) {
      issue("This is the order’s own id. Scan or enter the number on the parcel.")
    }
  })
}

/** The number that is typed, or in the label's barcode that is; the one the order has stays as it is. */
export function numberOf(
  seen: Order,
  { tracking_number: typed }: Pick<EditValues, "tracking_number">,
): string {
  const text = typed.trim()
  return text === shipmentOf(seen).tracking_number ? text : parcelNumber(text)
}

/** Whether another number than the order has was entered, with a wrong check digit. */
export function isOtherMisread(seen: Order, typed: string): boolean {
  return typed.trim() !== shipmentOf(seen).tracking_number && hasWrongCheckDigit(typed)
}

export type EditChange = Pick<OrderUpdateRow, "status" | "tracking_number" | "carrier">

/** The carrier that a number begins with: the order's own for its number, for any other one whose it is recognised as. */
export function carrierFor(number: string, base: EditValues): string {
  return number === base.tracking_number ? base.carrier : fromNumber
}

/** What the form changes, by the name of the carrier the number is recognised as. Empty text takes a field away. */
export function changeOf(seen: Order, values: EditValues, recognised: string | undefined): EditChange {
  const before = shipmentOf(seen)
  const status = orderStatuses.find((each) => each === values.status)
  const number = numberOf(seen, values)
  const chosen = values.carrier === fromNumber ? (number === "" ? "" : (recognised ?? "")) : values.carrier
  const isOther = number !== (before.tracking_number ?? "")
  // Another number always goes with its carrier, also where that stays: both are sent, and the button names both.
  const hasCarrier = (isOther && number !== "") || chosen !== (before.carrier ?? "")
  return {
    ...(status === undefined || status === seen.status ? {} : { status }),
    ...(isOther && { tracking_number: number }),
    ...(hasCarrier && { carrier: chosen }),
  }
}

/** One row with what the person saw, so that nothing is overwritten unseen (docs/orders.md). */
export function editBody(seen: Order, change: EditChange): Omit<CreateJobBody, "kind"> {
  return { rows: [{ order_id: seen.order_id, ...change, expected: expectedOf(seen) }] }
}

/**
 * The row that sets a change back to what the person saw, if the order still is as the change made it. Undefined where
 * that cannot be: from a status the service does not document, and around a cancellation, which may have moved points.
 */
export function undoOf(orderId: string, before: SeenOrder, change: EditChange): OrderUpdateRow | undefined {
  const { status, tracking_number: number, carrier } = change
  const was = orderStatuses.find((each) => each === before.status)
  if (status !== undefined && (was === undefined || isCancelled(was) || isCancelled(status))) return undefined
  return {
    order_id: orderId,
    ...(status !== undefined && { status: was }),
    ...(number !== undefined && { tracking_number: before.tracking_number ?? "" }),
    ...(carrier !== undefined && { carrier: before.carrier ?? "" }),
    expected: {
      status: status ?? before.status,
      tracking_number: number === undefined ? before.tracking_number : number || null,
      carrier: carrier === undefined ? before.carrier : carrier || null,
    },
  }
}

/** What was sent, as fields: those that were left alone are as they were seen. */
export function valuesOfRow({ status, tracking_number, carrier, expected }: OrderUpdateRow): EditValues {
  return {
    status: status ?? expected?.status ?? "",
    tracking_number: tracking_number ?? expected?.tracking_number ?? "",
    carrier: carrier ?? expected?.carrier ?? fromNumber,
  }
}

export function editLabels(orderId: string, change: EditChange): { action: string; running: string } {
  const { status, tracking_number: number, carrier } = change
  const parts = [
    ...(status === undefined ? [] : [`to ${statusText("order", status).word}`]),
    ...(number === undefined ? [] : [number === "" ? "without a tracking number" : `with ${number}`]),
    ...(carrier === undefined ? [] : [carrier === "" ? "without a carrier" : `by ${carrier}`]),
  ]
  if (parts.length === 0) return { action: "No changes", running: "Changing the order" }
  const what = `${orderId} ${parts.join(" ")}`
  return { action: `Change ${what}`, running: `Changing ${what}` }
}
