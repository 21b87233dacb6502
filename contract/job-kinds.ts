import type { JobKind } from "./job.ts"
import type { Permission } from "./roles.ts"

/** What is known about a kind of job wherever it is named. */
interface JobKindDescriptor {
  /**
   * What a person has to be allowed before a job of this kind is made, or anything of it is sent again: the same as for
   * the single effect. Looking at jobs and stopping them is `jobs.read` and `jobs.control`.
   */
  readonly permission: Permission
  /** One of its effects, in lower case: "1 redemption"; its plural takes an s. */
  readonly noun: string
  /** Its rows have points, which are summed. */
  readonly hasPoints: boolean
}

/** The descriptor of each kind. */
export const jobKindDescriptors: Readonly<Record<JobKind, JobKindDescriptor>> = {
  award: { permission: "points.write", noun: "award", hasPoints: true },
  deduct: { permission: "points.write", noun: "deduction", hasPoints: true },
  "member-create": { permission: "members.edit", noun: "new member", hasPoints: false },
  redeem: { permission: "rewards.redeem", noun: "redemption", hasPoints: false },
  "order-update": { permission: "orders.update", noun: "order update", hasPoints: false },
  giftcard: { permission: "cards.issue", noun: "gift card", hasPoints: false },
}
