import { type BoardHistory, boardHistoryQuery } from "../../contract/program/leaderboard.ts"
import { limits } from "../../contract/limits.ts"
import { route, type Route } from "../context.ts"
import { stored } from "../errors.ts"
import { success } from "../http.ts"
import { readQuery } from "../validation.ts"

/** The read whose responses are stored as snapshots. */
export const rankingsRead = "GET /leaderboards/{leaderboard_id}/rankings"

const usualPeriodMs = 30 * 86_400_000
/** The most snapshots in one response; of a longer period every second, third and so on. */
const mostAtOnce = 62

export const leaderboardRoutes: readonly Route[] = [
  // Makes no upstream request: the service has no history, these are rankings that were read earlier.
  route(
    "GET /leaderboards/{id}/history",
    "leaderboards.read",
    ["people", "query"],
    async ({ store, clock }, request, { id = "" }) => {
      const { from, to, limit = limits.rankings.max } = readQuery(request.search, boardHistoryQuery)
      const until = to === undefined ? clock.now() : Date.parse(to)
      const since = from === undefined ? until - usualPeriodMs : Date.parse(from)
      const times = await stored(store.snapshots.times(id))
      const inside = times.filter((at) => at >= since && at <= until)
      const step = Math.max(1, Math.ceil(inside.length / mostAtOnce))
      const chosen = inside.filter((_, index) => (inside.length - 1 - index) % step === 0)
      const history: BoardHistory = {
        first_at: times[0] === undefined ? null : new Date(times[0]).toISOString(),
        snapshots: (await stored(store.snapshots.list(id, chosen))).flatMap(({ at, complete, sent }) => {
          if (!Array.isArray(sent)) return []
          const rows: unknown[] = sent.slice(0, limit)
          const hasAllRows = complete && rows.length === sent.length
          return { at: new Date(at).toISOString(), places: rows.length, complete: hasAllRows, sent: rows }
        }),
      }
      return success(history)
    },
  ),
]
