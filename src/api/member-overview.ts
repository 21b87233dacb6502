import { queryOptions, type QueryClient } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import type { Member, MemberListQuery } from "../../contract/program/member.ts"
import { membersKey, membersQuery } from "./members.ts"
import type { Answer } from "./request.ts"

interface ReadHow {
  /** Asks the service itself, past every cache. */
  readonly fresh?: boolean
}

/**
 * Everybody's first page, as large as the service gives it: how many there are in all, and a sample of their tiers. One
 * upstream request, which the list of members finds again: its own first page is the beginning of this one.
 */
export function memberOverviewQuery({ fresh = false }: ReadHow = {}) {
  return queryOptions({
    queryKey: [...membersKey, "overview"],
    queryFn: async ({ client }): Promise<Answer<Member[]>> => {
      const page = membersQuery({ page: 1, per_page: limits.perPage.max }, { fresh })
      const answer = await client.fetchQuery({ ...page, ...(fresh ? { staleTime: 0 } : {}) })
      seedFirstPage(client, answer)
      return answer
    },
    retryOnMount: false,
  })
}

/** The first page that the list shows for a filter: its total is how many there are, and the list finds it again. */
export function membersCountQuery(filter: Pick<MemberListQuery, "status" | "tier">, how: ReadHow = {}) {
  return membersQuery({ ...filter, page: 1, per_page: limits.perPage.default }, how)
}

/**
 * How many members each of these tiers has. The service does not say it at once, so it costs a request for each: it is
 * read on somebody's word and kept for an hour.
 */
export function tierCountsQuery(tiers: readonly string[]) {
  return queryOptions({
    queryKey: [...membersKey, "tiers", tiers],
    queryFn: async ({ client }): Promise<ReadonlyMap<string, number>> => {
      const answers = await Promise.all(tiers.map((tier) => client.fetchQuery(membersCountQuery({ tier }))))
      return new Map(tiers.map((tier, at) => [tier, answers[at]?.meta?.total ?? 0]))
    },
    enabled: false,
    staleTime: Infinity,
    gcTime: 3_600_000,
  })
}

/** Puts the beginning of a large first page where the list looks for its own; a newer copy stays. */
function seedFirstPage(client: QueryClient, { data, meta, age, at, stale }: Answer<Member[]>): void {
  const per_page = limits.perPage.default
  const { queryKey } = membersQuery({ page: 1, per_page })
  const known = client.getQueryData(queryKey)
  if (meta?.total === undefined || (known !== undefined && known.at >= at)) return
  const first = { data: data.slice(0, per_page), meta: { ...meta, per_page }, age, at, stale }
  client.setQueryData(queryKey, first, { updatedAt: at })
}
