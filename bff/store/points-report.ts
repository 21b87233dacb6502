import { sql } from "kysely"
import * as z from "zod/mini"
import type { PointsReport, PointsReportQuery } from "../../contract/job.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import type { JobStore } from "../../core/jobs/job-store.ts"
import type { Engine } from "./engine.ts"

/** Confirmed points of one kind, and one reason, one person or one quarter of an hour (its start in ms since 1970). */
const pointsSum = z.object({
  kind: z.enum(["award", "deduct"]),
  group: z.union([z.string(), z.number()]),
  points: z.number(),
  rows: z.number(),
})

/** Every time zone is a whole number of these away from UTC, so none of them lies in two days. */
const quarterHourMs = 900_000
// Whole numbers are divided: the start of the quarter of an hour.
const quarterHour = sql`job_row.closed_at / ${sql.lit(quarterHourMs)} * ${sql.lit(quarterHourMs)}`

const groups = {
  reason: sql`coalesce(job_row.reason, '')`,
  person: sql`job.created_by_name`,
  month: quarterHour,
  day: quarterHour,
}

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

/** Lines of the report: months and days in their order, reasons and people by how many points they stand for. */
function pointsReportOf(
  sums: readonly z.output<typeof pointsSum>[],
  by: NonNullable<PointsReportQuery["by"]>,
  timeZone: string,
): PointsReport["rows"] {
  const timed = by === "month" || by === "day"
  const nameOf = (group: string | number) =>
    timed ? dayAt(Number(group), timeZone).slice(0, by === "month" ? 7 : 10) : String(group)
  const lines = new Map<string, PointsReport["rows"][number]>()
  for (const { kind, group, points, rows } of sums) {
    const name = nameOf(group)
    const line = lines.get(name) ?? { group: name, awarded: 0, deducted: 0, awards: 0, deductions: 0 }
    const added =
      kind === "award"
        ? { awarded: line.awarded + Math.abs(points), awards: line.awards + rows }
        : { deducted: line.deducted + Math.abs(points), deductions: line.deductions + rows }
    lines.set(name, { ...line, ...added })
  }
  return [...lines.values()].toSorted((one, other) => {
    const more = other.awarded + other.deducted - one.awarded - one.deducted
    if (!timed && more !== 0) return more
    return one.group < other.group ? -1 : 1
  })
}
