import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { paging, requiredText, searchText } from "./program/common.ts"

export const companySortFields = ["name", "members", "active", "inactive", "points"] as const

/** Query of `GET /api/companies`; a field, descending with a leading minus. */
export const companyListQuery = z.strictObject({
  ...paging,
  search: z.optional(searchText()),
  sort: z.optional(z.enum(companySortFields.flatMap((field) => [field, `-${field}`] as const))),
})
export type CompanyListQuery = z.output<typeof companyListQuery>

const totals = {
  name: z.string(),
  members: z.int(),
  active: z.int(),
  inactive: z.int(),
  /** Sum of the balances. */
  points: z.number(),
  /** Members whose balance the service did not send. */
  without_points: z.int(),
}

/** The members of the company `name`, and of the names merged into it, without case and accents. */
export const companyTotals = z.object(totals)
export type CompanyTotals = z.output<typeof companyTotals>

/** What the ledgers in the local copy add up to, in points, and how many of the members' ledgers are read. */
const companyLedgers = z.object({
  read: z.int(),
  /** Entries of the types award and redeem, both positive: what was returned or reversed is not taken off. */
  awarded: z.number(),
  redeemed: z.number(),
  last_entry_at: z.nullable(z.string()),
})

/** With the names that members have, `merged` into the first by a person. */
export const company = z.object({
  ...totals,
  /** For roles that see ledgers. */
  ledgers: z.optional(companyLedgers),
  names: z.array(z.object({ name: z.string(), members: z.int(), merged: z.boolean() })),
})
export type Company = z.output<typeof company>

/** Body of `PUT /api/companies/{name}/merge`: the company that the name is another name of. */
export const mergeCompanyBody = z.strictObject({ into: requiredText("a company", limits.shortText) })

/** Names that a person merged into others. */
export const mergedCompanies = z.array(z.object({ name: z.string(), into: z.string() }))
export type MergedCompanies = z.output<typeof mergedCompanies>
