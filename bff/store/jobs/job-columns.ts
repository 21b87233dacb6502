import type { Insertable, Selectable } from "kysely"
import type { RowState } from "../../../contract/job.ts"
import { needsPerson } from "../../../core/job-data/job-needs.ts"
import { jobIdOf, jobNumberOf } from "../../../core/job-data/job-number.ts"
import { jobFields } from "../../../core/job-data/record-schemas.ts"
import { isBusy, pointsOf, type Tally } from "../../../core/job-data/tally.ts"
import type { JobRecord, NewJob } from "../../../core/jobs/job-store.ts"
import type { JobTable } from "../job-schema.ts"

type JobColumns = Selectable<JobTable>
type TallyColumn =
  | RowState
  | "total"
  | "attention"
  | "rereads"
  | "points_total"
  | "points_confirmed"
  | "amount"
  | "amount_planned"
  | "open_controls"
  | "busy"
  | "needs_person"
  | "open"

/** A job as others see it. */
export function jobOf(columns: JobColumns): JobRecord {
  const fields = jobFields.parse({
    id: jobIdOf(columns.number),
    kind: columns.kind,
    title: columns.title,
    state: columns.state,
    pause: columns.pause_code === null ? null : { code: columns.pause_code, message: columns.pause_message },
    prepared: columns.prepared === 1,
    batchCode: columns.batch_code,
    createdAt: columns.created_at,
    createdBy: { id: columns.created_by, name: columns.created_by_name, role: columns.created_by_role },
    startedAt: columns.started_at,
    finishedAt: columns.finished_at,
    mode: columns.mode,
    bulkSize: columns.bulk_size,
    lane: columns.lane,
    marked: columns.marked === 1,
    file:
      columns.file_fingerprint === null
        ? null
        : { name: columns.file_name, fingerprint: columns.file_fingerprint },
    repeats: columns.repeats,
    reverses: columns.reverses === null ? null : jobIdOf(columns.reverses),
    reversedBy: columns.reversed_by
      .split(",")
      .filter((number) => number !== "")
      .map((number) => jobIdOf(Number(number))),
    hold:
      columns.hold === null
        ? null
        : {
            state: columns.hold,
            sign: columns.held_sign,
            at: columns.held_at,
            since: columns.held_since,
            confirmedBefore: columns.held_confirmed,
          },
  })
  const tally = tallyOf(columns)
  return {
    ...fields,
    total: tally.total,
    counts: tally.counts,
    attention: tally.attention,
    points: pointsOf(fields.kind, tally),
    amount: tally.amount,
  }
}

/** What the job knows of its rows. */
export function tallyOf(columns: JobColumns): Tally {
  const { planned, sent, confirmed, failed, unknown, absent, conflict, excluded } = columns
  return {
    total: columns.total,
    counts: { planned, sent, confirmed, failed, unknown, absent, conflict, excluded },
    attention: columns.attention,
    rereads: columns.rereads,
    pointsTotal: columns.points_total,
    pointsConfirmed: columns.points_confirmed,
    amount: columns.amount,
    amountPlanned: columns.amount_planned,
  }
}

/** Columns of a tally, and what follows from it and the job's state. */
export function tallyColumns(
  job: Pick<JobRecord, "state" | "pause" | "hold">,
  tally: Tally,
  openControls: number,
): Pick<JobColumns, TallyColumn> {
  const needs = needsPerson({ ...job, attention: tally.attention })
  const active = job.state === "running" || job.state === "paused" || job.state === "cancelling"
  return {
    ...tally.counts,
    total: tally.total,
    attention: tally.attention,
    rereads: tally.rereads,
    points_total: tally.pointsTotal,
    points_confirmed: tally.pointsConfirmed,
    amount: tally.amount,
    amount_planned: tally.amountPlanned,
    open_controls: openControls,
    busy: isBusy(job, tally, openControls) ? 1 : 0,
    needs_person: needs ? 1 : 0,
    open: active || needs ? 1 : 0,
  }
}

/** Columns of a new job. */
export function newJobColumns(job: NewJob, tally: Tally, now: number): Insertable<JobTable> {
  return {
    kind: job.kind,
    title: job.title,
    state: job.state,
    pause_code: null,
    pause_message: null,
    prepared: 0,
    batch_code: job.batchCode,
    created_at: now,
    created_by: job.createdBy.id,
    created_by_name: job.createdBy.name,
    created_by_role: job.createdBy.role,
    request_key: job.request?.key ?? null,
    request_hash: job.request?.bodyHash ?? null,
    started_at: job.state === "draft" ? null : now,
    finished_at: null,
    mode: job.mode,
    bulk_size: job.bulkSize,
    lane: job.lane,
    marked: job.marked ? 1 : 0,
    file_name: job.file?.name ?? null,
    file_fingerprint: job.file?.fingerprint ?? null,
    repeats: null,
    reverses: job.reverses === null ? null : (jobNumberOf(job.reverses) ?? null),
    reversed_by: "",
    ...tallyColumns({ state: job.state, pause: null, hold: null }, tally, 0),
  }
}
