import { Button } from "@mantine/core"
import { IconFileUnknown } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import type { Job } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { ApiError } from "../../lib/errors.ts"
import { jobQuery, useControlJob } from "../../api/jobs.ts"
import { JobNotes } from "./job-notes.tsx"
import { JobRows } from "./job-rows.tsx"
import { isOnHold, JobStatus, ProgressBar, rowsDone, rowWords, StateMark, stateOrder } from "./job-status.tsx"
import { JobActions } from "./job-actions.tsx"
import { formatCount, formatPoints } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { duration, millis } from "../../lib/time.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { type Figure, Figures, PageHeader } from "../../ui/page-header.tsx"
import { EmptyState, SkeletonRows } from "../../ui/query-state.tsx"
import { CopyText, RelativeTime } from "../../ui/values.tsx"
import classes from "./job.module.css"

const FixRows = lazy(async () => ({ default: (await import("./fix/fix-rows.tsx")).FixRows }))
const RowPanel = lazy(async () => ({ default: (await import("./row-panel.tsx")).RowPanel }))

const route = getRouteApi("/_app/jobs_/$jobId")

/** One job: how far it is, its rows, and what only a person can settle. */
export function JobPage() {
  const { jobId } = route.useParams()
  const { data: job, error, isPending, refetch } = useQuery(jobQuery(jobId))
  if (job !== undefined) {
    return (
      <>
        {error !== null && (
          <div className={classes.notes}>
            <ErrorNotice error={error} what="Couldn’t refresh the job." onRetry={() => void refetch()} />
          </div>
        )}
        <OpenJob key={jobId} job={job} />
      </>
    )
  }
  if (error instanceof ApiError && error.status === 404) return <NoSuchJob id={jobId} />
  return (
    <div className={classes.page}>
      <PageHeader title={jobId} path={[{ label: "Activity", to: "/jobs" }]} />
      <div className={classes.notes}>
        {error !== null && (
          <ErrorNotice error={error} what="Couldn’t load the job." onRetry={() => void refetch()} />
        )}
        {isPending && <SkeletonRows rows={6} />}
      </div>
    </div>
  )
}

function OpenJob({ job }: { job: Job }) {
  const search = route.useSearch()
  const control = useControlJob(job.id)
  // What is not sent can be edited while the job stands still, and no longer.
  const editing = search.open === "edit" && job.state === "paused"
  const fixing = search.open === "fix" || editing
  const panel = !fixing && search.row !== undefined
  return (
    <div className={classes.page} data-open={panel || fixing || undefined}>
      <JobHeader job={job} control={control} />
      <JobFigures job={job} />
      <JobNotes job={job} control={control} />
      <div className={classes.body} data-panel={panel || undefined}>
        <Suspense>
          {fixing ? (
            <FixRows key={search.open} job={job} state={editing ? "planned" : "failed"} />
          ) : (
            <div className={classes.main}>
              <JobRows job={job} />
            </div>
          )}
          {search.row !== undefined && panel && <RowPanel key={search.row} job={job} row={search.row} />}
        </Suspense>
      </div>
      <JobDialogs job={job} />
    </div>
  )
}

function NoSuchJob({ id }: { id: string }) {
  return (
    <div className={classes.page}>
      <PageHeader title={id} path={[{ label: "Activity", to: "/jobs" }]} />
      <EmptyState
        icon={IconFileUnknown}
        title="Job not found"
        help="The number may be wrong, or your role can’t view it."
        actions={<Button renderRoot={(props) => <Link {...props} to="/jobs" />}>All jobs</Button>}
      />
    </div>
  )
}

/** What the job is, whose, and what can be done with it. */
function JobHeader({ job, control }: { job: Job; control: ReturnType<typeof useControlJob> }) {
  const { open } = route.useSearch()
  return (
    <>
      <PageHeader
        title={jobTitle(job)}
        path={[{ label: "Activity", to: "/jobs" }]}
        pill={
          <>
            <JobStatus job={job} pill />
            <CopyText text={job.id} mono />
          </>
        }
        actions={open === "fix" ? undefined : <JobActions job={job} control={control} />}
      />
      <p className={classes.about}>
        <span>
          {jobKindDescriptors[job.kind].name} by {job.created_by.name}, <RelativeTime at={job.created_at} />
        </span>
        {job.mode !== null && <span>{job.mode === "bulk" ? "Sent in batches" : "Sent one by one"}</span>}
        {job.kind !== "member-create" && (
          <span>
            Batch <span className="l-mono">{job.batch_code}</span>
          </span>
        )}
        {job.file !== null && <span className={classes.file}>From {job.file.name}</span>}
        {job.reverses !== null && (
          <span>
            Takes back <JobLink id={job.reverses} />
          </span>
        )}
        {job.reversed_by.length > 0 && (
          <span>
            Reversed by{" "}
            {job.reversed_by.map((id, index) => (
              <span key={id}>
                {index > 0 && ", "}
                <JobLink id={id} />
              </span>
            ))}
          </span>
        )}
      </p>
    </>
  )
}

