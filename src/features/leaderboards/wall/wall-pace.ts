import type { BudgetView } from "../../../../contract/status.ts"

/** Once a minute at most, a moment after the server's own copy has grown old. In ms. */
const usualMs = 61_000

/**
 * How long a wall display waits until it reads again, in ms: longer while the shared budget is low, because people at
 * work need the requests more than a picture on a wall does.
 */
export function wallPace(budgets: readonly BudgetView[] | undefined): number {
  const budget = budgets?.find(({ api }) => api === "program")
  if (budget === undefined || budget.limit === 0) return usualMs
  if (budget.waiting > 0 || budget.left <= budget.limit / 10) return 5 * usualMs
  return budget.left <= budget.limit / 4 ? 2 * usualMs : usualMs
}
