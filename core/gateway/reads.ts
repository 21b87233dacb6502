import { valueAt } from "../../contract/reading.ts"
import { roughSize, type Cache, type CachedResponse } from "../cache/cache.ts"
import { AppError } from "../errors.ts"
import { encodeId, operationById } from "../match.ts"
import type { ReadOperation } from "../policy.ts"
import type { Metrics } from "../ports.ts"
import type { Settings } from "../settings.ts"
import type { Requester } from "./caller.ts"
import { createInFlightRequests, type InFlightRequest } from "./in-flight.ts"
import { fetchResponse, planRead, type FetchDeps, type ReadPlan } from "./upstream-read.ts"

/** A response, and why it is older than its time when it is. */
export interface ReadResult {
  readonly response: CachedResponse
  /** Code of what kept a younger one away, or `slow`; absent when the response is within its time. */
  readonly stale?: string
}

/** How a read is made. */
interface ReadOptions {
  readonly person: Requester
  /** Past the cache: before an effect, or because the person asked for it. Never answered by an older response. */
  readonly fresh?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Reads of the services: cache, then single flight, then permit, upstream and parse (docs/decisions/0004-reads.md). */
export interface Reads {
  /** @throws AppError; the signal's reason */
  read(plan: ReadPlan, options: ReadOptions): Promise<ReadResult>
  /** A write happened: responses about `gone` are evicted, those about `old` stay as stale ones. */
  invalidate(tags: { readonly gone: readonly string[]; readonly old: readonly string[] }): void
  /** Caches what a write answered as the response for its record. */
  put(plan: ReadPlan, data: unknown, times: Pick<CachedResponse, "askedAt" | "answeredAt" | "at">): void
  /** The cached response, however old. */
  cached(plan: ReadPlan): CachedResponse | undefined
  /** Every cached response about something, lists and single records, however old. */
  cachedWithTag(tag: string): readonly CachedResponse[]
}

interface ReadsDeps extends FetchDeps {
  readonly cache: Cache
  readonly settings: Settings
  readonly metrics: Metrics
}

/** A response may be shown with its age for so long when nothing younger can be had, in ms. */
const oldestShownMs = 3_600_000
/** Somebody who could have an older response waits so long for a permit, in ms. */
const patienceForPermitMs = 1000
/** ... and so long in all, in ms. */
const patienceMs = 3000

/** Makes the reads. */
export function createReads(deps: ReadsDeps): Reads {
  const { cache, clock, settings, metrics } = deps
  const inFlight = createInFlightRequests(
    (plan, options) => fetchResponse(deps, plan, options),
    (plan, response) => {
      cache.put(plan.key, response)
      cacheRows(cache, plan.operation, response)
    },
  )

  async function find(plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
    const fresh = options.fresh === true
    const cached = fresh ? undefined : cache.get(plan.key)
    if (cached !== undefined) {
      const age = clock.monotonic() - cached.response.answeredAt
      if (!cached.stale && age < (await cacheTimeMs(plan.operation))) {
        metrics.cacheRead(plan.operation.id, "hit")
        return { response: cached.response }
      }
      if (age <= oldestShownMs) return refresh(plan, cached.response, options)
    }
    const { request, shared } = inFlight.to(plan, options.person, fresh)
    metrics.cacheRead(plan.operation.id, shared ? "shared" : "miss")
    return { response: await request.join(options.signal) }
  }

  async function cacheTimeMs({ cache: name }: ReadOperation): Promise<number> {
    return name === undefined ? 0 : (await settings.get("cache"))[name] * 1000
  }

  /** Asks for a younger response, and falls back to the older one where that serves the person better. */
  async function refresh(plan: ReadPlan, older: CachedResponse, options: ReadOptions): Promise<ReadResult> {
    const { request, shared } = inFlight.to(plan, options.person, false)
    const found = await withinPatience(request, options.signal).catch((error: unknown) => {
      if (error instanceof AppError && isTransient(error)) return error.code
      throw error
    })
    const isStale = typeof found === "string"
    metrics.cacheRead(plan.operation.id, isStale ? "stale" : shared ? "shared" : "miss")
    return isStale ? { response: older, stale: found } : { response: found }
  }

  /** Waits as long as somebody with an older response would; a reason when that one serves them better. */
  async function withinPatience(
    request: InFlightRequest,
    signal: AbortSignal | undefined,
  ): Promise<CachedResponse | string> {
    const over = new AbortController()
    const patience = async () => {
      await clock.sleep(patienceForPermitMs, over.signal)
      if (!request.isSent()) return "budget_spent"
      await clock.sleep(patienceMs - patienceForPermitMs, over.signal)
      return "slow"
    }
    const tooLong = patience()
    tooLong.catch(() => undefined)
    try {
      const first = await Promise.race([request.join(signal), tooLong])
      if (typeof first === "string") request.keep()
      return first
    } finally {
      over.abort()
    }
  }

  return {
    async read(plan, options) {
      try {
        return await find(plan, options)
      } catch (error) {
        // The service says there is no such record: a cached response must not outlive that.
        if (error instanceof AppError && error.code === "not_found") cache.delete(plan.key)
        throw error
      }
    },
    invalidate({ gone, old }) {
      inFlight.invalidate([...gone, ...old])
      cache.evict(gone)
      cache.markStale(old)
    },
    put: (plan, data, times) =>
      cache.put(plan.key, { data, meta: undefined, ...times, tags: plan.tags, size: roughSize(data) }),
    cached: (plan) => cache.get(plan.key)?.response,
    cachedWithTag: (tag) => cache.withTag(tag),
  }
}

/** Whether a failure is one that passes, so that an older response serves better than the failure. */
function isTransient(failure: AppError): boolean {
  if (failure.code === "refused_by_service") return (failure.details?.upstream_status ?? 0) >= 500
  return [
    "budget_spent",
    "upstream_limited",
    "store_unavailable",
    "unreadable_answer",
    "upstream_unreachable",
  ].includes(failure.code)
}

/** Caches each row of a list of complete records as the response for that one record. */
function cacheRows(cache: Cache, { seeds }: ReadOperation, list: CachedResponse): void {
  if (seeds === undefined || !Array.isArray(list.data)) return
  const target = operationById(seeds.operation)
  const param = /\{(\w+)\}/.exec(target.path)?.[1]
  if (target.kind !== "read" || param === undefined) return
  const rows: readonly unknown[] = list.data
  for (const row of rows) {
    const id: unknown = typeof row === "object" && row !== null ? Reflect.get(row, seeds.id) : undefined
    // A row whose id no path can hold has no page to warm.
    if (typeof id !== "string" || encodeId(id) === undefined || !isComplete(target, row)) continue
    const { key, tags } = planRead(target, { [param]: id })
    cache.put(key, { ...list, data: row, meta: undefined, tags, size: list.size / rows.length })
  }
}

/** Whether a row carries everything that the record itself always has; a list may leave some of it out. */
function isComplete({ reader }: ReadOperation, row: unknown): boolean {
  const { error } = reader.documented.safeParse(row)
  return error === undefined || error.issues.every(({ path }) => (valueAt(row, path) ?? null) !== null)
}
