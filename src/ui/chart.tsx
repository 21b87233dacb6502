import { type ReactNode, useState } from "react"
import { calendarDayOf, exact, shortMonths, startOf } from "../lib/time.ts"
import classes from "./chart.module.css"
import { type DataColumn, DataTable } from "./data-table.tsx"

/** A chart, and its figures as a table for screen readers and keyboards. */
export function ChartFigure<T>(props: {
  label: string
  columns: readonly DataColumn<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  /** Names of the series, in the order of their colours. */
  legend?: readonly string[]
  children: ReactNode
}) {
  const { children, legend = [], ...table } = props
  const [open, setOpen] = useState(false)
  return (
    <>
      <ChartDrawing legend={legend.map((name, at) => ({ name, colour: seriesColour(at) }))}>
        {children}
      </ChartDrawing>
      <details className={classes.figures} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show as table</summary>
        {open && (
          <section
            className="scroll"
            aria-label={`${table.label}, figures`}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
            tabIndex={0}
          >
            <DataTable {...table} />
          </section>
        )}
      </details>
    </>
  )
}

/** A chart whose figures the page says in words or a table. `legend`: its series, where there are several. */
export function ChartDrawing(props: {
  legend?: readonly { readonly name: string; readonly colour: string }[]
  children: ReactNode
}) {
  const { legend = [], children } = props
  return (
    <div className={classes.chart} aria-hidden>
      {children}
      <ul className={`${classes.legend} hide-empty caption`}>
        {legend.map(({ name, colour }) => (
          <li key={name}>
            <i style={{ background: colour }} /> <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Key of a series in a chart's data. */
export const seriesName = (at: number): string => `p${at}`

/** Colour of a chart's series, from 0; repeats after the last one. */
export const seriesColour = (at: number): string => `var(--chart-${(at % seriesColours) + 1})`
const seriesColours = 10

/** Props of every chart, `height` px high: full width, and not focusable. */
export function chartProps(height: number) {
  return {
    responsive: true,
    style: { width: "100%", height },
    margin: { top: 8, right: 20, bottom: 0, left: 0 },
    accessibilityLayer: false,
  }
}

/** Grid lines at the labels of the points. */
export const gridProps = {
  vertical: false,
  // Otherwise labels are measured for vertical lines that are not rendered.
  verticalPoints: [0],
  // Avoids an additional line at the top.
  syncWithTicks: true,
  stroke: "var(--l-border)",
}

// Renders every label without measuring, which would force a layout for each; `timeTicks` and others space them.
const axisLook = {
  interval: 0,
  tick: { fontSize: 11, fill: "var(--l-text-3)" },
  axisLine: false,
  tickLine: false,
  className: "l-num",
} as const
export const xAxisProps = { ...axisLook, height: 22 }
export const yAxisProps = { ...axisLook, width: 40 }

/** A time axis from `from` to `to`, in ms; the end is labelled "Now" if it is. */
export function timeAxis(from: number, to: number, isNow: boolean) {
  return {
    type: "number",
    scale: "time",
    domain: [from, to],
    ticks: [...timeTicks(from, to), to],
    tickFormatter: (at: number) => (at === to && isNow ? "Now" : tickLabel(at, from, to)),
    ...xAxisProps,
  } as const
}

interface Pointed {
  readonly payload?: readonly { readonly name?: unknown; readonly value?: unknown; readonly color?: string }[]
  readonly label?: unknown
}

/** The values under the pointer; `nameOf` names a series, `head` the point on the axis. */
export function chartTip(
  nameOf: (series: string) => string,
  valueOf: (value: number) => string,
  head: (label: unknown) => string = (label) => exact(Number(label)),
) {
  return {
    isAnimationActive: false,
    cursor: { stroke: "var(--l-border)", fill: "none" },
    content: ({ payload = [], label }: Pointed) => {
      const shown = payload.filter(({ value }) => typeof value === "number" && value !== 0)
      if (shown.length === 0) return null
      return (
        <div className={`${classes.tip} l-meta l-num`}>
          <span>{head(label)}</span>
          {shown.map(({ name, value, color }) => (
            <b key={String(name)}>
              {nameOf(String(name)) && <i style={{ background: color }} />}
              {nameOf(String(name))} {valueOf(Number(value))}
            </b>
          ))}
        </div>
      )
    },
  }
}

const most = 5

/**
 * Ticks of the time axis: the first day of months for more than about two months, midnights otherwise; at most six,
 * evenly spaced, and none close enough to overlap the end's label on a phone.
 */
export function timeTicks(from: number, now: number): number[] {
  const days = (now - from) / 86_400_000
  const ticks: number[] = []
  const { year, month, day } = calendarDayOf(from)
  const byMonth = days > 62
  const step = byMonth ? Math.ceil(days / 30.4 / most) : Math.max(1, Math.ceil(days / most))
  for (let ahead = 1; ; ahead += step) {
    const at = byMonth ? startOf(year, month + ahead, 1) : startOf(year, month, day + ahead)
    if (at > now - (now - from) * 0.14) return ticks
    ticks.push(at)
  }
}

/** `Jun`, or `4 Jun` for a short range; January includes the year. */
export function tickLabel(at: number, from: number, now: number): string {
  const { year, month, words } = calendarDayOf(at)
  if ((now - from) / 86_400_000 <= 62) return words
  return month === 1 ? String(year) : (shortMonths[month - 1] ?? "")
}
