import type { AuditAction, AuditChange, AuditEntry } from "../../contract/audit.ts"
import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import {
  type ControlJobBody,
  type EditRowsBody,
  type ExcludeRowsBody,
  type JobState,
  pauseCodes,
  type RetryJobBody,
  type StartJobBody,
} from "../../contract/job.ts"
import { type Act, type ActContext, entryOf, type NewAuditEntry } from "../audit/audit-log.ts"
import { conflict, invalid, stored } from "../errors.ts"
import { linkedAct, linkedJob } from "./create.ts"
import { amountRules, noAmountRules, type AmountRules } from "./amount-limits.ts"
import {
  changeInBatches,
  type EngineContext,
  jobAct,
  requireJob,
  resetDeadline,
  rowBatches,
  storedRows,
} from "./engine-context.ts"
import type { KindRules } from "./job-kind.ts"
import type {
  EntryBuilder,
  JobChange,
  JobRecord,
  JobStore,
  LinkedJob,
  RowChange,
  RowRecord,
} from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { isHeld, jobLabel } from "./job-record.ts"
import { newOwner, pauseIfMakerLeft } from "./maker-left.ts"
import { resolveDraft } from "./resolve-rows.ts"
import { requireNotHeld } from "./restore.ts"
import { requireNotReversed } from "./reverse.ts"
import { editRows, excludeFailedRows, retryRows } from "./retry.ts"
import { cancelPlanned, excludeRow, releaseReversed, lookUpPlanned } from "./transitions.ts"

/** A person's action on a job, in some of its states. @throws AppError 404, 409 in another state, 422 by field */
export type JobAction<Body> = (
  context: EngineContext,
  requester: ActContext,
  id: string,
  body: Body,
) => Promise<JobRecord>

/** Calls under way end; what a person paused is resumed only by a person. */
export const pauseRunning: JobAction<ControlJobBody> = async (context, requester, id, { reason }) => {
  const pause = { code: pauseCodes.person, message: `${requester.user.name} paused it.` }
  const set = { state: "paused", pause } as const
  const job = await act(context, requester, "job.pause", id, reason, (entry) =>
    stored(context.store.jobs.change(id, ["running"], set, entry)),
  )
  return job ?? refuse(context, id, "paused")
}

/** Sent rows are finished, the rest stays planned. */
export const cancelJob: JobAction<ControlJobBody> = async (context, requester, id, { reason }) => {
  const set = { state: "cancelling", pause: null } as const
  const job = await act(context, requester, "job.cancel", id, reason, (entry) =>
    stored(context.store.jobs.change(id, ["draft", "running", "paused"], set, entry)),
  )
  return job ?? refuse(context, id, "cancelled")
}

/** Edits planned rows of a paused job, which are prepared again. */
export const editJob: JobAction<EditRowsBody> = async (context, requester, id, body) => {
  const before = await requireJob(context, id)
  requireNotHeld(before, "its rows can’t be edited yet")
  if (before.state !== "paused") await refuse(context, id, "edited")
  await editRows(context, requester, before, body)
  context.jobMoved(id)
  return requireJob(context, id)
}

/** Excludes failed rows that will not be sent. */
export const excludeFailed: JobAction<ExcludeRowsBody> = async (context, requester, id, { rows, reason }) => {
  const before = await requireJob(context, id)
  requireNotHeld(before, "its rows can’t be left out yet")
  const excluded = await act(context, requester, "job.leave_out", id, reason, (entry) =>
    excludeFailedRows(context, requester, before, rows, entry),
  )
  if (excluded < rows.length)
    throw conflict("Someone else changed some of these rows in the meantime. Reload to see them.")
  return requireJob(context, id)
}

/** Closes a user's open job: it ends with its rows. */
export async function closeOpenJob({ jobMoved, store }: EngineContext, userId: string): Promise<void> {
  const closed = await store.jobs.closeOpen(userId)
  if (closed !== undefined) jobMoved(closed)
}

/** Does `work` with its audit entry. */
async function act<T>(
  context: EngineContext,
  requester: ActContext,
  action: AuditAction,
  id: string,
  note: string | undefined,
  work: (entry: EntryBuilder | undefined) => Promise<T>,
): Promise<T> {
  const done = await context.audit.together(
    (job: JobRecord) => jobAct(requester, action, job, { note }),
    work,
  )
  context.jobMoved(id)
  return done
}

