import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts"
import type { PointsReport, PointsReportQuery } from "../../../contract/job.ts"
import { addDays } from "../../../contract/zoned-days.ts"
import { pointsReportQuery } from "../../api/points.ts"
import { barsTop, cutOffNote } from "../../lib/chart-axis.ts"
import { dayLabel } from "../../lib/time.ts"
import { formatPoints, shortPoints } from "../../lib/format.ts"
import {
  ChartFigure,
  chartProps,
  chartTip,
  gridProps,
  seriesColour,
  seriesName,
  xAxisProps,
  yAxisProps,
} from "../../ui/chart.tsx"
import { daysShown } from "./points-awarded.tsx"
import { Loaded } from "./program-panels.tsx"

const namedEvery = 10

/** Points awarded with Laurel by day and reason; from Laurel's own store, so it costs no service request. */
export function ReasonsChart(props: { filter: PointsReportQuery; today: string; placeholder: ReactNode }) {
  const { filter, today, placeholder } = props
  const query = useQuery(pointsReportQuery({ ...filter, split: "reason" }))
  return (
    <Loaded query={query} what="Couldn’t load the report." placeholder={placeholder}>
      {({ report }) => <Bars {...awardsByReason(report.rows, today)} today={today} />}
    </Loaded>
  )
}

const totalOf = ({ points }: DayReasons) => points.reduce((sum, each) => sum + each, 0)

function Bars({ reasons, days, today }: AwardsByReason & { today: string }) {
  const dayName = (day: unknown) => (day === today ? "Today" : dayLabel(String(day)))
  const { top } = barsTop(days.map(totalOf))
  const cut = days.filter((each) => totalOf(each) > top)
  const note = cutOffNote(cut.map((each) => `${dayName(each.day)}, ${formatPoints(totalOf(each))}`))
  return (
    <ChartFigure
      label="Points awarded by day and reason"
      legend={reasons}
      rows={days.toReversed()}
      keyOf={({ day }) => day}
      columns={[
        { label: "Day", rowHeader: true, cell: ({ day }) => dayName(day) },
        ...reasons.map((reason, at) => ({
          id: seriesName(at),
          label: reason,
          end: true,
          cell: ({ points }: DayReasons) => formatPoints(points[at] ?? 0),
        })),
        {
          label: "Total",
          end: true,
          cell: (each) => formatPoints(totalOf(each)),
        },
      ]}
    >
      <BarChart
        {...chartProps(200)}
        data={days.map(({ day, points }) => ({
          day,
          ...Object.fromEntries(points.map((each, at) => [seriesName(at), each])),
        }))}
        maxBarSize={20}
      >
        <CartesianGrid {...gridProps} />
        <XAxis
          {...xAxisProps}
          dataKey="day"
          ticks={days
            .map(({ day }) => day)
            .filter((_, at) => at === 0 || (days.length - 1 - at) % namedEvery === 0)}
          tickFormatter={dayName}
        />
        <YAxis
          {...yAxisProps}
          tickFormatter={shortPoints}
          domain={[0, top]}
          allowDataOverflow={cut.length > 0}
        />
        <Tooltip {...chartTip((series) => reasons[Number(series.slice(1))] ?? "", formatPoints, dayName)} />
        {reasons.map((_, at) => (
          <Bar
            key={seriesName(at)}
            dataKey={seriesName(at)}
            stackId="day"
            fill={seriesColour(at)}
            // A gap separates neighbours with similar colours.
            stroke="var(--l-bg)"
            isAnimationActive={false}
          />
        ))}
      </BarChart>
      {note !== undefined && <p className="caption">{note}</p>}
    </ChartFigure>
  )
}

/** One day's points, in the order of the reasons. */
type DayReasons = Readonly<{ day: string; points: readonly number[] }>

type AwardsByReason = Readonly<{ reasons: readonly string[]; days: readonly DayReasons[] }>

/** Every day up to today by reason; the reason with the most points first, all minor ones combined at the end. */
export function awardsByReason(rows: PointsReport["rows"], today: string): AwardsByReason {
  const sums = new Map<string | null, number>()
  for (const { reason = null, awarded } of rows) sums.set(reason, (sums.get(reason) ?? 0) + awarded)
  const order = [...sums].filter(([, awarded]) => awarded > 0)
  const ranked = order
    .toSorted(([one, more], [other, most]) => Number(one === null) - Number(other === null) || most - more)
    .map(([reason]) => reason)
  const of = Map.groupBy(rows, ({ group }) => group)
  return {
    reasons: ranked.map((reason) => (reason === null ? "Other reasons" : reason || "No reason")),
    days: Array.from({ length: daysShown }, (_, at) => {
      const day = addDays(today, at + 1 - daysShown)
      const awarded = (reason: string | null) =>
        of.get(day)?.find((row) => row.reason === reason)?.awarded ?? 0
      return { day, points: ranked.map(awarded) }
    }),
  }
}
