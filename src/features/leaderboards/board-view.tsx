import { Box, Group, Stack } from "@mantine/core"
import { IconTrophy } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import type { BoardHistory } from "../../../contract/program/leaderboard.ts"
import type { RankingRoles } from "../../../contract/settings.ts"
import { addDays, dayAt, startOfDay } from "../../../contract/zoned-days.ts"
import {
  boardHistoryQuery,
  formatScore,
  leaderboardMappingsQuery,
  leaderboardsQuery,
  type Place,
  type Ranking,
  rankingsQuery,
  readBoards,
  readRanking,
} from "../../api/leaderboards.ts"
import { useNamedPlaces } from "../../api/members.ts"
import { useCan, useSession } from "../../api/session.ts"
import { counted } from "../../lib/format.ts"
import { shortDay } from "../../lib/time.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { EmptyState } from "../../ui/query-state.tsx"
import { Avatar, MemberName } from "../../ui/values.tsx"
import classes from "./leaderboards.module.css"

const noPlaces: readonly Place[] = []

/** One board's ranking, read with the saved columns or a local `draft` of them. */
export function useRanking(boardId: string, limit: number, draft: RankingRoles | null = null) {
  const client = useQueryClient()
  const query = useQuery(rankingsQuery(boardId, limit))
  const mappings = useQuery(leaderboardMappingsQuery)
  const boards = useQuery(leaderboardsQuery())
  const saved = mappings.data?.boards.find(({ id }) => id === boardId)?.roles
  const chosen = draft ?? saved
  const response = query.data
  const read = useMemo(() => response && readRanking(response.data, chosen), [response, chosen])
  const places = useNamedPlaces(read?.places ?? noPlaces)
  const ranking = useMemo(() => read && { ...read, places }, [read, places])
  // The id when the name is unknown.
  const name = readBoards(boards.data?.data)?.find(({ id }) => id === boardId)?.name ?? boardId
  const refresh = () =>
    void client.prefetchQuery({ ...rankingsQuery(boardId, limit, { fresh: true }), staleTime: 0 })
  return { query, ranking, saved, name, refresh }
}

type Movements = ReturnType<typeof useMovement>

/** The places of a ranking with movement, a bar as chart and gaps. */
export function PlacesTable(props: { name: string; ranking: Ranking; movement: Movements }) {
  const { name, ranking, movement } = props
  const linked = useCan("members.read")
  const order = !ranking.hasRanks && "No ranks were sent: rows are numbered, equal scores share a place."
  return (
    <section
      className="scroll grow focus-inside"
      data-scroll-restoration-id={`list-${name}`}
      aria-label={`${name}, places`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
    >
      <Box component="p" px="gutter" pb={12} className="caption hide-empty">
        {[order, movement?.note].filter(Boolean).join(" ")}
      </Box>
      <div className={classes.places}>
        <DataTable
          wide
          label={name}
          columns={placeColumns(ranking.hasScores, linked, movement)}
          rows={ranking.places}
          keyOf={({ index }) => index}
        />
      </div>
    </section>
  )
}

function placeColumns(hasScores: boolean, linked: boolean, movement: Movements): DataColumn<Place>[] {
  const rank: DataColumn<Place> = {
    label: "Rank",
    width: 64,
    cell: (place) => (
      <span className={place.leads ? "l-strong l-num" : "l-strong l-num text-secondary"}>
        {place.rank ?? <span className="visually-hidden">No rank</span>}
        {place.tied && <small className="caption">tied</small>}
        <small className={`caption ${classes.onPhone}`}>
          <Moved move={movement?.day.of(place)} />
        </small>
      </span>
    ),
  }
  const name: DataColumn<Place> = {
    label: "Name",
    rowHeader: true,
    cell: (place) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar name={place.name ?? place.memberId ?? ""} accent={place.leads} />
        <Stack component="span" gap={0} lh="18px" className="grow">
          <MemberName name={place.name} memberId={place.memberId} linked={linked} />
          <bdi className="caption truncate hide-empty">{place.note}</bdi>
        </Stack>
      </Group>
    ),
  }
  // Always present, so that the layout does not shift when the movement is loaded.
  const moved = (since: "day" | "week", label: string, hideBelow: "phone" | "tablet"): DataColumn<Place> => ({
    id: since,
    label: movement?.[since].label ?? label,
    end: true,
    width: 112,
    hideBelow,
    cell: (place) => <Moved move={movement?.[since].of(place)} />,
  })
  const movements = [moved("day", "Since yesterday", "phone"), moved("week", "Since last week", "tablet")]
  if (!hasScores) return [rank, name, ...movements]
  return [
    rank,
    name,
    {
      label: "Score",
      end: true,
      width: 104,
      cell: ({ scoreText }) => <span className="l-strong wrap-anywhere">{scoreText}</span>,
    },
    ...movements,
    {
      label: "% of highest",
      hideBelow: "phone",
      cell: ({ share, leads }) =>
        share !== null && (
          <>
            <span
              className="fill"
              data-leads={leads || undefined}
              style={{ display: "block", width: `${share * 100}%`, height: 12, borderRadius: 3 }}
            />
            <span className="visually-hidden">{Math.round(share * 100)} %</span>
          </>
        ),
    },
    {
      label: "Gap to next",
      end: true,
      width: 104,
      hideBelow: "phone",
      cell: (place) => (
        <span className={place.leads ? "text-muted" : "text-secondary"}>{gapText(place)}</span>
      ),
    },
  ]
}

