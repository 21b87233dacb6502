import type { Cache, CachedResponse } from "../cache/cache.ts"
import { DeskFailure } from "../errors.ts"
import type { ReadOperation } from "../policy.ts"
import type { Clock, Metrics } from "../ports.ts"
import type { Settings } from "../settings.ts"
import { roughSize } from "../cache/rough-size.ts"
import { fetchResponse, type FetchDeps, type ReadPlan } from "./upstream-read.ts"
import { createFlights, type Flight } from "./in-flight.ts"
import { createSeeder } from "./seeds.ts"
import type { Requester } from "./caller.ts"

/** A copy, and why it is older than its time when it is. */
export interface ReadResult {
  readonly response: CachedResponse
  /** Code of what kept a younger one away, or `slow`; absent when the copy is within its time. */
  readonly stale?: string
}

/** How a read is made. */
interface ReadOptions {
  readonly person: Requester
  /** Past every copy: before an effect, or because the person asked for it. Never answered by an older copy. */
  readonly fresh?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Reads through cache, single flight and budget. */
export interface Reads {
  /** @throws DeskFailure; the signal's reason */
  read(plan: ReadPlan, options: ReadOptions): Promise<ReadResult>
  /** A write happened: copies about `gone` leave, those about `old` stay as older copies. */
  invalidate(tags: { readonly gone: readonly string[]; readonly old: readonly string[] }): void
  /** Keeps what a write answered as the copy of its record. */
  put(plan: ReadPlan, data: unknown, times: Pick<CachedResponse, "askedAt" | "answeredAt" | "at">): void
  /** The copy there is, however old. */
  cached(plan: ReadPlan): CachedResponse | undefined
  /** Every copy about something, lists and single records, however old. */
  cachedWithTag(tag: string): readonly CachedResponse[]
}

/** What reads stand on. */
export interface ReadsDeps extends FetchDeps {
  readonly cache: Cache
  readonly clock: Clock
  readonly settings: Settings
  readonly metrics: Metrics
}

/** A copy may be shown with its age for so long when nothing younger can be had, in ms. */
const oldestShownMs = 3_600_000
/** Somebody who could have an older copy waits so long for a place, in ms. */
const patienceForPlaceMs = 1000
/** ... and so long in all, in ms. */
const patienceForAnswerMs = 3000

/** Makes the reads. */
export function createReads(deps: ReadsDeps): Reads {
  const { cache, clock, settings, metrics } = deps
  const seeder = createSeeder(cache)
  /** Lists whose rows are kept as single records when somebody next looks: the one who waits for a list need not. */
  const unseeded = new Map<string, { readonly operation: ReadOperation; readonly response: CachedResponse }>()
  const flights = createFlights((plan, options) => fetchResponse(deps, plan, options), keep)

  function keep(plan: ReadPlan, response: CachedResponse): void {
    cache.put(plan.key, response)
    const waiting = unseeded.get(plan.key)
    // Another form of the list: somebody may have seen the rows of this one.
    if (waiting !== undefined && waiting.response.data !== response.data) seedAll()
    unseeded.set(plan.key, { operation: plan.operation, response })
  }

  function seedAll(): void {
    for (const { operation, response } of unseeded.values()) seeder.seed(operation, response)
    unseeded.clear()
  }

  async function timeOf(operation: ReadOperation): Promise<number> {
    if (operation.cache === undefined) return 0
    return (await settings.get("cache"))[operation.cache] * 1000
  }

  /** Waits for a flight as long as somebody with an older copy would; a reason when the copy serves them better. */
  async function withinPatience(
    flight: Flight,
    signal: AbortSignal | undefined,
  ): Promise<CachedResponse | string> {
    const over = new AbortController()
    const wait = async () => {
      await clock.sleep(patienceForPlaceMs, over.signal)
      if (!flight.sending()) return "budget_spent"
      await clock.sleep(patienceForAnswerMs - patienceForPlaceMs, over.signal)
      return "slow"
    }
    const answered = flight.join(signal)
    const tooLong = wait()
    tooLong.catch(() => undefined)
    answered.catch(() => undefined)
    try {
      const first = await Promise.race([answered, tooLong])
      if (typeof first === "string") flight.keep()
      return first
    } finally {
      over.abort()
    }
  }

  async function withOlder(plan: ReadPlan, older: CachedResponse, options: ReadOptions): Promise<ReadResult> {
    const { flight, shared } = flights.to(plan, options.person, false)
    try {
      const found = await withinPatience(flight, options.signal)
      if (typeof found !== "string") {
        metrics.cacheRead(plan.operation.id, shared ? "shared" : "miss")
        return { response: found }
      }
      metrics.cacheRead(plan.operation.id, "stale")
      return { response: older, stale: found }
    } catch (error) {
      if (!(error instanceof DeskFailure) || !passes(error)) throw error
      metrics.cacheRead(plan.operation.id, "stale")
      return { response: older, stale: error.code }
    }
  }

  async function find(plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
    const fresh = options.fresh === true
    if (!fresh || plan.operation.seeds === undefined) seedAll()
    const kept = fresh ? undefined : cache.get(plan.key)
    if (kept !== undefined) {
      const age = clock.monotonic() - kept.response.answeredAt
      if (!kept.old && age < (await timeOf(plan.operation))) {
        metrics.cacheRead(plan.operation.id, "hit")
        return { response: kept.response }
      }
      if (age <= oldestShownMs) return withOlder(plan, kept.response, options)
    }
    const { flight, shared } = flights.to(plan, options.person, fresh)
    metrics.cacheRead(plan.operation.id, shared ? "shared" : "miss")
    return { response: await flight.join(options.signal) }
  }

  return {
    async read(plan, options) {
      try {
        return await find(plan, options)
      } catch (error) {
        // The service says there is no such record: a copy of it must not outlive that.
        if (error instanceof DeskFailure && error.code === "not_found") cache.forget(plan.key)
        throw error
      }
    },
    invalidate({ gone, old }) {
      flights.spoil([...gone, ...old])
      seedAll()
      cache.drop(gone)
      cache.age(old)
    },
    put(plan, data, times) {
      seedAll()
      cache.put(plan.key, {
        data,
        meta: undefined,
        ...times,
        tags: plan.tags,
        size: roughSize(data),
        views: new Map(),
      })
    },
    cached(plan) {
      seedAll()
      return cache.get(plan.key)?.response
    },
    cachedWithTag: (tag) => cache.under(tag),
  }
}

/** Whether a failure is one that passes, so that an older copy serves better than the failure. */
function passes(failure: DeskFailure): boolean {
  if (failure.code === "refused_by_service") return (failure.details?.upstream_status ?? 0) >= 500
  return [
    "budget_spent",
    "upstream_limited",
    "store_unavailable",
    "unreadable_answer",
    "upstream_unreachable",
  ].includes(failure.code)
}
