import type { TransactionListQuery } from "../../../../contract/program/points.ts"
import { type DayRange, momentsOf } from "../../../lib/days.ts"
import type { LedgerSearch } from "../search.ts"

/** The days of an address, when they make a range. The other way round they are dropped, as other nonsense is. */
export function daysOf({ from, to }: Pick<LedgerSearch, "from" | "to">): DayRange {
  return from !== undefined && to !== undefined && from > to ? {} : { from, to }
}

/** Whether anything narrows the ledger. */
export function isFiltered(search: LedgerSearch): boolean {
  const { from, to } = daysOf(search)
  return search.type !== undefined || from !== undefined || to !== undefined
}

/** The address as the service is asked: days are the program's own, both ends included. */
export function ledgerQueryOf(search: LedgerSearch, timeZone: string): TransactionListQuery {
  return {
    page: search.page,
    per_page: search.per_page,
    ...(search.type === undefined ? {} : { type: search.type }),
    ...momentsOf(daysOf(search), timeZone),
  }
}
