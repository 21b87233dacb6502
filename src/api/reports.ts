import { queryOptions } from "@tanstack/react-query"
import { report } from "../../contract/reports.ts"
import { registerTopic } from "./events.ts"
import { pagedQueryDefaults } from "./paging.ts"
import { apiPath, type QueryValues, request } from "./request.ts"

const reportsKey = ["reports"] as const

registerTopic("copy", reportsKey)

/** Reports that the server makes, by the last part of their address. */
export type ReportName = "ledgers" | "outstanding" | "activity" | "rewards" | "fulfilment" | "gift-cards"

/** A report of the local copy and Laurel’s own store. No upstream request. */
export function reportQuery(name: ReportName, query: QueryValues) {
  return queryOptions({
    queryKey: [...reportsKey, name, query],
    queryFn: async ({ signal }) => {
      const { data, at } = await request({ path: apiPath("reports", name), query, schema: report, signal })
      return { report: data, at }
    },
    ...pagedQueryDefaults,
  })
}
