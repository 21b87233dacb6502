import { orderStatuses } from "../../../../contract/program/order.ts"
import type { AcceptedRows } from "../../../import/sheet/sheet-command.ts"
import * as z from "zod/mini"

const acceptedRow = z.object({
  order_id: z.string(),
  tracking_number: z.string(),
  carrier: z.optional(z.string()),
  status: z.optional(z.enum(orderStatuses)),
})
const acceptedRows = z.array(acceptedRow)

/** A row of the file that would be sent. */
export type TrackingRow = z.output<typeof acceptedRow> & {
  /** Its number in the file. */
  readonly number: number
}

/** Rows of the file as the sheet accepts them (src/import/recipes/order-update.ts). */
export function trackingRows({ rows, numbers }: AcceptedRows): TrackingRow[] {
  return acceptedRows.parse(rows).map((row, at) => ({ ...row, number: numbers[at] ?? at + 1 }))
}
