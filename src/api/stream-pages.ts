import { KeptMoving, requestsFor, type PageProgress } from "./paging.ts"
import type { Answer } from "./request.ts"

/** A list that is passed on page by page and kept nowhere. */
interface PageStream<T> {
  readonly perPage: number
  readonly idOf: (row: T) => string
  /** Reads one page, from 1. `fresh` asks past every cache. */
  readonly read: (
    page: number,
    perPage: number,
    fresh: boolean,
  ) => Promise<Pick<Answer<T[]>, "data" | "meta">>
  /** The list begins, or begins again: what was taken before counts no more. */
  readonly begin: () => Promise<void>
  /** Rows that were not taken before. */
  readonly take: (rows: readonly T[]) => Promise<void>
  readonly signal: AbortSignal
  readonly onProgress: (progress: PageProgress) => void
}

/** How often the reading begins again before it gives up. */
const mostRestarts = 3

/**
 * Reads every page of a list as `readEveryPage` does, by the same rules (each row once by its id; from the start
 * again when the total moves), but passes the rows on instead of keeping them: only their ids stay in memory.
 * @returns how many rows were taken
 * @throws KeptMoving after the third new beginning; the signal's reason; what `read`, `begin` and `take` throw
 */
export async function streamEveryPage<T>(stream: PageStream<T>): Promise<number> {
  for (let restarts = 0; restarts <= mostRestarts; restarts += 1) {
    const rows = await streamOnce(stream, restarts)
    if (rows !== null) return rows
  }
  throw new KeptMoving()
}

async function streamOnce<T>(stream: PageStream<T>, restarts: number): Promise<number | null> {
  const { perPage, idOf, read, begin, take, signal, onProgress } = stream
  const seen = new Set<string>()
  let total: number | undefined
  onProgress({ done: 0, of: null, restarts })
  await begin()
  for (let page = 1; ; page += 1) {
    signal.throwIfAborted()
    const { data, meta } = await read(page, perPage, restarts > 0)
    if (page > 1 && meta?.total !== total) return null
    total = meta?.total
    const fresh = data.filter((row) => !seen.has(idOf(row)))
    for (const row of fresh) seen.add(idOf(row))
    await take(fresh)
    onProgress({ done: page, of: total === undefined ? null : requestsFor(total, perPage), restarts })
    const last = total === undefined ? data.length < perPage : page >= requestsFor(total, perPage)
    if (last) return total === undefined || seen.size === total ? seen.size : null
  }
}
