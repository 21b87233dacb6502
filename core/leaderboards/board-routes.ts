import { type BoardHistory, boardHistoryQuery } from "../../contract/program/leaderboard.ts"
import { limits } from "../../contract/limits.ts"
import { route, type Route } from "../context.ts"
import { stored } from "../errors.ts"
import { redactData } from "../gateway/reads.ts"
import { success } from "../http.ts"
import { firstRows, hourlyRetentionMs, lastOfDays } from "./board-snapshots.ts"
import { operationById } from "../match.ts"
import { readQuery } from "../validation.ts"

/** The read whose responses are kept as snapshots. */
export const rankingsRead = "GET /leaderboards/{leaderboard_id}/rankings"

const usualPeriodMs = 30 * 86_400_000
/** The most that one response holds; a longer period has fewer per day. */
const mostAtOnce = 62

export const leaderboardRoutes: readonly Route[] = [
  // Costs no upstream request: the service has no history, these are rankings that were read earlier.
  route(
    "GET /leaderboards/{id}/history",
    "leaderboards.read",
    ["people", "query"],
    async ({ store, clock, settings }, request, { id = "" }) => {
      const { from, to, limit = limits.rankings.max } = readQuery(request.search, boardHistoryQuery)
      const { time_zone } = await settings.get("program")
      const until = to === undefined ? clock.now() : Date.parse(to)
      const since = from === undefined ? until - usualPeriodMs : Date.parse(from)
      const times = await stored(store.snapshots.times(id))
      const inside = times.filter((at) => at >= since && at <= until)
      const chosen = thinned(until - since > hourlyRetentionMs ? lastOfDays(inside, time_zone) : inside)
      const found = await stored(store.snapshots.list(id, chosen))
      const operation = operationById(rankingsRead)
      const redacts = operation.kind === "read" ? operation.redacts : undefined
      const history: BoardHistory = {
        first_at: times[0] === undefined ? null : new Date(times[0]).toISOString(),
        snapshots: found.map((snapshot) => {
          const { sent, places } = firstRows(snapshot.sent, limit)
          return {
            at: new Date(snapshot.at).toISOString(),
            places,
            complete: snapshot.complete && places === snapshot.places,
            // As the role may see the live rankings.
            sent: redacts === undefined ? sent : redactData(redacts, request.user.role, sent),
          }
        }),
      }
      return success(history)
    },
  ),
]

/** Evenly fewer, the last one always among them. */
function thinned(times: readonly number[]): number[] {
  const step = Math.max(1, Math.ceil(times.length / mostAtOnce))
  return times.filter((_, index) => (times.length - 1 - index) % step === 0)
}
