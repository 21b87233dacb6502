import { useQuery, useQueryClient, type QueryKey, type UseQueryOptions } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback, useMemo, useState } from "react"
import * as z from "zod/mini"
import type { CopyMeta } from "../../contract/copy.ts"
import type { ResponseMeta } from "../../contract/response.ts"
import type { ApiResponse } from "../api/request.ts"
import { counted, formatCount } from "../lib/format.ts"
import { type QueryResult, queryView, type QueryView, type StaleResponse } from "../ui/query-state.tsx"
import { pageSearch, pagingParams, partsParam, textParam, type PageSize } from "./list-params.ts"

const longest = 500
const inAddress = z.object({
  ...pagingParams,
  parts: partsParam,
  sort: textParam(longest),
  open: textParam(longest),
})

/** Search parameters to set; undefined removes one, and defaults are omitted from the URL. */
export type ListChange = Readonly<Record<string, unknown>>

/** State of a list: page, sorting and filters. Stored in the URL by default. */
export interface ListState {
  /** Every parsed search parameter; filters find their values by key. */
  readonly values: Readonly<Record<string, unknown>>
  readonly page: number
  readonly perPage: PageSize
  readonly parts: number
  /** A column's id, with a leading minus for descending. */
  readonly sort: string | undefined
  readonly open: string | undefined
  readonly set: (change: ListChange, how?: { readonly replace?: boolean }) => void
  readonly close: () => void
  readonly setFilter: (change: ListChange, how?: { readonly replace?: boolean }) => void
}

/** Parameters that another filter resets: the page, and how much was loaded. */
const fromTheStart = { page: undefined, parts: undefined }

/** The list state of this route, stored in the URL. */
export function useListState(): ListState {
  const navigate = useNavigate()
  const values = useSearch({ strict: false, select: pageSearch, structuralSharing: true })
  const set = useCallback<ListState["set"]>(
    (change, { replace = false } = {}) => {
      void navigate({ to: ".", search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
    },
    [navigate],
  )
  return useMemo(() => stateOf(values, set), [values, set])
}

/** List state for a list within another page, stored in memory. */
export function useLocalListState(): ListState {
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({})
  return useMemo(() => stateOf(values, (change) => setValues((now) => ({ ...now, ...change }))), [values])
}

function stateOf(values: Readonly<Record<string, unknown>>, set: ListState["set"]): ListState {
  const { page, per_page, parts, sort, open } = inAddress.parse(values)
  return {
    values,
    page,
    perPage: per_page,
    parts,
    sort,
    open,
    set,
    close: () => set({ open: undefined }),
    setFilter: (change, how) => set({ ...fromTheStart, ...change }, how),
  }
}

/** Rows of a list, the state of their query, and the state of the list. */
export interface ListQuery<T> extends QueryView {
  readonly state: ListState
  readonly rows: readonly T[]
  /** Rows the service sent for this page, including hidden ones. */
  readonly read?: number | undefined
  readonly total?: number | undefined
  /** For a list that grows instead of having pages: whether there are older rows. */
  readonly more?: boolean | undefined
  /** All matches are loaded. */
  readonly complete: boolean
  readonly meta?: ResponseMeta | undefined
  /** The rows come sorted and filtered from the local copy, as of its last sync. */
  readonly copied?: boolean
  /** Newer data of that copy are on their way. */
  readonly syncing?: boolean
  /** Whether the loaded rows can be sorted; by default if all are loaded, because the services do not sort. */
  readonly sortable?: boolean
  readonly pending: boolean
  /** The rows belong to another page or filter, or are not loaded yet. */
  readonly waiting: boolean
}

/** A list from any query result; Laurel's own data have neither staleness nor a server cache. */
export function listQuery<T>(
  result: QueryResult<StaleResponse> & { isPending: boolean; isPlaceholderData: boolean },
  state: ListState,
  rows: Pick<ListQuery<T>, "rows" | "read" | "total" | "more" | "meta"> &
    Partial<Pick<ListQuery<T>, "complete" | "refresh" | "waiting" | "pending">>,
): ListQuery<T> {
  const { isPending, isPlaceholderData } = result
  return {
    ...queryView(result),
    state,
    pending: isPending,
    waiting: isPending || isPlaceholderData,
    complete: false,
    ...rows,
  }
}

/** The total of a list of the local copy, with the progress of the sync until it is complete. */
export function copiedSum(
  total: number | undefined,
  meta: CopyMeta | undefined,
  noun: string,
): string | undefined {
  if (meta?.complete === true)
    return total === undefined ? undefined : total === 0 ? `No ${noun}s` : counted(total, noun)
  if (meta === undefined || meta.synced === null) return undefined
  const { live, total: all } = meta.synced
  const progress = all === null ? counted(live, noun) : `${formatCount(live)} of ${counted(all, noun)}`
  return `${total === undefined ? "" : `${formatCount(total)} total, `}${progress} synced`
}

const none: readonly never[] = []

/** One page of a resource from its query options; the current rows stay if not `enabled`. */
export function useListQuery<T, K extends QueryKey>(
  read: (how: { readonly fresh?: boolean }) => UseQueryOptions<ApiResponse<T[]>, Error, ApiResponse<T[]>, K>,
  state: ListState,
  { enabled = true }: { readonly enabled?: boolean } = {},
): ListQuery<T> {
  const client = useQueryClient()
  const result = useQuery({ ...read({}), enabled })
  const rows = result.data?.data ?? none
  const total = result.data?.meta?.total
  // A cached empty result may be outdated.
  const isOldEmpty = result.data !== undefined && rows.length === 0 && result.isFetching
  const waiting = result.isPending || result.isPlaceholderData || isOldEmpty
  const allHere = total === undefined ? rows.length < state.perPage : rows.length >= total
  return listQuery<T>(result, state, {
    rows,
    total,
    meta: result.data?.meta,
    waiting,
    pending: result.isPending || isOldEmpty,
    complete: !waiting && state.page === 1 && allHere,
    refresh: () => void client.prefetchQuery({ ...read({ fresh: true }), staleTime: 0 }),
  })
}
