import { pauseCodes } from "../../../contract/desk/job.ts"
import { DeskFailure } from "../failure.ts"
import { lookAtControl } from "./controls.ts"
import { finishIfOver } from "./finish.ts"
import type { JobContext } from "./job-context.ts"
import type { JobRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { createNextRows, type NextRows } from "./next-rows.ts"
import { pauseFor } from "./not-done.ts"
import { recheckRow } from "./recheck-row.ts"
import { recover } from "./recover.ts"
import type { Run } from "./run.ts"
import { sendBulk } from "./send-bulk.ts"
import { sendOne } from "./send-one.ts"
import { settleRow, type SettleDeps } from "./settle-row.ts"

/** Calls under way at once: enough to use the whole rate while the service takes seconds to answer. */
const callsAtOnce = { single: 16, bulk: 4 }
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
export async function runJob(deps: SettleDeps, run: Run): Promise<void> {
  const { context, owners } = deps
  const { jobs } = context.store
  const tasks = new Set<Promise<void>>()
  const busy = new Set<string>()
  const nextRows = createNextRows(context, run)
  let looks = 0
  let sends = 0

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

  async function startLooks(job: JobRecord): Promise<void> {
    const free = looksAtOnce - looks
    if (free <= 0) return
    const now = context.time.now()
    for (const row of await jobs.due(job.id, now, free + busy.size)) {
      const key = `row ${row.row}`
      if (looks >= looksAtOnce || busy.has(key)) continue
      looks += 1
      const work = () => (row.state === "unknown" ? settleRow(deps, job, row) : recheckRow(context, job, row))
      start([key], work, () => (looks -= 1))
    }
    for (const control of await jobs.dueControls(job.id, now, free + busy.size)) {
      const key = `control ${control.row}`
      if (looks >= looksAtOnce || busy.has(key)) continue
      looks += 1
      start(
        [key],
        () => lookAtControl(context, job, control),
        () => (looks -= 1),
      )
    }
  }

  const mayStart = (how: NextRows["how"]) => sends < (run.proven ? callsAtOnce[how] : 1)

  async function startSends(job: JobRecord): Promise<void> {
    if (context.clock.monotonic() < run.holdUntil) return
    for (;;) {
      const next = await nextRows(job, { busy, sends, mayStart })
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

  async function step(): Promise<"over" | "rest" | "again"> {
    await context.time.refresh()
    const job = await jobs.get(run.jobId)
    if (job === undefined) return "over"
    await recover(context, owners, run, job)
    if (job.state === "running" && !job.prepared) {
      await prepare(context, job, run)
      return "again"
    }
    await startLooks(job)
    if (job.state === "running") {
      if (tooLate(context, job) && !(await isRepeating(context, job)))
        await pauseFor(context, job, notSentInTime)
      else await startSends(job)
    }
    if (tasks.size > 0) return "rest"
    const after = await finishIfOver(context, run.jobId)
    const moving = after?.state === "running" || after?.state === "cancelling"
    return moving || (await jobs.nextDue(run.jobId)) !== null || (after?.counts.sent ?? 0) > 0
      ? "rest"
      : "over"
  }

  while (!run.signal.aborted) {
    const next = await step().catch((error: unknown) => troubled(context, run, error))
    if (next === "over") break
    if (next === "rest") await run.wait(await restOf(context, run))
  }
  await Promise.all(tasks)
}

const notSentInTime = {
  code: pauseCodes.notSentInTime,
  message:
    "This could not be sent within a minute, so it waits instead of going out later by surprise. Send it now, or cancel it.",
}

function tooLate({ time }: JobContext, job: JobRecord): boolean {
  return job.lane === "people" && job.counts.planned > 0 && time.now() - (job.startedAt ?? 0) > formPatienceMs
}

/** Its row was sent and goes out again as it was: that is no surprise. */
async function isRepeating({ store }: JobContext, job: JobRecord): Promise<boolean> {
  return kindRules[job.kind].repeats === true && (await store.jobs.row(job.id, 1))?.doubtful === true
}

/** Until the next thing is due. */
async function restOf(context: JobContext, run: Run): Promise<number> {
  try {
    const due = await context.store.jobs.nextDue(run.jobId)
    const untilDue = due === null ? longestRestMs : due - context.time.now()
    const held = run.holdUntil - context.clock.monotonic()
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
  const watching = watchState(context, job.id, over)
  try {
    await kindRules[job.kind].prepare(context, job, signal)
  } catch (error) {
    if (over.signal.aborted && !run.signal.aborted) return
    if (run.signal.aborted || !(error instanceof DeskFailure)) throw error
    const status = error.details?.upstream_status
    if (status === 401 || status === 403 || error.code === "not_connected") {
      await pauseFor(context, job, {
        code: error.details?.upstream_code ?? error.code,
        message: error.message,
      })
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
  await jobs.change(job.id, ["running"], { prepared: true })
  context.moved(job.id)
}

async function watchState({ clock, store }: JobContext, jobId: string, over: AbortController): Promise<void> {
  while (!over.signal.aborted) {
    await clock.sleep(1000, over.signal).catch(() => undefined)
    const job = await store.jobs.get(jobId).catch(() => undefined)
    if (job !== undefined && job.state !== "running") over.abort()
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
  if (error instanceof DeskFailure && error.code === "not_connected") {
    const job = await context.store.jobs.get(run.jobId)
    if (job !== undefined)
      await pauseFor(context, job, { code: pauseCodes.notConnected, message: error.message })
    return "again"
  }
  context.log.warn({ err: error, job: run.jobId }, "a step of a job failed and is tried again")
  await context.clock.sleep(1000, run.signal).catch(() => undefined)
  return "again"
}
