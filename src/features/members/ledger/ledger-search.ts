import { transactionTypes, type TransactionListQuery } from "../../../../contract/program/points.ts"
import { z } from "../../../lib/z.ts"
import { choiceParam, dayParam, pageParam, perPageParam } from "../../../list/list-params.ts"
import { daysToTimes, type Day } from "./program-day.ts"

/**
 * The ledger's state in the address: type, days, page. Values that make no sense fall back; they never break the
 * page. `behind` is the tab that stands behind a dialog.
 */
export const ledgerSearch = z.object({
  type: choiceParam(transactionTypes),
  from: dayParam,
  to: dayParam,
  page: pageParam,
  per_page: perPageParam,
  behind: choiceParam(["details", "notes"]),
})
/** The ledger's state in the address. */
export type LedgerSearch = z.output<typeof ledgerSearch>

/** What is left out of the address. */
export const ledgerDefaults = { page: 1, per_page: 25 } as const

/** The days of an address, when they make a range. The other way round they are dropped, as other nonsense is. */
export function daysOf({ from, to }: Pick<LedgerSearch, "from" | "to">): { from?: Day; to?: Day } {
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
