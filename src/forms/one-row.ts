import { useQuery } from "@tanstack/react-query"
import { create } from "zustand"
import type { JobRow } from "../../contract/job-rows.ts"
import { type Job, pauseCodes, type RowState } from "../../contract/job.ts"
import { jobQuery, jobRowsQuery } from "../api/jobs.ts"
import type { Notification } from "../ui/notify.tsx"

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

/** Notification texts for a job of one row after its drawer is closed. */
export interface Followed {
  /** "Awarding 500 points to Ana Silva". */
  readonly doing: string
  /** Called once when it is confirmed; returns the notification. */
  readonly confirmed: (one: OneRow) => Omit<Notification, "id" | "tone">
  /** Id of the notification to replace; the job's own by default. */
  readonly id?: string
}

/** Unfinished one-row jobs that were sent in this tab, by id. */
export const useFollowedJobs = create<{ readonly jobs: ReadonlyMap<string, Followed> }>(() => ({
  jobs: new Map(),
}))

/** Notifies of the end of a one-row job, on any page. */
export function followJob(jobId: string, followed: Followed): void {
  useFollowedJobs.setState(({ jobs }) => ({ jobs: new Map([...jobs, [jobId, followed]]) }))
}

export function unfollowJob(jobId: string): void {
  useFollowedJobs.setState(({ jobs }) => ({ jobs: new Map([...jobs].filter(([id]) => id !== jobId)) }))
}

/** Whether it was confirmed without further information: the service responded and no decision was needed. */
export function isPlain({ status, row }: OneRow): boolean {
  return (
    status === "confirmed" && row.known_by !== "look" && row.decision === undefined && row.outcome === null
  )
}
