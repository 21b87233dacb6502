import { readField } from "../../contract/reading.ts"
import { redact, type RedactedKind } from "../../contract/redaction.ts"
import type { Role } from "../../contract/roles.ts"
import { createTimedCache, roughSize, type Cache, type CachedResponse } from "../cache/cache.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { AppError } from "../errors.ts"
import type { ApiResponse } from "../http.ts"
import { encodeId, operationById } from "../match.ts"
import type { ReadOperation } from "../policy.ts"
import type { Log, Metrics } from "../ports.ts"
import { reasonOf, textHash } from "../runtime.ts"
import type { Settings } from "../settings/settings.ts"
import type { Requester } from "./caller.ts"
import {
  fetchResponse,
  memberOperation,
  planRead,
  searchesOf,
  type FetchDeps,
  type FetchOptions,
  type ReadPlan,
} from "./upstream-read.ts"

/** A response, and why it is stale if it is. */
interface ReadResult {
  readonly response: CachedResponse
  /** Why no newer one is available: an error code or `slow`; absent when fresh. */
  readonly stale?: string
}

interface ReadOptions {
  readonly person: Requester
  /** Past the cache, and never an older response: before an effect, or because the person asked for it. */
  readonly fresh?: boolean
  readonly signal?: AbortSignal | undefined
  /** The reader sees something meanwhile: those who see nothing yet go first. */
  readonly update?: boolean
}

/** A record requested this recently before an edit, in ms, is not read again to protect others' changes. */
const protectiveMs = 2000
/** Oldest response shown with its age when no newer one is available, ms. */
const oldestShownMs = 3_600_000
/** With an older response at hand: longest wait for a permit, and in all, in ms. */
const patienceForPermitMs = 250
const patienceMs = 3000
/** Pages show no age for a response younger than this, ms: while no permit is free, it is not refreshed. */
const currentMs = 60_000
const enough = "enough"
/** Writes that are remembered for the local copy: the records of one large job. */
const mostEvictions = 20_000

/** How a write changes cached lists. */
interface WrittenRows {
  readonly tag: string
  readonly rowOf: (row: unknown) => unknown
  /** Parameters of lists that the changed fields are filtered by. */
  readonly moved: readonly string[]
}

type ReadsDeps = FetchDeps & {
  readonly cache: Cache
  readonly settings: Settings
  readonly metrics: Metrics
  readonly log: Pick<Log, "warn">
  /** What the service responded also reaches the local copy, which has older members. */
  readonly sync?: Pick<LocalCopy, "memberOfLastPass" | "members" | "orders" | "read"> | undefined
}

/** Reads of the services: cache, then single flight, then permit, upstream and parse (docs/reads.md). */
export class Reads {
  private readonly deps: ReadsDeps
  private readonly inFlight: ReturnType<typeof createInFlightRequests>
  /** Responses not yet cached: readers do not wait for that. */
  private readonly uncached: { readonly plan: ReadPlan; readonly response: CachedResponse }[] = []
  /** When a write evicted the responses of a tag: the local copy may be older than it. */
  private readonly evictions: ReturnType<typeof createTimedCache<{ readonly at: number }>>

  constructor(deps: ReadsDeps) {
    this.deps = deps
    this.evictions = createTimedCache(deps.clock, mostEvictions, oldestShownMs)
    this.inFlight = createInFlightRequests(
      (plan, options) => fetchResponse(deps, plan, options),
      (plan, response) => {
        this.uncached.push({ plan, response })
        deps.sync?.read(plan, response)
        void deps.clock.sleep(0).then(() => this.cache)
      },
      ({ operation }) => deps.caller.reconsider(operation.api),
    )
  }

  /** The cache, with every response and the rows of every list in it. */
  private get cache(): Cache {
    for (const { plan, response } of this.uncached.splice(0)) {
      this.deps.cache.put(plan.key, response)
      cacheRows(this.deps.cache, plan.operation, response)
    }
    return this.deps.cache
  }

  /** @throws AppError; the signal's reason */
  async read(plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
    try {
      return await this.find(plan, options)
    } catch (error) {
      // The service no longer has the record: drop its cached response.
      if (error instanceof AppError && error.code === "not_found") {
        this.cache.delete(plan.key)
        this.noteEviction(plan.tags)
      }
      throw error
    }
  }

