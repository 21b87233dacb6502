import { pauseCodes } from "../../../contract/desk/job.ts"
import type { JobRecord } from "../jobs/job-store.ts"

/** Whether a job waits for somebody: for a decision on a row, or because it stopped by itself. */
export function needsPerson({
  attention,
  state,
  pause,
}: Pick<JobRecord, "attention" | "state" | "pause">): boolean {
  return attention > 0 || (state === "paused" && pause !== null && pause.code !== pauseCodes.person)
}
