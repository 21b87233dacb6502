import * as z from "zod/mini"
import { jobNumberOf } from "../job-data/job-number.ts"
import { controlRecord, jobFields, rowRecord } from "../job-data/record-schemas.ts"
import { frozen } from "./frozen.ts"
import { JobEntry } from "./job-entry.ts"
import type { JobTable } from "./job-table.ts"

/** The jobs of a memory store as plain JSON. Leases are left out: whoever held one is gone. */
export const jobsSnapshot = z.object({
  jobs: z.array(
    z.object({
      fields: jobFields,
      request: z.nullable(z.object({ key: z.string(), bodyHash: z.string() })),
      rows: z.array(z.object({ row: rowRecord, end: z.nullable(z.number()) })),
      controls: z.array(controlRecord),
    }),
  ),
  claims: z.array(z.object({ scope: z.string(), key: z.string(), job: z.string(), row: z.number() })),
})
/** The jobs of a memory store as plain JSON. */
type JobsSnapshot = z.output<typeof jobsSnapshot>

/** Everything in the table. */
export function snapshotOfJobs(table: JobTable): JobsSnapshot {
  return {
    jobs: table.entries.map((entry) => ({
      fields: entry.job(),
      request: entry.request,
      rows: entry.rows().map((row) => ({ row, end: entry.end(row.row) })),
      controls: [...entry.controls.values()],
    })),
    claims: table.allClaims(),
  }
}

/** Puts back what an earlier snapshot held, instead of what is there. */
export function restoreJobs(table: JobTable, { jobs, claims }: JobsSnapshot): void {
  table.clear()
  for (const { fields, request, rows, controls } of jobs) {
    const entry = new JobEntry(jobNumberOf(fields.id) ?? 0, fields, request)
    for (const { row, end } of rows) entry.put(frozen(row), 0, end)
    for (const control of controls) entry.controls.set(control.row, frozen(control))
    table.add(entry)
  }
  for (const entry of table.entries) {
    for (const { reverses } of entry.rows()) {
      if (reverses !== null) table.get(reverses.job)?.reversedRows.add(reverses.row)
    }
  }
  for (const claim of claims) table.take(claim, claim)
}
