import type { CreateJobBody, Job } from "../../../contract/desk/job.ts"
import { limits } from "../../../contract/limits.ts"
import { addJobRows, createJob, startJob } from "../../api/job-writes.ts"
import { chunkRows } from "./chunk-rows.ts"
import { RowsMark } from "./rows-mark.ts"

/** A job whose rows are handed over in parts. */
export interface HandOver {
  readonly kind: CreateJobBody["kind"]
  readonly options: Omit<NonNullable<CreateJobBody["options"]>, "draft">
  /** Of this draft in the browser: the same rows under the same key are one job, however often they are sent. */
  readonly key: string
  readonly total: number
  /** Rows from an offset on, ready to be sent, at most `limit` of them. */
  readonly read: (offset: number, limit: number) => Promise<readonly unknown[]>
  readonly onProgress: (handedOver: number) => void
  readonly signal: AbortSignal
}

/**
 * Makes a job of many rows: a draft, the rows in parts, and the start with their number. Nothing is sent to the
 * service before the start. Interrupted, it goes on where it stopped when it is called again with the same rows; with
 * others it is another job, because the key carries a mark of the rows.
 * @throws what `request` throws; the signal's reason
 */
export async function handOver(asked: HandOver): Promise<Job> {
  const { kind, options, total, signal, onProgress } = asked
  const mark = new RowsMark()
  mark.add([kind, options])
  for await (const rows of parts(asked, 0)) mark.add(rows)

  const body = { kind, rows: [], options: { ...options, draft: true } }
  let job = await createJob({ body, key: `${asked.key}-${mark.toString()}` }, signal)
  if (job.state !== "draft") return job
  onProgress(job.total)
  for await (const rows of parts(asked, job.total)) {
    for (const chunk of chunkRows(rows)) {
      job = await addJobRows(job.id, chunk, job.total + 1, signal)
      onProgress(job.total)
    }
  }
  return await startJob(job.id, total, signal)
}

/** The rows from an offset on, as many at a time as one request may carry. */
async function* parts({ read, total, signal }: HandOver, from: number): AsyncGenerator<readonly unknown[]> {
  for (let at = from; at < total;) {
    signal.throwIfAborted()
    const rows = await read(at, limits.jobRowsAdded)
    if (rows.length === 0) return
    yield rows
    at += rows.length
  }
}
