import { queryOptions, useQuery } from "@tanstack/react-query"
import type { JobRow } from "../../../../contract/desk/job-rows.ts"
import { limits } from "../../../../contract/limits.ts"
import { readJobRows } from "../../../api/jobs.ts"

/** Failed rows to mend, and how many there are in all. */
export interface FailedRows {
  readonly rows: readonly JobRow[]
  readonly total: number
}

/**
 * The failed rows of a job, at most as many as can be tried again in one go. They are read once: while they are being
 * mended, nothing moves under the person's hands.
 */
function failedRowsQuery(id: string) {
  return queryOptions({
    queryKey: ["job-failed", id],
    queryFn: async ({ signal }): Promise<FailedRows> => {
      const rows = new Map<number, JobRow>()
      for (let page = 1; ; page += 1) {
        const read = await readJobRows(id, { state: "failed", page, per_page: limits.perPage.max }, signal)
        for (const row of read.rows) rows.set(row.row, row)
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

/** The failed rows of a job, as they were when the person began to mend them. */
export function useFailedRows(id: string) {
  return useQuery(failedRowsQuery(id))
}
