import { useQuery } from "@tanstack/react-query"
import type { JobRow } from "../../contract/job-rows.ts"
import { type Job, pauseCodes, type RowState } from "../../contract/job.ts"
import { eventsCome } from "../api/events.ts"
import { jobQuery, jobRowsQuery } from "../api/jobs.ts"
import { useExternalValue } from "../ui/hooks.ts"

/** How often what is under way is read while no events come, in ms. */
export const pollEvery = 5000

/**
 * How a row stands, for the person who sent it (docs/decisions/0002-money.md, rows and their states). `queued`: it
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

/** Follows a job of one row until it is over, by events and, while none come, by polling. */
export function useOneRow(jobId: string) {
  const pollInterval = useExternalValue(eventsCome) ? false : pollEvery
  const job = useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : pollInterval),
  })
  const rows = useQuery({
    ...jobRowsQuery(jobId, { page: 1, per_page: 1 }),
    refetchInterval: ({ state }) => {
      const row = state.data?.rows[0]
      const final = job.data && row && isFinal(statusOf(job.data, row))
      return isOver(job.data) && final ? false : pollInterval
    },
  })
  const row = rows.data?.rows[0]
  const one: OneRow | undefined = job.data && row && { job: job.data, row, status: statusOf(job.data, row) }
  const refetch = () => void Promise.all([job.refetch(), rows.refetch()])
  return { one, error: job.error ?? rows.error, refetch }
}

/** Whether nothing more happens in a job by itself. */
export function isOver(job: Job | undefined): boolean {
  return job !== undefined && (job.state === "done" || job.state === "cancelled")
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

function isFinal(status: RowStatus): boolean {
  return ["confirmed", "failed", "absent", "conflict", "cancelled"].includes(status)
}
