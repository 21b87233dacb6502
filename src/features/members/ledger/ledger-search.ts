import type { transactionTypes } from "../../../../contract/program/points.ts"
import * as z from "zod/mini"
import { choiceParam, dayParam, pageParam, perPageParam } from "../../../lists/list-params.ts"

// By value, not from the contract: an address's schema is part of every first view, its readers are not.
const types = ["award", "redeem", "deduct", "expire", "adjust"] as const satisfies typeof transactionTypes

/**
 * The ledger's state in the address: type, days, page. Values that make no sense fall back; they never break the
 * page. `behind` is the tab that stands behind a dialog.
 */
export const ledgerSearch = z.object({
  type: choiceParam(types),
  from: dayParam,
  to: dayParam,
  page: pageParam,
  per_page: perPageParam,
  behind: choiceParam(["orders", "cards", "details", "notes"]),
  /** The dialog above the ledger. */
  open: choiceParam(["export"]),
})
/** The ledger's state in the address. */
export type LedgerSearch = z.output<typeof ledgerSearch>

/** What is left out of the address. */
export const ledgerDefaults = { page: 1, per_page: 25 } as const
