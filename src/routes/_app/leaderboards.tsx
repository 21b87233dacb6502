import { createFileRoute } from "@tanstack/react-router"
import { leaderboardsQuery } from "../../api/leaderboards.ts"
import { sessionCan } from "../../api/session.ts"
import { BoardsPage } from "../../features/leaderboards/boards-page.tsx"

export const Route = createFileRoute("/_app/leaderboards")({
  loader: ({ context: { queryClient, session } }) => {
    if (!sessionCan(session, "leaderboards.read")) return
    void queryClient.prefetchQuery(leaderboardsQuery())
  },
  component: BoardsPage,
})
