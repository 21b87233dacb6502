import * as z from "zod/mini"
import { type Job, job as jobSchema } from "../../../contract/job.ts"
import { jobRow, type JobRow } from "../../../contract/job-rows.ts"
import type { EventBus } from "../../../core/ports.ts"
import type { JobRecord, RowRecord } from "../../../core/jobs/job-store.ts"
import { createMemoryStore, type MemoryStore } from "../../support/memory-store.ts"
import { createSandbox, type Sandbox } from "../../../sandbox/app.ts"
import type { SandboxOptions } from "../../../sandbox/config.ts"
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts"
import { type Process, startProcess, strictEvents, worldTimes } from "../in-process.ts"
import type { Fatal, Life } from "../mortal.ts"
import { dataOf } from "./data-of.ts"
import type { Random } from "../random.ts"
import { linkSandbox } from "./sandbox-link.ts"

/** A sandbox, a store and apps on one clock. */
export interface SandboxWorld {
  readonly clock: FakeClock
  readonly store: MemoryStore
  readonly sandbox: Sandbox
  start(at?: Fatal): Process
  rowsOf(jobId: string): Promise<RowRecord[]>
  /** Creates a job and waits until it is done, paused or cancelled. */
  carryOut(
    app: Process,
    body: unknown,
    by?: Parameters<Process["ask"]>[1],
  ): Promise<{ job: Job; rows: JobRow[] }>
  /** Waits until an existing job is done, paused or cancelled. */
  untilStill(app: Process, id: string): Promise<{ job: Job; rows: JobRow[] }>
  /**
   * Runs a job to its end. Its app is killed and restarted `kills` times, `every` to `2 * every` requests apart.
   * Afterwards all late commits have run.
   */
  survive(body: unknown, kills: number, every: number, random: Random): Promise<JobRecord>
  /** Advances the clock until `look` returns a value. Throws after `forMs`. */
  until<T>(what: string, forMs: number, look: () => Promise<T | undefined> | T | undefined): Promise<T>
}

const stepMs = 100
/** `rateLimit`: Laurel's rate limit, requests a minute. */
export function createSandboxWorld(options: Partial<SandboxOptions> = {}, rateLimit = 100_000): SandboxWorld {
  const clock = createFakeClock()
  const store = createMemoryStore(clock)
  const sandbox = createSandbox({
    members: 200,
    seed: 7,
    rateLimit: 0,
    giftcardRateLimit: 0,
    seededAt: clock.now(),
    now: () => clock.now(),
    wait: (ms, signal) => clock.sleep(ms, signal),
    ...options,
  })
  const link = linkSandbox(sandbox, clock, worldTimes.callMs)
  const lives = new Map<string, Life>()
  const buses = new Set<EventBus>()

  /** Waits for pending responses; one that hangs waits for the clock. */
  async function arrive(): Promise<void> {
    for (let turn = 0; turn < 40 && link.pending() > 0; turn += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  /** An event bus whose events reach every app. */
  function sharedEvents(): EventBus {
    const own = strictEvents()
    buses.add(own)
    return { ...own, publish: (event) => buses.forEach((bus) => bus.publish(event)) }
  }

  const world: SandboxWorld = {
    clock,
    store,
    sandbox,
    async carryOut(app, body, by = {}) {
      const made = dataOf(await app.ask("POST /jobs", { ...by, body }), 201, jobSchema)
      return world.untilStill(app, made.id)
    },
    async untilStill(app, id) {
      const job = await world.until(`the end of ${id}`, 3_600_000, async () => {
        const now = dataOf(await app.ask(`GET /jobs/${id}`), 200, jobSchema)
        return ["done", "paused", "cancelled"].includes(now.state) ? now : undefined
      })
      const rows = await app.ask(`GET /jobs/${id}/rows?per_page=100`)
      return { job, rows: dataOf(rows, 200, z.array(jobRow)) }
    },
    async survive(body, kills, every, random) {
      let app = world.start()
      const made = dataOf(await app.ask("POST /jobs", { body }), 201, jobSchema)
      let count = 0
      let nextKill = every
      const ended = await world.until(`the end of ${made.id}`, 3_600_000, async () => {
        if (count < kills && sandbox.requests.count >= nextKill) {
          app.life.kill()
          count += 1
          nextKill += random.integer(every, 2 * every)
          app = world.start()
        }
        const job = await store.jobs.get(made.id)
        return job?.state === "done" ? job : undefined
      })
      app.life.kill()
      await sandbox.settleAll()
      if (count < kills) throw new Error(`It ended after ${count} of ${kills} kills.`)
      return ended
    },
    start: (at = {}) =>
      startProcess({ clock, store, upstream: link }, lives, { ...at, rateLimit, events: sharedEvents() }),
    rowsOf: async (jobId) => (await store.jobs.rows(jobId, { page: 1, perPage: 10_000 })).rows,
    async until(what, forMs, look) {
      for (const end = clock.monotonic() + forMs; clock.monotonic() < end; await clock.advance(stepMs)) {
        await arrive()
        const found = await look()
        if (found !== undefined) return found
      }
      throw new Error(`Not within ${forMs / 1000} s of the test's clock: ${what}`)
    },
  }
  return world
}
