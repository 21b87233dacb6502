import { pauseCodes, type RestoreSign } from "../../contract/job.ts"
import type { Api, AppEvent } from "../../contract/status.ts"
import type { CoreContext } from "../context.ts"
import { type Act, type ActContext, entryOf } from "../audit-log.ts"
import { AppError, notFound, stored } from "../errors.ts"
import type { Clock } from "../ports.ts"
import type { JobRecord, JobStore, RowChange, RowRecord } from "./job-store.ts"

/** What the engine's parts share. */
export interface JobContext extends Pick<
  CoreContext,
  | "audit"
  | "caller"
  | "clock"
  | "codes"
  | "config"
  | "drift"
  | "events"
  | "log"
  | "processes"
  | "reads"
  | "settings"
  | "store"
> {
  readonly time: StoreTime
  readonly restore: RestoreGuard
  readonly instances: Instances
  readonly gaps: Gaps
  /** Forms of tags that lookups were seen to show after a restore. */
  readonly shownForms: Set<string>
  /** Id of this process among the instances. */
  readonly self: string
  /** Ends the waits of a run; absent where a person waits. */
  readonly signal?: AbortSignal
  /** Notifies whoever is looking that a job changed; not at each step. */
  readonly jobChanged: (jobId: string) => void
  /** Notifies whoever is looking that many records changed, every few seconds. */
  readonly notifyLater: (topic: AppEvent["topic"]) => void
}

/** Notices that the store is older than the process that used it last (docs/decisions/0012-restore.md). */
export interface RestoreGuard {
  /**
   * Compares the store with what is kept beside it, and holds every job if it is behind or an operator says so. Nothing
   * may be sent before.
   * @throws what the store threw
   */
  check(): Promise<void>
  /**
   * Counts on, in the store first and then beside it, so that a crash in between never looks like a restore: before
   * anything is sent, and while the process lives. Those who call it while it counts share the next count.
   * @returns false when the store was put back meanwhile
   * @throws what the store threw: then nothing may be sent
   */
  count(): Promise<boolean>
  /** Counts on as a sign of life, once no job of before the start waits for its sample. */
  alive(): Promise<void>
  /** Holds every job. */
  hold(sign: RestoreSign): Promise<void>
  /** When the store was last known to be complete, as the start found it; null: not known. */
  readonly since: number | null
  /** Whether a job was there before this process and nothing of it was sent or sampled by this process yet. */
  isUnsampled(job: { readonly id: string; readonly createdAt: number }): boolean
  sampled(jobId: string): void
}

/** Whether the calls of an instance are over. */
export interface Instances {
  /**
   * Whether no call of this instance can still be in flight: it is this one (whose calls are known), it ended orderly,
   * or its process is proven dead. A silent heartbeat alone proves nothing: the process may be frozen.
   */
  isOver(instance: string | null): Promise<boolean>
  /** Instances that are proven to have ended without saying so. */
  dead(): Promise<string[]>
}

/** How long after the end of their calls effects were still booked. */
export interface Gaps {
  /** One was found `ms` after its call ended; negative: before. */
  seen(ms: number): void
  /** The largest of the last hours, ms. */
  largest(): number
}

/** For whom a job's calls count in the budget: a form's in its person's lane, the rest in the background. */
export function requesterOf(job: Pick<JobRecord, "id" | "lane" | "createdBy" | "title">) {
  const person =
    job.lane === "people"
      ? { id: job.createdBy.id, name: job.createdBy.name }
      : { id: job.id, name: job.title ?? `Job ${job.id}` }
  return { lane: job.lane, person } as const
}

/** Invalidates responses that rows changed, here and at the other instances, and notifies whoever is looking. */
export function notifyConfirmed(
  context: JobContext,
  job: JobRecord,
  rules: {
    readonly topics: readonly ("members" | "orders")[]
    readonly invalidates: (row: RowRecord) => Parameters<JobContext["reads"]["invalidate"]>[0]
  },
  rows: readonly RowRecord[],
): void {
  context.jobChanged(job.id)
  for (const row of rows) context.reads.invalidate(rules.invalidates(row))
  // One hint for many: a list of thousands must not become thousands of events.
  const [only] = rows
  if (rows.length === 1 && only?.memberId) context.events.publish({ topic: "member", id: only.memberId })
  if (rows.length === 0) return
  for (const topic of rules.topics) {
    if (job.lane === "people") context.events.publish({ topic, id: "all" })
    // Whoever looks at a list reads it again with each hint: a long job must not spend the budget on that.
    else context.notifyLater(topic)
  }
}

