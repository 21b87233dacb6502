import * as z from "zod/mini"
import { ledgerSortFields, sortOf } from "./copy.ts"
import { limits } from "./limits.ts"
import { recordText, searchText } from "./program/common.ts"
import { transactionListQuery } from "./program/points.ts"

const { page, per_page: _perPage, ...filters } = transactionListQuery.shape

/** Query of `GET /api/transactions`: one member's ledger. A sort is a field, descending with a leading minus. */
export const ledgerSearchQuery = z.strictObject({
  member_id: recordText(),
  ...filters,
  search: z.optional(searchText()),
  sort: z.optional(z.enum(ledgerSortFields.flatMap((field) => [field, `-${field}`] as const))),
  page,
  per_page: z.optional(z.int().check(z.minimum(1), z.maximum(limits.copyPage))),
})
export type LedgerSearchQuery = z.output<typeof ledgerSearchQuery>

/** The field of a sort parameter, and its direction. */
export const ledgerSortOf = (sort: string) => sortOf(sort, ledgerSortFields, "created_at")
