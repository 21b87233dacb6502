import { type Job, pauseCodes } from "../../../contract/job.ts"
import { formatCount } from "../../lib/format.ts"

type Seen = Pick<Job, "id" | "state" | "attention" | "pause" | "counts" | "total">

/** How much of the jobs is done together, in whole percent; undefined before anything was read. */
export function progressOf(jobs: readonly Seen[]): number | undefined {
  const total = jobs.reduce((sum, job) => sum + job.total, 0)
  if (total === 0) return undefined
  const open = jobs.reduce((sum, { counts }) => sum + counts.planned + counts.sent + counts.unknown, 0)
  // A job that is not done never reads 100 %.
  return Math.min(Math.floor(((total - open) / total) * 100), open > 0 ? 99 : 100)
}

/** What about a job is worth telling the person who made it. */
export type JobNews = "done" | "asks" | "paused"

/**
 * What changed about a job since it was seen last. Its end; a row that only a person can settle; a pause that no
 * person made. One row from a form says its end where it was sent from.
 */
export function newsOf(before: Seen, now: Seen): JobNews | undefined {
  if (now.attention > before.attention) return "asks"
  if (now.state === "paused" && before.state !== "paused") {
    return now.pause?.code === pauseCodes.person ? undefined : "paused"
  }
  const ended = now.state === "done" && before.state !== "done"
  return ended && now.total > 1 ? "done" : undefined
}

/** What happened, for a notice and for the browser's own. */
export function newsWords({ counts, total, attention, pause }: Seen, news: JobNews): string {
  switch (news) {
    case "asks":
      return `${rows(attention)} ${attention === 1 ? "needs" : "need"} a decision.`
    case "paused":
      return pause?.message ?? "The job is paused"
    default:
      return counts.failed > 0
        ? `Done: ${formatCount(counts.confirmed)} of ${rows(total)} confirmed, ${formatCount(counts.failed)} failed.`
        : `Done: ${formatCount(counts.confirmed)} of ${rows(total)} confirmed.`
  }
}

function rows(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "row" : "rows"}`
}