function gapText({ leads, gap }: Place): string {
  if (leads) return "Leads"
  if (gap === null) return ""
  if (gap === 0) return "Level"
  return gap > 0 ? `+${formatScore(gap)}` : formatScore(gap)
}

/** A ranking without places: empty, or a response as sent. */
export function NoPlaces({ ranking: { view, sent }, name }: { ranking: Ranking; name: string }) {
  const help = "The service sent an empty list. Rankings appear here when there are some."
  if (view === "empty") return <EmptyState icon={IconTrophy} title="No rankings yet" help={help} />
  return <SentJson label={`${name} as sent`} sent={sent} />
}

/** Maximum length of the JSON shown, in characters: longer texts slow the page down. */
const longestJson = 200_000

function SentJson({ label, sent }: { label: string; sent: unknown }) {
  return (
    <Box
      component="section"
      px="gutter"
      py={16}
      className="scroll grow line-above"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
    >
      <Box
        component="pre"
        m={0}
        lh="18px"
        className="l-mono text-secondary wrap-anywhere"
        style={{ whiteSpace: "pre-wrap" }}
      >
        {JSON.stringify(sent, null, 2).slice(0, longestJson)}
      </Box>
    </Box>
  )
}

/** A board at a time, in ms; `complete`: it had no further places. */
export interface PastBoard {
  readonly at: number
  readonly complete: boolean
  readonly places: readonly Place[]
}

/** A board's history, read with the current columns. */
export function pastBoards({ snapshots }: BoardHistory, roles: RankingRoles): PastBoard[] {
  return snapshots.flatMap(({ at, complete, sent }) => {
    const { view, places } = readRanking(sent, roles)
    return view === "places" ? [{ at: Date.parse(at), complete, places }] : []
  })
}

/** Places gained, negative when lost; `new`: not on the earlier board; null: unknown. */
type Move = number | "new" | null

/** Movement since an earlier time; `label`: such as "Since yesterday". */
export interface Movement {
  readonly label: string
  readonly of: (place: Place) => Move
}

/** Returns the identity of a row: the member's id if the earlier rows have ids, otherwise the name. */
export function identityFor(past: readonly Place[]): (place: Place) => string | null {
  const withIds = past.some(({ memberId }) => memberId !== null)
  return ({ memberId, name }) => (withIds ? memberId : name)
}

/** Ranks by identity; null for one shared by two places. */
function ranksByIdentity(places: readonly Place[], who: (place: Place) => string | null) {
  const groups = Map.groupBy(places, who)
  return new Map([...groups].map(([key, [place, other]]) => [key, other === undefined ? place?.rank : null]))
}

function movesSince(past: PastBoard | undefined, places: readonly Place[]): Movement["of"] {
  if (past === undefined) return () => null
  const who = identityFor(past.places)
  const [then, now] = [ranksByIdentity(past.places, who), ranksByIdentity(places, who)]
  return (place) => {
    const key = who(place)
    if (key === null || place.rank === null || now.get(key) == null) return null
    const before = then.get(key)
    if (before !== undefined) return before === null ? null : before - place.rank
    return past.complete || place.rank <= past.places.length ? "new" : null
  }
}

/** Movement since the day before `today` and since a week ago, each from the newest board read until then. */
export function getMovement(
  past: readonly PastBoard[],
  places: readonly Place[],
  today: string,
  timeZone: string,
): { readonly day: Movement; readonly week: Movement; readonly note: string } {
  const since = (days: number, usual: string) => {
    const board = past.findLast(({ at }) => at < startOfDay(addDays(today, 1 - days), timeZone))
    const isUsual = board === undefined || dayAt(board.at, timeZone) === addDays(today, -days)
    const label = isUsual ? usual : `Since ${shortDay(board.at, startOfDay(today, timeZone))}`
    return { board, label, of: movesSince(board, places) }
  }
  const day = since(1, "Since yesterday")
  const note = day.board ? "" : "Movement shows from tomorrow, when there is a day to compare with."
  return { day, week: since(7, "Since last week"), note }
}

/** Number of past days searched for an earlier board; also the chart's initial range. */
export const usualDays = 30

/** The movement of a board's places; undefined until it is loaded. */
export function useMovement(boardId: string, limit: number, ranking: Ranking | undefined) {
  const { time_zone } = useSession().program
  const today = dayAt(useServerNow("half-minute"), time_zone)
  const history = boardHistoryQuery(boardId, usualDays, limit)
  const { data } = useQuery({ ...history, enabled: ranking?.view === "places", refetchInterval: 3_600_000 })
  return useMemo(() => {
    if (data === undefined || ranking === undefined) return undefined
    return getMovement(pastBoards(data, ranking.roles), ranking.places, today, time_zone)
  }, [data, ranking, today, time_zone])
}

/** An arrow and a number, with text for screen readers; nothing while unknown. */
export function Moved({ move }: { move: Move | undefined }) {
  if (move === undefined) return null
  if (move === null) return <span className="visually-hidden">Not known</span>
  if (move === "new") return <span className="text-secondary">New</span>
  const [arrow, way] = move > 0 ? ["↑", "Up"] : ["↓", "Down"]
  const label = move === 0 ? "No change" : `${way} ${counted(Math.abs(move), "place")}`
  const tone = move === 0 ? undefined : move > 0 ? "success" : "danger"
  return (
    <span className={tone ? "tone-text l-num" : "text-muted"} data-tone={tone} title={label}>
      <span aria-hidden>{move === 0 ? "–" : `${arrow} ${Math.abs(move)}`}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
