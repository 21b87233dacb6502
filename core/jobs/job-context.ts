import type { DeskEvent } from "../../contract/status.ts"
import type { DeskContext } from "../context.ts"
import type { Defences } from "./defences.ts"
import type { JobRecord } from "./job-store.ts"
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
  readonly defences: Defences
  readonly restore: RestoreGuard
  /** Id of this process among the instances. */
  readonly self: string
  /** Ends the waits of a run; absent where a person waits. */
  readonly signal?: AbortSignal
  /** Tells who is looking that a job moved on; not at each step. */
  readonly moved: (jobId: string) => void
  /** Tells who is looking that many records changed, every few seconds. */
  readonly tellLater: (topic: DeskEvent["topic"]) => void
}

/** For whom a job's calls count in the budget: a form's in its person's lane, the rest behind people. */
export function askerOf(job: Pick<JobRecord, "id" | "lane" | "createdBy" | "title">) {
  const person =
    job.lane === "people"
      ? { id: job.createdBy.id, name: job.createdBy.name }
      : { id: job.id, name: job.title ?? `Job ${job.id}` }
  return { lane: job.lane, person } as const
}
