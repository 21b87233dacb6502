import { createFileRoute } from "@tanstack/react-router"
import { leaderboardsQuery } from "../../api/leaderboards.ts"
import { sessionCan, sessionQuery } from "../../api/session.ts"
import { BoardsPage } from "../../features/leaderboards/boards-page.tsx"

export const Route = createFileRoute("/_app/leaderboards")({
  loader: async ({ context: { queryClient } }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null || !sessionCan(session, "leaderboards.read")) return
    void queryClient.prefetchQuery(leaderboardsQuery())
  },
  component: BoardsPage,
})
