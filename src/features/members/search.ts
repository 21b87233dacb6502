import { limits } from "../../../contract/limits.ts"
import type { MemberListQuery, memberStatuses } from "../../../contract/program/member.ts"
import type { transactionTypes } from "../../../contract/program/points.ts"
import type { MemberFilter } from "../../api/members.ts"
import * as z from "zod/mini"
import { choiceParam, dayParam, pageParam, perPageParam, textParam } from "../../lists/list-params.ts"

// Named here, not imported: the router needs this file at sign-in already, and the contract would come with it.
const statuses = ["active", "inactive", "pending"] as const satisfies typeof memberStatuses
const transactions = [
  "award",
  "redeem",
  "deduct",
  "expire",
  "adjust",
] as const satisfies typeof transactionTypes

/**
 * The list's state in the address: what it shows, which page, in which order. Values that make no sense fall back;
 * they never break the page. `all` shows every match, once somebody loaded them; `sort` orders rows that are all
 * here.
 */
export const membersSearch = z.object({
  search: textParam(limits.shortText),
  status: choiceParam(statuses),
  tier: textParam(limits.shortText),
  page: pageParam,
  per_page: perPageParam,
  sort: textParam(limits.shortText),
  all: z._default(z.catch(z.boolean(), false), false),
  /** The dialog above the list. */
  open: choiceParam(["export"]),
})
/** The list's state in the address. */
export type MembersSearch = z.output<typeof membersSearch>

/** What is left out of the address. */
export const membersDefaults = { page: 1, per_page: limits.perPage.default, all: false } as const

/**
 * What narrows the list. Somebody who may not search is not asked to: an address with a search in it shows them
 * the whole list.
 */
export function filterOf(search: MembersSearch, maySearch: boolean): MemberFilter {
  if (!maySearch) return {}
  return {
    ...(search.search === undefined ? {} : { search: search.search }),
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.tier === undefined ? {} : { tier: search.tier }),
  }
}

/** One page of the list as the service is asked for it (docs/api/program.md, Members). */
export function pageQueryOf(search: MembersSearch, maySearch: boolean): MemberListQuery {
  return { ...filterOf(search, maySearch), page: search.page, per_page: search.per_page }
}

/** Another filter starts again: first page, the service's order, not everything. */
export function withFilter(search: MembersSearch, change: MemberFilterChange): MembersSearch {
  return { ...search, ...change, page: 1, all: false, sort: undefined }
}

/** Filters to set; undefined takes one away. */
export type MemberFilterChange = { readonly [K in keyof MemberFilter]?: MemberFilter[K] | undefined }

/** `made`: the job that creates the member, once it was sent. */
export const createSearch = z.object({ made: z.catch(z.optional(z.string()), undefined) })

/**
 * The ledger's state in the address: type, days, page. Values that make no sense fall back; they never break the
 * page. `behind` is the tab that stands behind a dialog.
 */
export const ledgerSearch = z.object({
  type: choiceParam(transactions),
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
