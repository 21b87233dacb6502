import { sql } from "kysely"
import * as z from "zod/mini"
import { pointsReportOf, quarterHourMs } from "../../../core/job-data/points-report.ts"
import type { JobStore } from "../../../core/jobs/job-store.ts"
import type { Engine } from "../engine.ts"

const pointsSum = z.object({
  kind: z.enum(["award", "deduct"]),
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
