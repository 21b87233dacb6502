import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import type { RewardListQuery, rewardStatuses, rewardTypes } from "../../../contract/program/reward.ts"
import { choiceParam, defined, pagingParams, textParam } from "../../lists/list-params.ts"

// Copied, not imported: the router needs this file at sign-in, and would load the contract with it.
const statuses = ["active", "inactive"] as const satisfies typeof rewardStatuses
const types = ["digital", "physical"] as const satisfies typeof rewardTypes

const pointsParam = z.catch(z.optional(z.int().check(z.minimum(0), z.maximum(limits.pointsMax))), undefined)

/** The catalogue's search params. Invalid values fall back and never break the page. */
export const rewardsSearch = z.lazy(() =>
  z.object({
    /** Filters the rewards of the loaded page: the service has no search for them. */
    search: textParam(limits.shortText),
    category: textParam(limits.shortText),
    status: choiceParam(statuses),
    type: choiceParam(types),
    min_points: pointsParam,
    max_points: pointsParam,
    ...pagingParams,
    sort: textParam(limits.shortText),
    view: z._default(z.catch(z.enum(["cards", "table"]), "cards"), "cards"),
  }),
)
export type RewardsSearch = z.output<typeof rewardsSearch>

/** Values left out of the URL. */
export const rewardsDefaults = { page: 1, per_page: limits.perPage.default, view: "cards" } as const

/** The request for one page of the catalogue (docs/api/program.md, Rewards). */
export function toPageQuery(search: RewardsSearch): RewardListQuery {
  const { category, status, type, min_points, max_points, page, per_page } = search
  return { ...defined({ category, status, type, min_points, max_points }), page, per_page }
}
