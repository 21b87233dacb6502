import { limits } from "../../../contract/limits.ts"
import type { memberStatuses } from "../../../contract/program/member.ts"
import type { LedgerSearchQuery } from "../../../contract/ledgers.ts"
import type { ledgerSortFields } from "../../../contract/copy.ts"
import type { transactionTypes } from "../../../contract/program/points.ts"
import * as z from "zod/mini"
import { isTurned, momentsOf } from "../../lib/time.ts"
import { choiceParam, momentParams, defined, pagingParams, textParam } from "../../lists/list-params.ts"

// Copied, not imported: the router needs this file at sign-in, and would load the contract with it.
const statuses = ["active", "inactive", "pending"] as const satisfies typeof memberStatuses
const transactions = [
  "award",
  "redeem",
  "deduct",
  "expire",
  "adjust",
] as const satisfies typeof transactionTypes

const sorts = [
  "created_at",
  "type",
  "reason",
  "reference",
  "points",
  "balance_after",
] as const satisfies typeof ledgerSortFields

/** The list's search params. Invalid values fall back and never break the page. */
export const membersSearch = z.object({
  search: textParam(limits.shortText),
  status: choiceParam(statuses),
  tier: textParam(limits.shortText),
  company: textParam(limits.shortText),
  field: textParam(limits.shortText),
  value: textParam(limits.shortText),
  ...pagingParams,
  sort: textParam(limits.shortText + 6),
  open: choiceParam(["export"]),
})
export type MembersSearch = z.output<typeof membersSearch>

/** Values left out of the URL. */
export const membersDefaults = { page: 1, per_page: limits.perPage.default } as const

/** `made`: the job that creates the member, once it was sent. */
export const createSearch = z.object({ made: z.catch(z.optional(z.string()), undefined) })

const ledgerParams = z.lazy(() =>
  z.object({
    search: textParam(limits.shortText),
    type: choiceParam(transactions),
    ...momentParams,
    ...pagingParams,
    sort: z.catch(z.optional(z.enum(sorts.flatMap((field) => [field, `-${field}`] as const))), undefined),
    behind: choiceParam(["orders", "cards", "details", "notes"]),
    open: choiceParam(["export"]),
  }),
)
type LedgerParams = z.output<typeof ledgerParams>

/** The ledger's search params. Invalid values and reversed days fall back. */
export const ledgerSearch = z.pipe(
  ledgerParams,
  z.transform((search: LedgerParams): LedgerParams =>
    isTurned(search) ? { ...search, from: undefined, to: undefined } : search,
  ),
)

/** Values left out of the URL. */
export const ledgerDefaults = { page: 1, per_page: limits.perPage.default } as const

/** The request for one page of the ledger: days are in the program's zone, both inclusive. */
export function toLedgerQuery(
  search: Pick<LedgerParams, "page" | "per_page"> &
    Partial<Pick<LedgerParams, "search" | "type" | "from" | "to" | "sort">>,
  timeZone: string,
): Omit<LedgerSearchQuery, "member_id"> {
  const { page, per_page, search: text, type, sort } = search
  return { page, per_page, ...defined({ search: text, type, sort }), ...momentsOf(search, timeZone) }
}

/** The list of companies: its filter and order. */
export const companiesSearch = z.lazy(() =>
  z.object({ search: textParam(limits.shortText), sort: textParam(40), ...pagingParams }),
)
export type CompaniesSearch = z.output<typeof companiesSearch>
export const companiesDefaults = { page: 1, per_page: limits.perPage.default } as const
