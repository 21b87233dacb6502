import { createHash } from "node:crypto"
import { createCore, type Core } from "../../core/app.ts"
import type { JobTimes } from "../../core/context.ts"
import { createEventBus } from "../../core/runtime.ts"
import type { ApiResponse } from "../../core/http.ts"
import { createMemoryStore, type MemoryStore } from "../support/memory-store.ts"
import { createFakeAccounts } from "../support/test-kit.ts"
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts"
import { quietLog } from "../support/quiet-log.ts"
import { countedRecord, type CountedJob } from "./counted-job.ts"
import { createMadeUpService, type MadeUpService } from "./made-up-service.ts"
import { type Fatal, giveLife, type Life } from "./mortal.ts"
import { apiRequest } from "../support/core-request.ts"

/** Engine timings of these worlds, ms of the fake clock. */
export const worldTimes: JobTimes = { settleMs: 2000, recheckMs: 1000, leaseMs: 4000, callMs: 800 }

/** An in-process app that a test may kill and freeze. */
export interface Process {
  readonly life: Life
  readonly app: Core
  ask(line: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
}

/** A fake service, a store and apps on one clock. */
export interface World {
  readonly clock: FakeClock
  readonly store: MemoryStore
  readonly service: MadeUpService
  /** Starts an app on the store. */
  start(at?: Fatal): Process
  /** Every job with its rows. */
  counted(): Promise<CountedJob[]>
  /** Advances the clock until `look` returns a value; undefined after `forMs`. */
  passUntil<T>(forMs: number, look: () => Promise<T | undefined>): Promise<T | undefined>
}

/** Clock step between two polls, ms. */
const stepMs = 1000

const noMetrics = { upstreamCall: () => {}, budgetWait: () => {}, cacheRead: () => {} }
const admin = { id: "usr_1", name: "Helen Park", email: "helen@laurel.test", role: "admin" } as const

/**
 * Replaces `crypto.subtle.digest` with a synchronous one: the real one resolves from another thread, independently of
 * the fake clock.
 */
export function digestAtOnce(): void {
  crypto.subtle.digest = async (_, data) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : data
    const digest = createHash("sha256").update(new Uint8Array(bytes)).digest()
    return new Uint8Array(digest).buffer
  }
}

export function createWorld(
  members: readonly string[],
  options: {
    readonly times?: Partial<JobTimes>
    /** Receives every step of every app. */
    readonly trace?: (line: string) => void
  } = {},
): World {
  const clock = createFakeClock()
  const times = { ...worldTimes, ...options.times }
  const store = createMemoryStore(clock)
  const service = createMadeUpService(clock, members, times.callMs)
  const lives = new Map<string, Life>()
  const api = { keyEnd: "1234", rateLimit: 100_000 }
  let requests = 0

  return {
    clock,
    store,
    service,
    start(at = {}) {
      const id = String(lives.size + 1)
      const trace =
        options.trace && ((line: string) => options.trace?.(`${clock.monotonic()} #${id} ${line}`))
      const { life, ground } = giveLife({ clock, store, upstream: service.upstream }, { ...at, trace })
      lives.set(id, life)
      const app = createCore({
        config: {
          version: "1.0.0",
          environment: "sandbox",
          startedAt: clock.now(),
          apis: {
            program: { ...api, baseUrl: "http://program.test/v1" },
            giftcard: { ...api, baseUrl: "http://giftcard.test/api/v1/external" },
          },
          jobs: times,
        },
        ...ground,
        processes: {
          self: { id },
          look: async (process) => (lives.get(process["id"] ?? "")?.alive === true ? "running" : "gone"),
        },
        events: createEventBus((error) => {
          throw error
        }),
        accounts: createFakeAccounts(),
        metrics: noMetrics,
        log: quietLog,
      })
      app.start()
      return {
        life,
        app,
        ask(line, body, headers = {}) {
          requests += 1
          return app.handle(apiRequest(line, { body, headers, user: admin, requestId: `req_${requests}` }))
        },
      }
    },
    async counted() {
      const jobs = await store.jobs.list({ perPage: 100 })
      return Promise.all(
        jobs.map(async (job) => {
          const { rows } = await store.jobs.rows(job.id, { page: 1, perPage: 1000 })
          return countedRecord(job, rows)
        }),
      )
    },
    async passUntil(forMs, look) {
      for (const end = clock.monotonic() + forMs; clock.monotonic() < end; await clock.advance(stepMs)) {
        const found = await look()
        if (found !== undefined) return found
      }
      return look()
    },
  }
}