  /** After a write: drops responses tagged `evict`, marks those tagged `stale` as stale. */
  invalidate({
    evict,
    stale,
  }: {
    readonly evict: readonly string[]
    readonly stale: readonly string[]
  }): void {
    this.inFlight.invalidate([...evict, ...stale])
    this.noteEviction(evict)
    this.cache.evict(evict)
    this.cache.markStale(stale)
  }

  /**
   * Caches the record that a write responded with; `rowOf` makes a list's rows of it. A list that is filtered by one of
   * `moved` may gain or lose the record: it becomes stale, a search is evicted.
   */
  cacheWritten(plan: ReadPlan, data: unknown, requestedAt: number, lists: WrittenRows): void {
    const { clock } = this.deps
    this.inFlight.invalidate([...plan.tags, lists.tag])
    const times = { requestedAt, answeredAt: clock.monotonic(), at: clock.now() }
    this.cache.put(plan.key, { data, meta: undefined, ...times, tags: plan.tags, size: roughSize(data) })
    if (lists.tag === "members" || lists.tag === "orders") this.deps.sync?.[lists.tag].written(data)
    if (lists.moved.includes("search")) this.cache.evict([searchesOf(lists.tag)])
    this.cache.revise(lists.tag, (key, rows) => {
      if (!Array.isArray(rows)) return rows
      const filters = new URLSearchParams(key.slice(key.indexOf("?")))
      return lists.moved.some((name) => filters.has(name)) ? undefined : rows.map(lists.rowOf)
    })
  }

  /** The record if read within the last `within` ms, which can replace the protective read before an edit. */
  recent(plan: ReadPlan, within = protectiveMs): CachedResponse | undefined {
    const found = this.cache.get(plan.key)
    if (found === undefined || found.stale) return undefined
    return this.deps.clock.monotonic() - found.response.requestedAt < within ? found.response : undefined
  }

  cached(plan: ReadPlan): CachedResponse | undefined {
    return this.cache.get(plan.key)?.response
  }

  cachedWithTag(tag: string): readonly CachedResponse[] {
    return this.cache.withTag(tag)
  }

  private async find(plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
    const { clock, metrics } = this.deps
    const fresh = options.fresh === true
    const cached = fresh ? undefined : this.cache.get(plan.key)
    if (cached !== undefined) {
      const cacheTime = cached.stale ? 0 : await this.cacheTimeMs(plan.operation)
      const age = clock.monotonic() - cached.response.answeredAt
      if (age < cacheTime) {
        metrics.cacheRead(plan.operation.id, "hit")
        return { response: cached.response }
      }
      const isCurrent = !cached.stale && cacheTime > 0 && age < currentMs
      if (age <= oldestShownMs) return this.refresh(plan, options, isCurrent)
    }
    if (!fresh && (await this.copied(plan)) !== undefined) return this.refresh(plan, options, false)
    const { request, shared } = this.inFlight.to(plan, options)
    metrics.cacheRead(plan.operation.id, shared ? "shared" : "miss")
    return { response: await request.join(options) }
  }

  private async cacheTimeMs({ cache: name }: ReadOperation): Promise<number> {
    return name === undefined ? 0 : (await this.deps.settings.get("cache"))[name] * 1000
  }

  /** Requests a newer response, and falls back to the older one where that is better for the person. */
  private async refresh(plan: ReadPlan, options: ReadOptions, isCurrent: boolean): Promise<ReadResult> {
    const { request, shared } = this.inFlight.to(plan, options)
    let failure: AppError | undefined
    const found = await this.withinPatience(request, isCurrent, options).catch((error: unknown) => {
      if (!(error instanceof AppError && isTransient(error))) throw error
      failure = error
      return error.code
    })
    const met = typeof found !== "string" ? (shared ? "shared" : "miss") : found === enough ? "hit" : "stale"
    this.deps.metrics.cacheRead(plan.operation.id, met)
    if (typeof found !== "string") return { response: found }
    const older = await this.older(plan)
    const isEmpty = Array.isArray(older?.data) && older.data.length === 0
    // An old empty list does not show that there is nothing now.
    if (older !== undefined && !isEmpty) return { response: older, ...(found !== enough && { stale: found }) }
    if (failure !== undefined) throw failure
    return { response: await this.inFlight.to(plan, options).request.join(options) }
  }

  private noteEviction(tags: readonly string[]): void {
    const at = this.deps.clock.monotonic()
    for (const tag of tags) this.evictions.set(tag, { at })
  }