async function refuse(context: EngineContext, id: string, no: string): Promise<never> {
  const { state } = await requireJob(context, id)
  throw conflict(`This job is ${stateWords[state]}, so it can’t be ${no}. Nothing was done.`, { state })
}

/** How a job starts or continues. */
interface Starting {
  readonly from: "draft" | "paused"
  readonly set: Omit<JobChange["set"], "state">
  readonly amounts: AmountRules
  readonly startedAt: number | undefined
  /** What is refused, and what was not done then. */
  readonly no: { readonly action: string; readonly rest: string }
  /** Further changes in the same transaction. */
  readonly changes?: readonly RowChange[]
  readonly linked?: LinkedJob | undefined
}

async function startJob(
  context: EngineContext,
  { id, amount, createdBy }: JobRecord,
  { from, set, amounts, startedAt, no, changes = [], linked }: Starting,
  entry: EntryBuilder | undefined,
) {
  const { jobs } = context.store
  const more = { changes, linked }
  const job = await stored(jobs.start(id, set, amounts.most(startedAt), from, entry, more))
  if (job === "stale") return refuse(context, id, no.action)
  if (job === "rows_changed")
    throw conflict(`Rows of this job changed in the meantime. ${no.rest} Try again.`)
  if (job === "over_job" || job === "over_day")
    throw await amounts.refusal(job, createdBy.id, { job: amount, added: amount, startedAt }, no.rest)
  return job
}

/** Starts a draft with the number of rows and repeats that the person saw; another number is refused. */
export const startDraft: JobAction<StartJobBody> = async (context, requester, id, body) => {
  const { total, repeats: expected } = body
  const draft = await requireJob(context, id)
  if (draft.state === "draft" && draft.total === 0)
    throw invalid(422, [{ field: "rows", message: "This draft has no rows. Nothing was started." }])
  if (total !== undefined && total !== draft.total)
    throw conflict(
      `This draft has ${draft.total} rows, not ${total}. Nothing was started. Add the rest first.`,
    )
  // Rows of a file are always compared; others only if the request states a number of repeats.
  const repeats = expected ?? (draft.file === null ? null : 0)
  const { changes, deductions } =
    draft.state === "draft" ? await resolveDraft(context, draft, repeats) : { changes: [], deductions: [] }
  const startedAt = await stored(context.store.jobs.now())
  const amounts = await amountRules(context, draft.kind)
  const note = repeats ? repeatsIncluded(repeats) : undefined
  const started = await context.audit.together(linkedAct(requester, deductions), (linkedEntry) => {
    const starting: Starting = {
      from: "draft",
      set: { startedAt, repeats },
      amounts,
      startedAt,
      no: { action: "started", rest: "Nothing was started." },
      changes,
      linked: linkedJob(draft, deductions, linkedEntry),
    }
    return act(context, requester, "job.start", id, note, (entry) =>
      startJob(context, draft, starting, entry),
    )
  })
  if (started.linked !== null) context.jobMoved(started.linked)
  return pauseIfMakerLeft(context, requester, started)
}

/** Also "Send now" for a row that could not be sent in time. */
export const resumeJob: JobAction<ControlJobBody> = async (context, requester, id, { reason }) => {
  const before = await requireJob(context, id)
  const deadline = await resetDeadline(context, before)
  const owner = await newOwner(context, requester, before)
  const isTaken = owner.createdBy !== undefined
  // A job that now counts for another day must fit into that day's limit.
  const isSameDay = deadline.startedAt === undefined && !isTaken
  const isLimited = !isSameDay && before.reverses === null
  const starting: Starting = {
    from: "paused",
    set: { pause: null, prepared: false, ...deadline, ...owner },
    amounts: isLimited ? await amountRules(context, before.kind) : noAmountRules,
    startedAt: deadline.startedAt ?? (isTaken ? (before.startedAt ?? undefined) : undefined),
    no: { action: "resumed", rest: "It was not resumed. Nothing was sent." },
  }
  // After a long pause members and cards may have changed, and unknown attempts must be looked up again.
  if (before.state === "paused" && !isHeld(before) && kindRules[before.kind].resendSafety !== "idempotent")
    await stored(changeAll(context, id, ["planned"], lookUpPlanned))
  const resumed = await act(context, requester, "job.resume", id, reason, (entry) =>
    startJob(context, before, starting, entry),
  )
  return pauseIfMakerLeft(context, requester, resumed)
}

