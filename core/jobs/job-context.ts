import type { DeskEvent } from "../../contract/status.ts"
import type { DeskContext } from "../context.ts"
import type { JobRecord, JobStore, RowRecord } from "./job-store.ts"
import type { RestoreGuard } from "./restore-guard.ts"
import type { StoreTime } from "./store-time.ts"

/** What the engine's parts share. */
export interface JobContext extends Pick<
  DeskContext,
  | "audit"
  | "caller"
  | "clock"
  | "codes"
  | "config"
  | "drift"
  | "events"
  | "log"
  | "processes"
  | "reads"
  | "settings"
  | "store"
> {
  readonly time: StoreTime
  readonly restore: RestoreGuard
  /** Id of this process among the instances. */
  readonly self: string
  /** Ends the waits of a run; absent where a person waits. */
  readonly signal?: AbortSignal
  /** Tells who is looking that a job moved on; not at each step. */
  readonly jobChanged: (jobId: string) => void
  /** Tells who is looking that many records changed, every few seconds. */
  readonly notifyLater: (topic: DeskEvent["topic"]) => void
}

/** For whom a job's calls count in the budget: a form's in its person's lane, the rest behind people. */
export function requesterOf(job: Pick<JobRecord, "id" | "lane" | "createdBy" | "title">) {
  const person =
    job.lane === "people"
      ? { id: job.createdBy.id, name: job.createdBy.name }
      : { id: job.id, name: job.title ?? `Job ${job.id}` }
  return { lane: job.lane, person } as const
}

/**
 * Lets everything else of the process run for a moment. A store in a file answers without ever waiting: a walk over
 * 100,000 rows would otherwise hold up every request until its end.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}

const atOnce = 1000

/** All planned rows of a job, some at a time, by number. */
export async function* plannedRows(store: JobStore, jobId: string): AsyncGenerator<readonly RowRecord[]> {
  for (let after = 0; ;) {
    const rows = await store.rowsIn(jobId, ["planned"], after, atOnce)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) return
    after = last.row
    await yieldToEventLoop()
  }
}
