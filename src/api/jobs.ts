import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query"
import * as z from "zod/mini"
import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import {
  type decisionBody,
  jobRow,
  type JobRow,
  rowEvidence,
  type RowEvidence,
  type RowListQuery,
} from "../../contract/job-rows.ts"
import {
  type AddRowsBody,
  type controlJobBody,
  type CreateJobBody,
  type EditRowsBody,
  job,
  type Job,
  type JobKind,
  type JobListQuery,
  type releaseJobBody,
  type retryJobBody,
  reversal,
  type Reversal,
  type reverseJobBody,
  rowRepeats,
  type RowRepeats,
  type StartJobBody,
} from "../../contract/job.ts"
import { registerTopic } from "./events.ts"
import { apiPath, request } from "./request.ts"
import { useCan, useSession } from "./session.ts"
import { limitsTodayQuery } from "./settings.ts"

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

/** A job to make, and the key that was made with its draft: the same key and body are one effect. */
interface NewJob {
  readonly body: CreateJobBody
  readonly key: string
}

/**
 * Makes a job, or gives back the one the same key and body made before (docs/decisions/0002-money.md).
 * @throws ApiError `validation` with fields such as `rows.0.points`; what `request` throws. After Offline or
 * UnreadableAnswer the same key and body may be sent again: it is one effect.
 */
export async function createJob({ body, key }: NewJob, signal?: AbortSignal): Promise<Job> {
  const answer = await request({
    method: "POST",
    path: apiPath("jobs"),
    body,
    schema: job,
    idempotencyKey: key,
    signal,
  })
  return answer.data
}

/**
 * Adds rows to a draft. `firstRow` is the number the first of them gets, from 1: the same rows sent twice are added
 * once.
 */
export async function addJobRows(
  id: string,
  rows: Omit<AddRowsBody, "first_row">,
  firstRow: number,
  signal?: AbortSignal,
): Promise<Job> {
  const body = { ...rows, first_row: firstRow }
  const path = apiPath("jobs", id, "rows")
  return (await request({ method: "POST", path, body, schema: job, signal })).data
}

/**
 * Which rows of a file repeat earlier ones. Nothing is kept.
 * @param rows each as JSON, at most `limits.rowsCompared`
 */
export async function findRepeats(
  kind: JobKind,
  rows: readonly string[],
  signal?: AbortSignal,
): Promise<readonly RowRepeats[]> {
  const path = apiPath("jobs", "repeats")
  const schema = z.array(rowRepeats)
  const bodyText = `{"kind":${JSON.stringify(kind)},"rows":[${rows.join(",")}]}`
  return (await request({ method: "POST", path, bodyText, schema, signal })).data
}

/** Starts a draft; refused when it has another number of rows, or of rows that repeat earlier ones. */
export async function startJob(id: string, seen: Required<StartJobBody>, signal?: AbortSignal): Promise<Job> {
  const path = apiPath("jobs", id, "start")
  return (await request({ method: "POST", path, body: seen, schema: job, signal })).data
}

/** Pauses, resumes ("Send now" too) or cancels a job. Managers give a reason for another person's. */
export function useControlJob(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({
      action,
      ...body
    }: { readonly action: "pause" | "resume" | "cancel" } & z.input<typeof controlJobBody>): Promise<Job> =>
      postToJob(id, action, body),
    onSuccess: (changed) => takeJob(queryClient, changed),
  })
}

/** Continues a job that is held after a restore. */
export function useReleaseJob(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof releaseJobBody>): Promise<Job> => postToJob(id, "release", body),
    onSuccess: (changed) => takeJob(queryClient, changed),
  })
}

/** Puts the notice about a restore away, for everybody. */
export function useReadRestore() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      request({ method: "POST", path: apiPath("restore", "read"), body: {}, schema: z.unknown() }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["job-summary"] }),
  })
}

/** Plans failed rows again: all of them, or those named, each unchanged or corrected. */
export function useRetryJob(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof retryJobBody>): Promise<Job> => postToJob(id, "retry", body),
    onSuccess: (changed) => takeJob(queryClient, changed),
  })
}

/** Gives rows of a paused job that were not sent other inputs: all of them or none. */
export function useEditRows(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: EditRowsBody): Promise<Job> => {
      const path = apiPath("jobs", id, "rows")
      return (await request({ method: "PATCH", path, body, schema: job })).data
    },
    onSuccess: (changed) => takeJob(queryClient, changed),
  })
}

/** Makes and starts the job that takes this one back; answers that new job. */
export function useReverseJob(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ key, ...body }: { readonly key: string } & z.input<typeof reverseJobBody>): Promise<Job> =>
      postToJob(id, "reverse", body, key),
    onSuccess: (made) => {
      takeJob(queryClient, made)
      void queryClient.invalidateQueries({ queryKey: jobKey(id) })
    },
  })
}

/** Settles a row that only a person can settle; answers the row with the decision beside it. */
export function useDecideRow(id: string, row: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: z.input<typeof decisionBody>): Promise<JobRow> => {
      const path = apiPath("jobs", id, "rows", String(row), "decision")
      return (await request({ method: "POST", path, body, schema: jobRow })).data
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: jobKey(id) })
      void queryClient.invalidateQueries({ queryKey: jobsKey })
    },
  })
}

/** Shows what the server said about a job at once, and has the lists and rows read again. */
export function takeJob(queryClient: QueryClient, changed: Job): void {
  queryClient.setQueryData(jobQuery(changed.id).queryKey, changed)
  void queryClient.invalidateQueries({ queryKey: [...jobKey(changed.id), "rows"] })
  void queryClient.invalidateQueries({ queryKey: jobsKey })
  void queryClient.invalidateQueries({ queryKey: limitsTodayQuery.queryKey })
}

async function postToJob(id: string, action: string, body: unknown, idempotencyKey?: string): Promise<Job> {
  const path = apiPath("jobs", id, action)
  return (await request({ method: "POST", path, body, schema: job, idempotencyKey })).data
}
