import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { leaderboardMappingsQuery, leaderboardsQuery, rankingsQuery } from "../../api/leaderboards.ts"
import { sessionCan } from "../../api/session.ts"
import { BoardPage } from "../../features/leaderboards/board-page.tsx"
import { boardDefaults, boardSearch } from "../../features/leaderboards/board-search.ts"

export const Route = createFileRoute("/_app/leaderboards_/$boardId")({
  validateSearch: boardSearch,
  search: { middlewares: [stripSearchParams(boardDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, params, deps }) => {
    if (!sessionCan(session, "leaderboards.read")) return
    void queryClient.prefetchQuery(rankingsQuery(params.boardId, deps.limit))
    void queryClient.prefetchQuery(leaderboardMappingsQuery)
    void queryClient.prefetchQuery(leaderboardsQuery())
  },
  component: BoardPage,
})
