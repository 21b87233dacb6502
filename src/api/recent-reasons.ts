import { queryOptions } from "@tanstack/react-query"
import { pointsReport } from "../../contract/desk/report.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

const day = 86_400_000

/** Days whose awards are looked at for reasons. */
const span = 60

/**
 * Reasons the desk awarded points for in the last 60 days, the most used first. They come from the desk's own jobs:
 * asking costs no upstream request.
 */
export const recentReasonsQuery = queryOptions({
  queryKey: ["reports", "recent-reasons"],
  queryFn: async ({ signal }): Promise<readonly string[]> => {
    const from = new Date(Date.now() - span * day).toISOString()
    const answer = await request({
      path: apiPath("reports", "points"),
      query: { by: "reason", from },
      schema: pointsReport,
      signal,
    })
    return answer.data.rows
      .filter(({ awards, group }) => awards > 0 && group !== "")
      .toSorted((a, b) => b.awards - a.awards)
      .map(({ group }) => group)
  },
  staleTime: 5 * 60_000,
  retry: false,
})
