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
 * Every reward that is offered, for choosing one by typing: the service has no search for rewards. One request for
 * each 100 of them; the server keeps the responses for five minutes.
 */
export const offeredRewardsQuery = queryOptions({
  queryKey: ["rewards", "offered"],
  queryFn: ({ signal, client }) => rewards.readEvery(client, { status: "active" }, { signal }),
  staleTime: 5 * 60_000,
})

/** Something was redeemed: stock has changed, so whatever is shown of rewards is read again. */
export function rereadRewards(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ["rewards"] })
  void client.invalidateQueries({ queryKey: rewardQuery(id).queryKey })
}
