import { orderReader } from "../../../contract/program/order.ts"
import { redeemBody } from "../../../contract/program/reward.ts"
import { emailText } from "../../../contract/program/common.ts"
import { readBody } from "../../validation.ts"
import { invalid } from "../../errors.ts"
import type { KindRules } from "../job-kind.ts"
import { requirePathId } from "./path-id.ts"
import { lookForRedemption } from "./redeem-look.ts"
import { notedBefore } from "./redeem-noted.ts"
import { lookBeforeRedeeming } from "./redeem-ready.ts"
import { orderScope } from "./redeem-search.ts"

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
    requirePathId("member_id", input.member_id)
    if (emailText.safeParse(input.member_id).success) {
      const message = "This is an e-mail address. Name the member by id. Nothing was redeemed."
      throw invalid(422, [{ field: "member_id", message }])
    }
    requirePathId("reward_id", input.reward_id)
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
  precheck: lookBeforeRedeeming,
  request: (_, row) => ({
    operation: "POST /rewards/redeem",
    api: "program",
    method: "POST",
    path: "/rewards/redeem",
    body: row.input,
  }),
  readResponse(data, row) {
    const read = orderReader.read(data)
    if (!read.ok) return undefined
    const { order_id, member_id, reward_id, new_balance, points_spent, status } = read.value
    const asked = readBody(row.input, redeemBody)
    if (member_id !== asked.member_id || reward_id !== asked.reward_id) return undefined
    // An order that was there before cannot be what this row made.
    if (notedBefore(row)?.orders.includes(order_id) === true) return undefined
    return {
      upstreamId: order_id,
      balanceAfter: new_balance ?? null,
      work: { points_spent: points_spent ?? null, status: status ?? null },
    }
  },
  claimScope: orderScope,
  claimWhileSent: (row) =>
    row.memberId === null ? undefined : { scope: "program:redeem", key: row.memberId },
  lookup: lookForRedemption,
  absence: "settled",
  resends: 0,
  unsureCode: "order_unsure",
  twiceCode: "redeemed_twice",
  auditChanges(row) {
    const { reward_id, quantity = 1 } = readBody(row.input, redeemBody)
    return [
      { field: "reward_id", from: null, to: reward_id },
      { field: "quantity", from: null, to: String(quantity) },
      ...(row.upstreamId === null ? [] : [{ field: "order_id", from: null, to: row.upstreamId }]),
    ]
  },
  showsCode: true,
  topics: ["members", "orders"],
  invalidates: (row) => ({ gone: [`member:${row.memberId}`], old: ["members", "orders", "rewards"] }),
}
