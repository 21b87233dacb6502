import { Group, Stack } from "@mantine/core"
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconHelpCircle,
  IconPlayerPause,
  IconX,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, type LinkProps, useLocation } from "@tanstack/react-router"
import { useEffect } from "react"
import { jobsQuery } from "../api/jobs.ts"
import { formatCount } from "../lib/format.ts"
import { type JobNews, newsWords, progressOf, type Told, useJobNews, useTitleNotice } from "./job-news.ts"
import { IconButton } from "../ui/icon-button.tsx"
import classes from "./job-notices.module.css"
import bar from "./top-bar.module.css"

/** How long a notice stays that asks for nothing, in ms. */
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
    <Group align="flex-start" gap={10} wrap="nowrap" className={classes.notice}>
      <Icon size={18} stroke={1.75} aria-hidden className="tone-mark" data-tone={look.tone} />
      <Stack gap={2} className="grow wrap-anywhere">
        <span className="l-medium">{title}</span>
        <span className="text-secondary">{newsWords(job, news)}</span>
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} className="l-link" onClick={onClose}>
          {news === "asks" ? "Decide" : "Open the job"}
        </Link>
      </Stack>
      <IconButton label="Dismiss" icon={<IconX size={16} stroke={1.75} />} onClick={onClose} />
    </Group>
  )
}

/** "1 job, 62 %" with a ring; with a question open "1 needs a decision". Leads to the one job, else to the list. */
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
    ? `${count === 1 ? "needs" : "need"} a decision`
    : `${count === 1 ? "job" : "jobs"}${percent === undefined ? "" : `, ${percent} %`}`
  return (
    <Link {...link} className={`${bar.chip} ${bar.jobsChip}`} data-asks={asks || undefined}>
      {asks ? (
        <IconHelpCircle size={16} stroke={2} aria-hidden />
      ) : (
        <svg viewBox="0 0 20 20" className={bar.ring} aria-hidden>
          <circle cx="10" cy="10" r="8" className={bar.track} />
          <circle cx="10" cy="10" r="8" pathLength="100" strokeDasharray={`${percent ?? 0} 100`} />
        </svg>
      )}
      <span>
        {formatCount(count)}
        <span className="phone-hidden"> {words}</span>
      </span>
    </Link>
  )
}
