import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { leaderboardMappings, type RankingRoles } from "../../contract/settings.ts"
import { leaderboardReader } from "../../contract/program/leaderboard.ts"
import { apiPath, type ReadHow, request } from "./request.ts"
import { settingQuery, useChangeSetting } from "./settings.ts"

/** How long the service's answers stay fresh, in ms; the server keeps them as long. */
const freshMs = 60_000

/** Every leaderboard, as it was sent (docs/api/program.md, Leaderboards: no field is shown). */
export function leaderboardsQuery({ fresh }: ReadHow = {}) {
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
export function rankingsQuery(id: string, limit: number, { fresh }: ReadHow = {}) {
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

/** What people said of boards. */
export const leaderboardMappingsQuery = settingQuery("leaderboardMappings", leaderboardMappings)

/** Saves what a board's fields are, for everybody; `roles: null` goes back to what is recognised. */
export function useSaveMapping() {
  type Mapping = { readonly id: string; readonly roles: RankingRoles | null }
  return useChangeSetting(
    "leaderboardMappings",
    leaderboardMappings,
    async ({ id, roles }: Mapping, read) => {
      const others = (await read()).boards.filter((board) => board.id !== id)
      return { boards: roles === null ? others : [...others, { id, roles }] }
    },
  )
}
