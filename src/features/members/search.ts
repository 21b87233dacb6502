import { limits } from "../../../contract/limits.ts"
import type { MemberListQuery, memberStatuses } from "../../../contract/program/member.ts"
import type { TransactionListQuery, transactionTypes } from "../../../contract/program/points.ts"
import type { MemberFilter } from "../../api/members.ts"
import * as z from "zod/mini"
import { isTurned, momentsOf } from "../../lib/days.ts"
import { choiceParam, momentParams, defined, pagingParams, textParam } from "../../lists/list-params.ts"

// Named here, not imported: the router needs this file at sign-in already, and the contract would come with it.
const statuses = ["active", "inactive", "pending"] as const satisfies typeof memberStatuses
const transactions = [
  "award",
  "redeem",
  "deduct",
  "expire",
  "adjust",
] as const satisfies typeof transactionTypes

/** The list's state in the address. Values that make no sense fall back; they never break the page. */
export const membersSearch = z.object({
  search: textParam(limits.shortText),
  status: choiceParam(statuses),
  tier: textParam(limits.shortText),
  ...pagingParams,
  sort: textParam(limits.shortText),
  all: z._default(z.catch(z.boolean(), false), false),
  open: choiceParam(["export"]),
})
export type MembersSearch = z.output<typeof membersSearch>

/** What is left out of the address. */
export const membersDefaults = { page: 1, per_page: limits.perPage.default, all: false } as const

/** What narrows the list: nothing for somebody who may not search, whatever the address says. */
export function filterOf({ search, status, tier }: MembersSearch, maySearch: boolean): MemberFilter {
  return maySearch ? defined({ search, status, tier }) : {}
}

/** One page of the list as the service is asked for it (docs/api/program.md, Members). */
export function pageQueryOf(search: MembersSearch, maySearch: boolean): MemberListQuery {
  return { ...filterOf(search, maySearch), page: search.page, per_page: search.per_page }
}

/** `made`: the job that creates the member, once it was sent. */
export const createSearch = z.object({ made: z.catch(z.optional(z.string()), undefined) })

const ledgerParams = z.lazy(() =>
  z.object({
    type: choiceParam(transactions),
    ...momentParams,
    ...pagingParams,
    behind: choiceParam(["orders", "cards", "details", "notes"]),
    open: choiceParam(["export"]),
  }),
)
type LedgerParams = z.output<typeof ledgerParams>

/** The ledger's state in the address. Values that make no sense fall back, days the wrong way round too. */
export const ledgerSearch = z.pipe(
  ledgerParams,
  z.transform((search: LedgerParams): LedgerParams =>
    isTurned(search) ? { ...search, from: undefined, to: undefined } : search,
  ),
)

/** What is left out of the address. */
export const ledgerDefaults = { page: 1, per_page: limits.perPage.default } as const

/** One page of the ledger as the service is asked for it: days are the program's own, both ends included. */
export function ledgerQueryOf(
  search: Pick<LedgerParams, "page" | "per_page"> & Partial<Pick<LedgerParams, "type" | "from" | "to">>,
  timeZone: string,
): TransactionListQuery {
  const { page, per_page, type } = search
  return { page, per_page, ...defined({ type }), ...momentsOf(search, timeZone) }
}
