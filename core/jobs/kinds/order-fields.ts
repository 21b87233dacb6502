import { orderUpdateRow, type SeenOrder } from "../../../contract/job-rows.ts"
import { shipmentOf, type Order } from "../../../contract/program/order.ts"
import { readBody } from "../../validation.ts"
import type { RowRecord } from "../job-store.ts"

/** The fields of an order that can be changed (docs/api/program.md, Orders). */
export const orderFields = ["status", "tracking_number", "carrier"] as const
/** Such a field. */
type OrderField = (typeof orderFields)[number]

/** Some of these fields as text. Empty text: it has none. Missing: it was not told, or is not to be changed. */
export type OrderFields = Readonly<Partial<Record<OrderField, string>>>

/**
 * The fields of an order, in its flat or its nested shape. What a service leaves out of a parcel is none, but an order
 * without a status was not told whole.
 */
export function fieldsOf(order: Order): OrderFields {
  const { tracking_number = "", carrier = "" } = shipmentOf(order)
  const { status } = order
  return { ...(typeof status === "string" && { status }), tracking_number, carrier }
}

/** What a row changes. */
export function wantedOf(row: Pick<RowRecord, "input">): OrderFields {
  const { status, tracking_number, carrier } = readBody(row.input, orderUpdateRow)
  return {
    ...(status !== undefined && { status }),
    ...(tracking_number !== undefined && { tracking_number }),
    ...(carrier !== undefined && { carrier }),
  }
}

/** The fields as a person saw them: none and empty are the same, and what they did not see is missing. */
export function seenFields(seen: SeenOrder): OrderFields {
  return Object.fromEntries(
    orderFields.flatMap((field) => (seen[field] === undefined ? [] : [[field, seen[field] ?? ""]])),
  )
}

/** Whether every field that is to be changed is so already. */
export function isAtTarget(wanted: OrderFields, now: OrderFields): boolean {
  return orderFields.every((field) => wanted[field] === undefined || wanted[field] === now[field])
}
