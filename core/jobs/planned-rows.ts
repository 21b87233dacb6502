import { breathe } from "./breathe.ts"
import type { JobStore, RowRecord } from "./job-store.ts"

const atOnce = 1000

/** All planned rows of a job, some at a time, by number. */
export async function* plannedRows(store: JobStore, jobId: string): AsyncGenerator<readonly RowRecord[]> {
  for (let after = 0; ;) {
    const rows = await store.rowsIn(jobId, ["planned"], after, atOnce)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) return
    after = last.row
    await breathe()
  }
}
