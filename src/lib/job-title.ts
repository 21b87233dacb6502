import { jobKindDescriptors, hasPoints } from "../../contract/job-kinds.ts"
import type { Job } from "../../contract/job.ts"
import { capital, counted, formatPoints } from "./format.ts"

/** "5 parcels saved": a finished job of order updates in a list; undefined for other jobs. */
export function savedOrdersText({
  kind,
  state,
  counts,
  closes_at,
  file,
}: Pick<Job, "kind" | "state" | "counts" | "closes_at" | "file">): string | undefined {
  if (jobKindDescriptors[kind].subject !== "order" || state !== "done" || counts.confirmed === 0)
    return undefined
  // Files of orders contain tracking numbers.
  const noun = closes_at !== undefined || file !== null ? "parcel" : "order"
  return `${counted(counts.confirmed, noun)} saved`
}

/** A job's title: its given name, else its action and size. */
export function jobTitle(job: Pick<Job, "title" | "kind" | "total" | "points" | "reverses">): string {
  if (job.title !== null && job.title !== "") return job.title
  if (job.reverses !== null) return `Reversal of ${job.reverses}`
  const { noun } = jobKindDescriptors[job.kind]
  if (!hasPoints(job.kind)) return counted(job.total, noun)
  const points = job.points === null ? "points" : `${formatPoints(Math.abs(job.points.total))} points`
  const title = `${capital(noun)} of ${points}`
  return job.total === 1 ? title : `${title} in ${counted(job.total, "row")}`
}
