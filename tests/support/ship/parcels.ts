import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Parcel } from "../../../src/features/orders/ship/outbox.ts"

/** A parcel as it was just scanned. */
export function parcel(number: number, change: Partial<Parcel> = {}): Parcel {
  return {
    key: `key-${number}`,
    at: number,
    order_id: `ord_${number}`,
    tracking_number: `33ABC44019${String(number).padStart(2, "0")}`,
    carrier: "Australia Post",
    expected: { status: "pending", tracking_number: null, carrier: null },
    unchecked: [],
    state: "waiting",
    job: null,
    question: null,
    ...change,
  }
}

/** Rows of a job by state: none. */
export const counts = {
  planned: 0,
  sent: 0,
  confirmed: 0,
  failed: 0,
  unknown: 0,
  absent: 0,
  conflict: 0,
  excluded: 0,
}

/** The job of one parcel. */
export function jobOf(id: string, change: Partial<Job> = {}): Job {
  return {
    id,
    kind: "order-update",
    title: null,
    state: "running",
    pause: null,
    phase: "sending",
    total: 1,
    counts,
    attention: 0,
    batch_code: "7K2Q",
    created_at: "2026-11-21T00:00:00Z",
    created_by: { id: "user-fulfilment", name: "Tom Whitlock" },
    started_at: null,
    finished_at: null,
    mode: null,
    file: null,
    points: null,
    pace: null,
    reverses: null,
    reversed_by: [],
    ...change,
  }
}

/** The one row of a parcel's job. */
export function rowOf(state: JobRow["state"], change: Partial<JobRow> = {}): JobRow {
  return {
    row: 1,
    state,
    input: {},
    outcome: null,
    upstream_id: null,
    attempts: 1,
    member: null,
    sent_at: null,
    ended_at: null,
    next_look_at: null,
    balance_after: null,
    ...change,
  }
}
