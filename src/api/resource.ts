import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query"
import type * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import { type EveryPage, readEveryPage, seedRecords } from "./paging.ts"
import {
  type ApiResponse,
  apiPath,
  type QueryValues,
  type ReadHow,
  request,
  responseQuery,
} from "./request.ts"

/**
 * While another page is read the one before stays, marked as placeholder. The route reads before the page is there; one
 * that comes after a failure says so and does not read again.
 */
export const pageHow = { placeholderData: keepPreviousData, retryOnMount: false }

interface Paging {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
}

/**
 * The reads of one resource of the program service: `one` record, one `page`, `readEvery` page, and what this browser
 * has in its pages (`cached`). Pages seed the records; their rows are whole unless `partial` says otherwise.
 */
export function programResource<T, Q extends QueryValues & Paging>(of: {
  readonly name: string
  readonly plural: string
  readonly schema: z.ZodMiniType<T>
  readonly listSchema: z.ZodMiniType<T[]>
  readonly idOf: (record: T) => string
  readonly partial?: boolean
}) {
  const { name, plural, schema, listSchema, idOf, partial } = of
  const pagesKey = [plural, "page"] as const
  const path = ["program", plural] as const

  const one = (id: string, { fresh }: ReadHow = {}) =>
    responseQuery([name, id], { path: [...path, id], schema, fresh })

  const readPage = (query: Q, how: ReadHow) =>
    request({ path: apiPath(...path), query, schema: listSchema, ...how })

  const readAndSeed = async (client: QueryClient, query: Q, how: ReadHow) => {
    const response = await readPage(query, how)
    seedRecords(client, response, (row) => one(idOf(row)).queryKey, partial)
    return response
  }

  const page = (query: Q, { fresh }: ReadHow = {}) =>
    queryOptions({
      queryKey: [...pagesKey, query],
      queryFn: ({ signal, client }) => readAndSeed(client, query, { signal, fresh }),
      ...pageHow,
    })

  const readEvery = (client: QueryClient, filter: Q, how: EveryHow) =>
    readEveryPage({
      ...how,
      perPage: limits.perPage.max,
      idOf,
      read: (at, per_page, fresh) =>
        readAndSeed(client, { ...filter, page: at, per_page }, { signal: how.signal, fresh }),
    })

  const cached = (client: QueryClient): T[] =>
    client
      .getQueriesData<ApiResponse<T[]>>({ queryKey: pagesKey })
      .flatMap(([, response]) => response?.data ?? [])

  return { one, page, pagesKey, readPage, readEvery, cached }
}

type EveryHow = Pick<EveryPage<unknown>, "signal" | "onProgress">

/** A write; `after` takes its result into the cache. */
export function useWrite<A, T>(
  write: (given: A) => Promise<T>,
  after?: (client: QueryClient, result: T) => unknown,
  how: { readonly gcTime?: number } = {},
) {
  const client = useQueryClient()
  return useMutation({ ...how, mutationFn: write, onSuccess: (result) => after?.(client, result) })
}
