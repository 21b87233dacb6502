import type { CreateJobBody } from "../../../contract/job.ts"
import {
  type OrderBaseline,
  orderUpdateRow,
  type OrderUpdateRow,
} from "../../../contract/kinds/order-update.ts"
import { orderStatuses, shipmentOf, type Order } from "../../../contract/program/order.ts"
import {
  orderRefusal,
  trackingDoubt,
  trackingNumber,
  trackingText,
} from "../../../contract/tracking-number.ts"
import { expectedFields, isCancelled } from "./order-row.tsx"
import { statusText } from "../../ui/status.tsx"
import * as z from "zod/mini"

/** Values of the form's fields; `fromNumber` as carrier means the one the number is recognised as. */
export const editValues = z.object({ status: z.string(), tracking_number: z.string(), carrier: z.string() })
export type EditValues = z.output<typeof editValues>

export const fromNumber = "(from the number)"

/** An order's three fields as form values; with `ship`, the status is Shipped. */
export function toFormValues(order: Order, ship: boolean): EditValues {
  const { tracking_number = "", carrier } = shipmentOf(order)
  const status = ship ? "shipped" : (order.status ?? "")
  return { status, tracking_number, carrier: carrier ?? fromNumber }
}

/** The form's schema: a tracking number is text with leading zeros, and no order's id. The current one may stay. */
export function editSchema(original: Order): z.ZodMiniType<EditValues, EditValues> {
  return editValues.check((ctx) => {
    const { tracking_number: typed } = ctx.value
    const message = isCurrent(original, typed) ? undefined : refusalOf(original, typed)
    if (message !== undefined)
      ctx.issues.push({ code: "custom", path: ["tracking_number"], message, input: typed })
  })
}

/** Why a number cannot be that of the order, if so. */
function refusalOf({ order_id: id }: Order, typed: string): string | undefined {
  const read = trackingNumber.safeParse(typed)
  if (read.success) return orderRefusal(read.data, id)?.sentence
  return read.error.issues[0]?.message ?? "This isn’t a valid tracking number."
}

/** Whether a typed number is the order's current one. */
function isCurrent(original: Order, typed: string): boolean {
  return typed.trim() === (shipmentOf(original).tracking_number ?? "")
}

/** The typed number, or the one in a scanned barcode or a quoting formula; the order's current one stays as it is. */
export function enteredNumber(
  original: Order,
  { tracking_number: typed }: Pick<EditValues, "tracking_number">,
): string {
  return isCurrent(original, typed) ? typed.trim() : trackingText(typed)
}

/** What makes a new number doubtful; undefined for the current one and for one that is refused. */
export function doubtOf(original: Order, typed: string) {
  const isSettled = isCurrent(original, typed) || refusalOf(original, typed) !== undefined
  return isSettled ? undefined : trackingDoubt(typed)
}

export type EditChange = Pick<OrderUpdateRow, "status" | "tracking_number" | "carrier">

/** Initial carrier for a number: the order's own for its number, otherwise the recognised one. */
export function carrierFor(number: string, base: EditValues): string {
  return number === base.tracking_number ? base.carrier : fromNumber
}

/** The fields the form changes; `recognised` is the number's carrier. An empty text clears a field. */
export function getChange(original: Order, values: EditValues, recognised: string | undefined): EditChange {
  const before = shipmentOf(original)
  const status = orderStatuses.find((each) => each === values.status)
  const number = enteredNumber(original, values)
  const chosen = values.carrier === fromNumber ? (number === "" ? "" : (recognised ?? "")) : values.carrier
  const isOther = number !== (before.tracking_number ?? "")
  // Another number is always sent with its carrier, even an equal one, so that the button names both.
  const hasCarrier = (isOther && number !== "") || chosen !== (before.carrier ?? "")
  return {
    ...(status === undefined || status === original.status ? {} : { status }),
    ...(isOther && { tracking_number: number }),
    ...(hasCarrier && { carrier: chosen }),
  }
}

/**
 * One row with the expected values, so that changes by others are not overwritten (docs/orders.md).
 */
export function editBody(seen: Order, change: EditChange): Omit<CreateJobBody, "kind"> {
  return { rows: [{ order_id: seen.order_id, ...change, expected: expectedFields(seen) }] }
}

/**
 * The row that undoes a change if the order still has the changed values. Undefined when that is impossible: from an
 * undocumented status, to a number that is none, and for cancellations, which may have moved points.
 */
export function undoRow(
  orderId: string,
  before: OrderBaseline,
  change: EditChange,
): OrderUpdateRow | undefined {
  const { status, tracking_number: number, carrier } = change
  const was = orderStatuses.find((each) => each === before.status)
  if (status !== undefined && (was === undefined || isCancelled(was) || isCancelled(status))) return undefined
  const row = {
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
  return orderUpdateRow.safeParse(row).success ? row : undefined
}

/** The fields that were sent; unchanged ones have their expected values. */
export function toSentValues({ status, tracking_number, carrier, expected }: OrderUpdateRow): EditValues {
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
