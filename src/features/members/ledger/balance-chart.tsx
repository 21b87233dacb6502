import "@mantine/charts/styles.layer.css"
import { AreaChart } from "@mantine/charts"
import type { BalanceStep } from "./running-balance.tsx"
import { formatPoints, shortPoints } from "../../../lib/format.ts"
import { dayOf, exact, shortMonths, startOf } from "../../../lib/time.ts"
import classes from "../member-page.module.css"

const axisText = { fontSize: 11, fill: "var(--l-text-3)" }

/** A running balance as a step line from `from` to `now`, in ms: it holds until the next row, nothing is rounded. */
export function BalanceChart(props: {
  /** Oldest first, the last one when the rows were read. */
  steps: readonly BalanceStep[]
  from: number
  now: number
}) {
  const { steps, from, now } = props
  const points = steps.map((step) => step.points)
  const [lowest, highest] = [Math.min(...points), Math.max(...points)]
  return (
    <AreaChart
      h={132}
      data={[...steps]}
      dataKey="at"
      series={[{ name: "points", label: "Balance", color: "var(--l-accent-mark)" }]}
      curveType="stepAfter"
      strokeWidth={2}
      fillOpacity={0.1}
      referenceDots={[
        {
          x: steps.at(-1)?.at ?? now,
          y: points.at(-1) ?? 0,
          r: 4,
          color: "var(--l-accent-mark)",
          fill: "var(--l-accent-mark)",
        },
      ]}
      gridColor="var(--l-border)"
      withDots={false}
      withGradient={false}
      withLegend={false}
      tickLine="none"
      strokeDasharray="0"
      gridAxis="x"
      // Lines where the labels are; without this one more at the very top.
      gridProps={{ syncWithTicks: true }}
      classNames={{ axis: "l-num" }}
      areaProps={{ isAnimationActive: false }}
      areaChartProps={{ margin: { top: 8, right: 8, bottom: 0, left: 0 }, accessibilityLayer: false }}
      xAxisProps={{
        type: "number",
        scale: "time",
        domain: [from, now],
        ticks: [...timeTicks(from, now), now],
        tickFormatter: (at: number) => (at === now ? "Now" : tickWords(at, from, now)),
        interval: "preserveEnd",
        height: 22,
        tick: axisText,
      }}
      yAxisProps={{
        domain: pointsDomain(lowest, highest),
        ticks: pointsTicks(lowest, highest),
        tickFormatter: shortPoints,
        width: 40,
        tick: axisText,
      }}
      tooltipAnimationDuration={0}
      tooltipProps={{ content: balanceTip }}
    />
  )
}

function balanceTip(step: { readonly payload?: readonly { readonly value?: unknown }[]; label?: unknown }) {
  const value = step.payload?.[0]?.value
  if (value === undefined) return null
  return (
    <div className={`${classes.tip} l-meta l-num`}>
      <b>{formatPoints(Number(value))}</b>
      <span>{exact(Number(step.label))}</span>
    </div>
  )
}

const most = 6

/**
 * Where the axis of time is labelled: at firsts of months when the range is longer than about two months, at
 * midnights otherwise; at most six, evenly, and none so near the end that it would touch "Now".
 */
export function timeTicks(from: number, now: number): number[] {
  const days = (now - from) / 86_400_000
  const ticks: number[] = []
  const { year, month, day } = dayOf(from)
  const byMonth = days > 62
  const step = byMonth ? Math.ceil(days / 30.4 / most) : Math.ceil(days / most)
  for (let ahead = 1; ; ahead += step) {
    const at = byMonth ? startOf(year, month + ahead, 1) : startOf(year, month, day + ahead)
    if (at > now - (now - from) * 0.06) return ticks
    ticks.push(at)
  }
}

/** `Jun`, or `4 Jun` when the range is short; a January says its year. */
export function tickWords(at: number, from: number, now: number): string {
  const { year, month, words } = dayOf(at)
  if ((now - from) / 86_400_000 <= 62) return words
  return month === 1 ? String(year) : (shortMonths[month - 1] ?? "")
}

/** Round values from 0, or from below it when the balance was: two to four lines, none of them above the peak. */
export function pointsTicks(lowest: number, highest: number): number[] {
  const [low, high] = spanOf(lowest, highest)
  const rough = (high - low) / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(
    1,
    [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough,
  )
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step)
}

/** Both ends of the axis of points: 0 and every balance lie between them, with a little air above the peak. */
export function pointsDomain(lowest: number, highest: number): [number, number] {
  const [low, high] = spanOf(lowest, highest)
  return [low, high + (high - low) * 0.04]
}

function spanOf(lowest: number, highest: number): [number, number] {
  const low = Math.min(0, lowest)
  return [low, Math.max(0, highest, low + 1)]
}
