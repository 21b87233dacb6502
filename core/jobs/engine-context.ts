import type { AuditAction, AuditChange } from "../../contract/audit.ts"
import { pauseCodes } from "../../contract/job.ts"
import { earlierUnknown } from "../../contract/row-outcomes.ts"
import type { AppEvent } from "../../contract/status.ts"
import { type ActContext, entryOf, type NewAuditEntry } from "../audit-log.ts"
import type { CoreContext, CoreDeps } from "../context.ts"
import { AppError, notFound, stored } from "../errors.ts"
import type { JobRecord, JobStore, RowChange, RowRecord } from "./job-store.ts"
import type { Gaps, Instances, RestoreGuard, Run, StoreTime } from "./process-state.ts"
import { jobLabel } from "./records.ts"

export type EngineParts = CoreDeps &
  Pick<CoreContext, "announce" | "audit" | "caller" | "codes" | "drift" | "reads" | "settings">

/** What everything in the engine works with. */
export interface EngineContext extends EngineParts {
  readonly time: StoreTime
  readonly restore: RestoreGuard
  readonly instances: Instances
  readonly gaps: Gaps
  /** Forms of tags that lookups were seen to show after a restore. */
  readonly shownForms: Set<string>
  readonly self: string
  /** Ends the waits of a run; absent where a person waits. */
  readonly signal?: AbortSignal
  readonly jobChanged: (jobId: string) => void
  /** The same, and works on it now. */
  readonly jobMoved: (jobId: string) => void
  /** Every few seconds only. */
  readonly notifyLater: (topic: AppEvent["topic"]) => void
}

/** For whom a job's calls count in the budget: a form's in its person's lane, the rest in the background. */
export function jobRequester(job: Pick<JobRecord, "id" | "lane" | "createdBy" | "title">) {
  const person =
    job.lane === "people"
      ? { id: job.createdBy.id, name: job.createdBy.name }
      : { id: job.id, name: job.title ?? `Job ${job.id}` }
  return { lane: job.lane, person } as const
}

/** Whether the service will answer nothing at all for now: the key was refused, or it is not connected. */
export function isKeyRefused(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false
  const status = error.details?.upstream_status
  return status === 401 || status === 403 || error.code === "not_connected"
}

/** Pauses a running job, and says so where rows that were not done now may have been done before. */
export async function pauseJob(
  { store, jobChanged }: EngineContext,
  jobId: string,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  const next = await store.jobs.rowsIn(jobId, ["planned"], 0, 500)
  const earlier = next.some(({ doubtful }) => doubtful) ? ` ${earlierUnknown}` : ""
  const set = { state: "paused", pause: { code, message: `${message}${earlier}` } } as const
  if ((await store.jobs.change(jobId, ["running"], set)) !== undefined) jobChanged(jobId)
}

/** Pauses a job because its key was refused or its service is not connected. */
export async function pauseForFailure(
  context: EngineContext,
  jobId: string,
  { code, details, message }: AppError,
): Promise<void> {
  const reason = code === "not_connected" ? pauseCodes.notConnected : (details?.upstream_code ?? code)
  await pauseJob(context, jobId, { code: reason, message })
}

const readRetryMs = 2000

/** After a read before sending failed: the job pauses, or nothing of it is sent for a moment. */
export async function holdAfterFailure(context: EngineContext, run: Run, error: unknown) {
  if (!(error instanceof AppError)) throw error
  if (isKeyRefused(error)) await pauseForFailure(context, run.jobId, error)
  else run.holdUntil = context.clock.monotonic() + readRetryMs
}

const changesNamed = 200

/** What a person did with a job, for the audit log. */
export function jobAct(
  requester: ActContext,
  action: AuditAction,
  job: Pick<JobRecord, "id" | "title" | "kind" | "total">,
  note?: string,
  changes: readonly AuditChange[] = [],
): NewAuditEntry {
  const on = { kind: "job", id: job.id, label: jobLabel(job) }
  const done = { outcome: "done", note: note || null, changes: changes.slice(0, changesNamed) } as const
  return entryOf(requester, { action, on, ...done })
}

/** A row of a form has a minute from the click that wants it sent; a larger job's time goes on from its first start. */
export async function resetDeadline(
  { store }: EngineContext,
  { lane }: JobRecord,
): Promise<{ readonly startedAt?: number }> {
  return lane === "people" ? { startedAt: await stored(store.jobs.now()) } : {}
}

/** A store in a file answers without ever waiting: a walk over 100,000 rows would hold up every request. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}

/** A job's rows in some states by number. A portion's rows may be changed before the next is read. */
export async function* rowBatches(
  store: Pick<JobStore, "rowsIn">,
  jobId: string,
  states: readonly RowRecord["state"][] = ["planned"],
  size = 1000,
): AsyncGenerator<readonly RowRecord[]> {
  for (let after = 0; ;) {
    const rows = await store.rowsIn(jobId, states, after, size)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) return
    after = last.row
    await yieldToEventLoop()
  }
}

/** Reads whose failure a person is told about with a 503. */
export function storedRows(store: Pick<JobStore, "rowsIn">): Pick<JobStore, "rowsIn"> {
  return { rowsIn: (...query) => stored(store.rowsIn(...query)) }
}

const changedAtOnce = 500

export async function changeInBatches(
  store: Pick<JobStore, "changeRows">,
  jobId: string,
  changes: readonly RowChange[],
): Promise<void> {
  for (let at = 0; at < changes.length; at += changedAtOnce) {
    await store.changeRows(jobId, changes.slice(at, at + changedAtOnce))
    if (changes.length > changedAtOnce) await yieldToEventLoop()
  }
}

export async function requireJob({ store }: Pick<EngineContext, "store">, id: string): Promise<JobRecord> {
  const job = await stored(store.jobs.get(id))
  if (job === undefined) throw notFound("Job not found.")
  return job
}