function JobLink({ id }: { id: string }) {
  return (
    <Link to="/jobs/$jobId" params={{ jobId: id }} className="l-link">
      {id}
    </Link>
  )
}

/** How far it is, how fast, how much is confirmed; the bar, and how many rows stand in each state. */
function JobFigures({ job }: { job: Job }) {
  return (
    <section aria-label="Progress" className={classes.figures}>
      <Figures items={figuresOf(job)} />
      <div className={classes.bar}>
        <ProgressBar job={job} />
        <ul className={classes.legend}>
          {[...stateOrder, "excluded" as const]
            .filter((state) => job.counts[state] > 0)
            .map((state) => (
              <li key={state}>
                <StateMark word={rowWords[state]} /> <b className="l-num">{formatCount(job.counts[state])}</b>
              </li>
            ))}
        </ul>
      </div>
    </section>
  )
}

function figuresOf(job: Job): Figure[] {
  const { pace, points } = job
  const figures: Figure[] = [
    {
      label: "Done",
      value: <Of value={formatCount(rowsDone(job))} of={`of ${formatCount(job.total)} rows`} />,
    },
  ]
  if (isOnHold(job)) {
    // It sends nothing, so it has neither a rate nor an end.
  } else if (job.state === "running" || job.state === "cancelling") {
    figures.push(
      {
        label: "Rate",
        value:
          pace === null ? <Nothing /> : <Of value={formatCount(Math.round(pace.per_minute))} of="a minute" />,
      },
      { label: "Time left", value: timeLeft(job) },
    )
  } else if (job.started_at !== null && job.finished_at !== null) {
    const took = Math.max(0, millis(job.finished_at) - millis(job.started_at))
    figures.push({ label: "Took", value: duration(took) })
  }
  if (points !== null) {
    const label = points.total < 0 ? "Points reversed" : "Points confirmed"
    figures.push({
      label: job.kind === "deduct" && job.reverses === null ? "Points deducted" : label,
      value: (
        <Of
          value={formatPoints(Math.abs(points.confirmed))}
          of={`of ${formatPoints(Math.abs(points.total))}`}
        />
      ),
    })
  }
  return figures
}

function timeLeft(job: Job) {
  if (job.counts.planned + job.counts.sent === 0 && job.counts.unknown > 0) return "Looking up"
  const left = job.pace?.ms_left ?? null
  return left === null ? <Nothing /> : duration(Math.max(1000, left))
}

function Of({ value, of }: { value: string; of: string }) {
  return (
    <>
      {value} <span className={classes.of}>{of}</span>
    </>
  )
}

function Nothing() {
  return <span className={classes.of}>Not known yet</span>
}

const ControlDialog = lazy(async () => ({ default: (await import("./control-dialogs.tsx")).ControlDialog }))
const ReverseDialog = lazy(async () => ({
  default: (await import("./reverse-dialog.tsx")).ReverseDialog,
}))
const ResultsDialog = lazy(async () => ({
  default: (await import("./exports.tsx")).ResultsDialog,
}))

/** The dialog that the address names; Back closes it. */
function JobDialogs({ job }: { job: Job }) {
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  if (open === undefined || open === "fix" || open === "edit") return null
  const close = () => void navigate({ search: (now) => ({ ...now, open: undefined }), resetScroll: false })
  return (
    <Suspense>
      {open === "reverse" ? (
        <ReverseDialog job={job} onClose={close} />
      ) : open === "results" ? (
        <ResultsDialog job={job} onClose={close} />
      ) : (
        <ControlDialog job={job} action={open} onClose={close} />
      )}
    </Suspense>
  )
}
