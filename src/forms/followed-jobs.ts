import { externalValue } from "../lib/external-value.ts"
import type { Notification } from "../lib/notifications.ts"
import type { OneRow } from "./one-row.ts"

/** What is told of a job of one row once its drawer is closed. */
export interface Followed {
  /** "Awarding 500 points to Ana Silva". */
  readonly doing: string
  /** Called once, when it is confirmed: what to tell. */
  readonly confirmed: (one: OneRow) => Omit<Notification, "id" | "tone">
  /** The notification that it takes the place of; the job's own otherwise. */
  readonly id?: string
}

/** Jobs of one row that were sent in this tab and are not known to be over, by id. */
export const followedJobs = externalValue<ReadonlyMap<string, Followed>>(new Map())

/** Tells how a job of one row ends, wherever the person is by then. */
export function followJob(jobId: string, followed: Followed): void {
  followedJobs.set(new Map([...followedJobs.get(), [jobId, followed]]))
}

export function unfollowJob(jobId: string): void {
  followedJobs.set(new Map([...followedJobs.get()].filter(([id]) => id !== jobId)))
}

/** Whether it was confirmed with nothing to read about it: the service answered, and no person had to decide. */
export function isPlain({ status, row }: OneRow): boolean {
  return (
    status === "confirmed" && row.known_by !== "look" && row.decision === undefined && row.outcome === null
  )
}
