import type { UsedNumbers } from "../../../../contract/orders.ts"
import { shipmentOf } from "../../../../contract/program/order.ts"
import type { LookupState } from "../../../api/order-lookup.ts"
import type { Mark } from "../../../import/sheet/sheet-command.ts"
import { isDigital, type RewardTypes, typeOf } from "../order-row.tsx"
import { plainNumber } from "../../../lib/format.ts"
import type { TrackingRow } from "./tracking-row.ts"

/** What is known beside the file. */
export interface Known {
  readonly book: Pick<LookupState, "orders" | "missing">
  readonly types: RewardTypes
  readonly used: UsedNumbers["used"]
}

/**
 * What only the orders say about a row: there is no such order; it was cancelled, or is sent as a code; it has another
 * number; the number stands on another order. The first leaves the row out, the others until a person keeps it.
 */
export function findMarks(row: TrackingRow, { book, types, used }: Known): Mark[] {
  const { number, order_id: id, tracking_number: tracking } = row
  const check = (field: string, text: string): Mark => ({ number, field, severity: "check", text })
  if (book.missing.has(id)) {
    return [{ number, field: "order_id", severity: "problem", text: "The service has no such order" }]
  }
  const marks: Mark[] = []
  const order = book.orders.get(id)?.data
  if (order !== undefined) {
    if (/^cancell?ed$/i.test(order.status ?? "")) marks.push(check("order_id", "Cancelled"))
    if (isDigital(typeOf(order, types))) marks.push(check("order_id", "Digital code: nothing to ship"))
    const now = shipmentOf(order).tracking_number
    if (now !== undefined && plainNumber(now) !== plainNumber(tracking)) {
      marks.push(check("tracking_number", `Has ${now} now, which will be replaced`))
    }
  }
  const other = used.find((each) => each.number === tracking && each.order_id !== id)
  if (other !== undefined) marks.push(check("tracking_number", `Already on order ${other.order_id}`))
  return marks
}
