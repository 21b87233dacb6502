import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts"
import type { BalanceStep } from "./running-balance.tsx"
import { formatPoints, shortPoints } from "../../../lib/format.ts"
import { exact } from "../../../lib/time.ts"
import { ChartFigure, chartProps, chartTip, gridProps, timeAxis, yAxisProps } from "../../../ui/chart.tsx"

/** A running balance as a step line: each balance is valid until the next row, nothing is rounded. */
export function BalanceChart(props: {
  /** Oldest first; at least two. */
  steps: readonly BalanceStep[]
  /** Whether the line ends at the current time. */
  isNow: boolean
}) {
  const { steps, isNow } = props
  const points = steps.map((step) => step.points)
  const [lowest, highest] = [Math.min(...points), Math.max(...points)]
  return (
    <ChartFigure
      label="Running balance"
      rows={steps.toReversed()}
      keyOf={({ at }) => at}
      columns={[
        { label: "When", rowHeader: true, cell: ({ at }) => exact(at) },
        { label: "Balance", end: true, cell: (step) => formatPoints(step.points) },
      ]}
    >
      <AreaChart {...chartProps(132)} data={[...steps]}>
        <CartesianGrid {...gridProps} />
        <XAxis dataKey="at" {...timeAxis(steps[0]?.at ?? 0, steps.at(-1)?.at ?? 0, isNow)} />
        <YAxis
          {...yAxisProps}
          domain={pointsDomain(lowest, highest)}
          ticks={pointsTicks(lowest, highest)}
          tickFormatter={shortPoints}
        />
        <Tooltip {...chartTip(() => "", formatPoints)} />
        <Area
          dataKey="points"
          type="stepAfter"
          stroke="var(--l-accent-mark)"
          strokeWidth={2}
          fill="var(--l-accent-mark)"
          fillOpacity={0.1}
          isAnimationActive={false}
        />
      </AreaChart>
    </ChartFigure>
  )
}

/** Round tick values from 0, or below it for negative balances: two to four, none above the peak. */
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

/** Range of the points axis: includes 0 and every balance, with some space above the peak. */
export function pointsDomain(lowest: number, highest: number): [number, number] {
  const [low, high] = spanOf(lowest, highest)
  return [low, high + (high - low) * 0.04]
}

function spanOf(lowest: number, highest: number): [number, number] {
  const low = Math.min(0, lowest)
  return [low, Math.max(0, highest, low + 1)]
}