/** Excludes the rows that wait for a reversal. */
export const excludeAwaiting: JobAction<ControlJobBody> = async (context, requester, id, { reason }) => {
  const { jobs } = context.store
  const { kind, state } = await requireJob(context, id)
  if (state !== "running" && state !== "paused") await refuse(context, id, "changed")
  const outcome = { code: "not_reversed", message: leftWaiting } as const
  let excluded = 0
  for await (const rows of rowBatches(storedRows(jobs), id)) {
    const waiting = rows.filter(({ awaits }) => awaits !== null)
    const changes = waiting.map((row) => excludeRow(kindRules[kind], row, outcome))
    if (changes.length === 0) continue
    excluded += changes.length
    const note = [reason, `${changes.length} rows that wait for a reversal.`].filter(Boolean).join(" ")
    await act(context, requester, "job.leave_out", id, note, (entry) =>
      stored(jobs.changeRows(id, changes, undefined, undefined, entry)),
    )
  }
  if (excluded === 0) throw conflict("No row of this job waits for a reversal any more. Nothing was done.")
  return requireJob(context, id)
}

/** Plans failed or left-out rows again, unchanged or corrected, and lets a finished job run again. */
export const retryJob: JobAction<RetryJobBody> = async (context, requester, id, body) => {
  const before = await requireJob(context, id)
  requireNotHeld(before, "its rows can’t be retried yet")
  // Running again, a cancelled job would also send its planned rows.
  if (before.state === "draft" || before.state === "cancelling" || before.state === "cancelled")
    await refuse(context, id, "tried again")
  await requireNotReversed(context, before, "Nothing was done.")
  const rerun = { state: "running", pause: null, prepared: false, finishedAt: null } as const
  const owner = before.state === "paused" ? {} : await newOwner(context, requester, before)
  const set = { ...rerun, ...(await resetDeadline(context, before)), ...owner }
  // A paused job stays paused: retried rows wait like the others.
  const again: JobChange =
    before.state === "paused"
      ? { from: ["running", "paused"], only: true, set: { prepared: false } }
      : { from: ["running", "done"], only: true, set }
  const { planned, missed } = await act(context, requester, "job.retry", id, body.reason, (entry) =>
    retryRows(context, before, body, again, entry),
  )
  const now = (await stored(context.store.jobs.get(id))) ?? before
  if (planned === 0)
    throw conflict(
      now.state === before.state
        ? "None of these rows is left to send again. Nothing was done."
        : `The job is ${stateWords[now.state]} now. Nothing was done. Try again.`,
    )
  if (missed.length === 0) return now
  throw conflict(
    `Someone else dealt with row ${missed.join(", ")} in the meantime, so nothing was done there. The other rows are retried.`,
  )
}

const leftWaiting =
  "It waited for a reversal. The earlier award is still there unless the reversal goes on. Nothing was sent for this row."

function repeatsIncluded(count: number): string {
  return count === 1
    ? "1 row repeats an earlier one and was included on purpose."
    : `${count} rows repeat earlier ones and were included on purpose.`
}

const stateWords: Readonly<Record<JobState, string>> = {
  draft: "a draft",
  running: "running",
  paused: "paused",
  cancelling: "being cancelled",
  cancelled: "cancelled",
  done: "done",
}

/** Ends a job without sent or unknown rows: as `cancelled`, or as `done` without planned rows. Returns the current job. */
export async function finishIfOver(context: EngineContext, jobId: string): Promise<JobRecord | undefined> {
  const job = await closeAtEndOfDay(context, await context.store.jobs.get(jobId))
  if (job === undefined || job.counts.sent > 0 || job.counts.unknown > 0) return job
  if (job.state === "cancelling") {
    await cancelRest(context, job)
    return (await end(context, job, "cancelled")) ?? job
  }
  if (job.isOpen || job.counts.planned > 0) return job
  if (job.state !== "running" && job.state !== "paused") return job
  // Stay open: continuing the held job decides all these rows together.
  if (isHeld(job) && job.attention > 0) return job
  return (await end(context, job, "done")) ?? job
}

