import type { Job, RowCounts } from "../../contract/job.ts"
import type { JobRow } from "../../contract/job-rows.ts"

/** Row counts by state; omitted states are 0. */
export function countsOf(some: Partial<RowCounts> = {}): RowCounts {
  return {
    planned: 0,
    sent: 0,
    confirmed: 0,
    failed: 0,
    unknown: 0,
    absent: 0,
    conflict: 0,
    excluded: 0,
    ...some,
  }
}

/** A job as the server sends it: awards, just created by the manager of `sessionOf`; `total` is the sum of `counts`. */
export function jobView(fields: Partial<Omit<Job, "counts">> & { counts?: Partial<RowCounts> } = {}): Job {
  const counts = countsOf(fields.counts)
  return {
    id: "J-1",
    kind: "award",
    title: null,
    state: "running",
    pause: null,
    phase: "sending",
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    attention: 0,
    batch_code: "7K2Q",
    created_at: "2026-11-21T00:00:00Z",
    created_by: { id: "user-manager", name: "Priya Nair" },
    started_at: null,
    finished_at: null,
    worked_ms: null,
    mode: null,
    file: null,
    points: null,
    pace: null,
    reverses: null,
    reversed_by: [],
    ...fields,
    counts,
  }
}

/** A row as the server sends it: row 1, planned, never sent. */
export function rowView(fields: Partial<JobRow> = {}): JobRow {
  return {
    row: 1,
    state: "planned",
    input: {},
    outcome: null,
    upstream_id: null,
    attempts: 0,
    member: { id: null, label: null },
    sent_at: null,
    ended_at: null,
    next_look_at: null,
    balance_after: null,
    ...fields,
  }
}

/** A job of one row, done when the row is. */
export function oneRowJob(job: Partial<Omit<Job, "counts">>, fields: Partial<JobRow>) {
  const row = rowView(fields)
  const open = row.state === "planned" || row.state === "unknown"
  const state = open ? "running" : "done"
  return { job: jobView({ state, ...job, counts: { [row.state]: 1 } }), row }
}
