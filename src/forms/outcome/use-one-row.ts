import { useQuery } from "@tanstack/react-query"
import type { Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import { jobQuery, jobRowsQuery } from "../../api/jobs.ts"
import { faceOf, isSettled, type RowFace } from "./row-face.ts"

/** How often what is under way is read besides the events that announce it, in ms. */
export const lookEvery = 5000

/** A job of one row as it stands now. */
export interface OneRow {
  readonly job: Job
  readonly row: JobRow
  readonly face: RowFace
}

/**
 * Follows a job of one row until nothing more happens to it. Events say when it changed; it is read now and then
 * besides, from the desk's own store, in case one was missed.
 */
export function useOneRow(jobId: string) {
  const job = useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : lookEvery),
  })
  const over = isOver(job.data)
  const rows = useQuery({
    ...jobRowsQuery(jobId, { page: 1, per_page: 1 }),
    refetchInterval: ({ state }) => {
      const row = state.data?.rows[0]
      const settled = job.data !== undefined && row !== undefined && isSettled(faceOf(job.data, row))
      return over && settled ? false : lookEvery
    },
  })
  const row = rows.data?.rows[0]
  const one: OneRow | undefined =
    job.data === undefined || row === undefined
      ? undefined
      : { job: job.data, row, face: faceOf(job.data, row) }
  return {
    one,
    error: job.error ?? rows.error,
    refetch: () => {
      void job.refetch()
      void rows.refetch()
    },
  }
}

/** Whether nothing more happens in a job by itself. */
export function isOver(job: Job | undefined): boolean {
  return job !== undefined && (job.state === "done" || job.state === "cancelled")
}