/** Whether the service will answer nothing at all for now: the key was refused, or it is not connected. */
export function isKeyRefused(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false
  const status = error.details?.upstream_status
  return status === 401 || status === 403 || error.code === "not_connected"
}

/** Pauses a running job that nothing of its kind will be accepted for: one call is spent, not one for each row. */
export async function pauseJob(
  context: JobContext,
  job: Pick<JobRecord, "id">,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  const changed = await context.store.jobs.change(job.id, ["running"], {
    state: "paused",
    pause: { code, message },
  })
  if (changed !== undefined) context.jobChanged(job.id)
}

/** Pauses a job because its key was refused or its service is not connected. */
export async function pauseForFailure(
  context: JobContext,
  job: Pick<JobRecord, "id">,
  { code, details, message }: AppError,
): Promise<void> {
  const reason = code === "not_connected" ? pauseCodes.notConnected : (details?.upstream_code ?? code)
  await pauseJob(context, job, { code: reason, message })
}

/**
 * A row of a form has a minute from the click that wants it sent; the time of a larger job goes on counting from its
 * first start.
 */
export function resetDeadline({ time }: JobContext, { lane }: JobRecord): { readonly startedAt?: number } {
  return lane === "people" ? { startedAt: time.now() } : {}
}

/**
 * Lets everything else of the process run for a moment. A store in a file answers without ever waiting: a walk over
 * 100,000 rows would otherwise hold up every request until its end.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}

/** A job's rows in some states by number, in portions. A portion's rows may be changed before the next is read. */
export async function* rowPortions(
  store: Pick<JobStore, "rowsIn">,
  jobId: string,
  states: Parameters<JobStore["rowsIn"]>[1],
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

/** A store whose failure a person is told about with a 503. */
export function storedRows(store: Pick<JobStore, "rowsIn">): Pick<JobStore, "rowsIn"> {
  return { rowsIn: (...query) => stored(store.rowsIn(...query)) }
}

const changedAtOnce = 500

/** Changes any number of rows, in several steps. */
export async function changeInPortions(
  store: Pick<JobStore, "changeRows">,
  jobId: string,
  changes: readonly RowChange[],
): Promise<void> {
  for (let at = 0; at < changes.length; at += changedAtOnce) {
    await store.changeRows(jobId, changes.slice(at, at + changedAtOnce))
    if (changes.length > changedAtOnce) await yieldToEventLoop()
  }
}

/**
 * A job that a person named.
 * @throws AppError 404, 503
 */
export async function requireJob({ store }: Pick<JobContext, "store">, id: string): Promise<JobRecord> {
  const job = await stored(store.jobs.get(id))
  if (job === undefined) throw notFound("Job not found.")
  return job
}

/**
 * A row that a person named, and its job.
 * @throws AppError 404, 503
 */
export async function requireRow(
  context: Pick<JobContext, "store">,
  id: string,
  number: number,
): Promise<{ readonly job: JobRecord; readonly row: RowRecord }> {
  const job = await stored(context.store.jobs.get(id))
  const row = job && (await stored(context.store.jobs.row(id, number)))
  if (job === undefined || row === undefined) throw notFound("Row not found.")
  return { job, row }
}

/** Writes the audit entry of something that is done already; a store that fails here undoes nothing. */
export async function recordDone(
  { audit, log }: Pick<JobContext, "audit" | "log">,
  asker: ActContext,
  act: Omit<Act, "outcome">,
): Promise<void> {
  await audit.record(entryOf(asker, { ...act, outcome: "done" })).catch((error: unknown) => {
    log.error({ err: error, requestId: asker.requestId }, "audit entry lost")
  })
}

/** All planned rows of a job, in portions. */
export function plannedRows(store: JobStore, jobId: string): AsyncGenerator<readonly RowRecord[]> {
  return rowPortions(store, jobId, ["planned"])
}

/** SHA-256 of a value as JSON with its keys in order, in hexadecimal: equal values give equal hashes. */
export async function bodyHash(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(withOrderedKeys(value)))
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

function withOrderedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOrderedKeys)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([, held]) => held !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, held]) => [key, withOrderedKeys(held)]),
  )
}

/** The clocks that matter: the store's, which all instances share, and each service's. */
export interface StoreTime {
  /** The store's time now, ms since 1970; it does not jump when this machine's wall clock does. */
  now(): number
  /** Reads the store's time again, at most every few seconds. */
  refresh(): Promise<void>
  /** A response carried the service's own time. */
  noteServiceTime(api: Api, serviceTime: number | undefined): void
  /** A time of the store on the service's clock; undefined while the service has not said its time. */
  toServiceTime(api: Api, at: number): number | undefined
  /** A time of the service on the store's clock. */
  fromServiceTime(api: Api, at: number): number | undefined
}

