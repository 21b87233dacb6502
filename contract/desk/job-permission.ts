import type { Permission } from "../roles.ts"
import type { JobKind } from "./job.ts"

/**
 * What a person has to be allowed before a job of a kind is made, or anything of it is sent again: the same as for
 * the single effect. Looking at jobs and stopping them is `jobs.read` and `jobs.control`.
 */
export const jobPermission: Readonly<Record<JobKind, Permission>> = {
  award: "points.write",
  deduct: "points.write",
  "member-create": "members.edit",
  redeem: "rewards.redeem",
  "order-update": "orders.update",
  giftcard: "cards.issue",
}
