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
  type reverseJobBody,
  rowRepeats,
  type RowRepeats,
  type StartJobBody,
} from "../../contract/job.ts"
import { registerTopic } from "./events.ts"
import { readParts } from "./paging.ts"
import { apiPath, request, requestData } from "./request.ts"
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

/**
 * The newest jobs a filter matches, `parts` times 50 of them. They come from the desk's own store: reading them
 * costs no upstream request.
 */
export function jobsQuery(filter: JobFilter, parts = 1) {
  return queryOptions({
    queryKey: [...jobsKey, filter, parts],
    queryFn: async ({ signal }): Promise<JobPart> => {
      const { rows, ...part } = await readParts(apiPath("jobs"), filter, z.array(job), parts, signal)
      return { jobs: rows, ...part }
    },
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}

/** One job as it stands. */
export function jobQuery(id: string) {
  return queryOptions({
    queryKey: [...jobKey(id), "job"],
    queryFn: ({ signal }) => requestData({ path: apiPath("jobs", id), schema: job, signal }),
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
    queryFn: ({ signal }) => {
      const path = apiPath("jobs", id, "rows", String(row), "candidates")
      return requestData({ path, schema: rowEvidence, signal })
    },
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
    queryFn: ({ signal }) => {
      const path = apiPath("jobs", id, "reversal")
      return requestData({ path, query: check ? { balances: "read" } : {}, schema: reversal, signal })
    },
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  })
}

/** How many jobs are under way and how many need somebody, of those this person sees. */
const jobSummary = z.object({
  active: z.int(),
  attention: z.int(),
  /** The desk's data was restored from a backup (contract/job.ts, `restoreNotice`). */
  restore: z.nullish(
    z.object({ since: z.nullable(z.string()), at: z.string(), held: z.int(), looking: z.int() }),
  ),
})
/** What is said about a restore. */
export type RestoreSummary = NonNullable<z.output<typeof jobSummary>["restore"]>

/**
 * What the top bar and the navigation say about jobs. Reading it costs no upstream request.
 */
export const jobSummaryQuery = queryOptions({
  queryKey: ["job-summary"],
  queryFn: ({ signal }) => requestData({ path: apiPath("jobs", "summary"), schema: jobSummary, signal }),
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
  const path = apiPath("jobs")
  return requestData({ method: "POST", path, body, schema: job, idempotencyKey: key, signal })
}

/** Adds rows to a draft, the first of them as row `firstRow` (from 1): the same rows sent twice are added once. */
export async function addJobRows(
  id: string,
  rows: Omit<AddRowsBody, "first_row">,
  firstRow: number,
  signal?: AbortSignal,
): Promise<Job> {
  const path = apiPath("jobs", id, "rows")
  return requestData({ method: "POST", path, body: { ...rows, first_row: firstRow }, schema: job, signal })
}

/** Which rows of a file, each as JSON and at most `limits.rowsCompared`, repeat earlier ones. Nothing is kept. */
export async function findRepeats(
  kind: JobKind,
  rows: readonly string[],
  signal?: AbortSignal,
): Promise<readonly RowRepeats[]> {
  const path = apiPath("jobs", "repeats")
  const bodyText = `{"kind":${JSON.stringify(kind)},"rows":[${rows.join(",")}]}`
  return requestData({ method: "POST", path, bodyText, schema: z.array(rowRepeats), signal })
}

/** Starts a draft; refused when it has another number of rows, or of rows that repeat earlier ones. */
export async function startJob(id: string, seen: Required<StartJobBody>, signal?: AbortSignal): Promise<Job> {
  return postToJob(id, "start", seen, { signal })
}

async function postToJob(
  id: string,
  action: string,
  body: unknown,
  how: { idempotencyKey?: string; signal?: AbortSignal | undefined } = {},
): Promise<Job> {
  return requestData({ method: "POST", path: apiPath("jobs", id, action), body, schema: job, ...how })
}

/** Shows what the server said about a job at once, and has the lists and rows read again. */
export function takeJob(queryClient: QueryClient, changed: Job): void {
  queryClient.setQueryData(jobQuery(changed.id).queryKey, changed)
  for (const queryKey of [[...jobKey(changed.id), "rows"], jobsKey, limitsTodayQuery.queryKey]) {
    void queryClient.invalidateQueries({ queryKey })
  }
}

/** A write that comes back with the job it changed or made. */
function useJobWrite<A>(write: (given: A) => Promise<Job>) {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: write, onSuccess: (changed) => takeJob(queryClient, changed) })
}

type ControlJob = { readonly action: "pause" | "resume" | "cancel" } & z.input<typeof controlJobBody>

/** Pauses, resumes ("Send now" too) or cancels a job. Managers give a reason for another person's. */
export function useControlJob(id: string) {
  return useJobWrite(({ action, ...body }: ControlJob) => postToJob(id, action, body))
}

/** Continues a job that is held after a restore. */
export function useReleaseJob(id: string) {
  return useJobWrite((body: z.input<typeof releaseJobBody>) => postToJob(id, "release", body))
}

/** Plans failed rows again: all of them, or those named, each unchanged or corrected. */
export function useRetryJob(id: string) {
  return useJobWrite((body: z.input<typeof retryJobBody>) => postToJob(id, "retry", body))
}

/** Gives rows of a paused job that were not sent other inputs: all of them or none. */
export function useEditRows(id: string) {
  return useJobWrite((body: EditRowsBody) =>
    requestData({ method: "PATCH", path: apiPath("jobs", id, "rows"), body, schema: job }),
  )
}

type ReverseJob = { readonly key: string } & z.input<typeof reverseJobBody>

/** Makes and starts the job that takes this one back; answers that new job. */
export function useReverseJob(id: string) {
  const queryClient = useQueryClient()
  return useJobWrite(async ({ key, ...body }: ReverseJob) => {
    const made = await postToJob(id, "reverse", body, { idempotencyKey: key })
    void queryClient.invalidateQueries({ queryKey: jobKey(id) })
    return made
  })
}

/** Puts the notice about a restore away, for everybody. */
export function useReadRestore() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      request({ method: "POST", path: apiPath("restore", "read"), body: {}, schema: z.unknown() }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: jobSummaryQuery.queryKey }),
  })
}

/** Reconciles a row that only a person can decide; answers the row with the decision beside it. */
export function useDecideRow(id: string, row: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof decisionBody>) => {
      const path = apiPath("jobs", id, "rows", String(row), "decision")
      return requestData({ method: "POST", path, body, schema: jobRow })
    },
    onSuccess: () => {
      for (const queryKey of [jobKey(id), jobsKey]) void queryClient.invalidateQueries({ queryKey })
    },
  })
}