const refreshEveryMs = 10_000
/** More than this within seconds is no drift: somebody set the clock. */
const mostDriftMs = 2000
/** The header is cut to whole seconds. */
const headerCutMs = 500

/** Offsets are kept for two hours, the least of each five minutes, ms. */
const keptMs = 7_200_000
const sliceMs = 300_000

/** Makes the clocks. `refresh` once before use. */
export function createStoreTime(store: Pick<JobStore, "now">, clock: Clock): StoreTime {
  let ahead = clock.now() - clock.monotonic()
  let refreshedAt = -Infinity
  /** How far a service's clock was ahead at least, from a monotonic time on. */
  const offsets = new Map<Api, { readonly since: number; least: number }[]>()
  /** The least of the last hours: servers of one service may differ, and to read from too early only costs a page. */
  const offsetOf = (api: Api): number | undefined => {
    const kept = offsets.get(api)
    return kept === undefined ? undefined : Math.min(...kept.map(({ least }) => least))
  }
  const now = () => ahead + clock.monotonic()
  return {
    now,
    async refresh() {
      if (clock.monotonic() - refreshedAt < refreshEveryMs) return
      const before = clock.monotonic()
      const there = await store.now()
      const after = clock.monotonic()
      const found = there - (before + after) / 2
      // A clock that was set makes no row older: only the small drift of a running one is followed.
      if (refreshedAt === -Infinity || Math.abs(found - ahead) <= mostDriftMs) ahead = found
      refreshedAt = after
    },
    noteServiceTime(api, serviceTime) {
      if (serviceTime === undefined) return
      const offset = serviceTime + headerCutMs - now()
      const since = clock.monotonic()
      const kept = (offsets.get(api) ?? []).filter((one) => since - one.since < keptMs)
      const last = kept.at(-1)
      if (last !== undefined && since - last.since < sliceMs) last.least = Math.min(last.least, offset)
      else kept.push({ since, least: offset })
      offsets.set(api, kept)
    },
    toServiceTime(api, at) {
      const offset = offsetOf(api)
      return offset === undefined ? undefined : at + offset
    },
    fromServiceTime(api, at) {
      const offset = offsetOf(api)
      return offset === undefined ? undefined : at - offset
    },
  }
}

/** What a process knows about a job while it works on it. Losing it loses time, never money. */
export interface Run {
  readonly jobId: string
  /** Aborted when this process stops or another one has taken the job over. */
  readonly signal: AbortSignal
  /** Attempts whose calls are in flight here, as `row:attempt`. */
  readonly inFlight: Set<string>
  readonly bulk: BulkSize
  /** A call of this run was taken up by the service: until then one at a time goes out, in case nothing will be. */
  proven: boolean
  /** Nothing is sent before, monotonic ms: the service could not be reached. */
  holdUntil: number
  /** Nothing is looked up before, monotonic ms: the key was refused. */
  lookupsHeldUntil: number
  /** How often in a row lookups met that. */
  lookupsRefused: number
  /** Calls in a row that ended without a usable response. */
  unknownInRow: number
  /** How often in a row the service could not be reached. */
  unreachable: number
  /** The restore for which the job's open rows were made unknown: its time, the store's clock. */
  heldSeen: number | undefined
  /**
   * Waits until every earlier call of the job is on the wire or over; the next one waits until what this gives is
   * called. So rows go out in their order however many are in flight, and what a restored store has not sent is told
   * from its next rows.
   */
  turn(): Promise<() => void>
  /** Something changed: work on the job now. */
  signalChange(): void
  /** Waits until something changed, at most `ms`. */
  wait(ms: number): Promise<void>
}

/** How many awards go into the next bulk request: it begins small and grows with quick responses. */
export interface BulkSize {
  /** Rows for the next request; 0 while the first one has not been answered. */
  next(): number
  /** A request goes out. */
  sent(): void
  /** It was answered with a success after `ms`; a call may take `callMs`. */
  answered(ms: number, callMs: number): void
  /** It is not known how it ended. */
  unknown(): void
  /** It was not carried out at all. */
  notDone(): void
  /** The service refused a request of this many rows; gives the new most. */
  refused(rows: number): number
}

/** Rows that go out next, together or one alone. */
export interface NextRequest {
  readonly how: "single" | "bulk"
  readonly rows: readonly RowRecord[]
}
