import { pauseCodes } from "../../contract/job.ts"
import { DeskFailure } from "../errors.ts"
import { lookAtControl } from "./controls.ts"
import { isHeld } from "../job-data/job-needs.ts"
import { finishIfOver } from "./finish.ts"
import { lookUpHeld } from "./held-job.ts"
import type { JobContext } from "./job-context.ts"
import type { JobRecord } from "./job-store.ts"
import { isKeyTrouble, pauseOf } from "./key-trouble.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { createNextRows, type NextRows } from "./next-rows.ts"
import { pauseFor } from "./not-done.ts"
import { recheckRow } from "./recheck-row.ts"
import { recover } from "./recover.ts"
import { excludeRepeats } from "./repeats.ts"
import type { Run } from "./run.ts"
import { sampleJob } from "./sample-job.ts"
import { sendBulk } from "./send-bulk.ts"
import { sendOne } from "./send-one.ts"
import { settleRow, type SettleDeps } from "./settle-row.ts"

/** Calls under way at once: enough to use the whole rate while the service takes seconds to answer. */
const callsAtOnce = { single: 16, bulk: 4 }
/** What is looked up before it is sent goes a few at a time, so that each is sent soon after. */
const lookedUpAtOnce = 4
/** Looks under way at once. */
const looksAtOnce = 8
/** The job is looked at again at least so often, ms. */
const longestRestMs = 2000
/** A row of a form goes within this time after the click or not by itself, ms. */
const formPatienceMs = 60_000

/**
 * Works on a job until there is nothing left to do for now: looks at what is unknown, watches controls, sends what is
 * planned. Everything it decides on is read from the store, so that it can end at any point and begin again.
 */
export async function runJob(engine: SettleDeps, run: Run): Promise<void> {
  // A read of this run that waits for a place gives up when the run ends.
  const context = { ...engine.context, signal: run.signal }
  const deps = { ...engine, context }
  const { owners } = deps
  const { jobs } = context.store
  const tasks = new Set<Promise<void>>()
  const busy = new Set<string>()
  const queue = createNextRows(context, run)
  let looks = 0
  let sends = 0
  /** More is due to be looked at than is looked at: what is sent meanwhile would only make that more. */
  let behind = false

  const start = (keys: readonly string[], work: () => Promise<void>, over: () => void) => {
    for (const key of keys) busy.add(key)
    const task = guarded(context, run, work).finally(() => {
      for (const key of keys) busy.delete(key)
      tasks.delete(task)
      over()
      run.wake()
    })
    tasks.add(task)
  }

  const look = (key: string, work: () => Promise<void>) => {
    if (looks >= looksAtOnce || busy.has(key)) return
    looks += 1
    start(
      [key],
      () => held(context, run, work),
      () => (looks -= 1),
    )
  }

  async function startLooks(job: JobRecord): Promise<void> {
    if (looks >= looksAtOnce) return
    behind = false
    if (context.clock.monotonic() < run.looksHeldUntil) return
    const now = context.time.now()
    // Controls first: they are few, and rows wait for what they show.
    for (const control of await jobs.dueControls(job.id, now, looksAtOnce + busy.size)) {
      look(`control ${control.row}`, () => lookAtControl(context, job, control))
    }
    for (const row of await jobs.due(job.id, now, looksAtOnce + busy.size)) {
      const work = () => (row.state === "unknown" ? settleRow(deps, job, row) : recheckRow(context, job, row))
      look(`row ${row.row}`, work)
      behind ||= !busy.has(`row ${row.row}`)
    }
  }

  const mayStart = (job: JobRecord) => (how: NextRows["how"]) => {
    const looksFirst = kindRules[job.kind].precheck !== undefined
    return sends < (!run.proven || behind ? 1 : looksFirst ? lookedUpAtOnce : callsAtOnce[how])
  }

  async function startSends(job: JobRecord): Promise<void> {
    if (context.clock.monotonic() < run.holdUntil) return
    for (;;) {
      const next = await queue.next(job, { busy, sends, mayStart: mayStart(job) })
      if (next === undefined) return
      sends += 1
      const [first] = next.rows
      const work = async () => {
        if (next.how === "bulk") await sendBulk(context, run, job, next.rows)
        else if (first !== undefined) await sendOne(context, run, job, first)
      }
      start(
        next.rows.map(({ row }) => `row ${row}`),
        work,
        () => (sends -= 1),
      )
    }
  }

  /** A job of before this process is sampled before its first row goes out. */
  async function mayBegin(job: JobRecord): Promise<boolean> {
    if (job.counts.planned === 0 || context.clock.monotonic() < run.holdUntil) return true
    return sampleJob(context, run, job)
  }

  async function step(): Promise<"over" | "rest" | "again"> {
    await context.time.refresh()
    const job = await jobs.get(run.jobId)
    if (job === undefined) return "over"
    await recover(context, owners, run, job)
    const held = isHeld(job)
    if (!job.prepared && (held ? mayPrepareHeld(job) : job.state === "running")) {
      await prepare(context, job, run)
      queue.forget()
      return "again"
    }
    if (held && (await lookUpHeld(context, run, job))) return "again"
    await startLooks(job)
    if (job.state === "running" && !held) {
      if (tooLate(context, job) && !(await wasSent(context, job))) await pauseFor(context, job, notSentInTime)
      else if (await mayBegin(job)) await startSends(job)
    }
    // It ends with its rows: controls that are still watched do not keep it open.
    const rowsOver =
      job.counts.sent + job.counts.unknown === 0 && (job.counts.planned === 0 || job.state !== "running")
    if (tasks.size > 0 && !rowsOver) return "rest"
    const after = await finishIfOver(context, run.jobId)
    if (tasks.size > 0) return "rest"
    const looking = after?.state === "paused" && after.hold?.state === "looking"
    const moving = after?.state === "running" || after?.state === "cancelling" || looking
    return moving || (await jobs.nextDue(run.jobId)) !== null || (after?.counts.sent ?? 0) > 0
      ? "rest"
      : "over"
  }

  while (!run.signal.aborted) {
    const next = await step().catch((error: unknown) => troubled(context, run, error))
    if (next === "over") break
    if (next === "rest") await run.wait(await restOf(context, run, tasks.size > 0))
  }
  await Promise.all(tasks)
}

