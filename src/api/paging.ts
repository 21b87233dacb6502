import type { Answer } from "./request.ts"

/** Rows of every page of a list. */
export interface EveryRow<T> {
  readonly rows: readonly T[]
  /** When the oldest of its pages was answered, in ms since the epoch: the whole is as old as that. */
  readonly at: number
}

/** How far the reading of a list has come. */
export interface PageProgress {
  /** Requests answered since it last began. */
  readonly done: number
  /** Requests it takes; null until the first answer, and where the service gives no total. */
  readonly of: number | null
  /** How often it began again because the list changed. */
  readonly restarts: number
}

interface EveryPage<T> {
  readonly perPage: number
  readonly idOf: (row: T) => string
  /** Reads one page, from 1. `fresh` asks past every cache. */
  readonly read: (page: number, perPage: number, fresh: boolean) => Promise<Answer<T[]>>
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: PageProgress) => void) | undefined
}

/** How often the reading begins again before it gives up. */
const mostRestarts = 3

/** The list changed each time it was read through. */
export class KeptMoving extends Error {
  override readonly name = "KeptMoving"

  constructor() {
    super("The list kept changing while it was loading.")
  }
}

/** Requests that reading `total` rows takes; an empty list takes one. */
export function requestsFor(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage))
}

/**
 * Reads every page of a list. Rows shift between pages when some come or go meanwhile: each is kept once by its
 * id, and when the total moves, or fewer rows came than it promised, the reading begins again, past the caches,
 * because pages of different age are what does not fit together.
 * @throws KeptMoving after the third new beginning; the signal's reason; what `read` throws
 */
export async function readEveryPage<T>(options: EveryPage<T>): Promise<EveryRow<T>> {
  for (let restarts = 0; restarts <= mostRestarts; restarts += 1) {
    const every = await readOnce(options, restarts)
    if (every !== null) return every
  }
  throw new KeptMoving()
}

async function readOnce<T>(options: EveryPage<T>, restarts: number): Promise<EveryRow<T> | null> {
  const { perPage, idOf, read, signal, onProgress } = options
  const rows = new Map<string, T>()
  let total: number | undefined
  let at = Infinity
  onProgress?.({ done: 0, of: null, restarts })
  for (let page = 1; ; page += 1) {
    signal?.throwIfAborted()
    const answer = await read(page, perPage, restarts > 0)
    const promised = answer.meta?.total
    if (page > 1 && promised !== total) return null
    total = promised
    at = Math.min(at, answer.at)
    for (const row of answer.data) rows.set(idOf(row), row)
    onProgress?.({ done: page, of: total === undefined ? null : requestsFor(total, perPage), restarts })
    const last = total === undefined ? answer.data.length < perPage : page >= requestsFor(total, perPage)
    if (last) return total === undefined || rows.size === total ? { rows: [...rows.values()], at } : null
  }
}

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
const mostStreamRestarts = 3

/**
 * Reads every page of a list as `readEveryPage` does, by the same rules (each row once by its id; from the start
 * again when the total moves), but passes the rows on instead of keeping them: only their ids stay in memory.
 * @returns how many rows were taken
 * @throws KeptMoving after the third new beginning; the signal's reason; what `read`, `begin` and `take` throw
 */
export async function streamEveryPage<T>(stream: PageStream<T>): Promise<number> {
  for (let restarts = 0; restarts <= mostStreamRestarts; restarts += 1) {
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
