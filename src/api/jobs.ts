import {
  hashKey,
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query"
import * as z from "zod/mini"
import { earlierRows, type EarlierRows } from "../../contract/earlier-awards.ts"
import { firstAmountLimits, limitOf } from "../../contract/amount-limits.ts"
import { jobKindDescriptors, type JobKind, orderKinds } from "../../contract/job-kinds.ts"
import {
  decisionCause,
  type decisionBody,
  groupDecisionResult,
  type groupDecisionBody,
  type JobRow,
  jobEventData,
  jobRow,
  ledgerOrigin,
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
  type JobListQuery,
  type excludeRowsBody,
  type PointsReport,
  type releaseJobBody,
  type retryJobBody,
  reversal,
  type reverseJobBody,
  type StartJobBody,
} from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import type { Session } from "../../contract/session.ts"
import { ApiError } from "../lib/errors.ts"
import { useLiveUpdates, registerPoll, registerEventHandler, registerTopic } from "./events.ts"
import {
  pagedQueryDefaults,
  partsQuery,
  reviseQueries,
  type RowParts,
  cacheData,
  useWrite,
} from "./paging.ts"
import { apiPath, dataQuery, notBefore, request, requestData } from "./request.ts"
import { sessionCan, useSession } from "./session.ts"
import { limitsTodayQuery } from "./settings.ts"
import { jobSummaryQuery } from "./shell.ts"

/** Every cached part of the list of jobs starts with this key. */
export const jobsKey = ["jobs"] as const

/** Everything the cache holds about one job, its rows too, starts with this key. */
export const jobKey = (id: string) => ["job", id] as const

registerTopic("job", jobsKey)
registerTopic("job", jobKey)

/** What narrows the list of jobs. */
export type JobFilter = Omit<JobListQuery, "before" | "per_page">

/** The newest jobs that match a filter, `parts` times 50 of them. No upstream request. */
export function jobsQuery(filter: JobFilter, parts = 1) {
  return partsQuery("jobs", z.array(job), { ...filter }, parts)
}

/** Every job in the cached lists; may contain duplicates. */
export function jobsInCache(client: QueryClient): Job[] {
  const lists = client.getQueriesData<RowParts<Job> | PointsReportAt>({ queryKey: jobsKey })
  return lists.flatMap(([, cached]) => (cached !== undefined && "rows" in cached ? cached.rows : []))
}

/** One job. */
export function jobQuery(id: string) {
  return dataQuery([...jobKey(id), "job"], { path: ["jobs", id], schema: job }, { retryOnMount: false })
}

/** Whether a job has ended: it changes only when a person acts. */
export function isOver(job: Pick<Job, "state"> | undefined): boolean {
  return job !== undefined && (job.state === "done" || job.state === "cancelled")
}

// For finished jobs, only reads from before the end are repeated.
registerPoll((client) => {
  const cache = client.getQueryCache()
  const isOpen = ({ queryKey, state }: Query) => {
    if (queryKey[0] === jobsKey[0]) return state.data === undefined || "rows" in Object(state.data)
    if (queryKey[0] !== "job" || typeof queryKey[1] !== "string") return false
    const job = cache.find<Job>({ queryKey: jobQuery(queryKey[1]).queryKey, exact: true })?.state
    return job === undefined || !isOver(job.data) || state.dataUpdatedAt < job.dataUpdatedAt
  }
  void client.refetchQueries({ type: "active", predicate: isOpen }, { cancelRefetch: false })
})

type JobListener = (job: Job, rows: readonly JobRow[]) => void

const jobListeners = new Set<JobListener>()

/**
 * Calls `listener` for each job in an event or response, with its rows as far as they are included. Returns the
 * unsubscribe function.
 */
export function onJobChange(listener: JobListener): () => void {
  jobListeners.add(listener)
  return () => void jobListeners.delete(listener)
}

/** Minimum time between reads of visible rows, in ms: events report every step of a job. */
const rowsGap = 2000

/** Rows of a job in file order, at most 100 per page. The previous page is shown while the next loads. */
export function jobRowsQuery(id: string, query: RowListQuery) {
  return queryOptions({
    queryKey: [...jobKey(id), "rows", query],
    queryFn: async ({ signal, client, queryKey }) => {
      await notBefore((client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) + rowsGap, signal)
      return readJobRows(id, query, signal)
    },
    ...pagedQueryDefaults,
  })
}

/** Reads one page of a job's rows past the cache, and how many rows the filter matches. */
export async function readJobRows(id: string, query: RowListQuery, signal?: AbortSignal) {
  const path = apiPath("jobs", id, "rows")
  const { data, meta } = await request({ path, query, schema: z.array(jobRow), signal })
  return { rows: data, total: meta?.total ?? data.length }
}

const orderRowsKey = ["order-rows"] as const

registerTopic("orders", orderRowsKey)

/** A row of one of our jobs that concerns an order. */
export interface OrderJobRow {
  readonly job: Job
  readonly row: JobRow
}

const mostJobs = 10

/**
 * What the latest jobs of several orders (`jobs` of them, at most ten) did to one order; single changes and parcels
 * are in the audit log. No upstream request.
 */
export function orderRowsQuery(orderId: string) {
  return queryOptions({
    queryKey: [...orderRowsKey, orderId],
    queryFn: async ({ signal }) => {
      const path = apiPath("jobs")
      const newest = await Promise.all(
        orderKinds.map((kind) => {
          const query = { kind, per_page: limits.perPage.max }
          return requestData({ path, query, schema: z.array(job), signal })
        }),
      )
      const ofMany = newest.flat().filter(({ total, closes_at }) => total > 1 && closes_at === undefined)
      const jobs = ofMany.filter(({ state }) => state !== "draft").slice(0, mostJobs)
      const page = { search: orderId, page: 1, per_page: limits.perPage.default }
      const found = await Promise.all(
        jobs.map(async (each): Promise<OrderJobRow[]> => {
          const { rows } = await readJobRows(each.id, page, signal)
          return rows.filter(({ input }) => input["order_id"] === orderId).map((row) => ({ job: each, row }))
        }),
      )
      return { rows: found.flat(), jobs: jobs.length }
    },
    gcTime: 60_000,
  })
}

/** Which job rows made these ledger entries, by entry. No upstream request. */
export function ledgerOriginsQuery(ids: readonly string[]) {
  return queryOptions({
    // Below the jobs key, because a running reversal changes it.
    queryKey: [...jobsKey, "origins", ids],
    queryFn: async ({ signal }) => {
      const path = apiPath("ledger", "origins")
      const schema = z.array(ledgerOrigin)
      const origins = await requestData({ method: "POST", path, body: { ids }, schema, signal })
      return { byEntry: new Map(origins.map((origin) => [origin.transaction_id, origin])) }
    },
    enabled: ids.length > 0,
  })
}

const onRequest = { gcTime: 60_000, refetchOnWindowFocus: false }

/**
 * Everything needed to decide a row. It reads the member's history and balance at the service, so it is read on demand
 * and never invalidated by events.
 */
export function rowEvidenceQuery(id: string, row: number) {
  const path = ["jobs", id, "rows", String(row), "candidates"]
  return dataQuery(["job-evidence", id, row], { path, schema: rowEvidence }, onRequest)
}

/** Why rows of a job need a decision, with the count of each cause. No upstream request. */
export function decisionCausesQuery(id: string) {
  const path = ["jobs", id, "causes"]
  return dataQuery([...jobKey(id), "causes"], { path, schema: z.array(decisionCause) })
}

/** What reversing a job of awards would do; `check` reads balances at the service, which costs requests. */
export function reversalQuery(id: string, check: boolean) {
  return dataQuery(
    ["job-reversal", id, check],
    { path: ["jobs", id, "reversal"], query: check ? { balances: "read" } : {}, schema: reversal },
    onRequest,
  )
}

registerEventHandler("job", (client, event) => {
  const { job: seen, rows } = jobEventData.safeParse(event).data ?? {}
  if (seen !== undefined) cacheJobProgress(client, seen, rows)
  // The stream has just opened, and jobs changed after this page may have read them.
  if (event.unchanged_ms !== undefined && event.unchanged_ms < performance.now()) {
    for (const queryKey of [jobsKey, ["job"]]) void client.invalidateQueries({ queryKey })
  }
  return seen !== undefined
})

/**
 * Caches a job from an event or response, with its rows as far as included, and invalidates the lists that may gain or
 * lose it.
 */
export function cacheJobProgress(client: QueryClient, job: Job, rows: readonly JobRow[] = []): void {
  for (const listener of jobListeners) listener(job, rows)
  const row = job.total === 1 ? rows[0] : undefined
  const { queryKey } = jobQuery(job.id)
  let before = client.getQueryData(queryKey)
  cacheData(client, queryKey, job)
  reviseQueries<RowParts<Job> | PointsReportAt>(client, jobsKey, (cached) => {
    const listed = "rows" in cached ? cached.rows.find(({ id }) => id === job.id) : undefined
    before ??= listed
    if (listed === undefined || !("rows" in cached)) return cached
    return { ...cached, rows: cached.rows.map((each) => (each === listed ? job : each)) }
  })
  const only = jobRowsQuery(job.id, { page: 1, per_page: 1 }).queryKey
  // The reversed job shows the reversal.
  if (job.reverses !== null) void client.invalidateQueries({ queryKey: jobKey(job.reverses) })
  if (row !== undefined) cacheData(client, only, { rows: [row], total: 1 })
  void client.invalidateQueries({
    queryKey: [...jobKey(job.id), "rows"],
    predicate: ({ queryHash }) => row === undefined || queryHash !== hashKey(only),
  })
  if (before !== undefined && whereIn(before) === whereIn(job)) return
  void client.invalidateQueries({ queryKey: jobsKey })
}

type PointsReportAt = { readonly report: PointsReport }

/** The fields that lists filter by and reports show. */
const whereIn = ({ state, pause, attention, hold }: Job) =>
  [state, pause?.code, attention, hold?.state].join()

/** `jobAccess` of the signed-in user. */
export function useJobAccess(job: Pick<Job, "kind" | "created_by">) {
  return jobAccess(useSession(), job)
}

/** What a user may do with a job (roles table, jobs.control). The server checks again; this explains in advance. */
export function jobAccess(session: Session, job: Pick<Job, "kind" | "created_by">) {
  const { user, permissions } = session
  const mayCauseEffect = sessionCan(session, jobKindDescriptors[job.kind].permission)
  const isMine = job.created_by.id === user.id
  const grant = permissions["jobs.control"] ?? "no"
  const control = grant === "yes" || grant === "reasoned" || (grant === "own" && isMine)
  return {
    /** Pause, resume, cancel, decide. */
    control,
    /** Another user's job requires a reason. */
    needsReason: grant === "reasoned" && !isMine,
    /** Retry failed rows, or reverse the job: requires the permission of the effect itself. */
    write: control && mayCauseEffect,
    /** Why `control` or `write` is false. */
    why: "Requires the Manager role",
  }
}

/**
 * Creates a job, or returns the existing one for the same key (made with its draft) and body
 * (docs/jobs.md).
 * @throws ApiError `validation` with fields such as `rows.0.points`; what `request` throws. After Offline or
 * UnreadableResponse the same key and body may be sent again without a second effect.
 */
export async function createJob(
  { body, key }: { body: CreateJobBody; key: string },
  signal?: AbortSignal,
): Promise<Job> {
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
  return postToJob(id, "rows", { ...rows, first_row: firstRow }, { signal })
}

/** Which rows of a file, each as JSON and at most `limits.rowsCompared`, repeat earlier ones. Nothing is stored. */
export async function findRepeats(
  kind: JobKind,
  rows: readonly string[],
  signal?: AbortSignal,
): Promise<readonly EarlierRows[]> {
  const path = apiPath("jobs", "repeats")
  const bodyText = `{"kind":${JSON.stringify(kind)},"rows":[${rows.join(",")}]}`
  return requestData({ method: "POST", path, bodyText, schema: z.array(earlierRows), signal })
}

/** Page of a row in the unfiltered list of rows; they are numbered without gaps. */
export const pageOfRow = (row: number) => ({
  page: Math.ceil(row / limits.perPage.max),
  per_page: limits.perPage.max,
})

/** The displayed number of a row: its line in the file, if it came from one. */
export function rowNumber({ line, row }: Pick<JobRow, "line" | "row">): number {
  return line ?? row
}

/** Starts a draft; refused if it has another number of rows, or of repeated rows. */
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

/** Caches the server's job immediately and invalidates its rows and the lists it may move between. */
export function cacheJob(client: QueryClient, changed: Job): void {
  const known = client.getQueryData(jobQuery(changed.id).queryKey)
  // An event may have arrived before the older response.
  if (known?.finished_at && !changed.finished_at) {
    void client.invalidateQueries({ queryKey: jobKey(changed.id) })
  } else cacheJobProgress(client, changed)
  if (!useLiveUpdates.getState().isLive) void client.invalidateQueries({ queryKey: jobSummaryQuery.queryKey })
  const limited = limitOf(changed.kind, firstAmountLimits) !== undefined
  if (limited) void client.invalidateQueries({ queryKey: limitsTodayQuery.queryKey })
}

type ControlJob = { readonly action: "pause" | "resume" | "cancel" | "leave-waiting" } & z.input<
  typeof controlJobBody
>

/** Pauses, resumes ("Send now" too) or cancels a job. Another user's job requires a reason. */
export function useControlJob(id: string) {
  return useWrite(async ({ action, ...body }: ControlJob) => {
    try {
      return await postToJob(id, action, body)
    } catch (error) {
      // Already in that state, such as after a double click.
      const state =
        error instanceof ApiError && error.code === "conflict" ? error.details?.["state"] : undefined
      if (action === "leave-waiting" || state !== stateAfter[action]) throw error
      return await requestData({ method: "GET", path: apiPath("jobs", id), schema: job })
    }
  }, cacheJob)
}

const stateAfter = { pause: "paused", resume: "running", cancel: "cancelling" } as const

/** Resumes a job that is on hold after a restore. */
export function useReleaseJob(id: string) {
  return useWrite((body: z.input<typeof releaseJobBody>) => postToJob(id, "release", body), cacheJob)
}

/** Plans failed rows again: all, or those listed, unchanged or corrected. */
export function useRetryJob(id: string) {
  return useWrite((body: z.input<typeof retryJobBody>) => postToJob(id, "retry", body), cacheJob)
}

/** Settles failed rows that will not be sent. */
export function useLeaveOut(id: string) {
  return useWrite((body: z.input<typeof excludeRowsBody>) => postToJob(id, "leave-out", body), cacheJob)
}

/** Changes the inputs of unsent rows of a paused job: all of them or none. */
export function useEditRows(id: string) {
  return useWrite(
    (body: EditRowsBody) =>
      requestData({ method: "PATCH", path: apiPath("jobs", id, "rows"), body, schema: job }),
    cacheJob,
  )
}

type ReverseJob = { readonly key: string } & z.input<typeof reverseJobBody>

/** Creates and starts the job that reverses this one, or returns the existing one for the same key. */
export async function reverseJob(
  client: QueryClient,
  id: string,
  { key, ...body }: ReverseJob,
): Promise<Job> {
  const made = await postToJob(id, "reverse", body, { idempotencyKey: key })
  cacheJob(client, made)
  for (const queryKey of [jobKey(id), jobsKey]) void client.invalidateQueries({ queryKey })
  return made
}

/** `reverseJob` for a button. */
export function useReverseJob(id: string) {
  const client = useQueryClient()
  return useMutation({ mutationFn: (options: ReverseJob) => reverseJob(client, id, options) })
}

/** Dismisses the notice about a restore, for all users. */
export function useReadRestore() {
  const path = apiPath("restore", "read")
  return useWrite(
    () => request({ method: "POST", path, body: {}, schema: z.unknown() }),
    (client) => client.invalidateQueries({ queryKey: jobSummaryQuery.queryKey }),
  )
}

/** Decides rows together; rows that the decision does not apply to are left and counted. */
export function useDecideGroup(id: string) {
  return useWrite(
    (body: z.input<typeof groupDecisionBody>) =>
      requestData({
        method: "POST",
        path: apiPath("jobs", id, "decisions"),
        body,
        schema: groupDecisionResult,
      }),
    (client, { job }) => {
      cacheJob(client, job)
      for (const queryKey of [jobKey(id), jobsKey]) void client.invalidateQueries({ queryKey })
    },
  )
}

/** Decides a row; returns the row with its decision. */
export function useDecideRow(id: string, row: number) {
  return useWrite(
    (body: z.input<typeof decisionBody>) => {
      const path = apiPath("jobs", id, "rows", String(row), "decision")
      return requestData({ method: "POST", path, body, schema: jobRow })
    },
    (client) => {
      for (const queryKey of [jobKey(id), jobsKey]) void client.invalidateQueries({ queryKey })
    },
  )
}
