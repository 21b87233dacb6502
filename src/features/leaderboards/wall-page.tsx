import { Stack } from "@mantine/core"
import { useHotkeys } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type CSSProperties, useEffect } from "react"
import type { BudgetState } from "../../../contract/response.ts"
import { explain } from "../../lib/errors.ts"
import { rankingsQuery } from "../../api/leaderboards.ts"
import { useSession } from "../../api/session.ts"
import { budgetQuery } from "../../api/status.ts"
import { scoreText, type Standing, type Standings } from "../../lib/ranking/ranking.ts"
import { ago, duration } from "../../lib/time.ts"
import { EnvBadge } from "../../ui/brand.tsx"
import { useNow, usePageTitle } from "../../ui/hooks.ts"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { Moved, type Movement, useMovement } from "./movement.tsx"
import { RankingView, useRanking } from "./ranking-view.tsx"
import classes from "./wall.module.css"
import { Button } from "../../ui/button.tsx"

const route = getRouteApi("/leaderboards_/$boardId_/wall")

/** One leaderboard for a wall display: only the places, their age and the way out. */
export function WallPage() {
  const { boardId } = route.useParams()
  return (
    <RequirePagePermission permission="leaderboards.read" title="Leaderboards" noun="leaderboards">
      <Wall key={boardId} boardId={boardId} />
    </RequirePagePermission>
  )
}

function Wall({ boardId }: { boardId: string }) {
  const { limit } = route.useSearch()
  const navigate = route.useNavigate()
  const { environment } = useSession()
  const pace = wallPace(useQuery(budgetQuery).data)
  // Pauses while the page is hidden, and continues after a failure.
  useQuery({ ...rankingsQuery(boardId, limit), refetchInterval: pace, refetchIntervalInBackground: false })
  const { query, ranking, name } = useRanking(boardId, limit)
  const movement = useMovement(boardId, limit, ranking)
  const leave = () => void navigate({ to: "/leaderboards/$boardId", params: { boardId }, search: { limit } })
  usePageTitle(name)
  useWakeLock()
  useHotkeys([["Escape", leave]])
  return (
    <Stack component="main" gap={0} className={classes.wall}>
      <header className={classes.header}>
        <h1 className={`grow wrap-anywhere ${classes.title}`}>
          <bdi>{name}</bdi>
        </h1>
        {environment !== "production" && <EnvBadge environment={environment} />}
      </header>
      <Stack gap={0} className={`grow ${classes.body}`}>
        {query.isPending && <SkeletonRows rows={8} />}
        {ranking?.view === "standings" && (
          <WallPlaces standings={ranking.standings} label={name} movement={movement?.day} />
        )}
        {ranking && ranking.view !== "standings" && <RankingView ranking={ranking} name={name} />}
      </Stack>
      <WallFooter
        at={query.data?.at}
        error={query.error}
        pace={pace}
        compared={
          movement && (movement.day.known ? `Arrows: ${movement.day.label.toLowerCase()}` : movement.note)
        }
        onLeave={leave}
      />
    </Stack>
  )
}

/** Places per column before a second one begins, on wide screens. */
const perColumn = 15

function WallPlaces(props: { standings: Standings; label: string; movement: Movement | undefined }) {
  const { standings, label, movement } = props
  const columns = Math.min(3, Math.ceil(standings.rows.length / perColumn))
  const places = Math.ceil(standings.rows.length / columns)
  const shape: CSSProperties & Record<`--${string}`, number> = { "--places": places }
  return (
    <Stack
      component="section"
      gap={0}
      className="grow scroll focus-inside"
      aria-label={`${label}, places`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where not all fits, also by keyboard
      tabIndex={0}
    >
      <ol className={classes.places} style={shape}>
        {standings.rows.map((row) => (
          <Place key={row.at} row={row} movement={movement} />
        ))}
      </ol>
    </Stack>
  )
}

function Place({ row, movement }: { row: Standing; movement: Movement | undefined }) {
  return (
    <li className={`line-above ${classes.place}`} data-leads={row.leads || undefined}>
      <span className={`text-muted l-strong l-num ${classes.rank}`}>
        {row.rank ?? ""}
        {row.tied && <span className="visually-hidden"> tied</span>}
      </span>
      <span className={classes.who}>
        <bdi className="truncate">{row.name ?? row.memberId ?? "No name"}</bdi>
        {row.note !== null && <bdi className="truncate">{row.note}</bdi>}
      </span>
      <span className={classes.moved}>
        <Moved move={movement?.of(row)} />
      </span>
      <span className={`${classes.score} l-strong l-num`}>{scoreText(row.score, row.sentScore)}</span>
      {row.share !== null && (
        <span className={classes.bar} style={{ width: `${row.share * 100}%` }} aria-hidden />
      )}
    </li>
  )
}

function WallFooter(props: {
  at: number | undefined
  error: unknown
  pace: number
  compared: string | undefined
  onLeave: () => void
}) {
  const { at, error, pace, compared, onLeave } = props
  const now = useNow("second")
  const failed = error !== null
  return (
    <footer className={`text-secondary l-num ${classes.footer}`}>
      <span className={classes.age} data-late={failed || undefined}>
        {at === undefined ? "Not loaded yet" : `Updated ${ago(at, Math.max(now, at))}`}
      </span>
      <output className="text-muted">
        {failed
          ? `${explain(error).title}. Retries automatically.`
          : `Updates every ${duration(Math.floor(pace / 60_000) * 60_000)}`}
      </output>
      {compared && <span className="text-muted">{compared}</span>}
      <span className={`at-end ${classes.ways}`}>
        {document.fullscreenEnabled && (
          <Button size="xs" onClick={() => void document.documentElement.requestFullscreen().catch(() => {})}>
            Full screen
          </Button>
        )}
        <Button size="xs" onClick={onLeave}>
          Leave <kbd>Esc</kbd>
        </Button>
      </span>
    </footer>
  )
}

/** Prevents the screen from sleeping while the page is visible, where supported. */
function useWakeLock(): void {
  useEffect(() => {
    // Undefined outside a secure context, whatever the types say.
    const locks: WakeLock | undefined = navigator.wakeLock
    const watching = new AbortController()
    const { signal } = watching
    const hold = async () => {
      if (document.visibilityState !== "visible") return
      const lock = await locks?.request("screen")
      if (signal.aborted) await lock?.release()
      signal.addEventListener("abort", () => void lock?.release())
    }
    // Refused: the screen then sleeps as configured.
    const onChange = () => void hold().catch(() => {})
    onChange()
    document.addEventListener("visibilitychange", onChange, { signal })
    return () => watching.abort()
  }, [])
}

/** At most once a minute, just after the server's cached response is stale. In ms. */
const usualMs = 61_000

/** Refetch interval of a wall display, in ms: longer while the shared budget is low, since users have priority. */
export function wallPace(budgets: readonly BudgetState[] | undefined): number {
  const budget = budgets?.find(({ api }) => api === "program")
  if (budget === undefined || budget.limit === 0) return usualMs
  if (budget.waiting > 0 || budget.left <= budget.limit / 10) return 5 * usualMs
  return budget.left <= budget.limit / 4 ? 2 * usualMs : usualMs
}
