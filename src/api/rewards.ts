import { queryOptions, type QueryClient } from "@tanstack/react-query"
import {
  rewardListReader,
  rewardReader,
  type Reward,
  type RewardListQuery,
} from "../../contract/program/reward.ts"
import { programResource } from "./paging.ts"

const rewards = programResource<Reward, RewardListQuery>({
  name: "reward",
  plural: "rewards",
  schema: rewardReader.tolerant,
  listSchema: rewardListReader.tolerant,
  idOf: ({ id }) => id,
})

/** One reward. Pages of the catalogue seed it (docs/api/program.md, Rewards). */
export const rewardQuery = rewards.one

/** One page of the catalogue. */
export const rewardsQuery = rewards.page

/** Every reward this browser holds; some more than once. */
export const rewardsInCache = rewards.cached

/**
 * Every reward, or every one that is offered, for finding one by typing: the service has no search for rewards. One
 * request for each 100 of them; the server keeps the responses for five minutes.
 */
export function everyRewardQuery(filter: Pick<RewardListQuery, "status"> = {}) {
  return queryOptions({
    queryKey: ["rewards", "every", filter],
    queryFn: ({ signal, client }) => rewards.readEvery(client, filter, { signal }),
    staleTime: 5 * 60_000,
  })
}

/** Something was redeemed: stock has changed, so whatever is shown of rewards is read again. */
export function refetchRewards(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ["rewards"] })
  void client.invalidateQueries({ queryKey: rewardQuery(id).queryKey })
}
