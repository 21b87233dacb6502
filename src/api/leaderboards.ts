import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { leaderboardMappings, type RankingRoles } from "../../contract/settings.ts"
import {
  boardHistory,
  type BoardHistoryQuery,
  leaderboardReader,
} from "../../contract/program/leaderboard.ts"
import { apiPath, type ReadOptions, requestData, responseQuery } from "./request.ts"
import { serverTime } from "../lib/time.ts"
import { setting } from "./settings.ts"

const schema = leaderboardReader.tolerant

/** Stale time as on the server, in ms. */
const how = { staleTime: 60_000, retryOnMount: false }

/** Every leaderboard, as received (docs/api/program.md, Leaderboards: no field is shown). */
export function leaderboardsQuery({ fresh }: ReadOptions = {}) {
  return responseQuery(["leaderboards", "list"], { path: ["program", "leaderboards"], schema, fresh }, how)
}

/** The rankings of one board, 10 to 100 rows, as received. */
export function rankingsQuery(id: string, limit: number, { fresh }: ReadOptions = {}) {
  return responseQuery(
    ["leaderboards", "rankings", id, limit],
    { path: ["program", "leaderboards", id, "rankings"], query: { limit }, schema, fresh },
    {
      ...how,
      // Rows of the same board with another limit are the placeholder.
      placeholderData: (before, query) => (query?.queryKey[2] === id ? keepPreviousData(before) : undefined),
    },
  )
}

/** Daily history of a board over the last `days` days, from Laurel's own store. No upstream request. */
export function boardHistoryQuery(id: string, days: number, limit: number) {
  return queryOptions({
    queryKey: ["leaderboards", "history", id, days, limit],
    queryFn: ({ signal }) => {
      const from = new Date(serverTime(Date.now()) - days * 86_400_000).toISOString()
      const query: BoardHistoryQuery = { from, limit }
      return requestData({
        path: apiPath("leaderboards", id, "history"),
        query,
        schema: boardHistory,
        signal,
      })
    },
    staleTime: 5 * 60_000,
  })
}

const mappings = setting("leaderboardMappings", leaderboardMappings)

/** Mappings of board fields as entered by users. */
export const leaderboardMappingsQuery = mappings.query

/** Saves the field roles of a board for all users; `roles: null` restores the automatic detection. */
export function useSaveMapping() {
  type Mapping = { readonly id: string; readonly roles: RankingRoles | null }
  return mappings.useChange(({ id, roles }: Mapping, { boards }) => {
    const others = boards.filter((board) => board.id !== id)
    return { boards: roles === null ? others : [...others, { id, roles }] }
  })
}
