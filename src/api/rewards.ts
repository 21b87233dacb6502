import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query"
import { rewardListReader, rewardReader, type Reward } from "../../contract/program/reward.ts"
import { rewardFacets, type RewardFacetsQuery, type RewardSearchQuery } from "../../contract/rewards.ts"
import { programResource } from "./paging.ts"
import { responseQuery } from "./request.ts"

const rewards = programResource<Reward, RewardSearchQuery>({
  name: "reward",
  plural: "rewards",
  schema: rewardReader.tolerant,
  listSchema: rewardListReader.tolerant,
  idOf: ({ id }) => id,
  listPath: ["rewards"],
})

/** Every cached list of rewards starts with this key. */
const rewardsKey = ["rewards"] as const

/** One reward. Pages of the catalogue seed it (docs/api/program.md, Rewards). */
export const rewardQuery = rewards.one

/** One page of the catalogue: from the local copy, or one upstream request until it is complete. */
export const rewardsQuery = rewards.page

/** Every reward this browser holds; some more than once. */
export const rewardsInCache = rewards.cached

/** Categories and stock of the rewards in the local copy. No upstream request. */
export function rewardFacetsQuery(filter: RewardFacetsQuery = {}) {
  return responseQuery(
    [...rewardsKey, "facets", filter],
    { path: ["rewards", "facets"], query: filter, schema: rewardFacets },
    { placeholderData: keepPreviousData },
  )
}

/** Every reward, or every one that is offered, for finding one by typing. */
export function everyRewardQuery(filter: Pick<RewardSearchQuery, "status"> = {}) {
  return queryOptions({
    queryKey: [...rewardsKey, "every", filter],
    queryFn: ({ signal, client }) => rewards.readEvery(client, filter, { signal }),
    staleTime: 5 * 60_000,
  })
}

/** Something was redeemed: stock has changed, so whatever is shown of rewards is read again. */
export function refetchRewards(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: rewardsKey })
  void client.invalidateQueries({ queryKey: rewardQuery(id).queryKey })
}
