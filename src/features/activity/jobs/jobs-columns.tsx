import { IconHelpCircle } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { Job } from "../../../../contract/job.ts"
import { formatCount } from "../../../lib/format.ts"
import { millis } from "../../../lib/time.ts"
import { jobTitle } from "../../../lib/job-title.ts"
import type { ListColumn, ListLayout } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { Avatar, RelativeTime, Truncate } from "../../../ui/values.tsx"
import { kindNames, rowsDone } from "./job-words.ts"
import classes from "./jobs.module.css"
import { ProgressBar } from "./progress-bar.tsx"
import { JobStatus } from "./state-mark.tsx"

function Title({ job, layout }: { job: Job; layout: ListLayout }) {
  const title = jobTitle(job)
  return (
    <span className={classes.lines}>
      <span className={classes.title}>
        <Link
          to="/jobs/$jobId"
          params={{ jobId: job.id }}
          data-row-link
          className={`${links.link} truncate`}
          title={title}
        >
          {title}
        </Link>
        {layout === "wide" && <span className="l-mono text-muted">{job.id}</span>}
      </span>
      {layout !== "wide" && (
        <span className={classes.below}>
          {job.created_by.name}, <RelativeTime at={job.created_at} />
        </span>
      )}
    </span>
  )
}

function Progress({ job }: { job: Job }) {
  return (
    <span className={classes.progress}>
      <ProgressBar job={job} size="row" />
      <span className="l-num text-secondary">
        {formatCount(rowsDone(job))}
        <span className="text-muted"> of {formatCount(job.total)}</span>
      </span>
    </span>
  )
}

function State({ job, layout }: { job: Job; layout: ListLayout }) {
  return (
    <span className={classes.lines}>
      <JobStatus job={job} />
      {layout === "phone" && (
        <span className={classes.below}>
          {formatCount(rowsDone(job))} of {formatCount(job.total)}
          {job.attention > 0 && `, ${formatCount(job.attention)} to decide`}
        </span>
      )}
      {layout === "tablet" && <Attention count={job.attention} />}
    </span>
  )
}

function Attention({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={classes.attention}>
      <IconHelpCircle size={15} stroke={2} aria-hidden />
      {formatCount(count)} to decide
    </span>
  )
}

/** The columns of the list of jobs. */
export const jobColumns: readonly ListColumn<Job>[] = [
  {
    id: "title",
    label: "Job",
    touch: "phone",
    value: jobTitle,
    cell: (job, layout) => <Title job={job} layout={layout} />,
  },
  {
    id: "kind",
    label: "Kind",
    width: 104,
    value: (job) => kindNames[job.kind],
    cell: (job) => <span className="text-secondary">{kindNames[job.kind]}</span>,
  },
  {
    id: "state",
    label: "State",
    width: 144,
    touch: "phone",
    value: (job) => job.state,
    cell: (job, layout) => <State job={job} layout={layout} />,
  },
  {
    id: "progress",
    label: "Progress",
    width: 208,
    touch: "tablet",
    value: rowsDone,
    cell: (job) => <Progress job={job} />,
  },
  {
    id: "attention",
    label: "Needs attention",
    width: 128,
    value: (job) => job.attention,
    cell: (job) => <Attention count={job.attention} />,
  },
  {
    id: "who",
    label: "Who",
    width: 144,
    value: (job) => job.created_by.name,
    cell: ({ created_by: { name } }) => (
      <span className={classes.who}>
        <Avatar name={name} />
        <Truncate>{name}</Truncate>
      </span>
    ),
  },
  {
    id: "when",
    label: "When",
    width: 104,
    end: true,
    value: (job) => millis(job.created_at),
    cell: (job) => (
      <span className={`text-muted ${links.above}`}>
        <RelativeTime at={job.created_at} />
      </span>
    ),
  },
]
