import { formatPoints } from "../../../lib/format.ts"
import { ago, shortDay } from "../../../lib/time.ts"
import type { BalanceStep } from "./balance-line.ts"

interface BalanceWords {
  /** What is drawn, oldest first; the last step is when the rows were read. */
  readonly steps: readonly BalanceStep[]
  /** Rows that could not be drawn. */
  readonly leftOut: number
  readonly now: number
}

/** What the chart shows, in a sentence that says the same. */
export function balanceSentence({ steps, leftOut, now }: BalanceWords): string {
  const first = steps[0]
  const last = steps.at(-1)
  const without = leftOut === 0 ? "" : ` ${rowsWithout(leftOut)}`
  if (first === undefined || last === undefined) return `No balances for this period.${without}`
  const points = steps.map((step) => step.points)
  const ends = `From ${formatPoints(first.points)} on ${shortDay(first.at, now)} to ${formatPoints(last.points)} as of ${ago(last.at, now)}`
  const between = `lowest ${formatPoints(Math.min(...points))}, highest ${formatPoints(Math.max(...points))}`
  return `${ends}, ${between}.${without}`
}

function rowsWithout(count: number): string {
  return count === 1
    ? "1 row has no balance and isn’t shown."
    : `${count} rows have no balance and aren’t shown.`
}
