import * as z from "zod/mini"
import { redeemBody } from "../program/reward.ts"
import type { JobKindDescriptor } from "./descriptor.ts"

/** A row of a job of redemptions; `expected_cost`: the points it was shown to cost, which it must still cost. */
export const redeemRow = z.extend(redeemBody, { expected_cost: z.optional(z.int()) })

export const redeem = {
  api: "program",
  permission: "rewards.redeem",
  reads: "rewards.read",
  audit: { action: "reward.redeem", label: "Redeemed a reward" },
  operations: ["POST /rewards/redeem"],
  costsPoints: true,
  requestsPerRow: 1,
  subject: "member",
  name: "Redemption",
  noun: "redemption",
  pastTense: "redeemed",
  record: "order",
  recordLabel: "Order",
  fields: { member_id: "Member id", reward_id: "Reward id", quantity: "Quantity" },
  resultFields: ["member_id", "member", "reward_id", "quantity"],
  visibleInput: {
    fulfilment: ["member_id", "reward_id", "quantity"],
    viewer: ["member_id", "reward_id", "quantity"],
  },
  labels: {
    title: "Redeem for a member",
    activity: "Redeeming",
    notAllowed: "You can view rewards but not redeem them.",
    notDone: "Nothing was redeemed.",
    confirmed: "Done",
    lookup: "among the member’s orders",
    source: "the member’s orders",
    otherJob: "This link is for a job that isn’t a redemption.",
  },
  decision: {
    question: "Was this redeemed for {who}?",
    again: "Redeem it again",
    resendRisk: "If it did happen, {who} pays twice and there are two orders.",
  },
} as const satisfies JobKindDescriptor
