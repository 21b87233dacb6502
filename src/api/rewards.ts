import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import {
  rewardListReader,
  rewardReader,
  type Reward,
  type RewardListQuery,
} from "../../contract/program/reward.ts"
import { readEveryPage } from "./paging.ts"
import { type Answer, apiPath, request } from "./request.ts"

/** Every cached list of rewards starts with this key. */
const rewardsKey = ["rewards"] as const

/** How a read is made. */
interface ReadHow {
  readonly signal?: AbortSignal | undefined
  /** Asks the service itself, past every cache. */
  readonly fresh?: boolean | undefined
}

/** One reward. Pages of the catalogue seed it (docs/api/program.md, Rewards). */
export function rewardQuery(id: string, { fresh = false }: { fresh?: boolean } = {}) {
  return queryOptions({
    queryKey: ["reward", id],
    queryFn: ({ signal }): Promise<Answer<Reward>> =>
      request({ path: apiPath("program", "rewards", id), schema: rewardReader.tolerant, signal, fresh }),
  })
}

/** One page of the catalogue. While another page is read the one before stays, marked as placeholder. */
export function rewardsQuery(query: RewardListQuery, { fresh = false }: { fresh?: boolean } = {}) {
  return queryOptions({
    queryKey: [...rewardsKey, "page", query],
    queryFn: async ({ signal, client }): Promise<Answer<Reward[]>> => {
      const answer = await readPage(query, { signal, fresh })
      seedRewards(client, answer)
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
        seedRewards(client, answer)
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

/** Puts each reward of a page where its own page looks, as old as the answer; a newer copy stays. */
function seedRewards(client: QueryClient, { data, age, at, stale }: Answer<Reward[]>): void {
  for (const reward of data) {
    const { queryKey } = rewardQuery(reward.id)
    const known = client.getQueryData(queryKey)
    if (known !== undefined && known.at >= at) continue
    client.setQueryData(queryKey, { data: reward, age, at, stale }, { updatedAt: at })
  }
}
