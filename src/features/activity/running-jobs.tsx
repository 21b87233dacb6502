import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Job } from "../../../contract/job.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { formatCount } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { duration } from "../../lib/time.ts"
import { Section } from "../../ui/page-header.tsx"
import { jobWord, ProgressBar, rowsDone } from "./job-status.tsx"
import classes from "./activity.module.css"

/** How many are shown; the others are in the list. */
const shown = 3

/** Work under way, for the home page: how far each job is. Nothing while nothing runs. */
export function RunningJobs() {
  const { data } = useQuery(jobsQuery({ state: "active" }))
  const jobs = data?.jobs ?? []
  if (jobs.length === 0) return null
  return (
    <Section
      title="Running"
      end={
        <Link to="/jobs" search={{ state: "active" }} className="l-link">
          {jobs.length > shown ? `All ${formatCount(jobs.length)}` : "Open"}
        </Link>
      }
    >
      <ul className={classes.jobs}>
        {jobs.slice(0, shown).map((job) => (
          <li key={job.id} className={classes.job}>
            <div className={classes.line}>
              <Link to="/jobs/$jobId" params={{ jobId: job.id }} className="l-medium truncate">
                {jobTitle(job)}
              </Link>
              <span className={classes.done}>
                {formatCount(rowsDone(job))} of {formatCount(job.total)}
              </span>
            </div>
            <ProgressBar job={job} size="row" />
            <span className="l-meta text-muted l-num">{paceWords(job)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** "48 a minute, 3 min 55 s left", as far as it is known. */
function paceWords(job: Job): string {
  if (job.state !== "running" || job.pace === null) return jobWord(job).word
  const left = job.pace.ms_left === null ? [] : [`${duration(job.pace.ms_left)} left`]
  return [`${formatCount(Math.round(job.pace.per_minute))} a minute`, ...left].join(", ")
}
