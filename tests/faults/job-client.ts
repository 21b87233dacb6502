import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import { amountLimits, type AmountLimits } from "../../contract/amount-limits.ts"
import { type CreateJobBody, job, type Job } from "../../contract/job.ts"
import { jobRow, type JobRow } from "../../contract/job-rows.ts"
import { type TestResponse, type RequestOptions, dataOf } from "../support/person.ts"
import { countedAnswer, type CountedJob } from "./counted-job.ts"
import { until } from "./until.ts"

/** Somebody signed in who asks for a path below `/api`. */
export type RequestApi = (path: string, how?: RequestOptions) => Promise<TestResponse>

const rowPage = z.array(jobRow)

/** Reads an answer's data. Throws the answer when it has another status. */
export function expectData<T>(answer: TestResponse, status: number, schema: z.ZodMiniType<T>): T {
  if (answer.status !== status)
    throw new Error(`TestResponse ${answer.status}: ${JSON.stringify(answer.body)}`)
  return dataOf(answer, schema)
}

/** Far above what a run moves: the long ones have more rows than one person may start in a day by default. */
const noLimits: AmountLimits = {
  points_row: 1_000_000_000,
  points_job: 1_000_000_000_000,
  points_day: 1_000_000_000_000,
  card_row_cents: 1_000_000_000_000,
  card_job_cents: 1_000_000_000_000,
  card_day_cents: 1_000_000_000_000,
}

/**
 * Makes a job and starts it: at once when its rows fit into one request, through a draft otherwise. Every request may
 * be repeated: an app that is killed meanwhile is asked again with the same key.
 */
export async function submitJob(
  ask: RequestApi,
  body: CreateJobBody,
  key: string = crypto.randomUUID(),
): Promise<Job> {
  const { rows, options } = body
  const post = (path: string, sent: unknown, headers: Record<string, string> = {}) =>
    ask(path, { method: "POST", body: sent, headers })
  const keyed = { "Idempotency-Key": key }
  expectData(await ask("/settings/limits", { method: "PUT", body: noLimits }), 200, amountLimits)
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
  // An app that was killed after it had started the job is asked a second time, and refuses.
  return started.status === 409 ? readJob(ask, draft.id) : expectData(started, 200, job)
}

/** The job now. */
export async function readJob(ask: RequestApi, id: string): Promise<Job> {
  return expectData(await ask(`/jobs/${id}`), 200, job)
}

/** Every row of a job, page by page. */
export async function readRows(ask: RequestApi, id: string): Promise<JobRow[]> {
  const rows: JobRow[] = []
  for (let page = 1; ; page += 1) {
    const path = `/jobs/${id}/rows?page=${page}&per_page=${limits.perPage.max}`
    const some = expectData(await ask(path), 200, rowPage)
    rows.push(...some)
    if (some.length < limits.perPage.max) return rows
  }
}

/** A job with all its rows, for the counting. */
export async function readCounted(ask: RequestApi, id: string): Promise<CountedJob> {
  const rows = await readRows(ask, id)
  return countedAnswer(await readJob(ask, id), rows)
}

/** Waits until nothing of the job is planned, sent or unknown. Throws with its counts when it takes too long. */
export async function untilDone(ask: RequestApi, id: string, withinMs: number): Promise<Job> {
  let last: Job | undefined
  try {
    return await until(
      `the end of job ${id}`,
      withinMs,
      async () => {
        last = await readJob(ask, id)
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
