import { sql } from "kysely"
import * as z from "zod/mini"
import type { PointsReport, PointsReportQuery } from "../../contract/job.ts"
import type { JobStore } from "../../core/jobs/job-store.ts"
import type { Engine } from "./engine.ts"

/** Every time zone is a whole number of these away from UTC, so none of them lies in two days. */
const quarterHourMs = 900_000

/** Confirmed points that belong together: one kind, and one reason, one person or one quarter of an hour. */
const pointsSum = z.object({
  kind: z.enum(["award", "deduct"]),
  /** The reason, the person's name, or the start of a quarter of an hour in ms since 1970. */
  group: z.union([z.string(), z.number()]),
  points: z.number(),
  rows: z.number(),
})

// Whole numbers are divided: the start of the quarter of an hour.
const quarterHour = sql`job_row.closed_at / ${sql.lit(quarterHourMs)} * ${sql.lit(quarterHourMs)}`

const groups = {
  reason: sql`coalesce(job_row.reason, '')`,
  person: sql`job.created_by_name`,
  month: quarterHour,
  day: quarterHour,
}

/** What our jobs did to points. */
export function jobReport({ db }: Engine): Pick<JobStore, "pointsReport"> {
  return {
    async pointsReport({ by = "reason", from, to }, timeZone) {
      const group = groups[by]
      const { rows } = await sql`
        select job.kind as kind, ${group} as "group", count(*) as rows,
          cast(coalesce(sum(job_row.points), 0) as bigint) as points
        from job_row inner join job on job.number = job_row.job
        where job_row.state = 'confirmed' and job.kind in ('award', 'deduct')
          and job_row.closed_at >= ${from === undefined ? 0 : Date.parse(from)}
          and job_row.closed_at <= ${to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to)}
        group by job.kind, ${group}`.execute(db)
      return pointsReportOf(z.array(pointsSum).parse(rows), by, timeZone)
    },
  }
}

type ReportRow = PointsReport["rows"][number]

/** Lines of the report: months and days in their order, reasons and people by how many points they stand for. */
function pointsReportOf(
  sums: readonly z.output<typeof pointsSum>[],
  by: NonNullable<PointsReportQuery["by"]>,
  timeZone: string,
): PointsReport["rows"] {
  const timed = by === "month" || by === "day"
  const nameOf = timed ? namesIn(timeZone, by) : String
  const lines = new Map<string, ReportRow>()
  for (const sum of sums) {
    const group = nameOf(sum.group)
    const line = lines.get(group) ?? { group, awarded: 0, deducted: 0, awards: 0, deductions: 0 }
    lines.set(group, withSum(line, sum))
  }
  return [...lines.values()].toSorted((one, other) => {
    const more = other.awarded + other.deducted - one.awarded - one.deducted
    if (!timed && more !== 0) return more
    return one.group < other.group ? -1 : 1
  })
}

function withSum(line: ReportRow, { kind, points, rows }: z.output<typeof pointsSum>): ReportRow {
  return kind === "award"
    ? { ...line, awarded: line.awarded + Math.abs(points), awards: line.awards + rows }
    : { ...line, deducted: line.deducted + Math.abs(points), deductions: line.deductions + rows }
}

/** Names the month or the day of a time in a zone, such as `2026-11` or `2026-11-21`. */
function namesIn(timeZone: string, by: "month" | "day"): (at: string | number) => string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  })
  return (at) => {
    const parts = format.formatToParts(Number(at))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ""
    const month = `${part("year")}-${part("month")}`
    return by === "month" ? month : `${month}-${part("day")}`
  }
}
