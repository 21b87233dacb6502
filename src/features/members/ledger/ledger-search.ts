import { limits } from "../../../../contract/limits.ts"
import { transactionTypes, type TransactionListQuery } from "../../../../contract/program/points.ts"
import { z } from "../../../lib/z.ts"
import { daysToTimes, isDay } from "./program-day.ts"

const day = z.string().check(z.refine(isDay))

/** Rows on a page of the ledger that can be chosen. */
export const ledgerPageSizes = [25, 50, 100] as const

/**
 * The ledger's state in the address: type, days, page. Values that make no sense fall back; they never break the
 * page. `behind` is the tab that stands behind a dialog.
 */
export const ledgerSearch = z.object({
  type: z.catch(z.optional(z.enum(transactionTypes)), undefined),
  from: z.catch(z.optional(day), undefined),
  to: z.catch(z.optional(day), undefined),
  page: z._default(z.catch(z.int().check(z.minimum(1), z.maximum(100_000)), 1), 1),
  per_page: z._default(z.catch(z.literal(ledgerPageSizes), limits.perPage.default), limits.perPage.default),
  behind: z.catch(z.optional(z.enum(["details", "notes"])), undefined),
})
/** The ledger's state in the address. */
export type LedgerSearch = z.output<typeof ledgerSearch>

/** What is left out of the address. */
export const ledgerDefaults = { page: 1, per_page: limits.perPage.default } as const

/** The days of an address, when they make a range. The other way round they are dropped, as other nonsense is. */
export function daysOf({ from, to }: Pick<LedgerSearch, "from" | "to">): { from?: string; to?: string } {
  if (from !== undefined && to !== undefined && from > to) return {}
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** Whether anything narrows the ledger. */
export function isFiltered(search: LedgerSearch): boolean {
  const { from, to } = daysOf(search)
  return search.type !== undefined || from !== undefined || to !== undefined
}

/** The address as the service is asked. */
export function ledgerQueryOf(search: LedgerSearch, timeZone: string): TransactionListQuery {
  return {
    page: search.page,
    per_page: search.per_page,
    ...(search.type === undefined ? {} : { type: search.type }),
    ...daysToTimes(daysOf(search), timeZone),
  }
}
