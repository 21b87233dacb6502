import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { leaderboardMappings, type LeaderboardMappings, type RankingRoles } from "../../contract/settings.ts"
import { leaderboardReader } from "../../contract/program/leaderboard.ts"
import { registerTopic } from "./events.ts"
import { apiPath, request } from "./request.ts"

/** How long the service's answers stay fresh, in ms; the server keeps them as long. */
const freshMs = 60_000

interface ReadHow {
  /** Asks the service itself, past every cache. */
  readonly fresh?: boolean
}

/** Every leaderboard, as it was sent (docs/api/program.md, Leaderboards: no field is shown). */
export function leaderboardsQuery({ fresh = false }: ReadHow = {}) {
  return queryOptions({
    queryKey: ["leaderboards", "list"],
    queryFn: ({ signal }) =>
      request({
        path: apiPath("program", "leaderboards"),
        schema: leaderboardReader.tolerant,
        signal,
        fresh,
      }),
    staleTime: freshMs,
    retryOnMount: false,
  })
}

/**
 * The rankings of one board, as they were sent.
 * @param limit rows, 10 to 100
 */
export function rankingsQuery(id: string, limit: number, { fresh = false }: ReadHow = {}) {
  return queryOptions({
    queryKey: ["leaderboards", "rankings", id, limit],
    queryFn: ({ signal }) =>
      request({
        path: apiPath("program", "leaderboards", id, "rankings"),
        query: { limit },
        schema: leaderboardReader.tolerant,
        signal,
        fresh,
      }),
    staleTime: freshMs,
    retryOnMount: false,
    // Rows of the same board with another limit stay until the answer is here.
    placeholderData: (before, query) => (query?.queryKey[2] === id ? keepPreviousData(before) : undefined),
  })
}

/** What people said of boards. Everybody reads it; it costs no request to the service. */
export const leaderboardMappingsQuery = queryOptions({
  queryKey: ["settings", "leaderboardMappings"],
  queryFn: async ({ signal }) =>
    (await request({ path: mappingsPath(), schema: leaderboardMappings, signal })).data,
})

registerTopic("settings", leaderboardMappingsQuery.queryKey)

/** Saves what a board's fields are, for everybody; `roles: null` goes back to what is recognised. */
export function useSaveMapping() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({
      id,
      roles,
    }: {
      id: string
      roles: RankingRoles | null
    }): Promise<LeaderboardMappings> => {
      // The document holds every board: somebody may have saved another one since.
      const now = (await request({ path: mappingsPath(), schema: leaderboardMappings })).data
      const others = now.boards.filter((board) => board.id !== id)
      const body = { boards: roles === null ? others : [...others, { id, roles }] }
      return (await request({ method: "PUT", path: mappingsPath(), body, schema: leaderboardMappings })).data
    },
    onSuccess: (saved) => queryClient.setQueryData(leaderboardMappingsQuery.queryKey, saved),
  })
}

function mappingsPath(): string {
  return apiPath("settings", "leaderboardMappings")
}