async function closeAtEndOfDay({ store, time }: EngineContext, job: JobRecord | undefined) {
  if (job?.isOpen !== true || (job.closesAt ?? 0) > time.now()) return job
  return (await store.jobs.change(job.id, ["running", "paused"], { isOpen: false })) ?? job
}

async function cancelRest(context: EngineContext, { id, kind, reverses }: JobRecord) {
  await changeAll(context, id, ["planned"], (row) => cancelPlanned(kindRules[kind], row))
  // A cancelled reversal is never retried.
  if (reverses !== null) await changeAll(context, id, ["failed", "absent"], releaseReversed)
}

async function changeAll(
  { store: { jobs } }: EngineContext,
  id: string,
  states: readonly RowRecord["state"][],
  changeOf: (row: RowRecord) => RowChange | undefined,
) {
  for await (const rows of rowBatches(jobs, id, states)) {
    const changes = rows.flatMap((row) => changeOf(row) ?? [])
    await changeInBatches(jobs, id, changes)
  }
}

async function end(context: EngineContext, { id }: JobRecord, state: "done" | "cancelled") {
  const from = state === "done" ? (["running", "paused"] as const) : (["cancelling"] as const)
  const set = { state, pause: null, finishedAt: context.time.now() }
  const ended = await context.audit.together(jobEndEntry, (entry) =>
    context.store.jobs.change(id, from, set, entry),
  )
  if (ended !== undefined) context.jobChanged(id)
  return ended
}

/** Audit entry of the end of a job; `only`: the job's row if it has just one. */
export function jobEndEntry(job: JobRecord, only: RowRecord | undefined): NewAuditEntry {
  const isSingle = only !== undefined && job.closesAt === null
  return entryOf(
    { user: job.createdBy, requestId: job.id },
    isSingle ? singleRowEnd(job, only) : bulkJobEnd(job),
  )
}

function rowEndEntry(job: JobRecord, row: RowRecord): NewAuditEntry {
  return entryOf({ user: job.createdBy, requestId: job.id }, singleRowEnd(job, row))
}

/** The job store, with an audit entry for each parcel of the ship desk: its job ends much later. */
export function withRowAudit({ store, audit }: Pick<EngineContext, "store" | "audit">): JobStore {
  return {
    ...store.jobs,
    changeRows: (jobId, changes, job, most, entry) =>
      audit.together(rowEndEntry, (rowEntry) =>
        store.jobs.changeRows(jobId, changes, job, most, entry, rowEntry),
      ),
  }
}

const outcomesOfOne: Partial<Record<RowRecord["state"], AuditEntry["outcome"]>> = {
  confirmed: "done",
  failed: "refused",
  planned: "refused",
}

function singleRowEnd(job: JobRecord, row: RowRecord): Act {
  const { on, changes } = kindRules[job.kind].audit ?? {}
  return {
    action: jobKindDescriptors[job.kind].audit.action,
    on: on?.(row) ?? { kind: "member", id: row.memberId ?? "", label: row.label ?? row.email },
    outcome: outcomesOfOne[row.state] ?? "unknown",
    note: row.outcome?.message ?? null,
    changes: [
      ...auditAmounts(kindRules[job.kind], row),
      ...(row.reason === null ? [] : [{ field: "reason", from: null, to: row.reason }]),
      ...(changes?.(row) ?? []),
      { field: "job", from: null, to: job.id },
    ],
  }
}

/** The amounts of a row for the audit log: its points and those of its kind. */
export function auditAmounts({ audit }: KindRules, row: RowRecord): readonly AuditChange[] {
  const points = row.points === null ? [] : [{ field: "points", from: null, to: String(row.points) }]
  return [...points, ...(audit?.amounts?.(row) ?? [])]
}

function bulkJobEnd(job: JobRecord): Act {
  const { confirmed, failed, planned } = job.counts
  const parts = [
    `${confirmed} done`,
    ...(failed > 0 ? [`${failed} not done`] : []),
    ...(job.attention > 0 ? [`${job.attention} to decide`] : []),
    ...(planned > 0 ? [`${planned} not sent`] : []),
  ]
  return {
    action: "job.finish",
    on: { kind: "job", id: job.id, label: jobLabel(job, confirmed) },
    outcome: job.attention > 0 ? "unknown" : confirmed > 0 ? "done" : "failed",
    note: `${job.state === "cancelled" ? "Cancelled: " : ""}${parts.join(", ")}.`,
  }
}
