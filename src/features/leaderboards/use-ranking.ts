import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import type { RankingRoles } from "../../../contract/settings.ts"
import { leaderboardMappingsQuery, leaderboardsQuery, rankingsQuery } from "../../api/leaderboards.ts"
import { boardsOf } from "../../lib/ranking/boards.ts"
import { readRanking } from "../../lib/ranking/read-ranking.ts"

/**
 * One board's rankings, read as far as they can be.
 * @param draft what somebody is trying out; it goes before what is saved
 */
export function useRanking(boardId: string, limit: number, draft: RankingRoles | null = null) {
  const client = useQueryClient()
  const rankings = useQuery(rankingsQuery(boardId, limit))
  const mappings = useQuery(leaderboardMappingsQuery)
  const boards = useQuery(leaderboardsQuery())
  const saved = mappings.data?.boards.find(({ id }) => id === boardId)?.roles
  const roles = draft ?? saved
  const answer = rankings.data
  const reading = useMemo(
    () => (answer === undefined ? undefined : readRanking(answer.data, roles)),
    [answer, roles],
  )
  const board = boardsOf(boards.data?.data)?.find(({ id }) => id === boardId)
  return {
    rankings,
    /** undefined until something was read. */
    reading,
    /** What somebody said the fields are, for everybody. */
    saved,
    /** What the board is called; its id when that is not known. */
    name: board?.name ?? boardId,
    refresh: () =>
      void client.prefetchQuery({ ...rankingsQuery(boardId, limit, { fresh: true }), staleTime: 0 }),
  }
}
