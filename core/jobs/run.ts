import { pauseCodes } from "../../contract/job.ts"
import { AppError } from "../errors.ts"
import { finishIfOver } from "./job-actions.ts"
import { lookUpCanary } from "./canaries.ts"
import { type EngineContext, isKeyRefused, pauseForFailure, pauseJob, rowBatches } from "./engine-context.ts"
import { type BulkRules, isSentInBulk, type JobContext } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { jobContext } from "./kinds/kind-rules.ts"
import type { Run } from "./process-state.ts"
import { isHeld } from "./records.ts"
import { reconcileRow, recheckRow, recoverSentRows } from "./reconcile.ts"
import { excludeRepeats } from "./repeats.ts"
import { lookUpHeldRows, sampleJob } from "./restore.ts"
import { sendBulk } from "./send-bulk.ts"
import { sendSingle } from "./send-single.ts"

/** The rows of the next request. */
type NextRequest =
  | { readonly how: "single"; readonly rows: readonly [RowRecord] }
  | { readonly how: "bulk"; readonly bulk: BulkRules; readonly rows: readonly RowRecord[] }

/** Concurrent calls: enough to use the full rate while responses take seconds. */
const maxCalls = { single: 16, bulk: 4 }
/** Fewer with a precheck, so that each row is sent soon after its read. */
const maxPrecheckedCalls = 4
const maxLookups = 8
const longestRestMs = 2000
/** Identical internal errors in a row after which a preparation pauses the job. */
const mostFailures = 3
/** Pause of lookups after a refused key, ms: services may lock out a key that keeps calling. */
const keyRetryMs = { first: 15_000, longest: 300_000 }
/** Minimum time between comparisons of rows that wait for a reversal, ms. */
const compareEveryMs = 1000
/** A form's row is sent automatically only within this time after the click, ms. */
const formPatienceMs = 60_000

