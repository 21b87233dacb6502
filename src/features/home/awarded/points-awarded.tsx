import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMemo } from "react"
import { useCan, useSession } from "../../../api/session.ts"
import { pointsReportQuery } from "../../../api/points.ts"
import { formatPoints } from "../../../lib/format.ts"
import { momentsOf } from "../../../lib/days.ts"
import { dayAt } from "../../../../contract/zoned-days.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Section } from "../../../ui/page-header.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { awardDays, daysShown, firstDay } from "./award-days.ts"
import { DaysChart } from "./days-chart.tsx"
import classes from "./points-awarded.module.css"

/** Points awarded by the jobs of this desk, day by day. They come from the desk's own store. */
export function PointsAwarded() {
  const { program } = useSession()
  const mayAward = useCan("points.write")
  const today = dayAt(useNow("half-minute"), program.time_zone)
  const query = useMemo(
    () => ({ by: "day" as const, ...momentsOf({ from: firstDay(today) }, program.time_zone) }),
    [today, program.time_zone],
  )
  const { data, error, isFetching, refetch } = useQuery(pointsReportQuery(query))
  const total = data?.report.total.awarded
  return (
    <Section
      title="Points awarded with Laurel"
      end={
        total !== undefined && (
          <Link to="/reports/points">
            <b className={classes.total}>{formatPoints(total)}</b> in {daysShown} days
          </Link>
        )
      }
    >
      {data === undefined && error !== null && !isFetching && (
        <ErrorNotice error={error} what="Couldn’t load the report." onRetry={() => void refetch()} />
      )}
      {data === undefined && (error === null || isFetching) && (
        <output className={classes.waiting}>
          <span className="visually-hidden">Loading…</span>
        </output>
      )}
      {data !== undefined && total !== 0 && <DaysChart days={awardDays(data.report.rows, today)} />}
      {total === 0 && (
        <p className="text-secondary">
          No points were awarded from here in {daysShown} days.{" "}
          {mayAward && (
            <Link to="/" search={{ act: "award" }} className="l-link">
              Award points
            </Link>
          )}
        </p>
      )}
    </Section>
  )
}
