import type { BudgetView } from "../../../../contract/status.ts"

/** One minute of the budget: when, and the requests of people and of jobs. */
export type BudgetMinute = BudgetView["minutes"][number]

/** Requests of people and jobs together, over all minutes. */
export function used(minutes: readonly BudgetMinute[]): number {
  return minutes.reduce((total, { people, jobs }) => total + people + jobs, 0)
}

/**
 * The top of the chart in requests: the limit, or the fullest minute when it holds more (the limit was lowered).
 */
export function chartTop({ limit, minutes }: Pick<BudgetView, "limit" | "minutes">): number {
  return Math.max(limit, 1, ...minutes.map(({ people, jobs }) => people + jobs))
}
