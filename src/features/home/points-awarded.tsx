import { Box, Group, SegmentedControl } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useMemo } from "react"
import * as z from "zod/mini"
import type { PointsReport } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import { dayAt, addDays } from "../../../contract/zoned-days.ts"
import { pointsReportQuery } from "../../api/points.ts"
import { useCan, useSession } from "../../api/session.ts"
import { createStored } from "../../lib/browser-storage.ts"
import { dayLabel } from "../../lib/time.ts"
import { formatPoints, shortPoints } from "../../lib/format.ts"
import { useServerNow } from "../../ui/hooks.ts"
import { Section } from "../../ui/page-header.tsx"
import classes from "./home.module.css"
import { chartFilter } from "./home-data.ts"
import { Loaded } from "./program-panels.tsx"

const ReasonsChart = lazy(async () => ({ default: (await import("./points-by-reason.tsx")).ReasonsChart }))

const views = [
  { value: "total", label: "Total" },
  { value: "reason", label: "By reason" },
] as const
const viewChoice = z.object({ view: z.enum(["total", "reason"]) })
const useView = createStored<z.output<typeof viewChoice>>("laurel-home-points-view", viewChoice, {
  view: "total",
})

/** Points awarded through Laurel by day; from Laurel's own store, so it costs no service request. */
export function PointsAwarded() {
  const { program } = useSession()
  const mayAward = useCan("points.write")
  const today = dayAt(useServerNow("half-minute"), program.time_zone)
  const filter = useMemo(() => chartFilter(today, program.time_zone), [today, program.time_zone])
  const query = useQuery(pointsReportQuery(filter))
  const { view } = useView()
  const total = query.data?.report.total.awarded
  const loading = (
    <output className={classes.plot}>
      <span className="visually-hidden">Loading…</span>
    </output>
  )
  return (
    <Section
      title="Points awarded with Laurel"
      end={
        total !== undefined && (
          <Group component="span" gap="4px 16px">
            {total > 0 && (
              <SegmentedControl
                aria-label="Show points awarded"
                value={view}
                data={[...views]}
                onChange={(chosen) => useView.setState({ view: chosen })}
              />
            )}
            <Link to="/reports/points">
              <Box component="b" fz="var(--l-fs-ui)" c="var(--l-text)">
                {formatPoints(total)}
              </Box>{" "}
              in {daysShown} days
            </Link>
          </Group>
        )
      }
    >
      <Loaded query={query} what="Couldn’t load the report." placeholder={loading}>
        {({ report }) =>
          report.total.awarded > 0 && view === "reason" ? (
            <Suspense fallback={loading}>
              <ReasonsChart filter={filter} today={today} placeholder={loading} />
            </Suspense>
          ) : report.total.awarded > 0 ? (
            <DaysChart days={awardDays(report.rows, today)} />
          ) : (
            <p className={`text-secondary ${classes.noPlot}`}>
              No points were awarded from here in {daysShown} days.{" "}
              {mayAward && (
                <Link to="/" search={{ act: "award" }} className="l-link">
                  Award points
                </Link>
              )}
            </p>
          )
        }
      </Loaded>
    </Section>
  )
}

const namedEvery = 10

/**
 * One bar per day, today's highlighted. Thirty bars need no charting library, which would be the largest chunk of the
 * first page; it is loaded only for the chart by reason.
 */
function DaysChart({ days }: { days: readonly AwardDay[] }) {
  const top = axisTop(Math.max(...days.map(({ points }) => points)))
  const last = days.length - 1
  return (
    <figure>
      <figcaption className="visually-hidden">{awardsSentence(days)}</figcaption>
      <div className={classes.plot} aria-hidden>
        {[1, 0.5, 0].map((share) => (
          <span key={share} className={classes.gridLine} style={{ bottom: `${share * 100}%` }}>
            {shortPoints(top * share)}
          </span>
        ))}
        <div className={classes.dayBars}>
          {days.map(({ day, points }, at) => (
            <span
              key={day}
              className={classes.daySlot}
              title={`${at === last ? "Today" : dayLabel(day)}: ${formatPoints(points)}`}
            >
              {points > 0 && (
                <span
                  className={`fill ${classes.dayBar}`}
                  data-leads={at === last || undefined}
                  style={{ height: `max(${(points / top) * 100}%, 2px)` }}
                />
              )}
              {(at === 0 || (last - at) % namedEvery === 0) && (
                <span className={classes.dayName}>{at === last ? "Today" : dayLabel(day)}</span>
              )}
            </span>
          ))}
        </div>
      </div>
    </figure>
  )
}

/** Number of days shown, including today. */
export const daysShown = limits.chartDays

/** Points awarded on one day. */
export type AwardDay = Readonly<{ day: string; points: number }>

/** Awards of every day up to today, including days without one. */
export function awardDays(rows: PointsReport["rows"], today: string): readonly AwardDay[] {
  const points = new Map(rows.map(({ group, awarded }) => [group, awarded]))
  return Array.from({ length: daysShown }, (_, at) => {
    const day = addDays(today, at + 1 - daysShown)
    return { day, points: points.get(day) ?? 0 }
  })
}

/** Top of the axis: a round number of at least `most`, whose half is an integer. */
export function axisTop(most: number): number {
  if (most <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 4, 6, 8].find((step) => step * power >= most) ?? 10) * power
}

/** Text alternative of the chart. */
export function awardsSentence(days: readonly AwardDay[]): string {
  const total = days.reduce((sum, { points }) => sum + points, 0)
  const most = days.reduce((best, day) => (day.points > best.points ? day : best))
  const today = days.at(-1)?.points ?? 0
  return `${formatPoints(total)} points in ${days.length} days, most on ${dayLabel(most.day)} with ${formatPoints(most.points)}; ${formatPoints(today)} today.`
}
