import { queryOptions } from "@tanstack/react-query"
import { budgetAnswer } from "../../contract/desk/status.ts"
import { registerTopic } from "./events.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

/**
 * The request budgets of both services. Asking costs no upstream request. While some of it is in use the answer is
 * read often, because it fills up again without anything happening.
 */
export const budgetQuery = queryOptions({
  queryKey: ["budget"],
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("status", "budget"), schema: budgetAnswer, signal })).data,
  staleTime: 2000,
  refetchInterval: ({ state }) => {
    const inUse = state.data?.some(({ left, limit, waiting }) => left < limit || waiting > 0)
    return inUse === true ? 4000 : 30_000
  },
})

registerTopic("budget", budgetQuery.queryKey)
