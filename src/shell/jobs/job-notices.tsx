import {
  IconAlertTriangle,
  IconCircleCheck,
  IconHelpCircle,
  IconPlayerPause,
  IconX,
} from "@tabler/icons-react"
import { Link, useLocation } from "@tanstack/react-router"
import { useEffect } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import { newsWords, type JobNews } from "./job-changes.ts"
import classes from "./job-notices.module.css"
import { type Told, useJobNews, useTitleNotice } from "./job-news.ts"

/** How long a notice stays that asks for nothing, in ms (look, Toast). */
const lasting = 6000

/** Says when a job of mine is done or needs somebody: here, in the window's title and, if allowed, in the browser. */
export function JobNotices() {
  const { news, drop } = useJobNews()
  const { pathname } = useLocation()
  // Whoever looks at the job sees it there.
  const shown = news.filter(({ job }) => pathname !== `/jobs/${encodeURIComponent(job.id)}`)
  const last = shown.at(-1)
  useTitleNotice(last === undefined ? undefined : titleOf(last))
  return (
    <output className={classes.notices} aria-label="Notices">
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
      <Icon size={18} stroke={1.75} aria-hidden className={classes.icon} data-tone={look.tone} />
      <div className={classes.words}>
        <span className="l-medium">{title}</span>
        <span className="text-secondary">{newsWords(job, news)}</span>
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} className="l-link" onClick={onClose}>
          {news === "asks" ? "Decide" : "Open the job"}
        </Link>
      </div>
      <IconButton label="Dismiss" icon={<IconX size={16} stroke={1.75} />} onClick={onClose} />
    </div>
  )
}

function titleOf({ news, title }: Told): string {
  return `${looks[news].word}: ${title}`
}
