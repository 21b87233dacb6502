import type { DeskMeta } from "../../contract/response.ts"

/** One form in which an answer is given: the fields a role sees, as a body, as its JSON and as its tag. */
export interface View {
  readonly body: unknown
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
}

/** What a service answered, whole. Which of it somebody sees is decided for each answer. */
export interface CachedResponse {
  readonly data: unknown
  readonly meta: DeskMeta | undefined
  /** When it was asked and when it was answered, on the monotonic clock, ms. */
  readonly askedAt: number
  readonly answeredAt: number
  /** When it was answered, ms since 1970. */
  readonly at: number
  readonly tags: readonly string[]
  /** About so many bytes. */
  readonly size: number
  /** Filled as roles ask. */
  readonly views: Map<string, View>
}

/** A copy in the cache; `old` once a write made it so, whatever its age. */
interface Kept {
  readonly response: CachedResponse
  readonly old: boolean
}

/** Answers kept for reading again, the least recently used leaving first. */
export interface Cache {
  get(key: string): Kept | undefined
  /** Keeps a copy, unless one that was asked for later is there already. */
  put(key: string, response: CachedResponse): void
  /** Forgets everything about these. */
  drop(tags: readonly string[]): void
  /** Makes everything about these old: still there when nothing younger can be had. */
  age(tags: readonly string[]): void
  forget(key: string): void
  /** Every copy about this. */
  under(tag: string): CachedResponse[]
  entries(): number
  bytes(): number
}

/** Bounds of a cache. */
export interface CacheBounds {
  readonly entries: number
  readonly bytes: number
}

/**
 * An empty cache.
 * @param replaced hears of each copy that a younger one took the place of, or that was dropped because of a write
 */
export function createCache(
  bounds: CacheBounds,
  replaced: (response: CachedResponse, by: CachedResponse | undefined) => void = () => undefined,
): Cache {
  const kept = new Map<string, Kept>()
  const byTag = new Map<string, Set<string>>()
  let bytes = 0

  function forget(key: string): void {
    const found = kept.get(key)
    if (found === undefined) return
    kept.delete(key)
    bytes -= found.response.size
    for (const tag of found.response.tags) {
      const keys = byTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) byTag.delete(tag)
    }
  }

  function note(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = byTag.get(tag)
      if (keys === undefined) byTag.set(tag, new Set([key]))
      else keys.add(key)
    }
  }

  function keysOf(tags: readonly string[]): string[] {
    return tags.flatMap((tag) => [...(byTag.get(tag) ?? [])])
  }

  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    put(key, response) {
      const found = kept.get(key)
      if (found !== undefined && found.response.askedAt > response.askedAt) return
      if (found !== undefined) replaced(found.response, response)
      if (found !== undefined && isSame(found.response.tags, response.tags)) {
        // A younger copy of the same thing, as nearly always: what stands under its tags stays.
        kept.delete(key)
        bytes -= found.response.size
      } else {
        forget(key)
        note(key, response.tags)
      }
      kept.set(key, { response, old: false })
      bytes += response.size
      while (kept.size > bounds.entries || bytes > bounds.bytes) {
        const oldest = kept.keys().next().value
        if (oldest === undefined) break
        forget(oldest)
      }
    },
    drop(tags) {
      for (const key of keysOf(tags)) {
        const found = kept.get(key)
        if (found !== undefined) replaced(found.response, undefined)
        forget(key)
      }
    },
    age(tags) {
      for (const key of keysOf(tags)) {
        const found = kept.get(key)
        if (found !== undefined) kept.set(key, { ...found, old: true })
      }
    },
    forget,
    under: (tag) =>
      keysOf([tag]).flatMap((key) => {
        const found = kept.get(key)
        return found === undefined ? [] : [found.response]
      }),
    entries: () => kept.size,
    bytes: () => bytes,
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((tag, at) => tag === other[at])
}
