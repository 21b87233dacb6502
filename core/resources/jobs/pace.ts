import type { Job } from "../../../contract/job.ts"
import type { DeskContext } from "../../context.ts"
import type { JobRecord } from "../../jobs/job-store.ts"
import { stored } from "../../errors.ts"
import { jobView } from "./job-view.ts"

/** The pace is that of the last minute, in ms. */
const paceMs = 60_000
/** A job that began a moment ago says nothing about its next hour, in ms. */
const leastMs = 3000

/**
 * How fast a job's rows end, and how long the rest takes at that pace.
 * @param ended rows that ended in the last minute
 * @param now the store's clock, ms since 1970
 */
export function paceOf(job: JobRecord, ended: number, now: number): Job["pace"] {
  const forMs = Math.min(paceMs, now - (job.startedAt ?? now))
  if (ended === 0 || forMs < leastMs) return null
  const perMs = ended / forMs
  const { planned, sent, unknown } = job.counts
  return {
    per_minute: Math.round(perMs * 60_000 * 10) / 10,
    ms_left: Math.ceil((planned + sent + unknown) / perMs),
  }
}

/** Jobs as they are answered, those that are running with their pace. */
export async function viewJobs({ store }: DeskContext, jobs: readonly JobRecord[]): Promise<Job[]> {
  if (!jobs.some(moves)) return jobs.map((job) => jobView(job, null))
  const now = await stored(store.jobs.now())
  return Promise.all(
    jobs.map(async (job) => {
      if (!moves(job)) return jobView(job, null)
      const ended = await stored(store.jobs.endedSince(job.id, now - paceMs))
      return jobView(job, paceOf(job, ended, now))
    }),
  )
}

/** One job as it is answered. */
export async function viewJob(context: DeskContext, job: JobRecord): Promise<Job> {
  const [view] = await viewJobs(context, [job])
  return view ?? jobView(job, null)
}

function moves({ state }: JobRecord): boolean {
  return state === "running"
}
