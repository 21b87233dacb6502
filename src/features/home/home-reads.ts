import type { QueryClient } from "@tanstack/react-query"
import { limits } from "../../../contract/limits.ts"
import type { Session } from "../../../contract/users.ts"
import { leaderboardsQuery, rankingsQuery } from "../../api/leaderboards.ts"
import { memberOverviewQuery, membersCountQuery } from "../../api/members.ts"
import { freshOrdersToShipQuery } from "../../api/order-book.ts"
import { sessionCan } from "../../api/session.ts"
import { rewardsQuery } from "../../api/rewards.ts"
import { calmQuery } from "./calm-query.ts"

/** The first page of the catalogue, the same that the orders read for the types of their rewards. */
export const firstRewards = { page: 1, per_page: limits.perPage.max } as const

/** Places read of a board: as many as its own page reads. */
export const placesRead = 25

/** What a role is shown of the services. People are counted for those who may filter them. */
export function homeParts(session: Session) {
  return {
    orders: sessionCan(session, "orders.read"),
    rewards: sessionCan(session, "rewards.read"),
    members: sessionCan(session, "members.search"),
    boards: sessionCan(session, "leaderboards.read"),
  }
}

/**
 * Reads the home page again from the services themselves, past every cache.
 * @param boardId the board that is shown; undefined: none
 */
export async function rereadHome(client: QueryClient, session: Session, boardId: string | undefined) {
  const parts = homeParts(session)
  const how = { fresh: true }
  const now = { now: true }
  await Promise.all([
    parts.orders && client.prefetchQuery(calmQuery(freshOrdersToShipQuery, now)),
    parts.rewards && client.prefetchQuery(calmQuery(rewardsQuery(firstRewards, how), now)),
    parts.members && client.prefetchQuery(calmQuery(memberOverviewQuery(how), now)),
    parts.members && client.prefetchQuery(calmQuery(membersCountQuery({ status: "pending" }, how), now)),
    parts.members && client.prefetchQuery(calmQuery(membersCountQuery({ status: "inactive" }, how), now)),
    parts.boards && client.prefetchQuery(calmQuery(leaderboardsQuery(how), now)),
    boardId !== undefined && client.prefetchQuery(calmQuery(rankingsQuery(boardId, placesRead, how), now)),
  ])
}
