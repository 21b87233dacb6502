import { IconHelpCircle } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { Job } from "../../../contract/job.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { formatCount } from "../../lib/format.ts"
import classes from "./jobs-face.module.css"
import { progressOf } from "./job-changes.ts"

interface JobsFaceProps {
  summary: { readonly active: number; readonly attention: number }
}

/** "1 job, 62 %" with a ring; with a question open "1 needs a decision". Leads to the one job, else to the list. */
export function JobsFace({ summary: { active, attention } }: JobsFaceProps) {
  const asks = attention > 0
  const state = asks ? "attention" : "active"
  const { data } = useQuery(jobsQuery({ state }))
  const jobs = data?.jobs ?? []
  if (asks) {
    return (
      <To job={attention === 1 ? jobs[0] : undefined} state={state} asks>
        <IconHelpCircle size={16} stroke={2} aria-hidden />
        <span>
          {formatCount(attention)}
          <span className={classes.words}> {attention === 1 ? "needs" : "need"} a decision</span>
        </span>
      </To>
    )
  }
  const percent = progressOf(jobs)
  return (
    <To job={active === 1 ? jobs[0] : undefined} state={state}>
      <svg viewBox="0 0 20 20" className={classes.ring} aria-hidden>
        <circle cx="10" cy="10" r="8" className={classes.track} />
        <circle cx="10" cy="10" r="8" pathLength="100" strokeDasharray={`${percent ?? 0} 100`} />
      </svg>
      <span>
        {formatCount(active)}
        <span className={classes.words}>
          {active === 1 ? " job" : " jobs"}
          {percent !== undefined && `, ${percent} %`}
        </span>
      </span>
    </To>
  )
}

interface ToProps {
  job: Job | undefined
  state: "active" | "attention"
  asks?: boolean
  children: ReactNode
}

function To({ job, state, asks = false, children }: ToProps) {
  const look = { className: classes.chip, "data-asks": asks || undefined }
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
