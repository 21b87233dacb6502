import { balanceAfter, type Transaction } from "../../../../contract/program/points.ts"
import { millis } from "../../../lib/time.ts"

/** The balance from a moment on. */
export interface BalanceStep {
  /** ms since the epoch. */
  readonly at: number
  /** Points after the row of that moment. */
  readonly points: number
}

/** A running balance as far as the rows that were read tell it. */
export interface BalanceLine {
  /** Oldest first; the balance holds from each step to the next. */
  readonly steps: readonly BalanceStep[]
  /** Rows that carry no balance or no readable time, and are not drawn. */
  readonly leftOut: number
}

/** Ranges of the chart in days; `all` is as far as was read. */
const balanceRanges = { "30d": 30, "90d": 90, "12m": 365, all: Infinity } as const
/** A range of the chart. */
export type BalanceRange = keyof typeof balanceRanges

/**
 * The running balance from ledger rows, newest first as the service sends them. The balance at a time is the
 * balance after the last row up to it; of several rows in one ms the newest counts.
 */
export function balanceLine(rows: readonly Transaction[]): BalanceLine {
  const steps: BalanceStep[] = []
  for (const row of rows.toReversed()) {
    const at = row.created_at == null ? NaN : millis(row.created_at)
    const { points } = balanceAfter(row)
    if (!Number.isNaN(at) && points !== undefined) steps.push({ at, points })
  }
  // The sort is stable: rows of one ms keep their order, and the last of them stands.
  const sorted = steps.toSorted((a, b) => a.at - b.at)
  const drawn = sorted.filter((step, index) => sorted[index + 1]?.at !== step.at)
  return { steps: drawn, leftOut: rows.length - steps.length }
}

/** The balance at a moment; undefined before the first step, where nothing was read. */
export function balanceAt(line: BalanceLine, at: number): number | undefined {
  return line.steps.findLast((step) => step.at <= at)?.points
}

/**
 * The part of a line from `from` to `until`: it begins with the balance that held at `from` when that was read, and
 * ends with the balance that held at `until`.
 */
export function cutLine(line: BalanceLine, from: number, until: number): BalanceStep[] {
  const inside = line.steps.filter((step) => step.at > from && step.at <= until)
  const before = balanceAt(line, from)
  const start = before === undefined ? [] : [{ at: from, points: before }]
  const end = balanceAt(line, until)
  const last = end === undefined ? [] : [{ at: until, points: end }]
  const cut = [...start, ...inside, ...last]
  return cut.filter((step, index) => cut[index + 1]?.at !== step.at)
}

/** How far two clocks may be apart before a row counts as one from the future, in ms. */
const clockSkew = 60_000

/** Up to when the rows tell the balance, in ms: when they were read, or the newest of them by a faster clock. */
export function lineEnd(line: BalanceLine, readAt: number): number {
  const newest = line.steps.findLast((step) => step.at <= readAt + clockSkew)?.at ?? readAt
  return Math.max(readAt, newest)
}

/** The first moment of a range, in ms: so many days back, or the oldest step. */
export function rangeStart(line: BalanceLine, range: BalanceRange, now: number): number {
  const days = balanceRanges[range]
  return days === Infinity ? (line.steps[0]?.at ?? now) : now - days * 86_400_000
}
