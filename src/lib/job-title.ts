import type { Job } from "../../contract/job.ts"
import { counted, formatPoints } from "./format.ts"

/** What a job is called: the name it was given, else what it does to how many. */
export function jobTitle(job: Pick<Job, "title" | "kind" | "total" | "points" | "reverses">): string {
  if (job.title !== null && job.title !== "") return job.title
  if (job.reverses !== null) return `Reversal of ${job.reverses}`
  const points = job.points === null ? "points" : `${formatPoints(Math.abs(job.points.total))} points`
  switch (job.kind) {
    case "award":
      return job.total === 1 ? `Award of ${points}` : `Award of ${points} in ${counted(job.total, "row")}`
    case "deduct":
      return job.total === 1
        ? `Deduction of ${points}`
        : `Deduction of ${points} in ${counted(job.total, "row")}`
    case "member-create":
      return counted(job.total, "new member")
    case "redeem":
      return counted(job.total, "redemption")
    case "giftcard":
      return counted(job.total, "gift card")
    default:
      return counted(job.total, "order update")
  }
}
