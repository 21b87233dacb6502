import { pauseCodes } from "../../contract/job.ts"
import { AppError } from "../errors.ts"
import { finishIfOver } from "./job-actions.ts"
import { lookUpCanary } from "./canaries.ts"
import { type EngineContext, isKeyRefused, pauseForFailure, pauseJob, rowBatches } from "./engine-context.ts"
import { isSentInBulk, type JobContext } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { jobContext } from "./kinds/kind-rules.ts"
import type { Run } from "./process-state.ts"
import { isHeld } from "./records.ts"
import { reconcileRow, recheckRow, recoverSentRows } from "./reconcile.ts"
import { excludeRepeats } from "./repeats.ts"
import { lookUpHeldRows, sampleJob } from "./restore.ts"
import { type NextRequest, send } from "./send.ts"

/** Calls in flight at once: enough to use the whole rate while the service takes seconds to answer. */
const callsAtOnce = { single: 16, bulk: 4 }
/** What is read before it is sent goes a few at a time, so that each is sent soon after. */
const precheckedAtOnce = 4
const lookupsAtOnce = 8
const longestRestMs = 2000
/** So often the same failure, which no service or database gave, stops a preparation. */
const mostFailures = 3
/** When lookups go on after the key was refused, ms: a service may lock a key out that is used on and on. */
const keyRetryMs = { first: 15_000, longest: 300_000 }
/** Rows that wait for a reversal are compared again this often at most, ms. */
const compareEveryMs = 1000
/** A row of a form goes within this time after the click or not by itself, ms. */
const formPatienceMs = 60_000

/** Works on a job until nothing is left for now; all it decides on is in the store, so it can end at any point. */
export async function runJob(engine: EngineContext, run: Run): Promise<void> {
  const { clock, log, time } = engine
  const { jobs } = engine.store
  const tasks = new Set<Promise<void>>()
  const busy = new Set<string>()
  const queue = createQueue(engine, run)
  let lookups = 0
  let sends = 0
  /** More is due than is looked up: what is sent meanwhile would only make that more. */
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

  /** A task that fails inside costs nothing but time: the rows' lease ends and they are looked up. */
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
    if (lookups >= lookupsAtOnce || busy.has(key)) return
    lookups += 1
    start(
      [key],
      () => whileKeyWorks(work),
      () => (lookups -= 1),
    )
  }

  async function startLookups(context: JobContext) {
    if (lookups >= lookupsAtOnce) return
    isBehind = false
    if (clock.monotonic() < run.lookupsHeldUntil) return
    const now = time.now()
    const most = lookupsAtOnce + busy.size
    // Controls first: they are few, and rows wait for what they show.
    for (const control of await jobs.dueCanaries(run.jobId, now, most))
      startLookup(`control ${control.row}`, () => lookUpCanary(context, control))
    for (const row of await jobs.due(run.jobId, now, most)) {
      const reconcile = row.state === "unknown" ? reconcileRow : recheckRow
      startLookup(keyOf(row), () => reconcile(context, row))
      isBehind ||= !busy.has(keyOf(row))
    }
  }

  async function startSends(context: JobContext) {
    const hasPrecheck = context.rules.precheck !== undefined
    const mayStart = (how: NextRequest["how"]) =>
      sends <
      (!run.proven || isBehind || run.bulk.alone ? 1 : hasPrecheck ? precheckedAtOnce : callsAtOnce[how])
    if (clock.monotonic() < run.holdUntil) return
    for (;;) {
      const next = await queue.next(context, busy, sends, mayStart)
      if (next === undefined) return
      sends += 1
      start(
        next.rows.map(keyOf),
        () => send(context, run, next),
        () => (sends -= 1),
      )
    }
  }

  /** Nothing would be sent now, so it is not sampled yet either. */
  function isWaiting({ counts }: JobRecord): boolean {
    return counts.planned === 0 || clock.monotonic() < run.holdUntil
  }

  async function step(): Promise<"over" | "rest" | "again"> {
    await time.refresh()
    const job = await jobs.get(run.jobId)
    if (job === undefined) return "over"
    // A read of this run that waits for a permit gives up when the run ends.
    const context = jobContext({ ...engine, signal: run.signal }, job)
    await recoverSentRows(context, run)
    const held = isHeld(job)
    if (!job.prepared && (held ? mayPrepareHeld(context) : job.state === "running")) {
      await prepare(context)
      queue.forget()
      return "again"
    }
    if (held && (await lookUpHeldRows(context, run))) return "again"
    await startLookups(context)
    if (job.state === "running" && !held) {
      if ((await isTooLate(job)) && !goesAgainByRule(context.rules, await jobs.row(job.id, 1)))
        await pauseJob(context, job.id, notSentInTime)
      else if (isWaiting(job) || (await sampleJob(context, run))) {
        await compareAwaiting(context)
        await startSends(context)
      }
    }
    // It ends with its rows: controls that are still watched do not keep it open.
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

  /** Rows that wait for a reversal go out, or are left out, as soon as it is known how it ended for them. */
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
    // Finding thousands of members takes a while: a person who pauses or cancels need not wait for it.
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
    // A row that was corrected meanwhile may have been passed as it was before: all are prepared again.
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
    // Where its clock was set back meanwhile, nobody knows how long ago the click was.
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
      // What is due already is being looked up or held back: whatever ends signals the run.
      const isHeldBack = dueIn <= 0 && (tasks.size > 0 || now < run.lookupsHeldUntil)
      const untilDue = isHeldBack ? longestRestMs : dueIn
      const held = run.holdUntil - now
      const rest = held > 0 ? Math.min(untilDue, held) : untilDue
      return Math.min(Math.max(rest, 5), longestRestMs)
    } catch {
      return longestRestMs
    }
  }
}

