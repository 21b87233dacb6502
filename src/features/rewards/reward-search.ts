import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import type { rewardStatuses, rewardTypes } from "../../../contract/program/reward.ts"
import type { RewardSearchQuery } from "../../../contract/rewards.ts"
import { choiceParam, defined, pagingParams, textParam } from "../../lists/list-params.ts"

// Copied, not imported: the router needs this file at sign-in, and would load the contract with it.
const statuses = ["active", "inactive"] as const satisfies typeof rewardStatuses
const types = ["digital", "physical"] as const satisfies typeof rewardTypes

const pointsParam = z.catch(z.optional(z.int().check(z.minimum(0), z.maximum(limits.pointsMax))), undefined)

/** The catalogue's search params. Invalid values fall back and never break the page. */
export const rewardsSearch = z.lazy(() =>
  z.object({
    search: textParam(limits.shortText),
    category: textParam(limits.shortText),
    status: choiceParam(statuses),
    type: choiceParam(types),
    min_points: pointsParam,
    max_points: pointsParam,
    ...pagingParams,
    sort: textParam(limits.shortText),
    open: choiceParam(["export"]),
    view: z._default(z.catch(z.enum(["cards", "table"]), "cards"), "cards"),
  }),
)
export type RewardsSearch = z.output<typeof rewardsSearch>

/** Values left out of the URL. */
export const rewardsDefaults = { page: 1, per_page: limits.perPage.default, view: "cards" } as const

/** Columns, by their ids, and the fields that the local copy sorts them by. */
const sortFields = {
  name: "name",
  category: "category",
  type: "type",
  status: "status",
  stock: "stock",
  cost: "points_cost",
} as const

/** The request for one page of the catalogue. */
export function toPageQuery(search: RewardsSearch): RewardSearchQuery {
  const { page, per_page } = search
  return { ...toFilter(search), ...defined({ sort: sortParam(search.sort) }), page, per_page }
}

export function toFilter(filters: RewardsSearch) {
  const { search, category, status, type, min_points, max_points } = filters
  return defined({ search, category, status, type, min_points, max_points })
}

function sortParam(sort = ""): RewardSearchQuery["sort"] {
  const found = Object.entries(sortFields).find(([column]) => column === sort.replace(/^-/, ""))
  if (found === undefined) return undefined
  return sort.startsWith("-") ? `-${found[1]}` : found[1]
}
