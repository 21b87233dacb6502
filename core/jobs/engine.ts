import type { AppEvent } from "../../contract/status.ts"
import { createNotifier, type Notifier } from "../runtime.ts"
import type { SharedServices } from "../deps.ts"
import { withRowAudit } from "./job-actions.ts"
import type { JobRecord } from "./job-store.ts"
import { createGaps, createStoreTime } from "./clocks.ts"
import { createInstances } from "./instances.ts"
import { RestoreGuard } from "./restore-guard.ts"
import { JobRun } from "./run.ts"
import type { EngineContext } from "./engine-context.ts"

const jobNotifyMs = 500
/** Open lists refetch on each of these events. */
const laterNotifyMs = 5000

/** The engine, and the context that the functions of people's requests on jobs take. */
export function createJobEngine(services: SharedServices) {
  const { clock, events, store } = services
  const ended = new AbortController()
  const notifiers = new Map<string, Notifier>()
  const self = crypto.randomUUID()
  const publish = (topic: AppEvent["topic"], id: string, everyMs: number) => {
    const key = `${topic} ${id}`
    const notifier =
      notifiers.get(key) ?? createNotifier(clock, everyMs, ended.signal, () => events.publish({ topic, id }))
    // Only a few jobs run at a time; ended ones need no notifier.
    if (notifiers.size > 200) notifiers.clear()
    notifiers.set(key, notifier)
    notifier.changed()
  }
  const context: EngineContext = {
    ...services,
    store: { ...store, jobs: withRowAudit(services) },
    restore: new RestoreGuard(services),
    time: createStoreTime(store.jobs, clock),
    instances: createInstances(services, self),
    gaps: createGaps(clock),
    shownForms: new Set(),
    self,
    jobChanged: (jobId) => publish("job", jobId, jobNotifyMs),
    jobMoved(jobId) {
      context.jobChanged(jobId)
      engine.signalChange(jobId)
    },
    notifyLater: (topic) => publish(topic, "all", laterNotifyMs),
  }
  const engine = createEngine(context)
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "job") engine.signalChange(event.id)
  })
  return {
    context,
    /** Starts processing jobs, including those of earlier processes. */
    run: () => engine.run(),
    /** Waits for calls in flight, stores their outcomes and releases all leases. */
    async stop() {
      unsubscribe()
      await engine.stop()
      ended.abort()
    },
  }
}

const scanEveryMs = 2000
const beatEveryMs = 5000
const forgottenAfterMs = 86_400_000

function createEngine(context: EngineContext) {
  const { clock, store, self, processes, log } = context
  const { leaseMs } = context.config.jobs
  const stopped = new AbortController()
  const running = new Map<string, { readonly run: JobRun; readonly over: Promise<void> }>()
  let on = false
  const loops: Promise<void>[] = []

  async function tryStart(job: JobRecord): Promise<void> {
    if (!on || stopped.signal.aborted || running.has(job.id)) return
    const ended = new AbortController()
    const run = new JobRun(context, job, AbortSignal.any([stopped.signal, ended.signal]))
    // Set before the first await, so that concurrent signals start one run.
    const { promise: over, resolve: isOver } = Promise.withResolvers<void>()
    running.set(job.id, { run, over })
    try {
      if (await acquireLease(job.id)) {
        const renewing = renewLease(job.id, ended)
        await run.run()
        ended.abort()
        await renewing
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

  async function startNow(jobId: string) {
    try {
      const job = await store.jobs.get(jobId)
      if (job !== undefined) await tryStart(job)
    } catch (error) {
      log.warn({ err: error, job: jobId }, "a job could not be started at once")
    }
  }

  /** Leases of processes proven dead are released without waiting for their expiry. */
  async function acquireLease(jobId: string): Promise<boolean> {
    if (await store.jobs.lease(jobId, self, leaseMs)) return true
    const dead = await context.instances.dead()
    for (const owner of dead) await store.jobs.release(jobId, owner)
    return dead.length > 0 && store.jobs.lease(jobId, self, leaseMs)
  }

  async function renewLease(jobId: string, ended: AbortController): Promise<void> {
    let renewedAt = clock.monotonic()
    while (!ended.signal.aborted) {
      await clock.sleep(leaseMs / 4, ended.signal).catch(() => undefined)
      if (ended.signal.aborted) return
      const requestedAt = clock.monotonic()
      const isRenewed = await store.jobs.lease(jobId, self, leaseMs).catch(() => undefined)
      if (isRenewed === true) renewedAt = requestedAt
      if (isRenewed === false || clock.monotonic() - renewedAt > (leaseMs * 3) / 4)
        ended.abort(new Error("lease lost"))
    }
  }

  async function every(ms: number, step: () => Promise<void>, isOver = () => false): Promise<void> {
    while (!stopped.signal.aborted) {
      await step().catch(logStoreFailure)
      if (isOver()) return
      await clock.sleep(ms, stopped.signal).catch(() => undefined)
    }
  }

  function logStoreFailure(error: unknown): void {
    log.warn({ err: error }, "the store did not answer the engine")
  }

  const scan = async () => {
    for (const job of await store.jobs.busy()) void tryStart(job)
  }
  const beat = async () => {
    await store.instances.beat(self, processes.self)
    if (on) await context.restore.alive()
    await store.instances.forget((await store.jobs.now()) - forgottenAfterMs)
  }

  /** Nothing is sent before the check for a restored store. */
  const check = async () => {
    await context.restore.check()
    on = true
  }

  async function work() {
    // First, so that other processes can tell whether the owner of a row still runs.
    await beat().catch(logStoreFailure)
    await context.time.refresh().catch(() => undefined)
    await every(scanEveryMs, check, () => on)
    await Promise.all([every(scanEveryMs, scan), every(beatEveryMs, beat)])
  }

  return {
    run(): void {
      loops.push(work())
    },
    signalChange(jobId: string): void {
      const active = running.get(jobId)
      if (active !== undefined) active.run.signalChange()
      else if (on) void startNow(jobId)
    },
    async stop(): Promise<void> {
      stopped.abort(new Error("Laurel stops"))
      await Promise.all([...running.values()].map(({ over }) => over))
      await Promise.all(loops)
      if (on) await store.instances.stopped(self).catch(() => undefined)
      on = false
    },
  }
}