  /** What may be shown instead, as it is now: a write may have revised it meanwhile, or evicted it. */
  private async older(plan: ReadPlan): Promise<CachedResponse | undefined> {
    const cached = this.cached(plan)
    const isShown =
      cached !== undefined && this.deps.clock.monotonic() - cached.answeredAt <= oldestShownMs + patienceMs
    return isShown ? cached : this.copied(plan)
  }

  /** A member as of the last pass of the local copy, unless a write came later. */
  private async copied({ operation, params, tags }: ReadPlan): Promise<CachedResponse | undefined> {
    const { clock, log, sync } = this.deps
    const { member_id: id } = params
    if (sync === undefined || operation.id !== memberOperation || id === undefined) return undefined
    try {
      const found = await sync.memberOfLastPass(id)
      if (found === undefined || found.ageMs > oldestShownMs) return undefined
      const requestedAt = clock.monotonic() - found.ageMs
      const wrote = tags.some((tag) => (this.evictions.get(tag)?.at ?? -Infinity) >= requestedAt)
      if (wrote) return undefined
      const times = { requestedAt, answeredAt: requestedAt, at: clock.now() - found.ageMs }
      return { data: found.member, meta: undefined, ...times, tags, size: 0 }
    } catch (error) {
      log.warn({ err: error }, "the local copy could not be read: the person waits for the service")
      return undefined
    }
  }

  /** Waits for a limited time when an older response exists; returns the reason when that one is better, or `enough`. */
  private async withinPatience(
    request: InFlightRequest,
    isCurrent: boolean,
    { signal, update = false }: Pick<ReadOptions, "signal" | "update">,
  ): Promise<CachedResponse | string> {
    const { clock } = this.deps
    const over = new AbortController()
    const reader = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal])
    const patience = async () => {
      await clock.sleep(patienceForPermitMs, over.signal)
      if (!request.isSent()) return isCurrent ? enough : "budget_spent"
      await clock.sleep(patienceMs - patienceForPermitMs, over.signal)
      return "slow"
    }
    const tooLong = patience()
    tooLong.catch(() => undefined)
    try {
      const first = await Promise.race([request.join({ signal: reader, update }), tooLong])
      if (typeof first === "string" && first !== enough) request.keep()
      return first
    } finally {
      over.abort()
    }
  }
}

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

/** A placeholder id that needs no encoding and occurs in no path or tag: one plan serves all rows of a list. */
const anyId = "~"

function cacheRows(cache: Cache, { seeds }: ReadOperation, list: CachedResponse): void {
  if (seeds === undefined || !Array.isArray(list.data)) return
  const target = operationById(seeds.operation)
  const param = /\{(\w+)\}/.exec(target.path)?.[1]
  if (target.kind !== "read" || param === undefined) return
  const rows: readonly unknown[] = list.data
  const plan = planRead(target, { [param]: anyId })
  const size = list.size / rows.length
  for (const row of rows) {
    const id = readField(row, seeds.id)
    const segment = typeof id === "string" ? encodeId(id) : undefined
    // A row whose id no path can hold has no page to warm.
    if (typeof id !== "string" || segment === undefined || target.reader.isComplete?.(row) !== true) continue
    const tags = plan.tags.map((tag) => tag.replace(anyId, () => id))
    cache.put(
      plan.key.replace(anyId, () => segment),
      { ...list, data: row, meta: undefined, tags, size },
    )
  }
}

interface InFlightRequest {
  readonly tags: readonly string[]
  isSent(): boolean
  /**
   * Readers who all see something meanwhile make it an update. When everybody left while it waited for a permit, it is
   * not sent. @throws as the fetch, or the signal's reason
   */
  join(reader: Pick<ReadOptions, "signal" | "update">): Promise<CachedResponse>
  /** Completes it without readers, to have a newer response. */
  keep(): void
  /** Accepts no more readers, and its response is not cached. */
  invalidate(): void
}

