import type { AddRowsBody, CreateJobBody, Job } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import { addJobRows, createJob, startJob } from "../../api/job-writes.ts"
import type { FileEntry } from "../../import/sheet/sheet-command.ts"
import { chunkRows } from "./chunk-rows.ts"
import { RowsMark } from "./rows-mark.ts"

/** A job whose rows are handed over in parts. */
export interface HandOver {
  readonly kind: CreateJobBody["kind"]
  readonly options: Omit<NonNullable<CreateJobBody["options"]>, "draft">
  /** Of this draft in the browser: the same rows under the same key are one job, however often they are sent. */
  readonly key: string
  /** Rows to carry out. */
  readonly total: number
  /** How many of them repeat earlier rows, and are sent all the same. */
  readonly repeats: number
  /** Rows of the file from an offset on, at most `limit` of them, in the file's order, excluded ones too. */
  readonly read: (offset: number, limit: number) => Promise<readonly FileEntry[]>
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
  const { kind, options, total, repeats, signal, onProgress } = asked
  const mark = new RowsMark()
  mark.add([kind, options])
  for await (const entries of parts(asked, 0)) mark.add(entries)

  const body = { kind, rows: [], options: { ...options, draft: true } }
  let job = await createJob({ body, key: `${asked.key}-${mark.toString()}` }, signal)
  if (job.state !== "draft") return job
  onProgress(job.total)
  for await (const entries of parts(asked, kept(job))) {
    for (const chunk of chunkRows(entries)) {
      job = await addJobRows(job.id, bodyOf(chunk), kept(job) + 1, signal)
      onProgress(job.total)
    }
  }
  return await startJob(job.id, { total, repeats }, signal)
}

/** Rows that a draft has, excluded ones too. */
function kept({ total, counts }: Job): number {
  return total + counts.excluded
}

function bodyOf(entries: readonly FileEntry[]): Omit<AddRowsBody, "first_row"> {
  const rows = entries.filter((entry) => "row" in entry)
  const excluded = entries.filter((entry) => "excluded" in entry)
  return {
    rows: rows.map(({ row }) => row),
    lines: rows.map(({ line }) => line),
    excluded: excluded.map(({ line, excluded: why }) => ({ line, ...why })),
  }
}

/** The rows from an offset on, as many at a time as one request may carry. */
async function* parts({ read, signal }: HandOver, from: number): AsyncGenerator<readonly FileEntry[]> {
  for (let at = from; ;) {
    signal.throwIfAborted()
    const entries = await read(at, limits.jobRowsAdded)
    if (entries.length === 0) return
    yield entries
    at += entries.length
  }
}
