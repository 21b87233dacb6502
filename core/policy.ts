import { emailText } from "../contract/program/common.ts"
import * as z from "zod/mini"
import { cardLookupQuery, cardReader } from "../contract/giftcard/card.ts"
import { leaderboardReader, rankingsQuery } from "../contract/program/leaderboard.ts"
import {
  memberListQuery,
  memberListReader,
  memberReader,
  updateMemberBody,
} from "../contract/program/member.ts"
import { orderListQuery, orderListReader, orderReader } from "../contract/program/order.ts"
import { balanceReader, transactionListQuery, transactionListReader } from "../contract/program/points.ts"
import { rewardListQuery, rewardListReader, rewardReader } from "../contract/program/reward.ts"
import { read, throughJob, write, type Operation } from "./operation.ts"

const oneMember = ["member:{member_id}"]
const members = ["members"]

/** Body of `DELETE /api/program/members/{id}`: the member's e-mail, typed by the person who deletes. */
export const deleteMemberBody = z.strictObject({ email: emailText })

/**
 * The table through which alone anything reaches a service: every operation of both documents, who may use it and
 * what it may carry. What has no row here cannot be sent.
 */
export const policy: readonly Operation[] = [
  // Members (docs/api/program.md, Members)
  read("GET /members", "members.read", "page", memberListReader, {
    query: memberListQuery,
    narrow: { needs: "members.search", keeps: ["page", "per_page"] },
    cache: "members",
    tags: members,
    seeds: { operation: "GET /members/{member_id}", id: "id" },
    redacts: "member",
  }),
  throughJob("POST /members", "members.edit", "member-create"),
  read("GET /members/{member_id}", "members.read", "record", memberReader, {
    cache: "members",
    tags: oneMember,
    redacts: "member",
  }),
  write("PATCH /members/{member_id}", "members.edit", {
    method: "PATCH",
    act: "member-update",
    body: updateMemberBody,
    audit: "member.update",
    redacts: "member",
    invalidates: { gone: oneMember, old: members },
  }),
  write("DELETE /members/{member_id}", "members.delete", {
    method: "DELETE",
    act: "member-delete",
    body: deleteMemberBody,
    audit: "member.delete",
    redacts: "member",
    invalidates: { gone: [...oneMember, ...members], old: [] },
  }),
  read("GET /members/{member_id}/balance", "ledger.read", "record", balanceReader, {
    cache: "members",
    tags: oneMember,
  }),
  read("GET /members/{member_id}/transactions", "ledger.read", "page", transactionListReader, {
    query: transactionListQuery,
    cache: "members",
    tags: oneMember,
  }),

  // Points
  throughJob("POST /points/award", "points.write", "award"),
  throughJob("POST /points/award/bulk", "points.write", "award"),
  throughJob("POST /points/deduct", "points.write", "deduct"),

  // Rewards
  read("GET /rewards", "rewards.read", "page", rewardListReader, {
    query: rewardListQuery,
    cache: "rewards",
    tags: ["rewards"],
    seeds: { operation: "GET /rewards/{reward_id}", id: "id" },
  }),
  read("GET /rewards/{reward_id}", "rewards.read", "record", rewardReader, {
    cache: "rewards",
    tags: ["rewards"],
  }),
  throughJob("POST /rewards/redeem", "rewards.redeem", "redeem"),

  // Orders
  read("GET /orders", "orders.read", "open-page", orderListReader, {
    query: orderListQuery,
    cache: "orders",
    tags: ["orders"],
    // Seeds nothing: list rows lack `fulfillment` and are no complete orders (docs/api/program.md, Order).
    redacts: "order",
  }),
  read("GET /orders/{order_id}", "orders.read", "record", orderReader, {
    cache: "orders",
    tags: ["orders"],
    redacts: "order",
  }),
  throughJob("PATCH /orders/{order_id}", "orders.update", "order-update", { method: "PATCH" }),

  // Leaderboards
  read("GET /leaderboards", "leaderboards.read", "list", leaderboardReader, { cache: "leaderboards" }),
  read("GET /leaderboards/{leaderboard_id}/rankings", "leaderboards.read", "list", leaderboardReader, {
    query: rankingsQuery,
    cache: "leaderboards",
  }),

  // Gift cards (docs/api/giftcard.md)
  throughJob("POST /giftcard/cards", "cards.issue", "giftcard", { api: "giftcard" }),
  read("GET /giftcard/cards/{id}", "cards.read", "record", cardReader, {
    api: "giftcard",
    query: cardLookupQuery,
  }),
]
