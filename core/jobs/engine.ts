import { LRUCache } from "lru-cache"
import type { AppEvent } from "../../contract/events.ts"
import { createNotifier, type Notifier } from "../runtime.ts"
import type { SharedServices } from "../deps.ts"
import type { RunEnd } from "../dispatch.ts"
import { withRowAudit } from "./job-actions.ts"
import { createGaps, createStoreTime } from "./clocks.ts"
import { createInstances } from "./instances.ts"
import { RestoreGuard } from "./restore-guard.ts"
import { JobRun } from "./run.ts"
import type { RunState } from "./run-state.ts"
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
      engine.wake(jobId)
    },
    notifyLater: (topic) => publish(topic, "all", laterNotifyMs),
  }
  const engine = createEngine(context)
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "job") engine.signalChange(event.id)
    // After a restore, held jobs are looked up.
    if (event.topic === "job" && event.id === "all") engine.wakeAll()
  })
  return {
    context,
    claim: () => context.instances.claim(),
    /** Starts the dispatcher: jobs, including those of earlier processes, and duties. */
    run: () => engine.run(),
    /** Stops the dispatcher: waits for calls in flight, stores their outcomes and releases all leases. */
    async stop() {
      unsubscribe()
      await engine.stop()
      ended.abort()
    },
  }
}

const checkEveryMs = 2000
const beatEveryMs = 5000
const forgottenAfterMs = 86_400_000
/** Concurrent runs on this instance. */
const runsAtOnce = 16
/** A run takes no further step after this time, so that another one gets its turn; sooner while many are active. */
const sliceMs = 600_000
const shortSliceMs = 30_000
/** Jobs with work left are woken this often, in case a wake was lost. */
const wakeEveryMs = 60_000
const leaseRetryMs = 2000

/**
 * The lease of versions that do not know the dispatcher yet: in a rolling upgrade both run. Leases of
 * processes proven dead are released without waiting for their expiry.
 */
function createLeases({ clock, config, instances, self, store }: EngineContext) {
  const { leaseMs } = config.jobs

  async function acquire(jobId: string): Promise<boolean> {
    if (await store.jobs.lease(jobId, self, leaseMs)) return true
    const dead = await instances.dead()
    for (const owner of dead) await store.jobs.release(jobId, owner)
    return dead.length > 0 && store.jobs.lease(jobId, self, leaseMs)
  }

  async function renew(jobId: string, ended: AbortController): Promise<void> {
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

  return { acquire, renew, release: (jobId: string) => store.jobs.release(jobId, self) }
}

function createEngine(context: EngineContext) {
  const { clock, dispatcher, store, self, processes, log } = context
  const leases = createLeases(context)
  const stopped = new AbortController()
  /** null: its lease is not taken yet. */
  const running = new Map<string, JobRun | null>()
  /** Pace and bulk size of jobs that are taken up again. */
  const states = new LRUCache<string, RunState>({ max: 200 })
  let on = false
  let isUp = false
  const loops: Promise<void>[] = []

  async function runJob(jobId: string, signal: AbortSignal): Promise<RunEnd> {
    // One that lost its claim may still wait for its calls.
    if (running.has(jobId)) return { againAt: clock.now() + leaseRetryMs }
    running.set(jobId, null)
    try {
      return await runLeased(jobId, signal)
    } finally {
      running.delete(jobId)
    }
  }

  async function runLeased(jobId: string, signal: AbortSignal): Promise<RunEnd> {
    const job = await store.jobs.get(jobId)
    if (job === undefined) return "done"
    if (!(await leases.acquire(jobId))) return { againAt: clock.now() + leaseRetryMs }
    const ended = new AbortController()
    const run = new JobRun(context, job, AbortSignal.any([signal, ended.signal]), states.get(jobId))
    running.set(jobId, run)
    const renewing = leases.renew(jobId, ended)
    try {
      const waitMs = await run.run(running.size > runsAtOnce / 2 ? shortSliceMs : sliceMs)
      if (waitMs === undefined) states.delete(jobId)
      else states.set(jobId, run.state)
      return waitMs === undefined ? "done" : { againAt: clock.now() + waitMs }
    } finally {
      ended.abort()
      await renewing
      await leases.release(jobId)
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

  const wakeAll = async () => {
    const busy = await store.jobs.busy()
    for (const { id } of busy) if (!running.has(id)) await dispatcher.wake("job", id)
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

  const startRuns = async () => {
    await dispatcher.start()
    // The queue in memory starts empty.
    await wakeAll()
    isUp = true
  }

  async function work() {
    // First, so that other processes can tell whether the owner of a row still runs.
    await beat().catch(logStoreFailure)
    await context.time.refresh().catch(() => undefined)
    await every(checkEveryMs, check, () => on)
    await Promise.all([every(checkEveryMs, startRuns, () => isUp), every(beatEveryMs, beat)])
  }

  dispatcher.work("job", runsAtOnce, runJob)
  dispatcher.duty("jobs with work left", wakeEveryMs, wakeAll)
  return {
    run(): void {
      loops.push(work())
    },
    signalChange(jobId: string): void {
      running.get(jobId)?.signalChange()
    },
    wakeAll(): void {
      if (on) void wakeAll().catch(logStoreFailure)
    },
    /** Signals the job's run, or starts one. */
    wake(jobId: string): void {
      running.get(jobId)?.signalChange()
      if (on && !store.jobs.wakes)
        dispatcher
          .wake("job", jobId)
          .catch((error: unknown) => log.warn({ err: error, job: jobId }, "a job could not be woken"))
    },
    async stop(): Promise<void> {
      stopped.abort(new Error("Laurel stops"))
      await dispatcher.stop()
      await Promise.all(loops)
      await store.instances.stopped(self).catch(() => undefined)
      on = false
    },
  }
}