/** A row that was sent before is no surprise when it goes out again, unless a person has just asked for it. */
function goesAgainByRule({ idempotent }: JobContext["rules"], row: RowRecord | undefined): boolean {
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

/** While a job is held, a preparation could take what was done meanwhile for somebody else's, unless it only reads. */
function mayPrepareHeld({ job: { state, hold, counts }, rules }: JobContext): boolean {
  const isOpen = state === "running" || state === "paused"
  const isLooking = hold?.state === "looking" && counts.planned > 0
  return isOpen && isLooking && rules.preparesWhileHeld === true
}

const readAtOnce = 500

/**
 * Finds what goes out next, in the order of the rows. The last row of a job waits until every other call has ended and
 * goes alone: its response is the control that settles the ones before it.
 */
function createQueue({ store, time }: EngineContext, run: Run) {
  let buffer: readonly RowRecord[] = []

  async function fill(job: JobRecord, busy: ReadonlySet<string>, needsTag: boolean) {
    buffer = buffer.filter((row) => !busy.has(keyOf(row)))
    if (buffer.length > 0) return
    const now = time.now()
    for await (const rows of rowBatches(store.jobs, job.id, ["planned"], readAtOnce)) {
      // Without an ordinal a row has no tag yet; one with a time waits for it.
      buffer = rows.filter(
        (row) =>
          !busy.has(keyOf(row)) &&
          (row.ordinal !== null || !needsTag) &&
          row.awaits === null &&
          (row.nextAt === null || row.nextAt <= now),
      )
      // Edited and resumed while an earlier preparation was at work: it is prepared again.
      if (needsTag && rows.some(({ ordinal }) => ordinal === null))
        await store.jobs.change(job.id, ["running"], { prepared: false })
      // Only rows that wait for a reversal may fill whole portions.
      if (buffer.length > 0 || !rows.some(({ awaits }) => awaits !== null)) return
    }
  }

  function pickBulk(context: JobContext, size: number, leaveLast: boolean): readonly RowRecord[] {
    const members = new Set<string | null>()
    const picked: RowRecord[] = []
    for (const row of buffer) {
      if (picked.length >= size) break
      if (isSentAlone(context, row) || members.has(row.memberId)) continue
      members.add(row.memberId)
      picked.push(row)
    }
    return leaveLast && picked.length > 1 && picked.length === buffer.length ? picked.slice(0, -1) : picked
  }

  return {
    /** What is in flight of the same job, and how many requests that carry rows out. */
    async next(
      context: JobContext,
      busy: ReadonlySet<string>,
      sends: number,
      mayStart: (how: NextRequest["how"]) => boolean,
    ): Promise<NextRequest | undefined> {
      const { job, rules } = context
      if (job.counts.planned === 0) return undefined
      const needsTag = rules.absence === "control"
      await fill(job, busy, needsTag)
      const [first] = buffer
      const isLastAlone = job.total > 1 && needsTag
      if (first === undefined || (isLastAlone && buffer.length === 1 && sends > 0)) return undefined
      const how = run.bulk.alone || isSentAlone(context, first) ? "single" : "bulk"
      if (!mayStart(how)) return undefined
      const size = how === "bulk" ? run.bulk.next() : 1
      if (size === 0) return undefined
      const rows = how === "bulk" ? pickBulk(context, size, isLastAlone) : [first]
      buffer = buffer.filter((row) => !rows.includes(row))
      return { how, rows }
    },
    forget() {
      buffer = []
    },
  }
}

function isSentAlone(context: JobContext, row: RowRecord): boolean {
  return row.singly || !isSentInBulk(context, row)
}
