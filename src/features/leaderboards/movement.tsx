import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { BoardHistory } from "../../../contract/program/leaderboard.ts"
import type { RankingRoles } from "../../../contract/settings.ts"
import { dayAt, addDays, startOfDay } from "../../../contract/zoned-days.ts"
import { boardHistoryQuery, type Place, type Ranking, readRanking } from "../../api/leaderboards.ts"
import { useSession } from "../../api/session.ts"
import { counted } from "../../lib/format.ts"
import { shortDay } from "../../lib/time.ts"
import { useServerNow } from "../../ui/hooks.ts"

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
export type Move = number | "new" | null

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
