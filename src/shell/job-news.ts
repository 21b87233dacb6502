import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { type Job, pauseCodes } from "../../contract/job.ts"
import { whileLive } from "../api/events.ts"
import { jobQuery, jobsQuery } from "../api/jobs.ts"
import { useSession } from "../api/session.ts"
import { useFollowedJobs } from "../forms/followed-jobs.ts"
import { jobAddress } from "../forms/job-link.tsx"
import { notifyBrowser } from "../lib/browser-notices.ts"
import { counted, formatCount } from "../lib/format.ts"
import { jobTitle } from "../lib/job-title.ts"
import { notify } from "../ui/notify.tsx"

function tellBrowser(job: Job, news: JobNews): void {
  const tag = `${job.id} ${news} ${job.attention}`
  const page = `jobs/${encodeURIComponent(job.id)}`
  notifyBrowser({ tag, title: jobTitle(job), body: newsWords(job, news), page })
}

/** Prefixes the window's title until the page changes it. */
export function useTitleNotice(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined) return undefined
    const prefix = `${words} · `
    document.title = prefix + document.title
    return () => {
      document.title = document.title.replace(prefix, "")
    }
  }, [words])
}

/** Notifies about the user's running jobs. A job that left the list is read again for its outcome. */
export function useJobNews() {
  const me = useSession().user.id
  const client = useQueryClient()
  const { data } = useQuery(jobsQuery({ state: "active" }))
  const known = useRef(new Map<string, Job>())

  useEffect(() => {
    if (data === undefined) return
    const notifyOf = (before: Job, job: Job) => {
      const news = newsOf(before, job)
      if (news === undefined) return
      // Its drawer or follow-up notification reports it.
      if (!useFollowedJobs.getState().jobs.has(job.id)) tellHere(job, news)
      tellBrowser(job, news)
    }
    const mine = data.rows.filter((job) => job.created_by.id === me)
    const ids = new Set(mine.map(({ id }) => id))
    for (const [id, before] of known.current) {
      if (ids.has(id)) continue
      known.current.delete(id)
      const ended = client.fetchQuery({ ...jobQuery(id), staleTime: whileLive(0) })
      // Not readable now; the list of jobs shows it.
      void ended.then((job) => notifyOf(before, job)).catch(() => undefined)
    }
    for (const job of mine) {
      const before = known.current.get(job.id)
      if (before !== undefined) notifyOf(before, job)
      known.current.set(job.id, job)
    }
  }, [data, me, client])
}

const words = { done: "Done", asks: "Needs you", paused: "Paused" } as const

function tellHere(job: Job, news: JobNews): void {
  const [title, page] = [jobTitle(job), jobAddress(job.id)]
  const well = news === "done" && job.counts.failed === 0
  notify({
    id: job.id,
    tone: well ? "success" : "warning",
    title,
    text: newsWords(job, news),
    link: { to: page, label: news === "asks" ? "Decide" : "Open the job" },
    stays: news !== "done",
    seenAt: page,
    windowTitle: `${words[news]}: ${title}`,
  })
}

type Seen = Pick<Job, "id" | "state" | "attention" | "pause" | "counts" | "total" | "closes_at">

/** Progress of all jobs together, in whole percent; undefined before the first read. */
export function progressOf(jobs: readonly Seen[]): number | undefined {
  const total = jobs.reduce((sum, job) => sum + job.total, 0)
  if (total === 0) return undefined
  const open = jobs.reduce((sum, { counts }) => sum + counts.planned + counts.sent + counts.unknown, 0)
  // An unfinished job never shows 100 %.
  return Math.min(Math.floor(((total - open) / total) * 100), open > 0 ? 99 : 100)
}

/** Changes of a job that its creator is notified of. */
type JobNews = "done" | "asks" | "paused"

/**
 * Notifies of the end (except of one-row jobs and of the ship desk), of a row that needs a decision, and of an automatic
 * pause.
 */
export function newsOf(before: Seen, now: Seen): JobNews | undefined {
  if (now.attention > before.attention) return "asks"
  if (now.state === "paused" && before.state !== "paused") {
    return now.pause?.code === pauseCodes.person ? undefined : "paused"
  }
  const ended = now.state === "done" && before.state !== "done"
  return ended && now.total > 1 && now.closes_at === undefined ? "done" : undefined
}

/** The text for a notice and for the browser notification. */
function newsWords({ counts, total, attention, pause }: Seen, news: JobNews): string {
  switch (news) {
    case "asks":
      return `${counted(attention, "row")} ${attention === 1 ? "needs" : "need"} a decision.`
    case "paused":
      return pause?.message ?? "The job is paused"
    default:
      return counts.failed > 0
        ? `${formatCount(counts.confirmed)} of ${formatCount(total)} done, ${formatCount(counts.failed)} not done.`
        : `${formatCount(counts.confirmed)} of ${formatCount(total)} done.`
  }
}
