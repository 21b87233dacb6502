import type { BudgetView } from "../../contract/status.ts"

/** What the budget chip says. `seconds` until the next request may go. */
export type BudgetState =
  | { readonly kind: "unknown" }
  | { readonly kind: "offline" }
  | { readonly kind: "spent"; readonly seconds: number }
  | { readonly kind: "low" }
  | { readonly kind: "enough" }

interface Facts {
  /** The program service's budget; undefined before it is read, or when the service is not connected. */
  readonly budget: BudgetView | undefined
  /** When it was read, in ms. */
  readonly readAt: number
  /** Until when somebody in this tab waits for the budget, in ms; null: nobody does. */
  readonly waitsUntil: number | null
  readonly offline: boolean
  /** In ms. */
  readonly now: number
}

/**
 * The chip's state (look, Budget chip). A spent budget, or a share of it, is a wait, not a fault; a quarter or less is
 * worth a look.
 */
export function budgetState({ budget, readAt, waitsUntil, offline, now }: Facts): BudgetState {
  if (offline) return { kind: "offline" }
  if (waitsUntil !== null) return { kind: "spent", seconds: secondsUntil(waitsUntil, now) }
  if (budget === undefined) return { kind: "unknown" }
  if (budget.left <= 0 || budget.next_in_ms > 0)
    return { kind: "spent", seconds: secondsUntil(readAt + budget.next_in_ms, now) }
  return { kind: budget.left <= budget.limit / 4 ? "low" : "enough" }
}

/** Whole seconds, never below one: the countdown ends with an answer, not with "0 s". The clock ticks by the second. */
function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.round((moment - now) / 1000))
}
