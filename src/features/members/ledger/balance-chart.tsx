import { AreaChart } from "@mantine/charts"
import "@mantine/charts/styles.layer.css"
import { exact } from "../../../lib/time.ts"
import { formatPoints } from "../../../lib/format.ts"
import { pointsDomain, pointsTick, pointsTicks, tickWords, timeTicks } from "./balance-axis.ts"
import classes from "./balance-chart.module.css"
import type { BalanceStep } from "./balance-line.ts"

const axisText = { fontSize: 11, fill: "var(--l-text-3)" }

interface BalanceChartProps {
  /** Oldest first, the last one when the rows were read. */
  steps: readonly BalanceStep[]
  /** Both ends of the axis of time, in ms. */
  from: number
  now: number
}

/** A running balance as a step line: it holds until the next row, nothing is rounded between. */
export function BalanceChart({ steps, from, now }: BalanceChartProps) {
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
      classNames={{ axis: classes.axis ?? "" }}
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
        tickFormatter: pointsTick,
        width: 40,
        tick: axisText,
      }}
      tooltipAnimationDuration={0}
      tooltipProps={{ content: balanceTip }}
    />
  )
}

interface TipContent {
  readonly payload?: readonly { readonly value?: unknown }[]
  readonly label?: unknown
}

/** What holds from the step under the pointer on. */
function balanceTip({ payload, label }: TipContent) {
  const step = payload?.[0]
  if (step === undefined) return null
  return (
    <div className={classes.tip}>
      <b>{formatPoints(Number(step.value))}</b>
      <span>{exact(Number(label))}</span>
    </div>
  )
}