/** Runs a job until nothing is left to do for now. All its state is in the store, so it can stop at any point. */
export async function runJob(engine: EngineContext, run: Run): Promise<void> {
  const { clock, log, time } = engine
  const { jobs } = engine.store
  const tasks = new Set<Promise<void>>()
  const busy = new Set<string>()
  const queue = createQueue(engine, run)
  let lookups = 0
  let sends = 0
  /** More lookups are due than can run: sending slows down. */
  let isBehind = false
  let failed = { reason: "", times: 0 }
  let compareAgainAt = 0

  while (!run.signal.aborted) {
    const next = await step().catch(async (error: unknown) => {
      await recoverFrom(error)
      return "again"
    })
    if (next === "over") break
    if (next === "rest") await run.wait(await restMs())
  }
  await Promise.all(tasks)

  /** A failed task is safe: the lease of its rows expires and they are looked up. */
  function start(keys: readonly string[], work: () => Promise<void>, over: () => void) {
    for (const key of keys) busy.add(key)
    const task = work()
      .catch((error: unknown) => recoverFrom(error))
      .finally(() => {
        for (const key of keys) busy.delete(key)
        tasks.delete(task)
        over()
        run.signalChange()
      })
    tasks.add(task)
  }

  function startLookup(key: string, work: () => Promise<void>) {
    if (lookups >= maxLookups || busy.has(key)) return
    lookups += 1
    start(
      [key],
      () => whileKeyWorks(work),
      () => (lookups -= 1),
    )
  }

  async function startLookups(context: JobContext) {
    if (lookups >= maxLookups) return
    isBehind = false
    if (clock.monotonic() < run.lookupsHeldUntil) return
    const now = time.now()
    const most = maxLookups + busy.size
    // Canaries first: they are few, and rows wait for them.
    for (const canary of await jobs.dueCanaries(run.jobId, now, most))
      startLookup(`canary ${canary.row}`, () => lookUpCanary(context, canary))
    for (const row of await jobs.due(run.jobId, now, most)) {
      const reconcile = row.state === "unknown" ? reconcileRow : recheckRow
      startLookup(keyOf(row), () => reconcile(context, row))
      isBehind ||= !busy.has(keyOf(row))
    }
  }

  async function startSends(context: JobContext) {
    const hasPrecheck = context.rules.precheck !== undefined
    const canStart = (how: NextRequest["how"]) =>
      sends <
      (!run.proven || isBehind || run.bulk.alone ? 1 : hasPrecheck ? maxPrecheckedCalls : maxCalls[how])
    if (clock.monotonic() < run.holdUntil) return
    for (;;) {
      const next = await queue.next(context, busy, sends, canStart)
      if (next === undefined) return
      sends += 1
      start(
        next.rows.map(keyOf),
        () =>
          next.how === "single"
            ? sendSingle(context, run, next.rows[0])
            : sendBulk(context, run, next.bulk, next.rows),
        () => (sends -= 1),
      )
    }
  }

  /** Nothing would be sent now, so the job is not sampled yet either. */
  function isWaiting({ counts }: JobRecord): boolean {
    return counts.planned === 0 || clock.monotonic() < run.holdUntil
  }

  async function step(): Promise<"over" | "rest" | "again"> {
    await time.refresh()
    const job = await jobs.get(run.jobId)
    if (job === undefined) return "over"
    // Aborts reads that wait for a permit when the run ends.
    const context = jobContext({ ...engine, signal: run.signal }, job)
    await recoverSentRows(context, run)
    const isOnHold = isHeld(job)
    if (!job.prepared && (isOnHold ? canPrepareHeld(context) : job.state === "running")) {
      await prepare(context)
      queue.forget()
      return "again"
    }
    if (isOnHold && (await lookUpHeldRows(context, run))) return "again"
    await startLookups(context)
    if (job.state === "running" && !isOnHold) {
      if ((await isTooLate(job)) && !isAutomaticResend(context.rules, await jobs.row(job.id, 1)))
        await pauseJob(context, job.id, notSentInTime)
      else if (isWaiting(job) || (await sampleJob(context, run))) {
        await compareAwaiting(context)
        await startSends(context)
      }
    }
    // A job ends with its rows; open canaries do not keep it open.
    const rowsOver =
      job.counts.sent + job.counts.unknown === 0 && (job.counts.planned === 0 || job.state !== "running")
    if (tasks.size > 0 && !rowsOver) return "rest"
    const after = await finishIfOver(engine, run.jobId)
    if (tasks.size > 0) return "rest"
    const isLooking = after?.state === "paused" && after.hold?.state === "looking"
    const isMoving = after?.state === "running" || after?.state === "cancelling" || isLooking
    const hasMore = isMoving || (await jobs.nextDue(run.jobId)) !== null || (after?.counts.sent ?? 0) > 0
    return hasMore ? "rest" : "over"
  }

  /** Releases or excludes rows that wait for a reversal, once its outcome is known. */
  async function compareAwaiting(context: JobContext) {
    const startedAt = clock.monotonic()
    if (startedAt < compareAgainAt || (await jobs.awaited(run.jobId)).length === 0) return
    await excludeRepeats(context, "all")
    const took = clock.monotonic() - startedAt
    compareAgainAt = clock.monotonic() + Math.max(compareEveryMs, took * 10)
  }

  async function prepare(context: JobContext) {
    const { job, rules } = context
    const over = new AbortController()
    // Finding thousands of members takes a while: stop when a person pauses or cancels.
    const watching = watchState(job, over)
    const edits = await jobs.edits(job.id)
    try {
      await excludeRepeats(context, "all")
      const signal = AbortSignal.any([run.signal, over.signal])
      await rules.prepare?.({ ...context, signal })
      await excludeRepeats(context, "found")
      failed.times = 0
    } catch (error) {
      if (over.signal.aborted && !run.signal.aborted) return
      if (run.signal.aborted) throw error
      if (!(error instanceof AppError)) {
        const reason = String(error)
        failed = { reason, times: reason === failed.reason ? failed.times + 1 : 1 }
        if (failed.times % mostFailures === 0) await pauseJob(context, job.id, notPrepared)
        throw error
      }
      if (isKeyRefused(error)) return pauseForFailure(context, job.id, error)
      if (await isTooLate(job)) await pauseJob(context, job.id, notSentInTime)
      await clock.sleep(longestRestMs, run.signal).catch(() => undefined)
      return
    } finally {
      over.abort()
      await watching
    }
    await jobs.assignOrdinals(job.id)
    await jobs.change(job.id, [job.state], { prepared: true })
    // A row corrected meanwhile may have been prepared with its old input: prepare all again.
    if ((await jobs.edits(job.id)) !== edits) await jobs.change(job.id, [job.state], { prepared: false })
    context.jobChanged(job.id)
  }

  async function watchState({ id, state }: JobRecord, over: AbortController) {
    while (!over.signal.aborted) {
      await clock.sleep(1000, over.signal).catch(() => undefined)
      const job = await jobs.get(id).catch(() => undefined)
      if (job !== undefined && job.state !== state) over.abort()
    }
  }

  async function isTooLate({ lane, counts, startedAt }: JobRecord): Promise<boolean> {
    if (lane !== "people" || counts.planned === 0) return false
    // Absolute, because the time since the click is unknown if the store's clock was set back.
    return Math.abs((await jobs.now()) - (startedAt ?? 0)) > formPatienceMs
  }

  async function whileKeyWorks(work: () => Promise<void>) {
    try {
      await work()
      run.lookupsRefused = 0
    } catch (error) {
      if (isKeyRefused(error) && clock.monotonic() >= run.lookupsHeldUntil) {
        const wait = Math.min(keyRetryMs.first * 2 ** run.lookupsRefused, keyRetryMs.longest)
        run.lookupsHeldUntil = clock.monotonic() + wait
        run.lookupsRefused += 1
      }
      throw error
    }
  }

  async function recoverFrom(failure: unknown) {
    if (run.signal.aborted) return
    if (isKeyRefused(failure)) {
      try {
        return await pauseForFailure(engine, run.jobId, failure)
      } catch (failed) {
        log.warn({ err: failed, job: run.jobId }, "a job could not be paused")
      }
    }
    log.warn({ err: failure, job: run.jobId }, "a step of a job failed and is tried again")
    await clock.sleep(1000, run.signal).catch(() => undefined)
  }

  async function restMs(): Promise<number> {
    try {
      const due = await jobs.nextDue(run.jobId)
      const now = clock.monotonic()
      const dueIn = due === null ? longestRestMs : due - time.now()
      // Overdue lookups are running or on pause; the end of each one signals the run.
      const isHeldBack = dueIn <= 0 && (tasks.size > 0 || now < run.lookupsHeldUntil)
      const untilDue = isHeldBack ? longestRestMs : dueIn
      const holdMs = run.holdUntil - now
      const rest = holdMs > 0 ? Math.min(untilDue, holdMs) : untilDue
      return Math.min(Math.max(rest, 5), longestRestMs)
    } catch {
      return longestRestMs
    }
  }
}

