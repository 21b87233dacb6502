import { pauseCodes } from "../../contract/job.ts"
import type { JobRecord } from "../jobs/job-store.ts"

/** Whether nothing of a job may be sent because the store was restored and no person has continued it. */
export function isHeld({ hold }: Pick<JobRecord, "hold">): boolean {
  return hold !== null && hold.state !== "released"
}

/** Whether a job that is held is under way; a draft is looked up when it is started. */
export function isHeldOpen(job: Pick<JobRecord, "hold" | "state">): boolean {
  return isHeld(job) && (job.state === "running" || job.state === "paused" || job.state === "cancelling")
}

/** Whether a job waits for somebody: for a decision on a row, a word after a restore, or because it stopped by itself. */
export function needsPerson({
  attention,
  state,
  pause,
  hold,
}: Pick<JobRecord, "attention" | "state" | "pause" | "hold">): boolean {
  if (hold?.state === "ready" && (state === "running" || state === "paused")) return true
  return attention > 0 || (state === "paused" && pause !== null && pause.code !== pauseCodes.person)
}
