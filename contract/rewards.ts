import * as z from "zod/mini"
import { rewardSortFields, sortOf } from "./copy.ts"
import { limits } from "./limits.ts"
import { searchText } from "./program/common.ts"
import { rewardListQuery } from "./program/reward.ts"

const { page, per_page: _perPage, ...filters } = rewardListQuery.shape
const filter = { ...filters, search: z.optional(searchText()) }

/** Query of `GET /api/rewards`; a sort is a field, descending with a leading minus. */
export const rewardSearchQuery = z.strictObject({
  ...filter,
  sort: z.optional(z.enum(rewardSortFields.flatMap((field) => [field, `-${field}`] as const))),
  page,
  per_page: z.optional(z.int().check(z.minimum(1), z.maximum(limits.copyPage))),
})
export type RewardSearchQuery = z.output<typeof rewardSearchQuery>

/** Query of `GET /api/rewards/facets`. */
export const rewardFacetsQuery = z.strictObject(filter)
export type RewardFacetsQuery = z.output<typeof rewardFacetsQuery>

/** Rewards that match a query. */
export const rewardFacets = z.object({
  /** The 50 with most rewards. */
  categories: z.array(z.object({ value: z.string(), count: z.int() })),
  /** With few pieces left, and with none. */
  low: z.int(),
  out: z.int(),
})
export type RewardFacets = z.output<typeof rewardFacets>

/** The field of a sort parameter, and its direction. */
export const rewardSortOf = (sort: string) => sortOf(sort, rewardSortFields, "name")
