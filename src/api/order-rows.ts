import { queryOptions } from "@tanstack/react-query"
import { job, type Job } from "../../contract/desk/job.ts"
import type { JobRow } from "../../contract/desk/job-rows.ts"
import { limits } from "../../contract/limits.ts"
import { z } from "../lib/z.ts"
import { registerTopic } from "./events.ts"
import { readJobRows } from "./jobs.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

const rowsKey = ["order-rows"] as const

registerTopic("orders", rowsKey)

/** A row of one of our jobs that concerns an order. */
export interface OrderJobRow {
  readonly job: Job
  readonly row: JobRow
}

/** Rows that concern an order. */
export interface OrderJobRows {
  readonly rows: readonly OrderJobRow[]
  /** Jobs that were looked through. */
  readonly jobs: number
}

/** Jobs of several orders that are looked through, newest first. */
const mostJobs = 10

/**
 * What our newest jobs of several orders did to one order; single changes stand in the audit log. All of it is the desk's
 * own: no upstream request.
 */
export function orderRowsQuery(orderId: string) {
  return queryOptions({
    queryKey: [...rowsKey, orderId],
    queryFn: async ({ signal }): Promise<OrderJobRows> => {
      const { data } = await request({
        path: apiPath("jobs"),
        query: { kind: "order-update", per_page: limits.perPage.max },
        schema: z.array(job),
        signal,
      })
      const several = data.filter(({ total, state }) => total > 1 && state !== "draft").slice(0, mostJobs)
      const found = await Promise.all(
        several.map(async (each) => {
          const page = { search: orderId, page: 1, per_page: limits.perPage.default }
          const { rows } = await readJobRows(each.id, page, signal)
          return rows
            .filter(({ input }) => input["order_id"] === orderId)
            .map((row): OrderJobRow => ({ job: each, row }))
        }),
      )
      return { rows: found.flat(), jobs: several.length }
    },
    gcTime: 60_000,
  })
}
