import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { BoardHistory } from "../../../contract/program/leaderboard.ts"
import type { RankingRoles } from "../../../contract/settings.ts"
import { dayAt, addDays, startOfDay } from "../../../contract/zoned-days.ts"
import { boardHistoryQuery } from "../../api/leaderboards.ts"
import { useSession } from "../../api/session.ts"
import { counted } from "../../lib/format.ts"
import { type Ranking, readRanking, type Standing } from "../../lib/ranking/ranking.ts"
import { shortDay } from "../../lib/time.ts"
import { useServerNow } from "../../ui/hooks.ts"

/** A board at a time, in ms; `complete`: it had no further places. */
export interface PastBoard {
  readonly at: number
  readonly complete: boolean
  readonly rows: readonly Standing[]
}

/** A board's history, read with the current field mapping. */
export function pastBoards({ snapshots }: BoardHistory, roles: RankingRoles): PastBoard[] {
  return snapshots.flatMap(({ at, complete, sent }) => {
    const { view, standings } = readRanking(sent, roles)
    return view === "standings" ? [{ at: Date.parse(at), complete, rows: standings.rows }] : []
  })
}

/** Places gained, negative when lost; `new`: not on the earlier board; null: unknown. */
export type Move = number | "new" | null

/** Movement since an earlier time. */
export interface Movement {
  /** Whether there was an earlier board to compare with. */
  readonly known: boolean
  /** Such as "Since yesterday". */
  readonly label: string
  readonly of: (row: Standing) => Move
}

/** Returns the identity of a row: the member's id if the earlier rows have ids, otherwise the name. */
export function identityFor(past: readonly Standing[]): (row: Standing) => string | null {
  const withIds = past.some(({ memberId }) => memberId !== null)
  return ({ memberId, name }) => (withIds ? memberId : name)
}

/** Ranks by identity; null for one shared by two places. */
function ranksByIdentity(rows: readonly Standing[], who: (row: Standing) => string | null) {
  const groups = Map.groupBy(rows, who)
  return new Map([...groups].map(([key, [row, other]]) => [key, other === undefined ? row?.rank : null]))
}

function movesSince(past: PastBoard | undefined, rows: readonly Standing[]): Movement["of"] {
  if (past === undefined) return () => null
  const who = identityFor(past.rows)
  const [then, now] = [ranksByIdentity(past.rows, who), ranksByIdentity(rows, who)]
  return (row) => {
    const key = who(row)
    if (key === null || row.rank === null || now.get(key) == null) return null
    const before = then.get(key)
    if (before !== undefined) return before === null ? null : before - row.rank
    return past.complete || row.rank <= past.rows.length ? "new" : null
  }
}

/**
 * Movement since the day before `today` and since a week ago, each from the newest board read until then; `note` says
 * from when there will be any.
 */
export function getMovement(
  past: readonly PastBoard[],
  rows: readonly Standing[],
  today: string,
  timeZone: string,
): { readonly day: Movement; readonly week: Movement; readonly note: string } {
  const now = startOfDay(today, timeZone)
  const before = (days: number) => {
    const end = startOfDay(addDays(today, 1 - days), timeZone)
    return past.findLast(({ at }) => at < end)
  }
  const since = (days: number, usual: string): Movement => {
    const board = before(days)
    const isThatDay = board === undefined || dayAt(board.at, timeZone) === addDays(today, -days)
    return {
      known: board !== undefined,
      label: isThatDay ? usual : `Since ${shortDay(board.at, now)}`,
      of: movesSince(board, rows),
    }
  }
  const first = past[0]
  const weekFrom = first && startOfDay(addDays(dayAt(first.at, timeZone), 7), timeZone)
  return {
    day: since(1, "Since yesterday"),
    week: since(7, "Since last week"),
    note:
      before(1) === undefined
        ? "Movement shows from tomorrow, when there is a day to compare with."
        : before(7) === undefined && weekFrom !== undefined
          ? `Movement since last week shows from ${shortDay(weekFrom, now)}.`
          : "",
  }
}

/** Number of past days searched for an earlier board; also the chart's initial range. */
export const usualDays = 30

/** The movement of a board's places; undefined until it is loaded. */
export function useMovement(boardId: string, limit: number, ranking: Ranking | undefined) {
  const { time_zone } = useSession().program
  const today = dayAt(useServerNow("half-minute"), time_zone)
  const enabled = ranking?.view === "standings"
  const hour = 3_600_000
  const query = useQuery({ ...boardHistoryQuery(boardId, usualDays, limit), enabled, refetchInterval: hour })
  return useMemo(() => {
    if (query.data === undefined || ranking === undefined) return undefined
    return getMovement(pastBoards(query.data, ranking.roles), ranking.standings.rows, today, time_zone)
  }, [query.data, ranking, today, time_zone])
}

/** An arrow and a number, with text for screen readers; nothing while unknown. */
export function Moved({ move }: { move: Move | undefined }) {
  if (move === undefined) return null
  if (move === null) return <span className="visually-hidden">Not known</span>
  if (move === "new") return <span className="text-secondary">New</span>
  const [arrow, way] = move > 0 ? ["↑", "Up"] : ["↓", "Down"]
  const words = move === 0 ? "No change" : `${way} ${counted(Math.abs(move), "place")}`
  const tone = move === 0 ? undefined : move > 0 ? "success" : "danger"
  return (
    <span className={tone ? "tone-text l-num" : "text-muted"} data-tone={tone} title={words}>
      <span aria-hidden>{move === 0 ? "–" : `${arrow} ${Math.abs(move)}`}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
