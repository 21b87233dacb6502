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
import type { Session } from "../../../contract/users.ts"
import { addDays } from "../../../contract/zoned-days.ts"
import { leaderboardMappingsQuery, leaderboardsQuery, rankingsQuery } from "../../api/leaderboards.ts"
import { memberOverviewQuery, memberQuery, membersCountQuery } from "../../api/members.ts"
import { ordersToShipQuery } from "../../api/orders.ts"
import { rewardsQuery } from "../../api/rewards.ts"
import type { ReadOptions } from "../../api/request.ts"
import { sessionCan, useSession } from "../../api/session.ts"
import { momentsOf } from "../../lib/days.ts"
import { fullName } from "../../lib/names.ts"
import { boardsOf } from "../../lib/ranking/boards.ts"

const firstRewards = { page: 1, per_page: limits.perPage.max } as const

const placesRead = 25

const homeKey = ["home"] as const

/**
 * A response of another page, kept for the home page. A list on screen is read again whenever something changed; the home
 * page is open all day, and each parcel that is shipped would cost it requests. So it reads when it is opened and when a
 * person comes back to it, and then only what is stale or has changed; with `reread` past every cache.
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
    // The source retries by itself where that helps.
    retry: false,
    retryOnMount: false,
  })
}

/** What the chart of awarded points is made from. */
export function chartFilter(today: string, timeZone: string) {
  return { by: "day" as const, ...momentsOf({ from: addDays(today, 1 - limits.chartDays) }, timeZone) }
}

function partsOf(session: Session) {
  return {
    orders: sessionCan(session, "orders.read"),
    rewards: sessionCan(session, "rewards.read"),
    // People are counted for those who may filter them.
    members: sessionCan(session, "members.search"),
    boards: sessionCan(session, "leaderboards.read"),
  }
}

/** Reads again what has changed since: what its own page would have read again by now. */
export function rereadChanged(client: QueryClient): void {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: homeKey, type: "active" })) {
    const source = client.getQueryState(queryKey.slice(homeKey.length))
    if (source?.isInvalidated === true) void client.refetchQueries({ queryKey, exact: true })
  }
}

/**
 * The board that is shown: the first one whose fields a person mapped, because they use it; else the first one. None
 * when there is no board that could be asked for. `sent` is the list of boards as it was sent.
 */
function boardShown(sent: unknown, mappings: LeaderboardMappings | undefined) {
  const boards = (boardsOf(sent) ?? []).flatMap(({ id, name }) => {
    const roles = mappings?.boards.find((board) => board.id === id)?.roles
    return id === null ? [] : [{ id, name: name ?? id, roles }]
  })
  return boards.find(({ roles }) => roles !== undefined) ?? boards[0]
}

/** How often an open page checks whether something has changed, in ms. */
const checkMs = 60_000

/**
 * Everything on the home page that a service is asked for: at most 8 requests, each the one that another page makes, so
 * that going there and coming back asks nothing.
 */
export function useHome() {
  const client = useQueryClient()
  const session = useSession()
  const parts = partsOf(session)
  useInterval(() => document.visibilityState === "visible" && rereadChanged(client), checkMs, {
    autoInvoke: true,
  })
  const boards = useHomeQuery(leaderboardsQuery, parts.boards)
  const mappings = useQuery({ ...leaderboardMappingsQuery, enabled: parts.boards })
  // Which board is shown depends on the mappings: no ranking is asked for before they are known.
  const first = useMemo(() => boardShown(boards.data?.data, mappings.data), [boards.data, mappings.data])
  const board = mappings.isPending ? undefined : first
  const orders = useHomeQuery(ordersToShipQuery, parts.orders)
  const rewards = useHomeQuery((how) => rewardsQuery(firstRewards, how), parts.rewards)
  const members = useHomeQuery(memberOverviewQuery, parts.members)
  const pending = useHomeQuery((how) => membersCountQuery({ status: "pending" }, how), parts.members)
  const inactive = useHomeQuery((how) => membersCountQuery({ status: "inactive" }, how), parts.members)
  const rankings = useHomeQuery((how) => rankingsQuery(board?.id ?? "", placesRead, how), board !== undefined)

  const asked = [orders, rewards, members, pending, inactive, boards, rankings].filter(
    ({ isEnabled }) => isEnabled,
  )
  const answered = asked.flatMap(({ data }) => (data === undefined ? [] : [data.at]))
  return {
    parts,
    orders,
    rewards,
    members,
    pending,
    inactive,
    boards: { list: boards, board, rankings, reading: boards.isPending || mappings.isPending },
    at: answered.length === 0 ? undefined : Math.min(...answered),
    refreshing: asked.some(({ isFetching }) => isFetching),
    updating: asked.some(({ data }) => isUpdating(data)),
    /** Why something could not be read again; what was read before stays. */
    behind: asked.find(({ data, error }) => data !== undefined && error !== null)?.error ?? null,
    refresh: () => asked.forEach(({ reread }) => reread()),
  }
}

/** Everything the home page reads. */
export type Home = ReturnType<typeof useHome>

/** Names of members whom this browser read anyway: nobody is asked for one. */
export function useKnownName(): (memberId: string) => string | undefined {
  const client = useQueryClient()
  return (memberId) => {
    const member = client.getQueryData(memberQuery(memberId).queryKey)
    return member === undefined ? undefined : fullName(member.data)
  }
}
