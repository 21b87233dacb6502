import { queryOptions, type FetchQueryOptions, type QueryClient, type QueryKey } from "@tanstack/react-query"

const homeKey = ["home"] as const

/**
 * An answer of another page, kept for the home page. A list that is looked at is read again with every hint that
 * something changed; the home page is left open all day, and each parcel that is shipped would cost it requests. So
 * it looks when it is opened and when somebody comes back to it, and then asks only what is old or has changed.
 * @param source the answer as the other page reads it
 * @param now asks again whatever its age
 */
export function calmQuery<T, K extends QueryKey>(
  source: FetchQueryOptions<T, Error, T, K>,
  { now = false }: { now?: boolean } = {},
) {
  return queryOptions({
    queryKey: [...homeKey, ...source.queryKey],
    queryFn: ({ client }): Promise<T> => client.fetchQuery(now ? { ...source, staleTime: 0 } : source),
    staleTime: 0,
    // The answer itself is asked for once more where that helps.
    retry: false,
    retryOnMount: false,
  })
}

/** Reads again what has changed since: the answers whose own pages would have read them by now. */
export function rereadChanged(client: QueryClient): void {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: homeKey, type: "active" })) {
    const source = client.getQueryState(queryKey.slice(homeKey.length))
    if (source?.isInvalidated === true) void client.refetchQueries({ queryKey, exact: true })
  }
}
