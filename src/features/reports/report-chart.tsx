import { Bar, CartesianGrid, ComposedChart, Line, Tooltip, XAxis, YAxis } from "recharts"
import type { ReportRow, ReportValues } from "../../../contract/reports.ts"
import {
  ChartDrawing,
  chartProps,
  chartTip,
  gridProps,
  seriesColour,
  seriesName,
  xAxisProps,
  yAxisProps,
} from "../../ui/chart.tsx"
import { barsTop, cutOffNote, lineAxis } from "../../lib/chart-axis.ts"
import { dayLabel, shortMonths } from "../../lib/time.ts"
import { axisText, figureText, type ReportDefinition, type ReportMeasure } from "./report-definition.ts"

const mostBars = 12
const onPaper = { bars: 8, height: 140 }
const mostLabels = 12
const mostDays = 6
const beforeColour = seriesColour(7)
const height = 220

interface ChartProps {
  readonly rows: readonly ReportRow[]
  readonly measures: readonly ReportMeasure[]
  readonly labelOf: (row: ReportRow) => string
  readonly kind: ReportDefinition["chart"]
  /** Months or days; otherwise the largest groups. */
  readonly timed: boolean
  readonly compared: boolean
  readonly currency: string
  /** On paper: in px, because a printer’s page is no window. */
  readonly width?: number
}

interface Series {
  readonly name: string
  readonly measure: ReportMeasure
  readonly colour: string
  readonly of: (row: ReportRow) => number | null
}

/** The charted figures of a report’s rows; what it shows is in the table too. */
export function ReportChart(props: ChartProps) {
  const { rows, measures, kind, labelOf, timed, compared, currency, width } = props
  const series = seriesOf(measures, compared)
  const [first] = series
  if (first === undefined) return null
  const shown = timed ? rows : rows.slice(0, width === undefined ? mostBars : onPaper.bars)
  const data = shown.map((row, at) => ({
    at,
    ...Object.fromEntries(series.map(({ of }, index) => [seriesName(index), of(row)])),
  }))
  const nameAt = (at: unknown) => {
    const row = shown[Number(at)]
    return row === undefined ? "" : labelOf(row)
  }
  const size = sizeOf(props, shown.length, kind === "stacked" ? 1 : series.length)
  const tip = chartTip(
    (name) => (series.length > 1 ? (series[Number(name.slice(1))]?.name ?? "") : ""),
    (value) =>
      figureText(
        { ...first.measure, key: "value" },
        { value: first.measure.unit === "ms" ? value * dayMs : value },
        currency,
      ),
    nameAt,
  )
  const { domain, note } =
    kind === "line" ? lineDomain(shown, series) : domainOf(props, timed ? shown : [], series)
  const figures = { tickFormatter: (value: number) => axisText(first.measure.unit, value) }
  const every = Math.ceil(shown.length / ((shown[0]?.group.length ?? 0) > 7 ? mostDays : mostLabels))
  return (
    <ChartDrawing legend={series.length > 1 ? series : []}>
      <ComposedChart
        {...size}
        data={data}
        maxBarSize={timed ? 28 : 14}
        layout={timed ? "horizontal" : "vertical"}
        barGap={2}
      >
        {timed ? (
          <CartesianGrid {...gridProps} />
        ) : (
          <CartesianGrid horizontal={false} stroke={gridProps.stroke} />
        )}
        {timed ? (
          <XAxis
            {...xAxisProps}
            dataKey="at"
            tickFormatter={(at: number) => timeLabel(shown[at]?.group ?? "")}
            ticks={data.map(({ at }) => at).filter((at) => at % every === 0)}
            interval="equidistantPreserveStart"
            minTickGap={10}
          />
        ) : (
          <XAxis {...xAxisProps} {...figures} type="number" interval="preserveStartEnd" />
        )}
        {timed ? (
          <YAxis {...yAxisProps} {...figures} width={52} {...domain} />
        ) : (
          <YAxis
            {...yAxisProps}
            dataKey="at"
            type="category"
            width={140}
            tickFormatter={(at) => shortened(nameAt(at))}
          />
        )}
        <Tooltip {...tip} />
        {series.map(({ name, colour }, index) =>
          kind === "line" ? (
            <Line
              key={name}
              dataKey={seriesName(index)}
              type="stepAfter"
              stroke={colour}
              strokeWidth={2}
              dot={{ r: 2, fill: colour, strokeWidth: 0 }}
              connectNulls={false}
              isAnimationActive={false}
            />
          ) : (
            <Bar
              key={name}
              dataKey={seriesName(index)}
              {...(kind === "stacked" && { stackId: "row", stroke: "var(--l-bg)" })}
              fill={colour}
              isAnimationActive={false}
            />
          ),
        )}
      </ComposedChart>
      {note !== undefined && <p className="caption">{note}</p>}
    </ChartDrawing>
  )
}

