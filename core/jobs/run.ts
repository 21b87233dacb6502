import { pauseCodes } from "../../contract/job.ts"
import { AppError } from "../errors.ts"
import { lookUpCanary } from "./canaries.ts"
import { type EngineContext, isKeyRefused, pauseForFailure, pauseJob } from "./engine-context.ts"
import { finishIfOver } from "./job-actions.ts"
import type { JobContext } from "./job-kind.ts"
import type { JobRecord, JobStore, RowRecord } from "./job-store.ts"
import { jobContext } from "./kinds/kind-rules.ts"
import { reconcileRow, recheckRow, recoverSentRows } from "./reconcile.ts"
import { hasSendDeadline, isHeld } from "./job-record.ts"
import { excludeRepeats } from "./repeats.ts"
import { lookUpHeldRows, sampleJob } from "./restore.ts"
import { RunState } from "./run-state.ts"
import { sendBulk } from "./send-bulk.ts"
import { type NextRequest, rowKey, SendQueue } from "./send-queue.ts"
import { sendSingle } from "./send-single.ts"

const maxLookups = 8
const longestRestMs = 2000
/** A run that only waits ends, and is taken up again after this time or when the next lookup is due, ms. */
const longestWaitMs = 60_000
const retryMs = 1000
/** Identical internal errors in a row after which a preparation pauses the job. */
const mostFailures = 3
/** Minimum time between comparisons of rows that wait for a reversal, ms. */
const compareEveryMs = 1000
/** A form's row is sent only within this time after the last click, ms, except for automatic resends. */
const formPatienceMs = 60_000

/** Runs a job until nothing is left to do for now. All its state is in the store, so it can stop at any point. */
export class JobRun {
  readonly state: RunState
  readonly #engine: EngineContext
  readonly #jobs: JobStore
  readonly #queue: SendQueue
  readonly #tasks = new Set<Promise<void>>()
  /** Keys of the rows and canaries that tasks work on. */
  readonly #busy = new Set<string>()
  #lookups = 0
  #sends = 0
  /** More lookups are due than can run: sending slows down. */
  #isBehind = false
  /** The last internal error of a preparation, and how often it occurred in a row. */
  #failure = { reason: "", times: 0 }
  #compareAgainAt = 0
  #isSignalled = false
  #rest: AbortController | undefined

  /** `earlier`: the state of this job's last run on this instance. */
  constructor(engine: EngineContext, job: JobRecord, signal: AbortSignal, earlier?: RunState) {
    this.#engine = engine
    this.#jobs = engine.store.jobs
    this.state = new RunState(engine.clock, job, signal, earlier)
    this.#queue = new SendQueue(this.state.bulk)
  }

