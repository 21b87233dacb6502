import {
  type DataTag,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query"
import type * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import { repeatFirstReads } from "./events.ts"
import {
  type ApiResponse,
  apiPath,
  type QueryValues,
  queryRead,
  type ReadOptions,
  request,
  responseQuery,
} from "./request.ts"

/** Rows of every page of a list. */
export interface EveryRow<T> {
  readonly rows: readonly T[]
  /** When the service responded with the oldest of its pages, in ms since the epoch. */
  readonly at: number
}

/** Progress of reading a list, in requests since it last started. */
export interface PageProgress {
  readonly done: number
  /** Null until the first response, and if the service gives no total. */
  readonly of: number | null
  /** How often reading restarted because the list changed. */
  readonly restarts: number
}

/** How the pages of a list are read; pages count from 1, `fresh` bypasses every cache. */
export interface EveryPage<T, R = ApiResponse<T[]>> {
  readonly perPage: number
  readonly idOf: (row: T) => string
  readonly read: (page: number, perPage: number, fresh: boolean) => Promise<R>
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: PageProgress) => void) | undefined
}

interface PageStream<T> extends EveryPage<T, Pick<ApiResponse<T[]>, "data" | "meta">> {
  /** Reading starts or restarts: discard the rows taken so far. */
  readonly begin: () => Promise<void> | void
  /**
   * Does not restart when the list changes: reads every row that was there at the start, unless it was removed
   * meanwhile.
   */
  readonly allowChanges?: boolean | undefined
  /** Receives rows that were not passed before. */
  readonly take: (rows: readonly T[]) => Promise<void> | void
}

/** Splits a list into parts of at most `most`, one per request. */
export function requestParts<T>(all: readonly T[], most: number): T[][] {
  return [...Map.groupBy(all, (_, at) => Math.floor(at / most)).values()]
}

const mostRestarts = 3

/** The list changed during every attempt to read it. */
export class ListChangedError extends Error {
  override readonly name = "ListChangedError"

  constructor() {
    super("The list kept changing while it was loading.")
  }
}

/** Requests that reading `total` rows takes; an empty list takes one. */
export function requestsFor(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage))
}

/** Reads every page of a list and returns its rows; throws as `streamEveryPage`. */
export async function readEveryPage<T>(options: EveryPage<T>): Promise<EveryRow<T>> {
  let rows: T[] = []
  let at = Infinity
  await streamEveryPage({
    ...options,
    read: async (...page) => {
      const response = await options.read(...page)
      at = Math.min(at, response.at)
      return response
    },
    begin: () => {
      rows = []
      at = Infinity
    },
    take: (fresh) => void rows.push(...fresh),
  })
  return { rows, at }
}

/**
 * Reads every page of a list and passes the rows on; only their ids stay in memory. Rows can shift between pages: each
 * id is passed once, and if the total changes or does not match, reading restarts past the caches, because pages of
 * different age do not fit together. Returns the number of rows.
 * @throws ListChangedError after the third restart; the signal's reason; what `read`, `begin` and `take` throw
 */
export async function streamEveryPage<T>(stream: PageStream<T>): Promise<number> {
  for (let restarts = 0; restarts <= mostRestarts; restarts += 1) {
    const rows = await streamOnce(stream, restarts)
    if (rows !== null) return rows
  }
  throw new ListChangedError()
}

async function streamOnce<T>(stream: PageStream<T>, restarts: number): Promise<number | null> {
  const { perPage, idOf, read, begin, take, signal, onProgress, allowChanges = false } = stream
  const seen = new Set<string>()
  let total: number | undefined
  onProgress?.({ done: 0, of: null, restarts })
  await begin()
  for (let page = 1; ; page += 1) {
    signal?.throwIfAborted()
    const { data, meta } = await read(page, perPage, restarts > 0 || allowChanges)
    const before = total
    total = meta?.total
    if (page > 1 && total !== before && !allowChanges) return null
    await take(unseenRows(data, idOf, seen))
    const removed = page > 1 ? removedRows(before, total) : 0
    // Rows were removed before this page: the rows after them have moved to pages that were already read.
    if (removed > 0) page = Math.max(0, page - 1 - Math.ceil(removed / perPage))
    const pages = total === undefined ? null : requestsFor(total, perPage)
    onProgress?.({ done: page, of: pages, restarts })
    const isLast = pages === null ? data.length < perPage : page >= pages
    if (isLast && removed === 0)
      return total === undefined || seen.size === total || allowChanges ? seen.size : null
  }
}

/** The rows whose ids are not in `seen`, which gets them. */
function unseenRows<T>(rows: readonly T[], idOf: (row: T) => string, seen: Set<string>): T[] {
  const unseen = [...new Map(rows.map((row) => [idOf(row), row]))].filter(([id]) => !seen.has(id))
  for (const [id] of unseen) seen.add(id)
  return unseen.map(([, row]) => row)
}

/** How many rows a list has lost between two pages; 0 where a total is unknown. */
function removedRows(before: number | undefined, now: number | undefined): number {
  return Math.max(0, (before ?? 0) - (now ?? before ?? 0))
}

const partSize = 50

/** Rows of one of Laurel's own lists, newest first. */
export interface RowParts<T> {
  readonly rows: readonly T[]
  /** Whether there are older ones. */
  readonly more: boolean
  /** When they were read, in ms since the epoch. */
  readonly at: number
}

/**
 * The newest rows of one of Laurel's own lists that match a filter, `parts` times 50 of them. Read from the top each
 * time, so that no row appears twice. No upstream request.
 */
