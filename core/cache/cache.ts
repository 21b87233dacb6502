import { LRUCache } from "lru-cache"
import type { ResponseMeta } from "../../contract/response.ts"
import type { Clock } from "../ports.ts"

/** A service's unredacted response. Redaction happens for each response to a person. */
export interface CachedResponse {
  readonly data: unknown
  readonly meta: ResponseMeta | undefined
  /** Monotonic ms; `at` is ms since 1970. */
  readonly requestedAt: number
  readonly answeredAt: number
  readonly at: number
  readonly tags: readonly string[]
  /** Approximate memory, in bytes. */
  readonly size: number
}

interface Entry {
  response: CachedResponse
  /** A write made it stale, whatever its age. */
  stale: boolean
}

export type Cache = ReturnType<typeof createCache>

/** Responses, least recently used out first. `onReplace` gets what a younger one replaced or a write evicted. */
export function createCache(
  bounds: { readonly entries: number; readonly bytes: number },
  onReplace: (response: CachedResponse, by: CachedResponse | undefined) => void = () => undefined,
) {
  const keysByTag = new Map<string, Set<string>>()
  const entries = new LRUCache<string, Entry>({
    max: bounds.entries,
    maxSize: bounds.bytes,
    sizeCalculation: ({ response }) => Math.max(1, Math.ceil(response.size)),
    dispose({ response }, key) {
      for (const tag of response.tags) {
        const keys = keysByTag.get(tag)
        keys?.delete(key)
        if (keys?.size === 0) keysByTag.delete(tag)
      }
    },
  })
  const keysOf = (tags: readonly string[]) => tags.flatMap((tag) => [...(keysByTag.get(tag) ?? [])])

  return {
    get: (key: string): Readonly<Entry> | undefined => entries.get(key),
    /** Caches a response, unless a later requested one is cached already. */
    put(key: string, response: CachedResponse): void {
      const before = entries.peek(key)?.response
      if (before !== undefined) {
        if (before.requestedAt > response.requestedAt) return
        onReplace(before, response)
      }
      entries.set(key, { response, stale: false })
      if (!entries.has(key)) return
      for (const tag of response.tags) {
        const keys = keysByTag.get(tag)
        if (keys === undefined) keysByTag.set(tag, new Set([key]))
        else keys.add(key)
      }
    },
    evict(tags: readonly string[]): void {
      for (const key of keysOf(tags)) {
        const found = entries.peek(key)
        if (found !== undefined) onReplace(found.response, undefined)
        entries.delete(key)
      }
    },
    /** Marks responses as stale: shown only when no newer one is available. */
    markStale(tags: readonly string[]): void {
      for (const key of keysOf(tags)) {
        const found = entries.peek(key)
        if (found !== undefined) found.stale = true
      }
    },
    /** Gives the responses about a tag the data that `to` makes of theirs; undefined makes one stale. */
    revise(tag: string, to: (key: string, data: unknown) => unknown): void {
      for (const key of keysOf([tag])) {
        const found = entries.peek(key)
        if (found === undefined) continue
        const data = to(key, found.response.data)
        if (data === undefined) found.stale = true
        else if (data !== found.response.data) found.response = { ...found.response, data }
      }
    },
    delete: (key: string) => void entries.delete(key),
    withTag: (tag: string): CachedResponse[] =>
      keysOf([tag]).flatMap((key) => {
        const found = entries.peek(key)
        return found === undefined ? [] : [found.response]
      }),
    entries: () => entries.size,
    bytes: () => entries.calculatedSize,
  }
}

const bytesPerNode = 24
/** Sample size: rows of one list are alike. */
const sampledRows = 4
/** Deeper than any record of either service. */
const deepestLevel = 200

/** About how many bytes a parsed JSON value takes: it only bounds a cache. @throws RangeError when nested too deep */
export function roughSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return bytesPerNode + value.length * 2
  if (typeof value !== "object" || value === null) return bytesPerNode
  if (depth > deepestLevel) throw new RangeError("nested too deep")
  let size = bytesPerNode
  if (Array.isArray(value)) {
    let sample = 0
    for (const item of value.slice(0, sampledRows)) sample += roughSize(item, depth + 1)
    size += value.length > sampledRows ? (sample * value.length) / sampledRows : sample
  } else {
    for (const name of Object.keys(value))
      size += bytesPerNode + roughSize(Reflect.get(value, name), depth + 1)
  }
  return size
}

/** Entries that are kept for `ttl` ms of the monotonic clock. */
export function createTimedCache<T extends object | string>(clock: Clock, max: number, ttl: number) {
  // The library treats a time of 0 as none.
  return new LRUCache<string, T>({ max, ttl, ttlResolution: 0, perf: { now: () => clock.monotonic() + 1 } })
}

const codeLifetimeMs = 600_000
const mostCodes = 1000

type CodeOwner = Readonly<{ job: string; row: number; makerId: string }>

export type FreshCodes = ReturnType<typeof createFreshCodes>

/**
 * Digital codes of recent redemptions, in memory, for the redeeming person, until the first request or expiry: some
 * services show a code only then (docs/orders.md, Digital codes).
 */
export function createFreshCodes(clock: Clock) {
  const fresh = createTimedCache<{ readonly code: string; readonly makerId: string }>(
    clock,
    mostCodes,
    codeLifetimeMs,
  )
  return {
    keep({ job, row, makerId }: CodeOwner, code: string): void {
      fresh.set(`${job}/${row}`, { code, makerId })
      fresh.purgeStale()
    },
    /** For its owner only, and once. */
    take({ job, row, makerId }: CodeOwner): string | undefined {
      fresh.purgeStale()
      const found = fresh.get(`${job}/${row}`)
      if (found?.makerId !== makerId) return undefined
      fresh.delete(`${job}/${row}`)
      return found.code
    },
  }
}
