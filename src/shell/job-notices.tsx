import { Stack } from "@mantine/core"
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconHelpCircle,
  IconPlayerPause,
  IconX,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { type ReactNode, useEffect } from "react"
import type { Job } from "../../contract/job.ts"
import { jobsQuery } from "../api/jobs.ts"
import { formatCount } from "../lib/format.ts"
import { type JobNews, newsWords, progressOf, type Told, useJobNews, useTitleNotice } from "./job-news.ts"
import { IconButton } from "../ui/icon-button.tsx"
import classes from "./job-notices.module.css"
import bar from "./top-bar.module.css"

/** How long a notice stays that asks for nothing, in ms (look, Toast). */
const lasting = 6000

/** Says when a job of mine is done or needs somebody: here, in the window's title and, if allowed, in the browser. */
export function JobNotices() {
  const { news, drop } = useJobNews()
  const { pathname } = useLocation()
  // Whoever looks at the job sees it there.
  const shown = news.filter(({ job }) => pathname !== `/jobs/${encodeURIComponent(job.id)}`)
  const last = shown.at(-1)
  useTitleNotice(last === undefined ? undefined : `${looks[last.news].word}: ${last.title}`)
  return (
    <output className={`${classes.notices} no-print`} aria-label="Notices">
      {shown.map((told) => (
        <Toast key={told.key} told={told} onClose={() => drop(told.key)} />
      ))}
    </output>
  )
}

const looks = {
  done: { icon: IconCircleCheck, tone: "success", word: "Done" },
  asks: { icon: IconHelpCircle, tone: "warning", word: "Decision needed" },
  paused: { icon: IconPlayerPause, tone: "warning", word: "Paused" },
} as const satisfies Record<JobNews, unknown>

function Toast({ told: { job, news, title }, onClose }: { told: Told; onClose: () => void }) {
  const failed = news === "done" && job.counts.failed > 0
  const look = failed ? { ...looks.done, icon: IconAlertTriangle, tone: "warning" } : looks[news]
  const { icon: Icon } = look
  useEffect(() => {
    if (news !== "done") return undefined
    // Nobody has read it while the window is away.
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = () => {
      clearTimeout(timer)
      if (document.visibilityState === "visible") timer = setTimeout(onClose, lasting)
    }
    run()
    document.addEventListener("visibilitychange", run)
    return () => {
      clearTimeout(timer)
      document.removeEventListener("visibilitychange", run)
    }
  }, [news, onClose])
  return (
    <div className={classes.notice}>
      <Icon size={18} stroke={1.75} aria-hidden className="tone-mark" data-tone={look.tone} />
      <Stack gap={2} className="grow wrap-anywhere">
        <span className="l-medium">{title}</span>
        <span className="text-secondary">{newsWords(job, news)}</span>
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} className="l-link" onClick={onClose}>
          {news === "asks" ? "Decide" : "Open the job"}
        </Link>
      </Stack>
      <IconButton label="Dismiss" icon={<IconX size={16} stroke={1.75} />} onClick={onClose} />
    </div>
  )
}

/** "1 job, 62 %" with a ring; with a question open "1 needs a decision". Leads to the one job, else to the list. */
export function JobsStatus({
  summary: { active, attention },
}: {
  summary: Record<"active" | "attention", number>
}) {
  const asks = attention > 0
  const state = asks ? "attention" : "active"
  const { data } = useQuery(jobsQuery({ state }))
  const jobs = data?.jobs ?? []
  if (asks) {
    return (
      <JobsLink job={attention === 1 ? jobs[0] : undefined} state={state} asks>
        <IconHelpCircle size={16} stroke={2} aria-hidden />
        <span>
          {formatCount(attention)}
          <span className={bar.words}> {attention === 1 ? "needs" : "need"} a decision</span>
        </span>
      </JobsLink>
    )
  }
  const percent = progressOf(jobs)
  return (
    <JobsLink job={active === 1 ? jobs[0] : undefined} state={state}>
      <svg viewBox="0 0 20 20" className={bar.ring} aria-hidden>
        <circle cx="10" cy="10" r="8" className={bar.track} />
        <circle cx="10" cy="10" r="8" pathLength="100" strokeDasharray={`${percent ?? 0} 100`} />
      </svg>
      <span>
        {formatCount(active)}
        <span className={bar.words}>
          {active === 1 ? " job" : " jobs"}
          {percent !== undefined && `, ${percent} %`}
        </span>
      </span>
    </JobsLink>
  )
}

function JobsLink(props: {
  job: Job | undefined
  state: "active" | "attention"
  asks?: boolean
  children: ReactNode
}) {
  const { job, state, asks = false, children } = props
  const look = { className: `${bar.chip} ${bar.jobsChip}`, "data-asks": asks || undefined }
  return job === undefined ? (
    <Link to="/jobs" search={{ state }} {...look}>
      {children}
    </Link>
  ) : (
    <Link to="/jobs/$jobId" params={{ jobId: job.id }} {...look}>
      {children}
    </Link>
  )
}
