import { Box, Group, Stack } from "@mantine/core"
import { useDocumentVisibility, useHotkeys } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type CSSProperties, useEffect } from "react"
import { type Place, rankingsQuery } from "../../api/leaderboards.ts"
import { useSession } from "../../api/session.ts"
import { explain } from "../../lib/errors.ts"
import { ago } from "../../lib/time.ts"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { EnvBadge } from "../../ui/brand.tsx"
import { Button } from "../../ui/button.tsx"
import { useNow, usePageTitle } from "../../ui/hooks.ts"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { Moved, type Movement, NoPlaces, useMovement, useRanking } from "./board-view.tsx"
import classes from "./wall.module.css"

const route = getRouteApi("/leaderboards_/$boardId_/wall")

/** Just after the server's cached response is stale, in ms. */
const refetchInterval = 61_000

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
  useQuery({ ...rankingsQuery(boardId, limit), refetchInterval })
  const { query, ranking, name } = useRanking(boardId, limit)
  const movement = useMovement(boardId, limit, ranking)
  const leave = () => void navigate({ to: "/leaderboards/$boardId", params: { boardId }, search: { limit } })
  const now = useNow("second")
  const at = query.data?.at
  usePageTitle(name)
  useWakeLock()
  useHotkeys([["Escape", leave]])
  return (
    <Stack component="main" gap={0} className={classes.wall}>
      <header className={classes.header}>
        <Box
          component="h1"
          fz="clamp(var(--l-fs-hero), 3vw, 64px)"
          lh={1.25}
          lts="-0.02em"
          className="grow wrap-anywhere"
        >
          <bdi>{name}</bdi>
        </Box>
        {environment !== "production" && <EnvBadge environment={environment} />}
      </header>
      <Stack gap={0} fz={16} lh="24px" className="grow">
        {query.isPending && <SkeletonRows rows={8} />}
        {ranking?.view === "places" && (
          <WallPlaces places={ranking.places} label={name} movement={movement?.day} />
        )}
        {ranking && ranking.view !== "places" && <NoPlaces ranking={ranking} name={name} />}
      </Stack>
      <footer className={`text-secondary l-num ${classes.footer}`}>
        <span className={classes.age} data-late={query.error !== null || undefined}>
          {at === undefined ? "Not loaded yet" : `Updated ${ago(at, Math.max(now, at))}`}
        </span>
        <output className="text-muted">
          {query.error ? `${explain(query.error).title}. Retries automatically.` : "Updates every minute"}
        </output>
        <span className="text-muted">
          {movement && (movement.note || `Arrows: ${movement.day.label.toLowerCase()}`)}
        </span>
        <Group component="span" gap="sm" ms="auto">
          {document.fullscreenEnabled && (
            <Button
              size="xs"
              onClick={() => void document.documentElement.requestFullscreen().catch(() => {})}
            >
              Full screen
            </Button>
          )}
          <Button size="xs" onClick={leave}>
            Leave <kbd className="touch-hidden">Esc</kbd>
          </Button>
        </Group>
      </footer>
    </Stack>
  )
}

/** Places per column before a second one begins, on wide screens. */
const perColumn = 15

function WallPlaces(props: { places: readonly Place[]; label: string; movement: Movement | undefined }) {
  const { places, label, movement } = props
  const columns = Math.min(3, Math.ceil(places.length / perColumn))
  const shape: CSSProperties & Record<`--${string}`, number> = {
    "--places": Math.ceil(places.length / columns),
  }
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
        {places.map((place) => (
          <li
            key={place.index}
            className={`line-above ${classes.place}`}
            data-leads={place.leads || undefined}
          >
            <span className={`text-muted l-strong l-num ${classes.rank}`}>
              {place.rank}
              {place.tied && <span className="visually-hidden"> tied</span>}
            </span>
            <span className={classes.who}>
              <bdi className="truncate">{place.name ?? place.memberId ?? "No name"}</bdi>
              <bdi className="truncate">{place.note}</bdi>
            </span>
            <span style={{ fontSize: "0.7em" }}>
              <Moved move={movement?.of(place)} />
            </span>
            <span className={`${classes.score} l-strong l-num`}>{place.scoreText}</span>
            <span
              className={`fill ${classes.bar}`}
              data-leads={place.leads || undefined}
              style={{ width: `${(place.share ?? 0) * 100}%` }}
            />
          </li>
        ))}
      </ol>
    </Stack>
  )
}

/** Keeps the screen on while the page is visible, where supported and allowed. */
function useWakeLock(): void {
  const visibility = useDocumentVisibility()
  useEffect(() => {
    // Undefined outside a secure context.
    const locks: WakeLock | undefined = navigator.wakeLock
    if (visibility !== "visible") return undefined
    const lock = locks?.request("screen").catch(() => undefined)
    return () => void lock?.then((held) => held?.release())
  }, [visibility])
}
