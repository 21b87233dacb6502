import type { Job, RowCounts } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"

const noRows: RowCounts = {
  planned: 0,
  sent: 0,
  confirmed: 0,
  failed: 0,
  unknown: 0,
  absent: 0,
  conflict: 0,
  excluded: 0,
}

/** A job of awards that is done, by the manager of `sessionOf`; counts that are left out are 0. */
export function madeUpJob(fields: Partial<Omit<Job, "counts">> & { counts?: Partial<RowCounts> } = {}): Job {
  const counts = { ...noRows, ...(fields.counts ?? { confirmed: 3 }) }
  return {
    id: "J-1183",
    kind: "award",
    title: "Q3 installer bonus",
    state: "done",
    pause: null,
    phase: "idle",
    attention: 0,
    batch_code: "7K2Q",
    created_at: "2026-11-20T23:15:00Z",
    created_by: { id: "user-manager", name: "Priya Nair" },
    started_at: "2026-11-20T23:15:01Z",
    finished_at: "2026-11-20T23:19:01Z",
    mode: "single",
    file: null,
    points: { total: 2250, confirmed: 2250 },
    pace: null,
    reverses: null,
    reversed_by: [],
    ...fields,
    total: fields.total ?? Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
  }
}

/** A row of it: 750 points to a member named after its number. */
export function madeUpRow(row: number, fields: Partial<JobRow> = {}): JobRow {
  return {
    row,
    state: "confirmed",
    input: { member_id: `mem_${row}`, points: 750, reason: "Q3 installer bonus" },
    outcome: null,
    upstream_id: `txn_${row}`,
    attempts: 1,
    member: { id: `mem_${row}`, label: `Member ${row}` },
    sent_at: "2026-11-20T23:15:07Z",
    ended_at: "2026-11-20T23:15:08Z",
    next_look_at: null,
    balance_after: null,
    ...fields,
  }
}
