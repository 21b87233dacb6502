import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import {
  rewardListReader,
  rewardReader,
  type Reward,
  type RewardListQuery,
} from "../../contract/program/reward.ts"
import { readEveryPage, seedRecords } from "./paging.ts"
import { type Answer, apiPath, type ReadHow, request } from "./request.ts"

/** Every cached list of rewards starts with this key. */
const rewardsKey = ["rewards"] as const

/** One reward. Pages of the catalogue seed it (docs/api/program.md, Rewards). */
export function rewardQuery(id: string, { fresh }: ReadHow = {}) {
  return queryOptions({
    queryKey: ["reward", id],
    queryFn: ({ signal }): Promise<Answer<Reward>> =>
      request({ path: apiPath("program", "rewards", id), schema: rewardReader.tolerant, signal, fresh }),
  })
}

const keyOf = ({ id }: Reward) => rewardQuery(id).queryKey

/** One page of the catalogue. While another page is read the one before stays, marked as placeholder. */
export function rewardsQuery(query: RewardListQuery, { fresh }: ReadHow = {}) {
  return queryOptions({
    queryKey: [...rewardsKey, "page", query],
    queryFn: async ({ signal, client }): Promise<Answer<Reward[]>> => {
      const answer = await readPage(query, { signal, fresh })
      seedRecords(client, answer, keyOf)
      return answer
    },
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}

/**
 * Every reward that is offered, for choosing one by typing: the service has no search for rewards. One request for
 * each 100 of them; the server keeps the answers for five minutes.
 */
export const offeredRewardsQuery = queryOptions({
  queryKey: [...rewardsKey, "offered"],
  queryFn: ({ signal, client }) =>
    readEveryPage({
      perPage: limits.perPage.max,
      signal,
      idOf: (reward: Reward) => reward.id,
      read: async (page, perPage, fresh) => {
        const answer = await readPage({ status: "active", page, per_page: perPage }, { signal, fresh })
        seedRecords(client, answer, keyOf)
        return answer
      },
    }),
  staleTime: 5 * 60_000,
})

/** Every reward in the lists this browser holds; some more than once. */
export function rewardsInCache(client: QueryClient): Reward[] {
  const pages = client.getQueriesData<Answer<Reward[]>>({ queryKey: [...rewardsKey, "page"] })
  return pages.flatMap(([, answer]) => answer?.data ?? [])
}

/** Something was redeemed: stock has changed, so whatever is shown of rewards is read again. */
export function rereadRewards(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: rewardsKey })
  void client.invalidateQueries({ queryKey: rewardQuery(id).queryKey })
}

function readPage(query: RewardListQuery, { signal, fresh }: ReadHow): Promise<Answer<Reward[]>> {
  return request({
    path: apiPath("program", "rewards"),
    query: { ...query },
    schema: rewardListReader.tolerant,
    signal,
    fresh,
  })
}