export function partsQuery<T>(name: string, schema: z.ZodMiniType<T[]>, filter: QueryValues, parts: number) {
  return queryOptions({
    queryKey: [name, filter, parts],
    queryFn: async ({ signal }): Promise<RowParts<T>> => {
      const path = apiPath(name)
      const rows: T[] = []
      let before: string | undefined
      let at = Date.now()
      for (let part = 0; part < parts; part += 1) {
        const query = { ...filter, before, per_page: partSize }
        const response = await request({ path, query, schema, signal })
        rows.push(...response.data)
        at = response.at
        before = response.meta?.next ?? undefined
        if (before === undefined) break
      }
      return { rows, more: before !== undefined, at }
    },
    ...pagedQueryDefaults,
  })
}

/**
 * Seeds the record cache with the rows of a page, as old as the response; newer records stay. Rows of a stale page,
 * which may be older than a write, are placeholders until the record is read. So are partial rows, which never replace
 * a record that was read.
 */
function seedRecords<T>(
  client: QueryClient,
  { data, age, at, stale, staleReason }: ApiResponse<T[]>,
  keyOf: (row: T) => DataTag<QueryKey, ApiResponse<T>, Error>,
  partial = false,
): void {
  for (const row of data) {
    const key = keyOf(row)
    const known = client.getQueryState<ApiResponse<T>>(key)
    const stays = partial ? (known?.dataUpdatedAt ?? 0) > 1 : (known?.data?.at ?? -Infinity) >= at
    const response = { data: row, age, at, stale, staleReason }
    if (!stays) client.setQueryData(key, response, { updatedAt: partial || stale ? 1 : at })
  }
}

/**
 * The previous page is the placeholder while the next loads. The route loads pages before rendering, so a failed read
 * is not repeated on mount.
 */
export const pagedQueryDefaults = { placeholderData: keepPreviousData, retryOnMount: false }

interface Paging {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
}

/**
 * The reads of one resource of the program service: `one` record, one `page`, `readEvery` page, and the `cached` rows
 * and records. Pages seed the records; their rows are complete unless `partial`.
 */
export function programResource<T, Q extends QueryValues & Paging>(of: {
  readonly name: string
  readonly plural: string
  readonly schema: z.ZodMiniType<T>
  readonly listSchema: z.ZodMiniType<T[]>
  readonly idOf: (record: T) => string
  readonly partial?: boolean
  /** Path of its list, if that is one of Laurel's own. */
  readonly listPath?: readonly string[]
}) {
  const { name, plural, schema, listSchema, idOf, partial } = of
  const pagesKey = [plural, "page"] as const
  const path = ["program", plural] as const
  const { listPath = path } = of

  const one = (id: string, how: ReadOptions = {}) =>
    responseQuery([name, id], { path: [...path, id], schema, ...how })

  const readPage = (query: Q, how: ReadOptions) =>
    request({ path: apiPath(...listPath), query, schema: listSchema, ...how })

  const readAndSeed = async (client: QueryClient, query: Q, how: ReadOptions) => {
    const response = await readPage(query, how)
    seedRecords(client, response, (row) => one(idOf(row)).queryKey, partial)
    return response
  }

  const page = (query: Q, how: ReadOptions = {}) =>
    queryOptions({
      queryKey: [...pagesKey, query],
      queryFn: (context) => queryRead(context, how, (read) => readAndSeed(context.client, query, read)),
      ...pagedQueryDefaults,
    })

  const readEvery = (client: QueryClient, filter: Q, how: ReadEveryOptions) =>
    readEveryPage({
      ...how,
      perPage: limits.perPage.max,
      idOf,
      read: (at, per_page, fresh) =>
        readAndSeed(client, { ...filter, page: at, per_page }, { signal: how.signal, fresh }),
    })

  const cached = (client: QueryClient): T[] => {
    const pages = client.getQueriesData<ApiResponse<T[]>>({ queryKey: pagesKey })
    const records = client.getQueriesData<ApiResponse<T>>({ queryKey: [name] })
    return [...pages, ...records].flatMap(([, response]) => response?.data ?? [])
  }

  return { one, page, pagesKey, readPage, readEvery, cached }
}

type ReadEveryOptions = Pick<EveryPage<unknown>, "signal" | "onProgress">

/**
 * Changes cached data without changing their age; stale data stay stale. Reads under way may be older than the change
 * and restart, unless they apply the change themselves (`restart: false`).
 */
export function reviseQueries<T>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (data: T) => T,
  { restart = true } = {},
): void {
  if (restart) repeatFirstReads(client, queryKey)
  for (const [key, data] of client.getQueriesData<T>({ queryKey })) {
    const changed = data === undefined ? undefined : change(data)
    if (changed === undefined || changed === data) continue
    const { dataUpdatedAt: updatedAt = 0, isInvalidated = false } = client.getQueryState(key) ?? {}
    client.setQueryData(key, changed, { updatedAt })
    if (isInvalidated) void client.invalidateQueries({ queryKey: key, exact: true, refetchType: "none" })
    if (restart) restartRead(client, key)
  }
}

/** Caches data from an event or a write's response. A read under way may be older, so it restarts. */
export function cacheData<T>(
  client: QueryClient,
  queryKey: DataTag<QueryKey, T, Error>,
  data: NoInfer<T>,
): void {
  client.setQueryData(queryKey, data)
  restartRead(client, queryKey)
}

function restartRead(client: QueryClient, queryKey: QueryKey): void {
  if (client.isFetching({ queryKey, exact: true }) > 0)
    void client.invalidateQueries({ queryKey, exact: true })
}

/** A write; `after` caches its result. */
export function useWrite<A, T>(
  write: (input: A) => Promise<T>,
  after?: (client: QueryClient, result: T) => unknown,
  how: { readonly gcTime?: number } = {},
) {
  const client = useQueryClient()
  return useMutation({ ...how, mutationFn: write, onSuccess: (result) => after?.(client, result) })
}