const notSentInTime = {
  code: pauseCodes.notSentInTime,
  message: "This couldn’t be sent within a minute, so it’s on hold. Send now, or cancel it.",
}

function tooLate({ time }: JobContext, job: JobRecord): boolean {
  return job.lane === "people" && job.counts.planned > 0 && time.now() - (job.startedAt ?? 0) > formPatienceMs
}

/** Its row was sent before and goes out again by rule: that is no surprise. */
async function wasSent({ store }: JobContext, job: JobRecord): Promise<boolean> {
  return (await store.jobs.row(job.id, 1))?.doubtful === true
}

/** Until the next thing is due. */
async function restOf(context: JobContext, run: Run, working: boolean): Promise<number> {
  try {
    const due = await context.store.jobs.nextDue(run.jobId)
    const now = context.clock.monotonic()
    const dueIn = due === null ? longestRestMs : due - context.time.now()
    // What is due already is being looked at or held back: whatever ends wakes the run.
    const untilDue = dueIn <= 0 && (working || now < run.looksHeldUntil) ? longestRestMs : dueIn
    const held = run.holdUntil - now
    const rest = held > 0 ? Math.min(untilDue, held) : untilDue
    return Math.min(Math.max(rest, 5), longestRestMs)
  } catch {
    return longestRestMs
  }
}

async function prepare(context: JobContext, job: JobRecord, run: Run): Promise<void> {
  const { jobs } = context.store
  const over = new AbortController()
  const signal = AbortSignal.any([run.signal, over.signal])
  // Finding thousands of members takes a while: a person who pauses or cancels need not wait for it.
  const watching = watchState(context, job, over)
  try {
    await excludeRepeats(context, job, "all")
    await kindRules[job.kind].prepare(context, job, signal)
    await excludeRepeats(context, job, "found")
  } catch (error) {
    if (over.signal.aborted && !run.signal.aborted) return
    if (run.signal.aborted || !(error instanceof DeskFailure)) throw error
    if (isKeyTrouble(error)) {
      await pauseFor(context, job, pauseOf(error))
      return
    }
    if (tooLate(context, job)) await pauseFor(context, job, notSentInTime)
    await context.clock.sleep(longestRestMs, run.signal).catch(() => undefined)
    return
  } finally {
    over.abort()
    await watching
  }
  await jobs.giveOrdinals(job.id)
  await jobs.change(job.id, [job.state], { prepared: true })
  context.jobChanged(job.id)
}

async function watchState(
  { clock, store }: JobContext,
  { id, state }: JobRecord,
  over: AbortController,
): Promise<void> {
  while (!over.signal.aborted) {
    await clock.sleep(1000, over.signal).catch(() => undefined)
    const job = await store.jobs.get(id).catch(() => undefined)
    if (job !== undefined && job.state !== state) over.abort()
  }
}

/**
 * While a job is held its rows are only made ready to be looked up: what its kind looks up before sending would take
 * what was done in the meantime for somebody else's.
 */
function mayPrepareHeld({ kind, state, hold, counts }: JobRecord): boolean {
  const stands = state === "running" || state === "paused"
  return (
    stands && hold?.state === "looking" && counts.planned > 0 && kindRules[kind].preparesWhileHeld === true
  )
}

/** When looks go on after the key was refused, ms: a service may lock a key out that asks on and on. */
const lookAgainMs = { first: 15_000, longest: 300_000 }

/** Runs a look. When the key is refused, no other look follows for a while. */
async function held({ clock }: JobContext, run: Run, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    run.looksRefused = 0
  } catch (error) {
    if (isKeyTrouble(error) && clock.monotonic() >= run.looksHeldUntil) {
      const wait = Math.min(lookAgainMs.first * 2 ** run.looksRefused, lookAgainMs.longest)
      run.looksHeldUntil = clock.monotonic() + wait
      run.looksRefused += 1
    }
    throw error
  }
}

/** A task that fails inside costs nothing but time: the rows' lease ends and they are looked up. */
async function guarded(context: JobContext, run: Run, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await troubled(context, run, error)
  }
}

async function troubled(context: JobContext, run: Run, error: unknown): Promise<"again"> {
  if (run.signal.aborted) return "again"
  if (isKeyTrouble(error)) {
    try {
      const job = await context.store.jobs.get(run.jobId)
      if (job !== undefined) await pauseFor(context, job, pauseOf(error))
      return "again"
    } catch (failed) {
      context.log.warn({ err: failed, job: run.jobId }, "a job could not be paused")
    }
  }
  context.log.warn({ err: error, job: run.jobId }, "a step of a job failed and is tried again")
  await context.clock.sleep(1000, run.signal).catch(() => undefined)
  return "again"
}
