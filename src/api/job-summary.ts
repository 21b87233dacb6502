import { queryOptions } from "@tanstack/react-query"
import * as z from "zod/mini"
import { registerTopic } from "./events.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

/** How many jobs are under way and how many need somebody, of those this person sees. */
const jobSummary = z.object({
  active: z.int(),
  attention: z.int(),
  /** The desk's data was restored from a backup (contract/desk/job.ts, `restoreNotice`). */
  restore: z.nullish(
    z.object({ since: z.nullable(z.string()), at: z.string(), held: z.int(), looking: z.int() }),
  ),
})
/** What is said about a restore. */
export type RestoreSummary = NonNullable<z.output<typeof jobSummary>["restore"]>

/**
 * What the top bar and the navigation say about jobs. Asking costs no upstream request. Apart from `jobs.ts`: it is
 * part of every first view.
 */
export const jobSummaryQuery = queryOptions({
  queryKey: ["job-summary"],
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("jobs", "summary"), schema: jobSummary, signal })).data,
})

registerTopic("job", jobSummaryQuery.queryKey)
