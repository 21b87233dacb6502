import { useQuery } from "@tanstack/react-query"
import type { JobRow } from "../../contract/job-rows.ts"
import { type Job, pauseCodes, type RowState } from "../../contract/job.ts"
import { jobQuery, jobRowsQuery } from "../api/jobs.ts"

/**
 * Status of a row for the user who sent it (docs/jobs.md, Row states). `queued`: waits for other jobs; `late`: could
 * not be sent for a minute and needs a decision; `stopped`: the job is paused for another reason; the others are the
 * row's own states.
 */
export type RowStatus =
  Exclude<RowState, "planned" | "excluded"> | "queued" | "late" | "stopped" | "cancelled"

/** A row and its job. */
export interface OneRow {
  readonly job: Job
  readonly row: JobRow
  readonly status: RowStatus
}

/** Follows one row of a job. */
export function useOneRow(jobId: string, number = 1) {
  const job = useQuery(jobQuery(jobId))
  // Rows are numbered without gaps.
  const rows = useQuery(jobRowsQuery(jobId, { page: number, per_page: 1 }))
  const row = rows.data?.rows[0]
  const one: OneRow | undefined = job.data && row && { job: job.data, row, status: statusOf(job.data, row) }
  const refetch = () => void Promise.all([job.refetch(), rows.refetch()])
  return { one, error: job.error ?? rows.error, refetch }
}

function statusOf(job: Pick<Job, "state" | "pause">, row: Pick<JobRow, "state" | "can_edit">): RowStatus {
  // Nothing was sent: an equal row was sent before, or a person left it out.
  if (row.state === "excluded") return "cancelled"
  if (row.state !== "planned") return row.state
  if (job.state === "cancelling" && row.can_edit === false) return "unknown"
  if (job.state === "cancelled" || job.state === "cancelling") return "cancelled"
  if (job.state !== "paused") return "queued"
  return job.pause?.code === pauseCodes.notSentInTime ? "late" : "stopped"
}
