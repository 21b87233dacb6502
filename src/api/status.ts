import { queryOptions } from "@tanstack/react-query"
import { budgetAnswer, appStatus } from "../../contract/status.ts"
import { registerTopic } from "./events.ts"
import { apiPath, dataQuery, notBefore, request } from "./request.ts"

/** Events about the budget come with every request of the team; the status is read again this often at most, in ms. */
const gap = 3000

const key = ["status"]

/** How the services and the request budget are doing, measured on Laurel's own calls: reading it costs none. */
export const statusQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ signal, client }) => {
    await notBefore((client.getQueryState(key)?.dataUpdatedAt ?? 0) + gap, signal)
    return request({ path: apiPath("status"), schema: appStatus, signal })
  },
  staleTime: 5000,
})

registerTopic("status", key)
registerTopic("budget", key)

/**
 * The request budgets of both services, without an upstream request. While some of it is in use it is read often,
 * because it fills up again without anything happening.
 */
export const budgetQuery = dataQuery(
  ["budget"],
  { path: ["status", "budget"], schema: budgetAnswer },
  {
    staleTime: 2000,
    refetchInterval: ({ state }) => {
      const inUse = state.data?.some(({ left, limit, waiting }) => left < limit || waiting > 0)
      return inUse === true ? 4000 : 30_000
    },
  },
)

registerTopic("budget", budgetQuery.queryKey)
