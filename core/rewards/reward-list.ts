import { limits } from "../../contract/limits.ts"
import type { Reward } from "../../contract/program/reward.ts"
import {
  type RewardFacets,
  rewardFacetsQuery,
  type RewardFacetsQuery,
  rewardSearchQuery,
  rewardSortOf,
} from "../../contract/rewards.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { copiedPage, copyState, listRequested, servicePage } from "../copy/copied-list.ts"
import type { RewardFilter } from "../copy/copy-store.ts"
import { conflict, stored } from "../errors.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import { readQuery } from "../validation.ts"

export const rewardRoutes: readonly Route[] = [
  route("GET /rewards", "rewards.read", ["query"], listRewards),
  route("GET /rewards/facets", "rewards.read", ["query"], countRewards),
]

/** `GET /api/rewards`: from the copy once it is complete; until then one request to the service. @throws AppError */
async function listRewards(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, rewardSearchQuery)
  listRequested(context, request, "rewards", query)
  const { copy, meta } = await copyState(context, "rewards")
  if (copy !== undefined) {
    const { page = 1, per_page: perPage = limits.perPage.default } = query
    const sort = rewardSortOf(query.sort ?? "name")
    const found = await stored(copy.rewards.list({ ...filterOf(query), sort, page, perPage }))
    return copiedPage(context, request, undefined, found, query, meta)
  }
  const { search, sort: _sort, ...documented } = query
  if (search !== undefined) {
    throw conflict(
      "Rewards can be searched once all of them are synced. Nothing was read. Filter them until then.",
    )
  }
  return servicePage(context, request, { operation: "GET /rewards" }, documented, meta)
}

/** `GET /api/rewards/facets`: counts of the copy; empty until it is complete. @throws AppError */
async function countRewards(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, rewardFacetsQuery)
  const { copy, meta } = await copyState(context, "rewards")
  const none: RewardFacets = { categories: [], low: 0, out: 0 }
  const { low } = await context.settings.get("stock")
  const facets = copy === undefined ? none : await stored(copy.rewards.facets(filterOf(query), low))
  return success(facets, { meta: { ...meta } })
}

/** Every reward of the local copy; undefined until that is complete. @throws AppError */
export async function copiedRewards(context: CoreContext): Promise<readonly Reward[] | undefined> {
  const { copy } = await copyState(context, "rewards")
  const every = { sort: rewardSortOf("name"), page: 1, perPage: Number.MAX_SAFE_INTEGER }
  return copy && (await stored(copy.rewards.list(every))).rows
}

function filterOf({
  search,
  category,
  status,
  type,
  min_points,
  max_points,
}: RewardFacetsQuery): RewardFilter {
  return { search, category, status, type, minPoints: min_points, maxPoints: max_points }
}
