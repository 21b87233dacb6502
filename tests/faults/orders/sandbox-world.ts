import * as z from "zod/mini"
import { type Job, job as jobSchema } from "../../../contract/job.ts"
import { jobRow, type JobRow } from "../../../contract/job-rows.ts"
import type { SessionUser } from "../../../contract/users.ts"
import type { Role } from "../../../contract/roles.ts"
import type { JobTimes } from "../../../core/context.ts"
import { createCore, type Core } from "../../../core/app.ts"
import { createEventBus } from "../../../core/runtime.ts"
import type { ApiResponse } from "../../../core/http.ts"
import type { RowRecord } from "../../../core/jobs/job-store.ts"
import { createMemoryStore, type MemoryStore } from "../../support/memory-store.ts"
import { createSandbox, type Sandbox } from "../../../sandbox/app.ts"
import type { SandboxOptions } from "../../../sandbox/config.ts"
import { createFakeAccounts } from "../../support/test-kit.ts"
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts"
import { quietLog } from "../../support/quiet-log.ts"
import { giveLife, type Life } from "../mortal.ts"
import { dataOf } from "./data-of.ts"
import { linkSandbox } from "./sandbox-link.ts"
import { apiRequest } from "../../support/core-request.ts"

/** Engine timings of these worlds, ms of the fake clock. */
export const worldTimes: JobTimes = { settleMs: 2000, recheckMs: 1000, leaseMs: 4000, callMs: 800 }

/** Options of a request. */
interface RequestBy {
  readonly role?: Role
  readonly name?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An in-process app that a test may kill. */
export interface AppProcess {
  readonly life: Life
  readonly app: Core
  ask(line: string, by?: RequestBy): Promise<ApiResponse>
}

/** A sandbox, a store and apps on one clock. */
export interface SandboxWorld {
  readonly clock: FakeClock
  readonly store: MemoryStore
  readonly sandbox: Sandbox
  start(): AppProcess
  rowsOf(jobId: string): Promise<RowRecord[]>
  /** Creates a job and waits until it is done, paused or cancelled. */
  carryOut(app: AppProcess, body: unknown, by?: RequestBy): Promise<{ job: Job; rows: JobRow[] }>
  /** Waits until an existing job is done, paused or cancelled. */
  untilStill(app: AppProcess, id: string): Promise<{ job: Job; rows: JobRow[] }>
  /** Advances the clock until `look` returns a value. Throws after `forMs`. */
  until<T>(what: string, forMs: number, look: () => Promise<T | undefined> | T | undefined): Promise<T>
}

const stepMs = 100
const noMetrics = { upstreamCall: () => {}, budgetWait: () => {}, cacheRead: () => {} }

function person(role: Role, name: string): SessionUser {
  return { id: `usr_${name}`, name, email: `${name}@laurel.test`, role }
}

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
  const buses = new Set<ReturnType<typeof createEventBus>>()
  const api = { keyEnd: "1234", rateLimit }
  let requests = 0

  /** Waits for pending responses; one that hangs waits for the clock. */
  async function arrive(): Promise<void> {
    for (let turn = 0; turn < 40 && link.pending() > 0; turn += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  /** An event bus whose events reach every app. */
  function sharedEvents() {
    const own = createEventBus((error) => {
      throw error
    })
    buses.add(own)
    return {
      subscribe: (listener: Parameters<typeof own.subscribe>[0]) => own.subscribe(listener),
      publish: (event: Parameters<typeof own.publish>[0]) => {
        for (const bus of buses) bus.publish(event)
      },
    }
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
    start() {
      const id = String(lives.size + 1)
      const { life, ground } = giveLife({ clock, store, upstream: link })
      lives.set(id, life)
      const app = createCore({
        config: {
          version: "1.0.0",
          environment: "sandbox",
          startedAt: clock.now(),
          apis: {
            program: { ...api, baseUrl: "http://sandbox.test/v1" },
            giftcard: { ...api, baseUrl: "http://sandbox.test/api/v1/external" },
          },
          jobs: worldTimes,
        },
        ...ground,
        processes: {
          self: { id },
          look: async (process) => (lives.get(process["id"] ?? "")?.alive === true ? "running" : "gone"),
        },
        events: sharedEvents(),
        accounts: createFakeAccounts(),
        metrics: noMetrics,
        log: quietLog,
      })
      app.start()
      return {
        life,
        app,
        ask(line, { role = "admin", name = role, body, headers = {} } = {}) {
          requests += 1
          const key = line === "POST /jobs" ? { "idempotency-key": `key-${requests}` } : {}
          const user = person(role, name)
          return app.handle(
            apiRequest(line, { body, headers: { ...key, ...headers }, user, requestId: `req_${requests}` }),
          )
        },
      }
    },
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
