import { IconHelpCircle } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import { jobsQuery } from "../api/jobs.ts"
import { formatCount } from "../lib/format.ts"
import { progressOf, useJobNews } from "./job-news.ts"
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
