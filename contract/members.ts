import * as z from "zod/mini"
import { type MemberSortField, memberSortFields, sortOf } from "./copy.ts"
import { limits } from "./limits.ts"
import { paging, searchText } from "./program/common.ts"
import type { MemberFieldName } from "./program/member-fields.ts"
import { memberStatuses } from "./program/member.ts"
import { sees } from "./redaction.ts"
import type { Role } from "./roles.ts"
import type { ListView } from "./views.ts"

const filters = {
  search: z.optional(searchText()),
  status: z.optional(z.enum(memberStatuses)),
  tier: z.optional(z.string().check(z.maxLength(limits.shortText))),
  company: z.optional(z.string().check(z.maxLength(limits.shortText))),
  /** A custom field, and the value it has; without one, any. */
  field: z.optional(z.string().check(z.minLength(1), z.maxLength(limits.shortText))),
  value: z.optional(z.string().check(z.minLength(1), z.maxLength(limits.shortText))),
}
const valueHasField = z.refine<{ field?: string | undefined; value?: string | undefined }>(
  ({ field, value }) => value === undefined || field !== undefined,
  { path: ["value"], error: "Name the custom field that has this value." },
)

/** Before the name of a custom field that members are sorted by. */
export const customSort = "meta:"

/**
 * A field, descending with a leading minus; `match`: names that match the search first, custom fields last. A custom
 * field has `meta:` before its name.
 */
const memberSort = z.union([
  z.enum(["match", ...memberSortFields.flatMap((field) => [field, `-${field}`] as const)]),
  z.templateLiteral([
    z.enum(["", "-"]),
    customSort,
    z.string().check(z.minLength(1), z.maxLength(limits.shortText)),
  ]),
])

/** Query of `GET /api/members`. */
export const memberSearchQuery = z
  .strictObject({
    ...filters,
    sort: z.optional(memberSort),
    page: paging.page,
    per_page: z.optional(z.int().check(z.minimum(1), z.maximum(limits.copyPage))),
  })
  .check(valueHasField)
export type MemberSearchQuery = z.output<typeof memberSearchQuery>

/** Query of `GET /api/members/facets`. */
export const memberFacetsQuery = z.strictObject(filters).check(valueHasField)
export type MemberFacetsQuery = z.output<typeof memberFacetsQuery>

/** Query of `GET /api/members/recipients`: a saved view of the members list, or filters. */
export const recipientsQuery = z
  .strictObject({ ...filters, view: z.optional(z.string().check(z.maxLength(100))) })
  .check(
    valueHasField,
    z.refine(({ view, ...others }) => view === undefined || Object.keys(others).length === 0, {
      path: ["view"],
      error: "Give a view or filters, not both.",
    }),
  )
export type RecipientsQuery = z.output<typeof recipientsQuery>

/** Everybody who matches, by name. `name`: of the view. */
export const recipients = z.object({
  name: z.nullable(z.string()),
  members: z.array(
    z.object({
      id: z.string(),
      first_name: z.nullish(z.string()),
      last_name: z.nullish(z.string()),
      email: z.nullish(z.string()),
      status: z.nullish(z.string()),
    }),
  ),
})
export type Recipients = z.output<typeof recipients>

/** Response of `POST /api/members/{id}/erase`: what the local copy had of the member. */
export const erasedMember = z.object({ record: z.boolean(), entries: z.int() })
export type ErasedMember = z.output<typeof erasedMember>

const facet = z.array(z.object({ value: z.string(), count: z.int() }))

/** Members that match a query, by value of a field, most first. Fields that the role does not see are empty. */
export const memberFacets = z.object({
  total: z.int(),
  statuses: facet,
  tiers: facet,
  /** The 50 largest. */
  companies: facet,
  metadata_keys: z.array(z.string()),
  /** Of the custom field that is filtered by; the 50 most frequent. */
  field_values: facet,
  /** Sum of their balances, in points, and how many members have none. */
  points: z.object({ sum: z.number(), without: z.int() }),
})
export type MemberFacets = z.output<typeof memberFacets>

/** The filters of a saved view; undefined when one of them is none of the list's, which would widen it. */
export function filtersOfView({
  list,
  search: { sort: _sort, ...search },
}: ListView): MemberFacetsQuery | undefined {
  return list === "members" ? memberFacetsQuery.safeParse(search).data : undefined
}

/** What members are sorted by: a field, or a custom field by its name. */
export type MemberOrder = Readonly<{ descending: boolean }> &
  (Readonly<{ field: MemberSortField | "match" }> | Readonly<{ field: "metadata"; name: string }>)

/** The order of a sort parameter. */
export function memberSortOf(sort: string): MemberOrder {
  const descending = sort.startsWith("-")
  const field = descending ? sort.slice(1) : sort
  return field.startsWith(customSort)
    ? { field: "metadata", name: field.slice(customSort.length), descending }
    : sortOf(sort, ["match", ...memberSortFields], "name")
}

/** The first field of a query that `role` does not see: nothing is filtered or sorted by it. */
export function hiddenMemberField(role: Role, query: MemberSearchQuery): MemberFieldName | undefined {
  const filtered = (["status", "tier", "company"] as const).filter((name) => query[name] !== undefined)
  const custom = query.field === undefined ? [] : (["metadata"] as const)
  const sorted = query.sort === undefined ? [] : [memberSortOf(query.sort).field]
  return [...filtered, ...custom, ...sorted]
    .map((field) => (field === "name" || field === "match" ? "first_name" : field))
    .find((field) => !sees("member", role, field))
}

/** What a search covers: names and ids; with e-mail and company; with phone and custom fields. */
export type MemberSearchScope = "name" | "contact" | "all"

/** The largest scope whose fields the role sees. */
export function memberSearchScope(role: Role): MemberSearchScope {
  const seesAll = (fields: readonly MemberFieldName[]) => fields.every((field) => sees("member", role, field))
  if (!seesAll(["email", "company"])) return "name"
  return seesAll(["phone", "metadata"]) ? "all" : "contact"
}
