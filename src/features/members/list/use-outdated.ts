import { useQueryClient, type QueryKey } from "@tanstack/react-query"
import { useCallback, useSyncExternalStore } from "react"

/**
 * Whether what the cache holds under a key was called out of date (an edit here, an event from elsewhere) and has
 * not been read since. For answers that are never read again by themselves.
 */
export function useOutdated(key: QueryKey): boolean {
  const client = useQueryClient()
  const subscribe = useCallback((tell: () => void) => client.getQueryCache().subscribe(tell), [client])
  return useSyncExternalStore(subscribe, () => client.getQueryState(key)?.isInvalidated ?? false)
}
