import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import type { Job } from "../../contract/job.ts"
import { capital, counted, formatPoints } from "./format.ts"

/** What a job is called: the name it was given, else what it does to how many. */
export function jobTitle(
  job: Pick<Job, "title" | "kind" | "total" | "points" | "reverses" | "parcels">,
): string {
  if (job.parcels !== undefined) return `Shipping, ${counted(job.parcels, "parcel")}`
  if (job.title !== null && job.title !== "") return job.title
  if (job.reverses !== null) return `Reversal of ${job.reverses}`
  const { noun, hasPoints } = jobKindDescriptors[job.kind]
  if (!hasPoints) return counted(job.total, noun)
  const points = job.points === null ? "points" : `${formatPoints(Math.abs(job.points.total))} points`
  const title = `${capital(noun)} of ${points}`
  return job.total === 1 ? title : `${title} in ${counted(job.total, "row")}`
}