/** The reads on their way, so that equal ones are sent once; `onResponse` gets each response that may be cached. */
function createInFlightRequests(
  fetch: (plan: ReadPlan, options: FetchOptions) => Promise<CachedResponse>,
  onResponse: (plan: ReadPlan, response: CachedResponse) => void,
  onHastened: (plan: ReadPlan) => void,
) {
  const joinable = new Map<string, InFlightRequest>()
  /** Every request, those that a fresh one overtook included: a write concerns them all. */
  const all = new Set<InFlightRequest>()

  function start(plan: ReadPlan, { person, update = false }: ReadOptions): InFlightRequest {
    const abandoned = new AbortController()
    /** Makes each leave whose signal was aborted, unless the request was sent; true: they see something meanwhile. */
    const readers = new Map<() => void, boolean>()
    let [sent, pinned, invalidated] = [false, false, false]
    // Without readers it was kept, or the first one joins in a moment.
    const isUpdate = () => (readers.size === 0 ? update || pinned : [...readers.values()].every(Boolean))

    const close = () => {
      if (joinable.get(plan.key) === request) joinable.delete(plan.key)
    }
    const response = fetch(plan, {
      person,
      signal: abandoned.signal,
      onSending(sending) {
        sent = sending
        for (const leave of Array.from(readers.keys())) leave()
      },
      isUpdate,
    })
      .finally(() => {
        all.delete(request)
        close()
      })
      .then((found) => {
        if (!invalidated) onResponse(plan, found)
        return found
      })
    // Waiters get it through `join`; a kept request has no waiters.
    response.catch(() => undefined)

    const request: InFlightRequest = {
      tags: plan.tags,
      isSent: () => sent,
      keep() {
        pinned = true
      },
      join({ signal, update: seesSomething = false }) {
        signal?.throwIfAborted()
        const isHastened = !seesSomething && !sent && isUpdate()
        const { promise, resolve, reject } = Promise.withResolvers<CachedResponse>()
        const leave = () => {
          if (sent || signal?.aborted !== true) return
          stopListening()
          reject(reasonOf(signal))
          if (readers.size > 0 || pinned) return
          close()
          abandoned.abort()
        }
        const stopListening = () => {
          readers.delete(leave)
          signal?.removeEventListener("abort", leave)
        }
        readers.set(leave, seesSomething)
        if (isHastened) onHastened(plan)
        signal?.addEventListener("abort", leave, { once: true })
        response.then(resolve, reject).finally(stopListening)
        return promise
      },
      invalidate() {
        invalidated = true
        close()
      },
    }
    joinable.set(plan.key, request)
    all.add(request)
    return request
  }

  return {
    /** The request for this plan, started if there is none. A `fresh` read joins only one that was not sent yet. */
    to(plan: ReadPlan, options: ReadOptions) {
      const found = joinable.get(plan.key)
      const joins = found !== undefined && !(options.fresh === true && found.isSent())
      return joins ? { request: found, shared: true } : { request: start(plan, options), shared: false }
    },
    /** A write happened: responses about these may be older than it and are not cached. */
    invalidate(tags: readonly string[]) {
      for (const request of all) if (request.tags.some((tag) => tags.includes(tag))) request.invalidate()
    },
  }
}

/** The response to a read, its fields as the role sees them. The tag is made after redaction: no two roles share one. */
export function renderRead(
  { response, stale }: ReadResult,
  kind: RedactedKind | undefined,
  reader: { readonly role: Role; readonly ifNoneMatch: string | undefined; readonly now: number },
): ApiResponse {
  const data =
    kind === undefined || reader.role === "admin"
      ? response.data
      : redactData(kind, reader.role, response.data)
  const body = { success: true, data, ...(response.meta !== undefined && { meta: response.meta }) }
  const text = JSON.stringify(body)
  const etag = `"${textHash(text)}-${text.length.toString(36)}"`
  const headers = {
    "Cache-Control": "private, no-cache",
    ETag: etag,
    Age: String(Math.max(0, Math.floor((reader.now - response.answeredAt) / 1000))),
    "X-Laurel-At": String(Math.round(response.at)),
    ...(stale !== undefined && { "X-Laurel-Stale": "1", "X-Laurel-Stale-Reason": stale }),
  }
  return matchesEtag(reader.ifNoneMatch, etag)
    ? { status: 304, headers, body: undefined }
    : { status: 200, headers, body, text }
}

/** A record or a list of records, redacted for a role. */
export function redactData(kind: RedactedKind, role: Role, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((row: unknown) => redactData(kind, role, row))
  return typeof data === "object" && data !== null ? redact(kind, role, data) : data
}

export function matchesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? "").split(",").some((part) => [etag, "*"].includes(part.trim().replace(/^W\//, "")))
}
