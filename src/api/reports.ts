import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { pointsReport, type PointsReportQuery } from "../../contract/desk/report.ts"
import { jobsKey } from "./jobs.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

/**
 * Points that our own jobs awarded and deducted, summed by reason, person or month. It comes from the desk's own
 * store and costs no upstream request; below the key of the jobs, because a job that goes on changes it.
 */
export function pointsReportQuery(query: PointsReportQuery) {
  return queryOptions({
    queryKey: [...jobsKey, "report", query],
    queryFn: async ({ signal }) => {
      const path = apiPath("reports", "points")
      const answer = await request({ path, query: { ...query }, schema: pointsReport, signal })
      return { report: answer.data, at: answer.at }
    },
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}
