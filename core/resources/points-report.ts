import { pointsReportQuery, type PointsReport } from "../../contract/points-report.ts"
import { success } from "../http.ts"
import { readQuery } from "../validation.ts"
import type { OwnHandler } from "../routes.ts"
import { stored } from "../errors.ts"

/**
 * `GET /api/reports/points`: what our own jobs awarded and deducted, by reason, person or month of the program's time
 * zone.
 */
export const getPointsReport: OwnHandler = async ({ store, settings }, request) => {
  const query = readQuery(request.search, pointsReportQuery)
  const { time_zone } = await settings.get("program")
  const rows = await stored(store.jobs.pointsReport(query, time_zone))
  return success({ rows, total: totalOf(rows) } satisfies PointsReport)
}

function totalOf(rows: PointsReport["rows"]): PointsReport["total"] {
  const sum = (of: (row: PointsReport["total"]) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    group: "total",
    awarded: sum((row) => row.awarded),
    deducted: sum((row) => row.deducted),
    awards: sum((row) => row.awards),
    deductions: sum((row) => row.deductions),
  }
}
