import { orderUpdateRow } from "../../../contract/job-rows.ts"
import { limits } from "../../../contract/limits.ts"
import { orderListReader } from "../../../contract/program/order.ts"
import { readBody } from "../../validation.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { type JobContext, plannedRows, requesterOf } from "../job-context.ts"
import { readNow } from "../job-reads.ts"
import type { JobRecord, RowChange, RowRecord } from "../job-store.ts"
import { fieldsOf, type OrderFields } from "./order-fields.ts"

/** So many rows are worth a page of the list: five requests more for a hundred rows. */
const rowsForPage = 20

/**
 * Notes how orders are when a job begins, for rows whose maker did not say what they saw: a change that comes between
 * then and the row's turn is somebody else's. Orders that the newest pages do not show are first seen at their turn.
 * @throws DeskFailure; the signal's reason
 */
export async function noteSeenOrders(
  context: JobContext,
  job: JobRecord,
  signal: AbortSignal,
): Promise<void> {
  const waiting = new Map<string, RowRecord[]>()
  let rows = 0
  for await (const planned of plannedRows(context.store.jobs, job.id)) {
    for (const row of planned) {
      const { order_id, expected } = readBody(row.input, orderUpdateRow)
      if (expected !== undefined || row.work !== null || row.attempts > 0) continue
      waiting.set(order_id, [...(waiting.get(order_id) ?? []), row])
      rows += 1
    }
  }
  for (let page = 1; page <= Math.floor(rows / rowsForPage) && waiting.size > 0; page += 1) {
    const plan = planById("GET /orders", {}, { page, per_page: limits.perPage.max })
    const { data } = await readNow(context, requesterOf(job), plan, signal)
    const orders = orderListReader.tolerant.parse(data)
    const changes = orders.flatMap((order) =>
      (waiting.get(order.order_id) ?? []).map((row) => noted(row, fieldsOf(order))),
    )
    for (const { order_id } of orders) waiting.delete(order_id)
    if (changes.length > 0) await context.store.jobs.changeRows(job.id, changes)
    if (orders.length < limits.perPage.max) return
  }
}

function noted({ row, edits }: RowRecord, seen: OrderFields): RowChange {
  return { row, from: ["planned"], attempt: 0, edits, set: { work: { seen } } }
}