/** Whether the row was sent before and is due for an automatic resend, not one that a person just requested. */
function isAutomaticResend({ idempotent }: JobContext["rules"], row: RowRecord | undefined): boolean {
  if (row?.doubtful !== true) return false
  return row.decision?.decision !== "resend" || (idempotent === true && row.nextAt !== null)
}

function keyOf({ row }: RowRecord): string {
  return `row ${row}`
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

/** Preparing a held job could mistake its own lost effects for someone else's, unless preparation only reads. */
function canPrepareHeld({ job: { state, hold, counts }, rules }: JobContext): boolean {
  const isOpen = state === "running" || state === "paused"
  const isLooking = hold?.state === "looking" && counts.planned > 0
  return isOpen && isLooking && rules.preparesWhileHeld === true
}

const queueBatchSize = 500

/**
 * Picks the next rows to send, in row order. The last row of a job waits for all other calls and is sent alone: as a
 * canary it settles the rows before it.
 */
function createQueue({ store, time }: EngineContext, run: Run) {
  let buffer: readonly RowRecord[] = []

  async function fill(job: JobRecord, busy: ReadonlySet<string>, needsTag: boolean) {
    buffer = buffer.filter((row) => !busy.has(keyOf(row)))
    if (buffer.length > 0) return
    const now = time.now()
    for await (const rows of rowBatches(store.jobs, job.id, ["planned"], queueBatchSize)) {
      // Skips rows without a tag (no ordinal yet) and rows whose time has not come.
      buffer = rows.filter(
        (row) =>
          !busy.has(keyOf(row)) &&
          (row.ordinal !== null || !needsTag) &&
          row.awaits === null &&
          (row.nextAt === null || row.nextAt <= now),
      )
      // Edited and resumed during an earlier preparation: prepare again.
      if (needsTag && rows.some(({ ordinal }) => ordinal === null))
        await store.jobs.change(job.id, ["running"], { prepared: false })
      // Read on only if rows that wait for a reversal fill the batch.
      if (buffer.length > 0 || !rows.some(({ awaits }) => awaits !== null)) return
    }
  }

  function pickBulk(context: JobContext, size: number, withoutLast: boolean): readonly RowRecord[] {
    const members = new Set<string | null>()
    const picked: RowRecord[] = []
    for (const row of buffer) {
      if (picked.length >= size) break
      if (isSentAlone(context, row) || members.has(row.memberId)) continue
      members.add(row.memberId)
      picked.push(row)
    }
    return withoutLast && picked.length > 1 && picked.length === buffer.length ? picked.slice(0, -1) : picked
  }

  function take(next: NextRequest): NextRequest {
    buffer = buffer.filter((row) => !next.rows.includes(row))
    return next
  }

  return {
    /** `busy`: keys of rows in flight; `sends`: open sending requests. */
    async next(
      context: JobContext,
      busy: ReadonlySet<string>,
      sends: number,
      canStart: (how: NextRequest["how"]) => boolean,
    ): Promise<NextRequest | undefined> {
      const { job, rules } = context
      if (job.counts.planned === 0) return undefined
      const needsTag = rules.absence === "control"
      await fill(job, busy, needsTag)
      const [first] = buffer
      const isLastAlone = job.total > 1 && needsTag
      if (first === undefined || (isLastAlone && buffer.length === 1 && sends > 0)) return undefined
      const bulk = run.bulk.alone || isSentAlone(context, first) ? undefined : rules.bulk
      if (!canStart(bulk === undefined ? "single" : "bulk")) return undefined
      if (bulk === undefined) return take({ how: "single", rows: [first] })
      const size = run.bulk.next()
      return size === 0 ? undefined : take({ how: "bulk", bulk, rows: pickBulk(context, size, isLastAlone) })
    },
    forget() {
      buffer = []
    },
  }
}

function isSentAlone(context: JobContext, row: RowRecord): boolean {
  return row.singly || !isSentInBulk(context, row)
}
