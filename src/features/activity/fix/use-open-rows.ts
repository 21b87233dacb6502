import { queryOptions, useQuery } from "@tanstack/react-query"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { limits } from "../../../../contract/limits.ts"
import { readJobRows } from "../../../api/jobs.ts"

/** Rows that can be corrected: those that failed, or those of a paused job that were not sent. */
export type OpenState = "failed" | "planned"

/** Rows to correct, and how many there are in all. */
export interface OpenRows {
  readonly rows: readonly JobRow[]
  readonly total: number
}

/**
 * The rows of a job to correct, at most as many as go in one request. They are read once: while they are being
 * corrected, nothing moves under the person's hands.
 */
function openRowsQuery(id: string, state: OpenState) {
  return queryOptions({
    queryKey: ["job-open-rows", id, state],
    queryFn: async ({ signal }): Promise<OpenRows> => {
      const rows = new Map<number, JobRow>()
      for (let page = 1; ; page += 1) {
        const read = await readJobRows(id, { state, page, per_page: limits.perPage.max }, signal)
        // A row that may have been carried out already is settled by the engine or a person, never edited.
        for (const row of read.rows) if (state === "failed" || row.can_edit === true) rows.set(row.row, row)
        const enough = rows.size >= limits.jobRowsAdded || page * limits.perPage.max >= read.total
        if (enough || read.rows.length === 0) {
          return { rows: [...rows.values()].slice(0, limits.jobRowsAdded), total: read.total }
        }
      }
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** The rows of a job to correct, as they were when the person began. */
export function useOpenRows(id: string, state: OpenState) {
  return useQuery(openRowsQuery(id, state))
}
