import { useQuery } from "@tanstack/react-query"
import type { JobRow } from "../../contract/job-rows.ts"
import { type Job, pauseCodes, type RowState } from "../../contract/job.ts"
import { jobQuery, jobRowsQuery } from "../api/jobs.ts"

/**
 * How a row stands, for the person who sent it (docs/jobs.md, Row states). `queued`: it
 * waits for its turn; `late`: it could not be sent for a minute and waits for a person; `stopped`: the job stands still
 * for another reason; the rest are the row's own states.
 */
export type RowStatus =
  Exclude<RowState, "planned" | "excluded"> | "queued" | "late" | "stopped" | "cancelled"

/** A job of one row as it stands now. */
export interface OneRow {
  readonly job: Job
  readonly row: JobRow
  readonly status: RowStatus
}

/** A job of one row as it is now. */
export function useOneRow(jobId: string) {
  const job = useQuery(jobQuery(jobId))
  const rows = useQuery(jobRowsQuery(jobId, { page: 1, per_page: 1 }))
  const row = rows.data?.rows[0]
  const one: OneRow | undefined = job.data && row && { job: job.data, row, status: statusOf(job.data, row) }
  const refetch = () => void Promise.all([job.refetch(), rows.refetch()])
  return { one, error: job.error ?? rows.error, refetch }
}

function statusOf(job: Pick<Job, "state" | "pause">, row: Pick<JobRow, "state" | "can_edit">): RowStatus {
  // Only a file's rows are excluded; nothing more happens to one.
  if (row.state === "excluded") return "cancelled"
  if (row.state !== "planned") return row.state
  if (job.state === "cancelling" && row.can_edit === false) return "unknown"
  if (job.state === "cancelled" || job.state === "cancelling") return "cancelled"
  if (job.state !== "paused") return "queued"
  return job.pause?.code === pauseCodes.notSentInTime ? "late" : "stopped"
}
