import type { JobChange, JobRecord } from "../jobs/job-store.ts"

/**
 * Whether a job may be changed like this now: it is in one of the states, and it does not come to an end over rows that
 * still have to be sent or settled.
 */
export function mayChange(
  { state, counts }: Pick<JobRecord, "state" | "counts">,
  { from, set }: JobChange,
): boolean {
  if (!from.includes(state)) return false
  const underWay = counts.sent + counts.unknown
  if (set.state === "done") return underWay + counts.planned === 0
  return set.state !== "cancelled" || underWay === 0
}

/** Whether changes of rows wait for nothing of the job, or it is in a state that they need. */
export function mayChangeRows({ state }: Pick<JobRecord, "state">, change: JobChange | undefined): boolean {
  return change?.only !== true || change.from.includes(state)
}
