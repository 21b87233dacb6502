import { useInterval } from "@mantine/hooks"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { leaderboardMappingsQuery, leaderboardsQuery, rankingsQuery } from "../../api/leaderboards.ts"
import { memberOverviewQuery, membersCountQuery } from "../../api/members.ts"
import { ordersToShipQuery } from "../../api/order-book.ts"
import { useSession } from "../../api/session.ts"
import { rewardsQuery } from "../../api/rewards.ts"
import { boardShown } from "./board/board-shown.ts"
import { calmQuery, rereadChanged } from "./calm-query.ts"
import { firstRewards, homeParts, placesRead, rereadHome } from "./home-reads.ts"

/** How often the page that is left open looks whether something has changed, in ms. */
const lookMs = 60_000

/**
 * Everything on the home page that a service is asked for: at most 8 requests, and each is the very answer that another
 * page shows, so that going there and coming back asks nothing.
 */
export function useHome() {
  const client = useQueryClient()
  const session = useSession()
  const parts = homeParts(session)
  useInterval(() => document.visibilityState === "visible" && rereadChanged(client), lookMs, {
    autoInvoke: true,
  })
  const orders = useQuery({ ...calmQuery(ordersToShipQuery), enabled: parts.orders })
  const rewards = useQuery({ ...calmQuery(rewardsQuery(firstRewards)), enabled: parts.rewards })
  const members = useQuery({ ...calmQuery(memberOverviewQuery()), enabled: parts.members })
  const pending = useQuery({ ...calmQuery(membersCountQuery({ status: "pending" })), enabled: parts.members })
  const inactive = useQuery({
    ...calmQuery(membersCountQuery({ status: "inactive" })),
    enabled: parts.members,
  })
  const boards = useQuery({ ...calmQuery(leaderboardsQuery()), enabled: parts.boards })
  const mappings = useQuery({ ...leaderboardMappingsQuery, enabled: parts.boards })
  // Which board is shown hangs on what people said of boards: no ranking is asked for before that is known.
  const board = mappings.isPending ? undefined : boardShown(boards.data?.data, mappings.data)
  const rankings = useQuery({
    ...calmQuery(rankingsQuery(board?.id ?? "", placesRead)),
    enabled: board !== undefined,
  })

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
    /** When the oldest of the answers came, in ms since the epoch. */
    at: answered.length === 0 ? undefined : Math.min(...answered),
    refreshing: asked.some(({ isFetching }) => isFetching),
    /** Why something could not be read again; what was read before stays. */
    behind: asked.find(({ data, error }) => data !== undefined && error !== null)?.error ?? null,
    /** Upstream requests that reading it again costs: the orders are two lists. */
    requests: asked.length + (parts.orders ? 1 : 0),
    refresh: () => void rereadHome(client, session, board?.id),
  }
}

/** What the home page was answered. */
export type Home = ReturnType<typeof useHome>
