import { jobRecord, type JobRecord, rowRecord, type RowRecord } from "../../core/jobs/job-store.ts"
import { countsOf } from "./job-views.ts"

/** A running award job unless `fields` say otherwise. */
export function jobOf(fields: Partial<JobRecord> = {}): JobRecord {
  const job = jobRecord.parse({
    id: "J-1001",
    kind: "award",
    title: null,
    state: "running",
    pause: null,
    prepared: true,
    total: 10,
    counts: countsOf(),
    attention: 0,
    batchCode: "7K2QX",
    createdAt: 0,
    createdBy: { id: "usr_1", name: "Helen Park", role: "admin" },
    startedAt: 0,
    finishedAt: null,
    idleSince: null,
    idleMs: 0,
    mode: "single",
    bulkSize: 100,
    lane: "jobs",
    hasBatchCode: true,
    file: null,
    repeats: null,
    amount: 50,
    reverses: null,
    closesAt: null,
    isOpen: false,
    linked: null,
    reversedBy: [],
    hold: null,
    refusal: null,
  })
  return { ...job, points: null, ...fields }
}

/** A planned award of 5 points to `mem_1` unless `fields` say otherwise. */
export function rowOf(fields: Partial<RowRecord> = {}): RowRecord {
  const row = rowRecord.parse({
    jobId: "J-1001",
    row: 7,
    input: { member_id: "mem_1", points: 5, reason: "Bonus" },
    memberId: "mem_1",
    email: null,
    label: "Ana Ek",
    points: 5,
    reason: "Bonus",
    reverses: null,
    state: "planned",
  })
  return { ...row, ordinal: 1, ...fields }
}
