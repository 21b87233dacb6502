import { type Job, pauseCodes } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"

/**
 * What a form tells the person who waits for its one row. `queued`: it waits for its turn; `late`: it could not be
 * sent for a minute and asks; `stopped`: the job stands still for another reason; the rest are the row's own states.
 */
export type RowFace =
  | "queued"
  | "late"
  | "stopped"
  | "sent"
  | "confirmed"
  | "failed"
  | "unknown"
  | "absent"
  | "conflict"
  | "cancelled"

/** How a row stands, for the person who sent it (docs/decisions/0002-money.md, rows and their states). */
export function faceOf(job: Pick<Job, "state" | "pause">, row: Pick<JobRow, "state">): RowFace {
  // Only a file's rows are excluded; nothing more happens to one.
  if (row.state === "excluded") return "cancelled"
  if (row.state !== "planned") return row.state
  if (job.state === "cancelled" || job.state === "cancelling") return "cancelled"
  if (job.state !== "paused") return "queued"
  return job.pause?.code === pauseCodes.notSentInTime ? "late" : "stopped"
}

/** Whether nothing more happens to it by itself. */
export function isSettled(face: RowFace): boolean {
  return (
    face === "confirmed" ||
    face === "failed" ||
    face === "absent" ||
    face === "conflict" ||
    face === "cancelled"
  )
}
