import { createHash } from "node:crypto"
import { createCore, type Core } from "../../core/app.ts"
import type { CopyStore } from "../../core/copy/copy-store.ts"
import { createInProcessDispatcher } from "../../core/dispatch.ts"
import type { JobTimes } from "../../core/deps.ts"
import { createEventBus } from "../../core/runtime.ts"
import type { EventBus, RestoreMarker } from "../../core/ports.ts"
import type { Role } from "../../contract/roles.ts"
import type { ApiResponse } from "../../core/http.ts"
import { createMemoryStore, type MemoryStore } from "../support/memory-store.ts"
import { createFakeAccounts } from "../support/test-kit.ts"
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts"
import { quietLog } from "../support/quiet-log.ts"
import { countedRecord, type CountedJob } from "./counted-job.ts"
import { createMadeUpService, type MadeUpService } from "./made-up-service.ts"
import { type Fatal, giveLife, type Ground, type Life } from "./mortal.ts"
import { apiRequest } from "../support/core-request.ts"

/** Engine timings of these worlds, ms of the fake clock. */
export const worldTimes: JobTimes = { settleMs: 2000, recheckMs: 1000, leaseMs: 4000, callMs: 800 }

/** Parts of a request; the rest has defaults. */
interface RequestBy {
  readonly role?: Role
  /** Name of the user; the same name is the same user. */
  readonly name?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An in-process app that a test may kill and freeze. */
export interface Process {
  readonly life: Life
  readonly app: Core
  ask(line: string, by?: RequestBy): Promise<ApiResponse>
}

/** How a process differs from the usual one. */
interface ProcessOptions extends Fatal {
  readonly times?: JobTimes
  /** Laurel's rate limit, requests a minute. */
  readonly rateLimit?: number
  readonly startHeld?: boolean
  readonly events?: EventBus
  readonly copy?: CopyStore
  readonly restoreMarker?: (life: Life) => RestoreMarker
  /** Receives every step. */
  readonly trace?: ((line: string) => void) | undefined
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

const noMetrics = {
  upstreamCall: () => {},
  budgetWait: () => {},
  cacheRead: () => {},
  runTakenOver: () => {},
}

/** An event bus on which an error of a listener fails the test. */
export function strictEvents(): EventBus {
  return createEventBus((error) => {
    throw error
  })
}

/** Starts an app on what a test controls. `lives` has every earlier app, by id: what one of them knows of another. */
export function startProcess(
  ground: Ground,
  lives: Map<string, Life>,
  options: ProcessOptions = {},
): Process {
  const id = String(lives.size + 1)
  const { trace, restoreMarker, startHeld } = options
  const { life, ground: own } = giveLife(ground, {
    ...options,
    trace: trace && ((line: string) => trace(`${ground.clock.monotonic()} #${id} ${line}`)),
  })
  lives.set(id, life)
  const api = { keyEnd: "1234", rateLimit: options.rateLimit ?? 100_000 }
  const app = createCore({
    config: {
      version: "1.0.0",
      environment: "sandbox",
      startedAt: ground.clock.now(),
      ...(startHeld !== undefined && { startHeld }),
      apis: {
        program: { ...api, baseUrl: "http://program.test/v1" },
        giftcard: { ...api, baseUrl: "http://giftcard.test/api/v1/external" },
      },
      jobs: options.times ?? worldTimes,
    },
    ...own,
    dispatcher: createInProcessDispatcher(own.clock, quietLog),
    processes: {
      self: { id },
      hasEnded: (process) => lives.get(process["id"] ?? "")?.alive !== true,
    },
    ...(restoreMarker && { restoreMarker: restoreMarker(life) }),
    events: options.events ?? strictEvents(),
    copy: options.copy,
    accounts: createFakeAccounts(),
    metrics: noMetrics,
    log: quietLog,
  })
  app.start()
  let requests = 0
  return {
    life,
    app,
    ask(line, { role = "admin", name = role, body, headers = {} } = {}) {
      requests += 1
      const key = line === "POST /jobs" ? { "idempotency-key": `key-${id}-${requests}` } : {}
      const user = { id: `usr_${name}`, name, email: `${name}@laurel.test`, role }
      return app.handle(
        apiRequest(line, { body, headers: { ...key, ...headers }, user, requestId: `req_${id}_${requests}` }),
      )
    },
  }
}

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

  return {
    clock,
    store,
    service,
    start: (at = {}) =>
      startProcess({ clock, store, upstream: service.upstream }, lives, {
        ...at,
        times,
        trace: options.trace,
      }),
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