const dayMs = 86_400_000

/** A figure as it is drawn: times in days, so that the axis has round ones. */
function drawn({ key, unit }: ReportMeasure, values: ReportValues | null): number | null {
  const value = values?.[key] ?? null
  return value !== null && unit === "ms" ? value / dayMs : value
}

/** The axis of lines: it may begin above 0. */
function lineDomain(rows: readonly ReportRow[], series: readonly Series[]) {
  const values = rows.flatMap((row) => series.flatMap(({ of }) => of(row) ?? []))
  return { domain: lineAxis(values), note: undefined }
}

/** The axis of months or days: bars that would hide all others are cut off, and named with their values. */
function domainOf({ kind, labelOf }: ChartProps, rows: readonly ReportRow[], series: readonly Series[]) {
  const drawnOf = (row: ReportRow) => Math.max(...series.map(({ of }) => of(row) ?? 0))
  const { top, isCutOff } = barsTop(kind === "stacked" ? [] : rows.map(drawnOf))
  if (!isCutOff) return { domain: {}, note: undefined }
  const unit = series[0]?.measure.unit ?? "count"
  const cut = rows.filter((row) => drawnOf(row) > top)
  return {
    domain: { domain: [0, top], allowDataOverflow: true },
    note: cutOffNote(cut.map((row) => `${labelOf(row)}, ${axisText(unit, drawnOf(row))}`)),
  }
}

/** Each charted figure; compared with the period before only the first one, so that there are two bars. */
function seriesOf(measures: readonly ReportMeasure[], compared: boolean): readonly Series[] {
  const charted = measures.filter((measure) => measure.charted === true)
  const series = charted.map((measure, at): Series => ({
    name: measure.label,
    measure,
    colour: seriesColour(at),
    of: ({ values }) => drawn(measure, values),
  }))
  const [first] = series
  if (!compared || first === undefined) return series
  const before = {
    ...first,
    name: `${first.name} before`,
    colour: beforeColour,
    of: (row: ReportRow) => drawn(first.measure, row.before),
  }
  return [first, before]
}

/** As high as its bars need, and lower on paper. */
function sizeOf({ timed, width }: ChartProps, rows: number, barsPerRow: number) {
  const bar = width === undefined ? 12 : 8
  const named = Math.max(88, rows * bar * (1 + barsPerRow) + 32)
  if (width === undefined) return chartProps(timed ? height : named)
  const { margin, accessibilityLayer } = chartProps(height)
  const style = { width: "100%", height: "auto" }
  return { width, height: timed ? onPaper.height : named, margin, accessibilityLayer, style }
}

/** A month or day on the axis; January is its year. */
function timeLabel(group: string): string {
  const [year = "", month, day] = group.split("-")
  if (day !== undefined) return dayLabel(group)
  return month === "01" ? year : (shortMonths[Number(month) - 1] ?? group)
}

const longestName = 20

function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}
