import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import { jobView, rowView } from "../job-views.ts"

/** A finished award job, created by the manager of `sessionOf`; omitted counts are 0. */
export function madeUpJob(fields: Parameters<typeof jobView>[0] = {}): Job {
  return jobView({
    id: "J-1183",
    title: "Q3 installer bonus",
    state: "done",
    phase: "idle",
    counts: { confirmed: 3 },
    created_at: "2026-11-20T23:15:00Z",
    started_at: "2026-11-20T23:15:01Z",
    finished_at: "2026-11-20T23:19:01Z",
    mode: "single",
    points: { total: 2250, confirmed: 2250 },
    ...fields,
  })
}

/** A row of that job: 750 points to a member named after the row number. */
export function madeUpRow(row: number, fields: Partial<JobRow> = {}): JobRow {
  return rowView({
    row,
    state: "confirmed",
    input: { member_id: `mem_${row}`, points: 750, reason: "Q3 installer bonus" },
    upstream_id: `txn_${row}`,
    attempts: 1,
    member: { id: `mem_${row}`, label: `Member ${row}` },
    sent_at: "2026-11-20T23:15:07Z",
    ended_at: "2026-11-20T23:15:08Z",
    ...fields,
  })
}
