import type { JobRecord } from "./job-store.ts"
import type { SettleDeps } from "./settle-row.ts"
import { createRun, type Run } from "./run.ts"
import { runJob } from "./run-job.ts"

/** Carries out the jobs of the store, those of earlier and of dead processes too. */
export interface Engine {
  run(): void
  /** Something changed about a job: look at it now. */
  wake(jobId: string): void
  /** Lets calls under way end and gives every lease back. */
  stop(): Promise<void>
}

/** How often the store is asked for jobs that need somebody, ms. */
const scanEveryMs = 2000
/** How often this process says that it is alive, ms. */
const beatEveryMs = 5000
/** Instances that said nothing for so long and own nothing are forgotten, ms. */
const forgottenAfterMs = 86_400_000

interface Running {
  readonly run: Run
  readonly over: Promise<void>
}

/** Makes the engine; `run` starts it. */
export function createEngine(deps: SettleDeps): Engine {
  const { context } = deps
  const { clock, store, self, processes, log } = context
  const { leaseMs } = context.config.jobs
  const stopped = new AbortController()
  const running = new Map<string, Running>()
  let on = false
  const loops: Promise<void>[] = []

  async function tryStart(job: JobRecord): Promise<void> {
    if (!on || stopped.signal.aborted || running.has(job.id)) return
    const ended = new AbortController()
    const run = createRun(clock, job, AbortSignal.any([stopped.signal, ended.signal]))
    // Entered before the first wait, so that two wakes at once start one run.
    const { promise: over, resolve: isOver } = Promise.withResolvers<void>()
    running.set(job.id, { run, over })
    try {
      if (await takeLease(job.id)) {
        const keeping = keepLease(job.id, ended)
        await runJob(deps, run)
        ended.abort()
        await keeping
        await store.jobs.release(job.id, self)
      }
    } catch (error) {
      log.error({ err: error, job: job.id }, "a job's run ended and is taken up again")
    } finally {
      ended.abort()
      running.delete(job.id)
      isOver()
    }
  }

  /** Takes the right to work on a job; that of a process proven dead ends at once, not with its time. */
  async function takeLease(jobId: string): Promise<boolean> {
    if (await store.jobs.lease(jobId, self, leaseMs)) return true
    const dead = await deps.owners.dead()
    for (const owner of dead) await store.jobs.release(jobId, owner)
    return dead.length > 0 && store.jobs.lease(jobId, self, leaseMs)
  }

  /** Keeps the right to work on a job; ends the run when it is lost or cannot be kept in time. */
  async function keepLease(jobId: string, ended: AbortController): Promise<void> {
    let keptAt = clock.monotonic()
    while (!ended.signal.aborted) {
      await clock.sleep(leaseMs / 4, ended.signal).catch(() => undefined)
      if (ended.signal.aborted) return
      const askedAt = clock.monotonic()
      const kept = await store.jobs.lease(jobId, self, leaseMs).catch(() => undefined)
      if (kept === true) keptAt = askedAt
      if (kept === false || clock.monotonic() - keptAt > (leaseMs * 3) / 4)
        ended.abort(new Error("lease lost"))
    }
  }

  async function every(ms: number, work: () => Promise<void>): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await work()
      } catch (error) {
        log.warn({ err: error }, "the store did not answer the engine")
      }
      await clock.sleep(ms, stopped.signal).catch(() => undefined)
    }
  }

  const scan = async () => {
    for (const job of await store.jobs.busy()) void tryStart(job)
  }
  const beat = async () => {
    await store.instances.beat(self, processes.self)
    if (on) await context.restore.alive()
    await store.instances.forget((await store.jobs.now()) - forgottenAfterMs)
  }

  /** Sees whether the store was restored; nothing is sent before that is known. */
  async function checked(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await context.restore.check()
        on = true
        return
      } catch (error) {
        log.warn({ err: error }, "the store did not answer the engine")
        await clock.sleep(scanEveryMs, stopped.signal).catch(() => undefined)
      }
    }
  }

  return {
    run() {
      loops.push(
        // Whoever finds this process's rows later must be able to tell whether it still runs.
        beat()
          .catch((error: unknown) => log.warn({ err: error }, "the store did not answer the engine"))
          .then(() => context.time.refresh())
          .catch(() => undefined)
          .then(() => checked())
          .then(() => Promise.all([every(scanEveryMs, scan), every(beatEveryMs, beat)]))
          .then(() => undefined),
      )
    },
    wake(jobId) {
      const there = running.get(jobId)
      if (there !== undefined) there.run.wake()
      else if (on) {
        store.jobs
          .get(jobId)
          .then((job) => (job === undefined ? undefined : tryStart(job)))
          .catch((error: unknown) =>
            log.warn({ err: error, job: jobId }, "a job could not be started at once"),
          )
      }
    },
    async stop() {
      stopped.abort(new Error("the desk stops"))
      await Promise.all([...running.values()].map(({ over }) => over))
      await Promise.all(loops)
      if (on) await store.instances.stopped(self).catch(() => undefined)
      on = false
    },
  }
}
