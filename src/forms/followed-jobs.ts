import { create } from "zustand"
import type { Notification } from "../ui/notify.tsx"
// Types only: the frame of every page reads this file, and a page without jobs needs no code of them.
import type { OneRow } from "./one-row.ts"

/** Notification texts for a job of one row after its drawer is closed. */
export interface Followed {
  /** "Awarding 500 points to Ana Silva". */
  readonly doing: string
  /** Called once when it is confirmed; returns the notification. */
  readonly confirmed: (one: OneRow) => Omit<Notification, "id" | "tone">
  /** Id of the notification to replace; the job's own by default. */
  readonly id?: string
}

/** Unfinished one-row jobs that were sent in this tab, by id. */
export const useFollowedJobs = create<{ readonly jobs: ReadonlyMap<string, Followed> }>(() => ({
  jobs: new Map(),
}))

/** Notifies of the end of a one-row job, on any page. */
export function followJob(jobId: string, followed: Followed): void {
  useFollowedJobs.setState(({ jobs }) => ({ jobs: new Map([...jobs, [jobId, followed]]) }))
}

export function unfollowJob(jobId: string): void {
  useFollowedJobs.setState(({ jobs }) => ({ jobs: new Map([...jobs].filter(([id]) => id !== jobId)) }))
}

/** Whether it was confirmed without further information: the service responded and no decision was needed. */
export function isPlain({ status, row }: OneRow): boolean {
  return (
    status === "confirmed" && row.known_by !== "look" && row.decision === undefined && row.outcome === null
  )
}
