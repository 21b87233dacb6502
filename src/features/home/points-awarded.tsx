import { Box, Group, SegmentedControl } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useMemo } from "react"
import * as z from "zod/mini"
import type { Report } from "../../../contract/reports.ts"
import { limits } from "../../../contract/limits.ts"
import { dayAt, addDays } from "../../../contract/zoned-days.ts"
import { reportQuery } from "../../api/reports.ts"
import { useCan, useSession } from "../../api/session.ts"
import { createStored } from "../../lib/browser-storage.ts"
import { barsTop } from "../../lib/chart-axis.ts"
import { coverageOf, missingCoverage } from "../../lib/report-coverage.ts"
import { dayLabel } from "../../lib/time.ts"
import { formatPoints, listed, shortPoints } from "../../lib/format.ts"
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

/** Points awarded by day, from the local copy; without one those awarded with Laurel. It costs no service request. */
export function PointsAwarded() {
  const { program } = useSession()
  const mayAward = useCan("points.write")
  const today = dayAt(useServerNow("half-minute"), program.time_zone)
  const filter = useMemo(() => chartFilter(today, program.time_zone), [today, program.time_zone])
  const query = useQuery(reportQuery("ledgers", lastDays(today)))
  const { view } = useView()
  const { source, total } = query.data?.report ?? {}
  const awarded = total?.["awarded"] ?? 0
  const redeemed = total?.["redeemed"]
  const isAll = source === "copy" && view === "total"
  const missing = isAll && query.data ? missingCoverage(query.data.report) : []
  const loading = (
    <output className={classes.plot}>
      <span className="visually-hidden">Loading…</span>
    </output>
  )
  return (
    <Section
      title={isAll ? "Points awarded" : "Points awarded with Laurel"}
      aside={missing.length > 0 ? missing.map(coverageOf).join(", ") : undefined}
      end={
        total !== undefined && (
          <Group component="span" gap="4px 16px">
            {awarded > 0 && (
              <SegmentedControl
                aria-label="Show points awarded"
                value={view}
                data={[...views]}
                onChange={(chosen) => useView.setState({ view: chosen })}
              />
            )}
            <Link to="/reports/points" search={lastDays(today)}>
              <Box component="b" fz="var(--l-fs-ui)" c="var(--l-text)">
                {formatPoints(awarded)}
              </Box>
              {typeof redeemed === "number" && ` awarded, ${formatPoints(redeemed)} redeemed`} in {daysShown}{" "}
              days
            </Link>
          </Group>
        )
      }
    >
      <Loaded query={query} what="Couldn’t load the report." placeholder={loading}>
        {({ report }) =>
          awarded > 0 && view === "reason" ? (
            <Suspense fallback={loading}>
              <ReasonsChart filter={filter} today={today} placeholder={loading} />
            </Suspense>
          ) : awarded > 0 ? (
            <DaysChart days={awardDays(report.rows, today)} />
          ) : (
            <p className={`text-secondary ${classes.noPlot}`}>
              No points were awarded in {daysShown} days.{" "}
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

/** The report of the days shown. */
const lastDays = (today: string) => ({ by: "day", from: addDays(today, 1 - daysShown), to: today })

/**
 * One bar per day, today's highlighted. Thirty bars need no charting library, which would be the largest chunk of the
 * first page; it is loaded only for the chart by reason.
 */
function DaysChart({ days }: { days: readonly AwardDay[] }) {
  const { top, isCutOff } = barsTop(days.map(({ points }) => points))
  const last = days.length - 1
  return (
    <figure>
      <figcaption className="visually-hidden">{awardsSentence(days)}</figcaption>
      <div className={classes.plot} data-cut={isCutOff || undefined} aria-hidden>
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
                  data-cut={points > top || undefined}
                  style={{ height: `clamp(2px, ${(points / top) * 100}%, 100%)` }}
                />
              )}
              {points > top && <span className={classes.cutValue}>{shortPoints(points)}</span>}
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
export function awardDays(rows: Report["rows"], today: string): readonly AwardDay[] {
  const points = new Map(rows.map(({ group, values }) => [group, values["awarded"] ?? 0]))
  return Array.from({ length: daysShown }, (_, at) => {
    const day = addDays(today, at + 1 - daysShown)
    return { day, points: points.get(day) ?? 0 }
  })
}

/** Text alternative of the chart. */
export function awardsSentence(days: readonly AwardDay[]): string {
  const total = days.reduce((sum, { points }) => sum + points, 0)
  const most = days.reduce((best, day) => (day.points > best.points ? day : best))
  const today = days.at(-1)?.points ?? 0
  const { top } = barsTop(days.map(({ points }) => points))
  const cut = days.filter(({ points }) => points > top).map(({ day }) => dayLabel(day))
  const note = cut.length === 0 ? "" : ` Cut off in the chart: ${listed(cut)}.`
  return `${formatPoints(total)} points in ${days.length} days, most on ${dayLabel(most.day)} with ${formatPoints(most.points)}; ${formatPoints(today)} today.${note}`
}
