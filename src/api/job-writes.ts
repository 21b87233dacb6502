import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query"
import * as z from "zod/mini"
import {
  type AddRowsBody,
  type controlJobBody,
  type CreateJobBody,
  type EditRowsBody,
  job,
  type Job,
  type JobKind,
  type releaseJobBody,
  type retryJobBody,
  type reverseJobBody,
  rowRepeats,
  type RowRepeats,
  type StartJobBody,
} from "../../contract/job.ts"
import { type decisionBody, jobRow, type JobRow } from "../../contract/job-rows.ts"
import { jobKey, jobQuery, jobsKey } from "./jobs.ts"
import { apiPath, request } from "./request.ts"
import { limitsTodayQuery } from "./settings.ts"

/** A job to make, and the key that was made with its draft: the same key and body are one effect. */
export interface NewJob {
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
