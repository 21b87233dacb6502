import { create } from "zustand"
import type { Api, BudgetState } from "../../contract/response.ts"

/** What this tab knows of the request budget. */
interface RequestBudget {
  /** Requests per minute that each service's key allows; from the session. */
  readonly limits: Readonly<Record<Api, number>>
  /** The budgets as of the latest response. */
  readonly budgets: BudgetState[] | undefined
  /** Whether requests to a service are delayed by the budget, as far as this role can see. */
  readonly isLimited: boolean
  /** When the next request can be sent, in ms since the epoch, while a request of this tab waits; else null. */
  readonly nextRequestAt: number | null
}

export const useRequestBudget = create<RequestBudget>(() => ({
  limits: { program: 60, giftcard: 60 },
  budgets: undefined,
  isLimited: false,
  nextRequestAt: null,
}))
