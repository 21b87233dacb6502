import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import { amountLimits, type AmountLimits } from "../../contract/amount-limits.ts"
import { type CreateJobBody, job, type Job } from "../../contract/job.ts"
import { jobRow, type JobRow } from "../../contract/job-rows.ts"
import { type TestResponse, type RequestOptions, dataOf } from "../support/person.ts"
import { countedAnswer, type CountedJob } from "./counted-job.ts"
import { until } from "./until.ts"

/** Makes a request below `/api` as a signed-in user. */
export type RequestApi = (path: string, how?: RequestOptions) => Promise<TestResponse>

const rowPage = z.array(jobRow)

/** Parses a response's data. Throws the response if the status differs. */
export function expectData<T>(answer: TestResponse, status: number, schema: z.ZodMiniType<T>): T {
  if (answer.status !== status) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return dataOf(answer, schema)
}

/** Far above any run: long runs have more rows than the default daily limits allow. */
const noLimits: AmountLimits = {
  points_row: 1_000_000_000,
  points_job: 1_000_000_000_000,
  points_day: 1_000_000_000_000,
  card_row_cents: 1_000_000_000_000,
  card_job_cents: 1_000_000_000_000,
  card_day_cents: 1_000_000_000_000,
}

/**
 * Creates and starts a job: in one request if its rows fit, otherwise through a draft. Every request is idempotent:
 * after a kill it is retried with the same key.
 */
export async function submitJob(
  request: RequestApi,
  body: CreateJobBody,
  key: string = crypto.randomUUID(),
): Promise<Job> {
  const { rows, options } = body
  const post = (path: string, sent: unknown, headers: Record<string, string> = {}) =>
    request(path, { method: "POST", body: sent, headers })
  const keyed = { "Idempotency-Key": key }
  expectData(await request("/settings/limits", { method: "PUT", body: noLimits }), 200, amountLimits)
  if (rows.length <= limits.jobRowsAdded) return expectData(await post("/jobs", body, keyed), 201, job)
  const draft = expectData(
    await post("/jobs", { ...body, rows: [], options: { ...options, draft: true } }, keyed),
    201,
    job,
  )
  for (let at = 0; at < rows.length; at += limits.jobRowsAdded) {
    const some = { rows: rows.slice(at, at + limits.jobRowsAdded), first_row: at + 1 }
    expectData(await post(`/jobs/${draft.id}/rows`, some), 200, job)
  }
  const started = await post(`/jobs/${draft.id}/start`, { total: rows.length })
  // A retry after a kill finds the job already started and is refused.
  return started.status === 409 ? readJob(request, draft.id) : expectData(started, 200, job)
}

export async function readJob(request: RequestApi, id: string): Promise<Job> {
  return expectData(await request(`/jobs/${id}`), 200, job)
}

/** Every row of a job, page by page. */
export async function readRows(request: RequestApi, id: string): Promise<JobRow[]> {
  const rows: JobRow[] = []
  for (let page = 1; ; page += 1) {
    const path = `/jobs/${id}/rows?page=${page}&per_page=${limits.perPage.max}`
    const some = expectData(await request(path), 200, rowPage)
    rows.push(...some)
    if (some.length < limits.perPage.max) return rows
  }
}

/** A job with all its rows, for the five counts. */
export async function readCounted(request: RequestApi, id: string): Promise<CountedJob> {
  const rows = await readRows(request, id)
  return countedAnswer(await readJob(request, id), rows)
}

/** Waits until the job is done or cancelled. Throws with its counts after `withinMs`. */
export async function untilDone(request: RequestApi, id: string, withinMs: number): Promise<Job> {
  let last: Job | undefined
  try {
    return await until(
      `the end of job ${id}`,
      withinMs,
      async () => {
        last = await readJob(request, id)
        return last.state === "done" || last.state === "cancelled" ? last : undefined
      },
      250,
    )
  } catch (error) {
    throw new Error(`${id} is ${last?.state}: ${JSON.stringify({ ...last?.counts, pause: last?.pause })}`, {
      cause: error,
    })
  }
}
