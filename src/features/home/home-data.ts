import { useInterval } from "@mantine/hooks"
import {
  type FetchQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { useMemo } from "react"
import { isUpdating } from "../../../contract/response.ts"
import { limits } from "../../../contract/limits.ts"
import type { LeaderboardMappings } from "../../../contract/settings.ts"
import type { Session } from "../../../contract/session.ts"
import { addDays } from "../../../contract/zoned-days.ts"
import {
  leaderboardMappingsQuery,
  leaderboardsQuery,
  rankingsQuery,
  readBoards,
} from "../../api/leaderboards.ts"
import { memberFacetsQuery, memberQuery, membersQuery } from "../../api/members.ts"
import { ordersToShipQuery } from "../../api/orders.ts"
import { rewardsQuery } from "../../api/rewards.ts"
import type { ReadOptions } from "../../api/request.ts"
import { sessionCan, useSession } from "../../api/session.ts"
import { momentsOf } from "../../lib/time.ts"
import { fullName } from "../../lib/names.ts"

const firstMembers = { page: 1, per_page: limits.perPage.default } as const
const longestPending = { ...firstMembers, status: "pending", sort: "created_at" } as const
const firstRewards = { page: 1, per_page: limits.perPage.max } as const

const placesRead = 25

const homeKey = ["home"] as const

/**
 * A query of another page for the home page. A list refetches on every change; the home page is open all day, and
 * each shipped parcel would cost it requests. So it fetches on mount and on window focus, and then only stale or
 * changed data; `reread` bypasses every cache.
 */
function useHomeQuery<T, K extends QueryKey>(
  sourceOf: (how: ReadOptions) => FetchQueryOptions<T, Error, T, K>,
  enabled: boolean,
) {
  const client = useQueryClient()
  const reread = () =>
    void client.prefetchQuery(homeQuery(client, { ...sourceOf({ fresh: true }), staleTime: 0 }))
  return { ...useQuery({ ...homeQuery(client, sourceOf({})), enabled }), reread }
}

function homeQuery<T, K extends QueryKey>(client: QueryClient, source: FetchQueryOptions<T, Error, T, K>) {
  return queryOptions({
    queryKey: [...homeKey, ...source.queryKey],
    queryFn: (): Promise<T> => client.fetchQuery(source),
    staleTime: 0,
    // The source query retries where that helps.
    retry: false,
    retryOnMount: false,
  })
}

/** Filter of the chart of awarded points. */
export function chartFilter(today: string, timeZone: string) {
  return { by: "day" as const, ...momentsOf({ from: addDays(today, 1 - limits.chartDays) }, timeZone) }
}

function homeParts(session: Session) {
  return {
    orders: sessionCan(session, "orders.read"),
    rewards: sessionCan(session, "rewards.read"),
    // Member counts are for roles that may filter members.
    members: sessionCan(session, "members.search"),
    boards: sessionCan(session, "leaderboards.read"),
  }
}

/** Refetches what was invalidated since, as its own page would have done by now. */
export function rereadChanged(client: QueryClient): void {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: homeKey, type: "active" })) {
    const source = client.getQueryState(queryKey.slice(homeKey.length))
    if (source?.isInvalidated === true) void client.refetchQueries({ queryKey, exact: true })
  }
}

/**
 * The board to show: the first one with a saved mapping, since it is in use; otherwise the first one. Undefined
 * without a usable board. `sent` is the response with the list of boards.
 */
function boardShown(sent: unknown, mappings: LeaderboardMappings | undefined) {
  const boards = (readBoards(sent) ?? []).flatMap(({ id, name }) => {
    const roles = mappings?.boards.find((board) => board.id === id)?.roles
    return id === null ? [] : [{ id, name: name ?? id, roles }]
  })
  return boards.find(({ roles }) => roles !== undefined) ?? boards[0]
}

/** Interval at which an open page checks for changes, in ms. */
const checkMs = 60_000

/**
 * The home page's data: at most 7 upstream requests, each shared with another page's query, so that navigating
 * between them costs nothing.
 */
export function useHome() {
  const client = useQueryClient()
  const session = useSession()
  const parts = homeParts(session)
  useInterval(() => document.visibilityState === "visible" && rereadChanged(client), checkMs, {
    autoInvoke: true,
  })
  const boards = useHomeQuery(leaderboardsQuery, parts.boards)
  const mappings = useQuery({ ...leaderboardMappingsQuery, enabled: parts.boards })
  // The board depends on the mappings: no ranking is requested before they are loaded.
  const first = useMemo(() => boardShown(boards.data?.data, mappings.data), [boards.data, mappings.data])
  const board = mappings.isPending ? undefined : first
  const orders = useHomeQuery(ordersToShipQuery, parts.orders)
  const rewards = useHomeQuery((how) => rewardsQuery(firstRewards, how), parts.rewards)
  const members = useHomeQuery((how) => membersQuery(firstMembers, how), parts.members)
  // The local copy counts them without an upstream request, so it refetches on every change.
  const counts = useQuery({ ...memberFacetsQuery(), enabled: parts.members })
  const facets = { ...counts, reread: () => void counts.refetch() }
  const pending = useHomeQuery((how) => membersQuery(longestPending, how), parts.members)
  const rankings = useHomeQuery((how) => rankingsQuery(board?.id ?? "", placesRead, how), board !== undefined)

  const queries = [orders, rewards, members, facets, pending, boards, rankings].filter(
    ({ isEnabled }) => isEnabled,
  )
  const answered = queries.flatMap(({ data }) => (data === undefined ? [] : [data.at]))
  return {
    parts,
    orders,
    rewards,
    members,
    facets,
    pending,
    boards: { list: boards, board, rankings, reading: boards.isPending || mappings.isPending },
    at: answered.length === 0 ? undefined : Math.min(...answered),
    refreshing: queries.some(({ isFetching }) => isFetching),
    updating: queries.some(({ data }) => isUpdating(data)),
    /** The error of a failed refetch; the previous data stays visible. */
    behind: queries.find(({ data, error }) => data !== undefined && error !== null)?.error ?? null,
    refresh: () => queries.forEach(({ reread }) => reread()),
  }
}

/** All data of the home page. */
export type Home = ReturnType<typeof useHome>

/** Names of members that are in the cache anyway: none is requested. */
export function useKnownName(): (memberId: string) => string | undefined {
  const client = useQueryClient()
  return (memberId) => {
    const member = client.getQueryData(memberQuery(memberId).queryKey)
    return member === undefined ? undefined : fullName(member.data)
  }
}