  /**
   * Runs for about `forMs`. Resolves with the time until there is more to do, in ms: 0 after an early end, undefined when
   * nothing is left. A preparation may take longer: it can be no shorter than its list of members.
   */
  async run(forMs: number): Promise<number | undefined> {
    const { clock } = this.#engine
    for (const end = clock.monotonic() + forMs; !this.state.signal.aborted && clock.monotonic() < end;) {
      const next = await this.#step().catch(async (error: unknown) => {
        await this.#recoverFrom(error)
        return "again" as const
      })
      if (next === "over") {
        await Promise.all(this.#tasks)
        return undefined
      }
      if (typeof next === "number" && next > longestRestMs && !this.#isSignalled) return next
      if (next !== "again") await this.#wait(await this.#restMs())
    }
    await Promise.all(this.#tasks)
    return 0
  }

  /** Ends the current rest: there is work. */
  signalChange(): void {
    this.#isSignalled = true
    this.#rest?.abort()
  }

  /** A number: nothing to do but wait, ms. */
  async #step(): Promise<"over" | "rest" | "again" | number> {
    await this.#engine.time.refresh()
    const { jobId, signal } = this.state
    const job = await this.#jobs.get(jobId)
    if (job === undefined) return "over"
    // Aborts reads that wait for a permit when the run ends.
    const context = jobContext({ ...this.#engine, signal }, job)
    await recoverSentRows(context, this.state)
    if (mustPrepare(context)) {
      await this.#prepare(context)
      this.#queue.clear()
      return "again"
    }
    if (isHeld(job) && (await lookUpHeldRows(context, this.state))) return "again"
    await this.#startLookups(context)
    if (job.state === "running" && !isHeld(job)) await this.#sendPlanned(context)
    return this.#finishOrRest(job)
  }

  async #finishOrRest({ counts, state }: JobRecord): Promise<"over" | "rest" | number> {
    // A job ends with its rows; open canaries do not keep it open.
    const rowsOver = counts.sent + counts.unknown === 0 && (counts.planned === 0 || state !== "running")
    if (this.#tasks.size > 0 && !rowsOver) return "rest"
    const { jobId } = this.state
    const after = await finishIfOver(this.#engine, jobId)
    if (this.#tasks.size > 0) return "rest"
    const isLooking = after?.state === "paused" && after.hold?.state === "looking"
    const isMoving =
      after?.state === "running" || after?.state === "cancelling" || after?.isOpen === true || isLooking
    const due = await this.#jobs.nextDue(jobId)
    if (after === undefined || (!isMoving && due === null && after.counts.sent === 0)) return "over"
    return this.#canWait(after) ? this.#waitMs(after, due) : "rest"
  }

  /** Whether only lookups that are not due yet, or new rows, give the run more to do. */
  #canWait({ counts, hold, state }: JobRecord): boolean {
    const { pace } = this.state
    if (pace.isHeld || pace.areLookupsHeld || counts.sent > 0 || hold?.state === "looking") return false
    return state !== "cancelling" && (state !== "running" || counts.planned === 0)
  }

  #waitMs({ closesAt, isOpen }: JobRecord, due: number | null): number {
    const until = Math.min(due ?? Infinity, isOpen ? (closesAt ?? Infinity) : Infinity)
    return Math.min(until - this.#engine.time.now(), longestWaitMs)
  }

  // Preparing

  async #prepare(context: JobContext): Promise<void> {
    const { job, rules } = context
    const runSignal = this.state.signal
    const over = new AbortController()
    // Finding thousands of members takes a while: stop when a person pauses or cancels.
    const watching = this.#watchState(job, over)
    const edits = await this.#jobs.edits(job.id)
    try {
      await rules.prepare?.({ ...context, signal: AbortSignal.any([runSignal, over.signal]) })
      // Rows by e-mail can only be compared once their members were found.
      await excludeRepeats(context)
      this.#failure.times = 0
    } catch (error) {
      if (over.signal.aborted && !runSignal.aborted) return
      if (runSignal.aborted) throw error
      await this.#preparationFailed(job, error)
      return
    } finally {
      over.abort()
      await watching
    }
    await this.#jobs.assignOrdinals(job.id)
    await this.#jobs.change(job.id, [job.state], { prepared: true })
    // A row corrected meanwhile may have been prepared with its old input: prepare all again.
    if ((await this.#jobs.edits(job.id)) !== edits)
      await this.#jobs.change(job.id, [job.state], { prepared: false })
    context.jobChanged(job.id)
  }

  /** Pauses the job if its preparation cannot succeed for now, otherwise waits; throws internal errors. */
  async #preparationFailed(job: JobRecord, error: unknown): Promise<void> {
    if (!(error instanceof AppError)) {
      const reason = String(error)
      this.#failure = { reason, times: reason === this.#failure.reason ? this.#failure.times + 1 : 1 }
      if (this.#failure.times % mostFailures === 0) await pauseJob(this.#engine, job.id, notPrepared)
      throw error
    }
    if (isKeyRefused(error)) return pauseForFailure(this.#engine, job.id, error)
    if (await this.#isTooLate(job)) await pauseJob(this.#engine, job.id, notSentInTime)
    await this.#sleep(longestRestMs)
  }

  /** Aborts `over` when the job's state changes. */
  async #watchState({ id, state }: JobRecord, over: AbortController): Promise<void> {
    while (!over.signal.aborted) {
      await this.#engine.clock.sleep(1000, over.signal).catch(() => undefined)
      const job = await this.#jobs.get(id).catch(() => undefined)
      if (job !== undefined && job.state !== state) over.abort()
    }
  }

  // Lookups

  async #startLookups(context: JobContext): Promise<void> {
    if (this.#lookups >= maxLookups) return
    this.#isBehind = false
    if (this.state.pace.areLookupsHeld) return
    const { jobId } = this.state
    const now = this.#engine.time.now()
    const most = maxLookups + this.#busy.size
    // Canaries first: they are few, and rows wait for them.
    for (const canary of await this.#jobs.dueCanaries(jobId, now, most))
      this.#startLookup(`canary ${canary.row}`, () => lookUpCanary(context, canary))
    for (const row of await this.#jobs.due(jobId, now, most)) {
      const reconcile = row.state === "unknown" ? reconcileRow : recheckRow
      this.#startLookup(rowKey(row), () => reconcile(context, row))
      this.#isBehind ||= !this.#busy.has(rowKey(row))
    }
  }

  #startLookup(key: string, work: () => Promise<void>): void {
    if (this.#lookups >= maxLookups || this.#busy.has(key)) return
    this.#lookups += 1
    this.#start(
      [key],
      () => this.#watchKey(work),
      () => (this.#lookups -= 1),
    )
  }

  /** Pauses lookups while the service refuses the key. */
  async #watchKey(work: () => Promise<void>): Promise<void> {
    const { pace } = this.state
    try {
      await work()
      pace.keyAccepted()
    } catch (error) {
      if (isKeyRefused(error)) pace.keyRefused()
      throw error
    }
  }

  // Sending

  async #sendPlanned(context: JobContext): Promise<void> {
    const { job, rules } = context
    if ((await this.#isTooLate(job)) && !isAutomaticResend(rules, await this.#jobs.row(job.id, 1))) {
      await pauseJob(context, job.id, notSentInTime)
      return
    }
    // A job that sends nothing now is not sampled yet either.
    const isWaiting = job.counts.planned === 0 || this.state.pace.isHeld
    if (!isWaiting && !(await sampleJob(context, this.state))) return
    await this.#compareAwaiting(context)
    await this.#startSends(context)
  }

  /** Releases or excludes rows that wait for a reversal, once its outcome is known. */
  async #compareAwaiting(context: JobContext): Promise<void> {
    const { clock } = this.#engine
    const startedAt = clock.monotonic()
    const isDue = startedAt >= this.#compareAgainAt
    if (!isDue || (await this.#jobs.awaited(this.state.jobId)).length === 0) return
    await excludeRepeats(context)
    const endedAt = clock.monotonic()
    this.#compareAgainAt = endedAt + Math.max(compareEveryMs, (endedAt - startedAt) * 10)
  }

  async #startSends(context: JobContext): Promise<void> {
    if (this.state.pace.isHeld) return
    // A row that waited for another one goes first: after a restore the first rows show what was sent (restore.ts).
    const { claims, resendSafety } = context.rules
    if (claims?.whileSent !== undefined && resendSafety !== "idempotent") this.#queue.clear()
    const canStart = (how: NextRequest["how"]) => this.#sends < this.#mostSends(context, how)
    for (;;) {
      const next = await this.#queue.next(context, { busy: this.#busy, sends: this.#sends, canStart })
      if (next === undefined) return
      this.#sends += 1
      this.#start(
        next.rows.map(rowKey),
        () =>
          next.how === "single"
            ? sendSingle(context, this.state, next.rows[0])
            : sendBulk(context, this.state, next.bulk, next.rows),
        () => (this.#sends -= 1),
      )
    }
  }

  #mostSends({ rules }: JobContext, how: NextRequest["how"]): number {
    const { bulk, pace } = this.state
    if (!pace.proven || this.#isBehind || bulk.alone) return 1
    return (how === "bulk" ? rules.bulk?.maxCalls : undefined) ?? rules.maxCalls
  }

  async #isTooLate(job: JobRecord): Promise<boolean> {
    if (!hasSendDeadline(job) || job.counts.planned === 0) return false
    // Absolute, because the time since the click is unknown if the store's clock was set back.
    return Math.abs((await this.#jobs.now()) - (job.startedAt ?? 0)) > formPatienceMs
  }

  // Tasks and rests

  /** A failed task is safe: the lease of its rows expires and they are looked up. */
  #start(keys: readonly string[], work: () => Promise<void>, over: () => void): void {
    for (const key of keys) this.#busy.add(key)
    const task = work()
      .catch((error: unknown) => this.#recoverFrom(error))
      .finally(() => {
        for (const key of keys) this.#busy.delete(key)
        this.#tasks.delete(task)
        over()
        this.signalChange()
      })
    this.#tasks.add(task)
  }

  async #recoverFrom(failure: unknown): Promise<void> {
    const { jobId, signal } = this.state
    const { log } = this.#engine
    if (signal.aborted) return
    if (isKeyRefused(failure)) {
      try {
        return await pauseForFailure(this.#engine, jobId, failure)
      } catch (error) {
        log.warn({ err: error, job: jobId }, "a job could not be paused")
      }
    }
    log.warn({ err: failure, job: jobId }, "a step of a job failed and is tried again")
    await this.#sleep(retryMs)
  }

  async #restMs(): Promise<number> {
    const { clock, time } = this.#engine
    const { jobId, pace } = this.state
    try {
      const due = await this.#jobs.nextDue(jobId)
      const dueIn = due === null ? longestRestMs : due - time.now()
      // Overdue lookups are running or on pause; the end of each one signals the run.
      const isHeldBack = dueIn <= 0 && (this.#tasks.size > 0 || pace.areLookupsHeld)
      const untilDue = isHeldBack ? longestRestMs : dueIn
      const holdMs = pace.holdUntil - clock.monotonic()
      const rest = holdMs > 0 ? Math.min(untilDue, holdMs) : untilDue
      return Math.min(Math.max(rest, 5), longestRestMs)
    } catch {
      return longestRestMs
    }
  }

  async #wait(ms: number): Promise<void> {
    if (!this.#isSignalled) {
      this.#rest = new AbortController()
      await this.#sleep(ms, this.#rest.signal)
      this.#rest = undefined
    }
    this.#isSignalled = false
  }

  /** Sleeps until the time is over, the run ends, or `signal` aborts. */
  async #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const ended = this.state.signal
    const either = signal === undefined ? ended : AbortSignal.any([signal, ended])
    await this.#engine.clock.sleep(ms, either).catch(() => undefined)
  }
}

/** Preparing a held job could mistake its own lost effects for someone else's, unless preparation only reads. */
function mustPrepare({ job, rules }: JobContext): boolean {
  const { counts, hold, prepared, state } = job
  if (prepared) return false
  if (!isHeld(job)) return state === "running"
  const isOpen = state === "running" || state === "paused"
  return (
    isOpen && hold?.state === "looking" && counts.planned > 0 && rules.restore?.preparesWhileHeld === true
  )
}

/** Whether the row was sent before and is due for an automatic resend, not one that a person just requested. */
function isAutomaticResend({ resendSafety }: JobContext["rules"], row: RowRecord | undefined): boolean {
  if (row?.hadUnknownAttempt !== true) return false
  return row.decision?.decision !== "resend" || (resendSafety === "idempotent" && row.nextAt !== null)
}

const notSentInTime = {
  code: pauseCodes.notSentInTime,
  message: "Nothing more is sent until you decide. Send now, or cancel it.",
}

const notPrepared = {
  code: pauseCodes.notPrepared,
  message:
    "Something went wrong on Laurel’s server while the next rows were being prepared, three times in a row. None of these rows was sent. Details are in the server log. Tell an administrator, then resume or cancel it.",
}
