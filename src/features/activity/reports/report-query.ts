import type { PointsReportQuery } from "../../../../contract/points-report.ts"
import { momentsOf } from "../../../lib/days.ts"
import type { ReportSearch } from "./report-search.ts"

/** The address as the server is asked; days are the program's. */
export function reportQueryOf(search: ReportSearch, timeZone: string): PointsReportQuery {
  return { by: search.by, ...momentsOf(search, timeZone) }
}
