import type { AuditAction, AuditChange } from "../../contract/audit.ts"
import { pauseCodes } from "../../contract/job.ts"
import { earlierUnknown } from "../../contract/row-outcomes.ts"
import type { AppEvent } from "../../contract/events.ts"
import { type ActContext, entryOf, type NewAuditEntry } from "../audit/audit-log.ts"
import type { SharedServices } from "../deps.ts"
import { AppError, notFound, stored } from "../errors.ts"
import type { Gaps, StoreTime } from "./clocks.ts"
import type { Instances } from "./instances.ts"
import type { JobRecord, JobStore, RowChange, RowRecord } from "./job-store.ts"
import { hasSendDeadline, jobLabel } from "./job-record.ts"
import type { RestoreGuard } from "./restore-guard.ts"
import type { RunState } from "./run-state.ts"

/** What the job engine works with. */
export interface EngineContext extends SharedServices {
  readonly time: StoreTime
  readonly restore: RestoreGuard
  readonly instances: Instances
  readonly gaps: Gaps
  /** Tag forms that lookups have found since a restore. */
  readonly shownForms: Set<string>
  readonly self: string
  /** Aborts the waits of a run; absent for a person's request. */
  readonly signal?: AbortSignal
  readonly jobChanged: (jobId: string) => void
  /** Like `jobChanged`, and runs the job now. */
  readonly jobMoved: (jobId: string) => void
  /** Throttled to once in a few seconds. */
  readonly notifyLater: (topic: AppEvent["topic"]) => void
}

/** Budget lane and person of a job's calls: a form runs in its person's lane, other jobs in the background. */
export function jobRequester(job: Pick<JobRecord, "id" | "lane" | "createdBy" | "title">) {
  const person =
    job.lane === "people"
      ? { id: job.createdBy.id, name: job.createdBy.name }
      : { id: job.id, name: job.title ?? `Job ${job.id}` }
  return { lane: job.lane, person } as const
}

/** Whether no call can succeed for now: the key was refused or the service is not connected. */
export function isKeyRefused(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false
  const status = error.details?.upstream_status
  return status === 401 || status === 403 || error.code === "not_connected"
}

/** Pauses a running job. The message mentions planned rows whose earlier attempt may have been carried out. */
export async function pauseJob(
  { store, jobChanged }: EngineContext,
  jobId: string,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  const next = await store.jobs.rowsIn(jobId, ["planned"], 0, 500)
  const earlier = next.some(({ hadUnknownAttempt }) => hadUnknownAttempt) ? ` ${earlierUnknown}` : ""
  const set = { state: "paused", pause: { code, message: `${message}${earlier}` } } as const
  if ((await store.jobs.change(jobId, ["running"], set)) !== undefined) jobChanged(jobId)
}

/** Pauses a job whose key was refused or whose service is not connected. */
export async function pauseForFailure(
  context: EngineContext,
  jobId: string,
  { code, details, message }: AppError,
): Promise<void> {
  const reason = code === "not_connected" ? pauseCodes.notConnected : (details?.upstream_code ?? code)
  await pauseJob(context, jobId, { code: reason, message })
}

const readRetryMs = 2000

/** After a failed read before sending: pauses the job or delays its next send. */
export async function holdAfterFailure(context: EngineContext, run: RunState, error: unknown) {
  if (!(error instanceof AppError)) throw error
  if (isKeyRefused(error)) await pauseForFailure(context, run.jobId, error)
  else run.pace.hold(readRetryMs)
}

const changesNamed = 200

/** Audit entry of a person's action on a job; `rows`: how many of its rows it concerns, if not all. */
export function jobAct(
  requester: ActContext,
  action: AuditAction,
  job: Pick<JobRecord, "id" | "title" | "kind" | "total">,
  about: {
    readonly note?: string | undefined
    readonly changes?: readonly AuditChange[]
    readonly rows?: number
  } = {},
): NewAuditEntry {
  const { note, changes = [], rows } = about
  const on = { kind: "job", id: job.id, label: jobLabel(job, rows) }
  const done = { outcome: "done", note: note || null, changes: changes.slice(0, changesNamed) } as const
  return entryOf(requester, { action, on, ...done })
}

/** A form's minute to be sent starts again with each click; other jobs keep their first start. */
export async function resetDeadline(
  { store }: EngineContext,
  job: JobRecord,
): Promise<{ readonly startedAt?: number }> {
  return hasSendDeadline(job) ? { startedAt: await stored(store.jobs.now()) } : {}
}

/** SQLite calls never yield: without this, reading 100,000 rows would block every request. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}

/** A job's rows in some states, in batches by number. Rows of a batch may be changed before the next is read. */
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

/** Wraps reads of a person's request: a store failure becomes a 503. */
export function storedRows(store: Pick<JobStore, "rowsIn">): Pick<JobStore, "rowsIn"> {
  return { rowsIn: (...query) => stored(store.rowsIn(...query)) }
}

const changeBatchSize = 500

/** Applies many row changes in transactions of 500, and lets other work run in between. */
export async function changeInBatches(
  store: Pick<JobStore, "changeRows">,
  jobId: string,
  changes: readonly RowChange[],
): Promise<void> {
  for (let at = 0; at < changes.length; at += changeBatchSize) {
    await store.changeRows(jobId, changes.slice(at, at + changeBatchSize))
    if (changes.length > changeBatchSize) await yieldToEventLoop()
  }
}

/** @throws AppError 404, 503 */
export async function requireJob({ store }: Pick<EngineContext, "store">, id: string): Promise<JobRecord> {
  const job = await stored(store.jobs.get(id))
  if (job === undefined) throw notFound("Job not found.")
  return job
}
