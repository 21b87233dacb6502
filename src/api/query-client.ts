import { QueryClient } from "@tanstack/react-query"
import { ApiError, Offline } from "../lib/errors.ts"

/**
 * One more try when no answer came, or when the server says the service could not be reached: both pass by
 * themselves. A refusal is not asked twice, and an answer that cannot be read will not read better.
 */
function retry(failures: number, error: Error): boolean {
  if (error instanceof Offline) return failures < 2
  return error instanceof ApiError && [502, 504].includes(error.status) && failures < 1
}

/**
 * The desk's query cache. Answers are fresh for 30 s, the server's own time for lists and members
 * (docs/api/laurel.md, Reads). A write is never repeated by itself and never kept for later: an effect happens
 * when a person asks for it or not at all.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry,
        retryDelay: 1000,
        networkMode: "always",
        refetchOnReconnect: true,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  })
}
