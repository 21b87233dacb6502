import { createFileRoute, redirect, stripSearchParams } from "@tanstack/react-router"
import { sessionQuery } from "../api/session.ts"
import { boardDefaults, boardSearch } from "../features/leaderboards/board-search.ts"
import { WallPage } from "../features/leaderboards/wall-page.tsx"
import { AppRoot } from "../shell/app-root.tsx"

export const Route = createFileRoute("/leaderboards_/$boardId_/wall")({
  validateSearch: boardSearch,
  search: { middlewares: [stripSearchParams(boardDefaults)] },
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: "/sign-in", search: { redirect: location.href } })
  },
  component: () => (
    <AppRoot>
      <WallPage />
    </AppRoot>
  ),
})
