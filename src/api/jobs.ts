import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import * as z from "zod/mini"
import {
  jobRow,
  type JobRow,
  rowEvidence,
  type RowEvidence,
  type RowListQuery,
} from "../../contract/job-rows.ts"
import { job, type Job, type JobListQuery, reversal, type Reversal } from "../../contract/job.ts"
import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import { registerTopic } from "./events.ts"
import { useCan, useSession } from "./session.ts"
import { apiPath, request } from "./request.ts"

/** Every cached part of the list of jobs starts with this key. */
export const jobsKey = ["jobs"] as const

/** Everything the cache holds about one job, its rows too, starts with this key. */
export function jobKey(id: string) {
  return ["job", id] as const
}

registerTopic("job", jobsKey)
registerTopic("job", jobKey)

/** What narrows the list of jobs. */
export type JobFilter = Omit<JobListQuery, "before" | "per_page">

/** Jobs, newest first. */
export interface JobPart {
  readonly jobs: readonly Job[]
  /** Whether there are older ones. */
  readonly more: boolean
  /** When they were read, in ms since the epoch. */
  readonly at: number
}

/** Jobs in one part. */
const jobPartSize = 50

/**
 * The newest jobs a filter matches, `parts` times 50 of them. They come from the desk's own store: reading them
 * costs no upstream request.
 */
export function jobsQuery(filter: JobFilter, parts = 1) {
  return queryOptions({
    queryKey: [...jobsKey, filter, parts],
    queryFn: ({ signal }) => readJobs(filter, parts, signal),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}

/** One job as it stands. */
export function jobQuery(id: string) {
  return queryOptions({
    queryKey: [...jobKey(id), "job"],
    queryFn: async ({ signal }): Promise<Job> =>
      (await request({ path: apiPath("jobs", id), schema: job, signal })).data,
    retryOnMount: false,
  })
}

/** One page of a job's rows. */
interface RowPage {
  readonly rows: readonly JobRow[]
  /** Rows the filter matches. */
  readonly total: number
}

/** Rows of a job, in the order of the file, at most 100 in one page. Another page keeps the one before meanwhile. */
export function jobRowsQuery(id: string, query: RowListQuery) {
  return queryOptions({
    queryKey: [...jobKey(id), "rows", query],
    queryFn: ({ signal }) => readJobRows(id, query, signal),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}

/** Reads one page of a job's rows past the cache, for a download. */
export async function readJobRows(id: string, query: RowListQuery, signal?: AbortSignal): Promise<RowPage> {
  const answer = await request({
    path: apiPath("jobs", id, "rows"),
    query: { ...query },
    schema: z.array(jobRow),
    signal,
  })
  return { rows: answer.data, total: answer.meta?.total ?? answer.data.length }
}

/**
 * Everything a person needs to decide a row. It reads the member's history and balance at the service, so it is
 * asked for when somebody opens it and on their word, never because an event came.
 */
export function rowEvidenceQuery(id: string, row: number) {
  return queryOptions({
    queryKey: ["job-evidence", id, row],
    queryFn: async ({ signal }): Promise<RowEvidence> =>
      (
        await request({
          path: apiPath("jobs", id, "rows", String(row), "candidates"),
          schema: rowEvidence,
          signal,
        })
      ).data,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  })
}

/**
 * What taking a job of awards back would do.
 * @param check reads balances at the service, which costs requests
 */
export function reversalQuery(id: string, check: boolean) {
  return queryOptions({
    queryKey: ["job-reversal", id, check],
    queryFn: async ({ signal }): Promise<Reversal> => {
      const path = apiPath("jobs", id, "reversal")
      const query = check ? { balances: "read" } : {}
      return (await request({ path, query, schema: reversal, signal })).data
    },
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  })
}

async function readJobs(filter: JobFilter, parts: number, signal: AbortSignal): Promise<JobPart> {
  const jobs: Job[] = []
  let before: string | undefined
  let at = Date.now()
  for (let part = 0; part < parts; part += 1) {
    const answer = await request({
      path: apiPath("jobs"),
      query: { ...filter, before, per_page: jobPartSize },
      schema: z.array(job),
      signal,
    })
    jobs.push(...answer.data)
    at = answer.at
    before = answer.meta?.next ?? undefined
    if (before === undefined) break
  }
  return { jobs, more: before !== undefined, at }
}

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

/** What the person may do with a job (roles table, jobs.control). The server decides again; this explains beforehand. */
export function useJobAccess(job: Pick<Job, "kind" | "created_by">) {
  const { user, permissions } = useSession()
  const mayCauseEffect = useCan(jobKindDescriptors[job.kind].permission)
  const isMine = job.created_by.id === user.id
  const grant = permissions["jobs.control"] ?? "no"
  const control = grant === "yes" || grant === "reasoned" || (grant === "own" && isMine)
  return {
    /** Pause, resume, cancel, decide. */
    control,
    /** Another person's job: a reason has to be given. */
    needsReason: grant === "reasoned" && !isMine,
    /** Try failed rows again, or take it back: needs the right to the effect itself. */
    write: control && mayCauseEffect,
    /** Why `control` or `write` is false. */
    why: "Requires the Manager role",
  }
}
