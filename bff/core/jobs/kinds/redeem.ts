import { orderReader } from "../../../../contract/program/order.ts"
import { redeemBody } from "../../../../contract/program/reward.ts"
import { readBody } from "../../body.ts"
import type { KindRules } from "../job-kind.ts"
import { lookForRedemption } from "./redeem-look.ts"
import { lookBeforeRedeeming } from "./redeem-ready.ts"

/**
 * Redemptions for a member (docs/api/program.md, Rewards). The service takes no reference, so before one is sent the
 * member's orders are noted, and one at a time is under way for each member: a new order can then be told by its time.
 */
export const redeem: KindRules = {
  kind: "redeem",
  api: "program",
  hasPoints: false,
  newRow(raw) {
    const input = readBody(raw, redeemBody)
    return {
      input,
      memberId: input.member_id,
      email: null,
      label: null,
      points: null,
      reason: null,
      reverses: null,
    }
  },
  prepare: async () => undefined,
  ready: lookBeforeRedeeming,
  effect: (_, row) => ({
    operation: "POST /rewards/redeem",
    api: "program",
    method: "POST",
    path: "/rewards/redeem",
    body: row.input,
  }),
  read(data, row) {
    const read = orderReader.read(data)
    if (!read.ok) return undefined
    const { order_id, member_id, reward_id, new_balance, points_spent, status } = read.value
    const asked = readBody(row.input, redeemBody)
    if (member_id !== asked.member_id || reward_id !== asked.reward_id) return undefined
    return {
      upstreamId: order_id,
      balanceAfter: new_balance ?? null,
      work: { points_spent: points_spent ?? null, status: status ?? null },
    }
  },
  claimScope: "program:order",
  holdWhileSent: (row) =>
    row.memberId === null ? undefined : { scope: "program:redeem", key: row.memberId },
  look: lookForRedemption,
  absence: "settled",
  resends: 0,
  tells: ["members", "orders"],
  invalidates: (row) => ({ gone: [`member:${row.memberId}`], old: ["members", "orders", "rewards"] }),
}
