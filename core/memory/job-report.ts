import type { PointsReportQuery } from "../../contract/points-report.ts"
import { pointsReportOf, quarterHourMs, type PointsSum } from "../job-data/points-report.ts"
import type { JobRecord, JobStore, RowRecord } from "../jobs/job-store.ts"
import type { JobTable } from "./job-table.ts"

/** What the jobs of a memory store did to points. */
export function jobReport(table: JobTable): Pick<JobStore, "pointsReport"> {
  return {
    async pointsReport({ by = "reason", from, to }, timeZone) {
      const since = from === undefined ? -Infinity : Date.parse(from)
      const until = to === undefined ? Infinity : Date.parse(to)
      const sums: PointsSum[] = []
      for (const entry of table.entries) {
        const job = entry.record()
        const { kind } = job
        if (kind !== "award" && kind !== "deduct") continue
        for (const row of entry.rowsIn(["confirmed"], 0)) {
          const at = entry.end(row.row) ?? 0
          if (at < since || at > until) continue
          sums.push({ kind, group: groupOf(by, job, row, at), points: row.points ?? 0, rows: 1 })
        }
      }
      return pointsReportOf(sums, by, timeZone)
    },
  }
}

function groupOf(
  by: NonNullable<PointsReportQuery["by"]>,
  job: JobRecord,
  row: RowRecord,
  at: number,
): string | number {
  if (by === "month" || by === "day") return Math.floor(at / quarterHourMs) * quarterHourMs
  return by === "person" ? job.createdBy.name : (row.reason ?? "")
}
