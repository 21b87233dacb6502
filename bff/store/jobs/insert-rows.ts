import { yieldToEventLoop } from "../../../core/jobs/job-context.ts"
import { type RawBuilder, sql, type Transaction } from "kysely"
import { madeRow } from "../../../core/job-data/row-change.ts"
import type { NewRow, RowRecord } from "../../../core/jobs/job-store.ts"
import type { Engine } from "../engine.ts"
import { recordset } from "../recordset.ts"
import type { Database } from "../schema.ts"
import { columnsOf, rowKeys, rowValues } from "./row-columns.ts"

/** Few enough that whoever waits for this process is hardly kept waiting. */
const rowsAtOnce = 1000
const columns = { ...rowKeys, ...rowValues }
const names: RawBuilder<unknown> = sql.join(Object.keys(columns).map((name) => sql.ref(name)))

/** New rows, numbered after the `kept` that are there. */
export function newRows(jobId: string, kept: number, rows: readonly NewRow[]): RowRecord[] {
  return rows.map((row, at) => madeRow(jobId, kept + 1 + at, row))
}

/** Adds rows; returns how many: fewer than given when one takes back what another row takes back already. */
export async function insertRows(
  kind: Engine["kind"],
  within: Transaction<Database>,
  rows: readonly RowRecord[],
): Promise<number> {
  let added = 0
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    if (at > 0) await yieldToEventLoop()
    const given = rows.slice(at, at + rowsAtOnce).map((row) => columnsOf(row, null))
    // `where true` tells SQLite that `on conflict` is no join.
    const { numAffectedRows } = await sql`
      insert into job_row (${names}) select ${names} from ${recordset(kind, columns, given)} where true
      on conflict do nothing`.execute(within)
    added += Number(numAffectedRows ?? 0)
  }
  return added
}
