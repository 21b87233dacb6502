import { IconHelpCircle } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { type Job, pauseCodes } from "../../contract/job.ts"
import { whileLive } from "../api/events.ts"
import { jobQuery, jobsQuery } from "../api/jobs.ts"
import { useSession } from "../api/session.ts"
import { useFollowedJobs } from "../forms/followed-jobs.ts"
import { notifyBrowser } from "../lib/browser-notices.ts"
import { counted, formatCount } from "../lib/format.ts"
import { jobTitle } from "../lib/job-title.ts"
import { notify } from "../ui/notify.tsx"
import { jobAddress } from "../ui/record-link.tsx"
import bar from "./top-bar.module.css"

/**
 * Notifies when a job of the user is finished or needs a decision: on the page, in the window's title and, if allowed,
 * in the browser.
 */
export function JobNotices() {
  useJobNews()
  return null
}

/**
 * "1 job, 62 %" with a ring, or "1 needs attention" with rows to decide or a pause. Links to the only job, else to the
 * list.
 */
export function JobsStatus({ summary }: { summary: Record<"active" | "attention", number> }) {
  const asks = summary.attention > 0
  const state = asks ? "attention" : "active"
  const count = summary[state]
  const jobs = useQuery(jobsQuery({ state })).data?.rows ?? []
  const percent = progressOf(jobs)
  const only = count === 1 ? jobs[0] : undefined
  const link: LinkProps =
    only === undefined
      ? { to: "/jobs", search: { state } }
      : { to: "/jobs/$jobId", params: { jobId: only.id } }
  const words = asks
    ? `${count === 1 ? "needs" : "need"} attention`
    : `${count === 1 ? "job" : "jobs"}${percent === undefined ? "" : `, ${percent} %`}`
  return (
    <Link
      {...link}
      className={`${asks ? "tone-fill" : "hover-fill text-secondary"} ${bar.chip}`}
      data-tone={asks ? "warning" : undefined}
    >
      {asks ? (
        <IconHelpCircle size={16} stroke={2} aria-hidden />
      ) : (
        <svg
          viewBox="0 0 20 20"
          width={16}
          fill="none"
          strokeWidth={3}
          style={{ rotate: "-90deg" }}
          aria-hidden
        >
          <circle cx="10" cy="10" r="8" stroke="var(--l-track)" />
          <circle
            cx="10"
            cy="10"
            r="8"
            stroke="var(--l-info-mark)"
            pathLength="100"
            strokeDasharray={`${percent ?? 0} 100`}
          />
        </svg>
      )}
      <span>
        {formatCount(count)}
        <span className="phone-hidden"> {words}</span>
      </span>
    </Link>
  )
}

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
