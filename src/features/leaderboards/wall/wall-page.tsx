import { useHotkeys } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { budgetQuery } from "../../../api/status.ts"
import { rankingsQuery } from "../../../api/leaderboards.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { EnvBadge } from "../../../ui/brand.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { usePageTitle } from "../../../ui/hooks.ts"
import { NoBoards } from "../no-boards.tsx"
import { RankingBody } from "../ranking-body.tsx"
import { useRanking } from "../use-ranking.ts"
import { useAwake } from "./use-awake.ts"
import { WallFoot } from "./wall-foot.tsx"
import { wallPace } from "./wall-pace.ts"
import { WallPlaces } from "./wall-places.tsx"
import classes from "./wall.module.css"

const route = getRouteApi("/leaderboards_/$boardId_/wall")

/** One leaderboard for a screen on a wall: nothing but the places, their age, and the way out. */
export function WallPage() {
  const { boardId } = route.useParams()
  return useCan("leaderboards.read") ? <Wall key={boardId} boardId={boardId} /> : <NoBoards />
}

function Wall({ boardId }: { boardId: string }) {
  const { limit } = route.useSearch()
  const navigate = route.useNavigate()
  const { environment } = useSession()
  const pace = wallPace(useQuery(budgetQuery).data)
  // It waits while nobody looks, and goes on by itself after a failure.
  useQuery({ ...rankingsQuery(boardId, limit), refetchInterval: pace, refetchIntervalInBackground: false })
  const { rankings, reading, name } = useRanking(boardId, limit)
  const leave = () => void navigate({ to: "/leaderboards/$boardId", params: { boardId }, search: { limit } })
  usePageTitle(name)
  useAwake()
  useHotkeys([["Escape", leave]])
  return (
    <main className={classes.wall}>
      <header className={classes.head}>
        <h1 className={classes.title}>
          <bdi>{name}</bdi>
        </h1>
        {environment !== "production" && <EnvBadge environment={environment} />}
      </header>
      <div className={classes.body}>
        {rankings.isPending && <SkeletonRows rows={8} />}
        {reading?.view === "standings" && <WallPlaces standings={reading.standings} label={name} />}
        {reading && reading.view !== "standings" && (
          <RankingBody reading={reading} name={name} further={[]} />
        )}
      </div>
      <WallFoot at={rankings.data?.at} error={rankings.error} pace={pace} onLeave={leave} />
    </main>
  )
}
