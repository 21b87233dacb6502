import { Button, Group, Stack } from "@mantine/core"
import { IconFileUnknown } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { Fragment, lazy, Suspense } from "react"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import type { Job } from "../../../contract/job.ts"
import { jobQuery, useControlJob } from "../../api/jobs.ts"
import { JobLink } from "../../forms/job-link.tsx"
import { ApiError } from "../../lib/errors.ts"
import { formatCount, formatPoints } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { duration, millis } from "../../lib/time.ts"
import { type Figure, Figures, PageHeader } from "../../ui/page-header.tsx"
import { EmptyState, QueryState } from "../../ui/query-state.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { CopyText, RelativeTime } from "../../ui/values.tsx"
import { JobActions } from "./job-actions.tsx"
import { useShow } from "./job-hooks.tsx"
import { JobNotes } from "./job-notes.tsx"
import { JobRows } from "./job-rows.tsx"
import { isOnHold, JobStatus, ProgressBar, rowsDone, rowWords, stateOrder } from "./job-status.tsx"
import classes from "./job.module.css"

const FixRows = lazy(async () => ({ default: (await import("./fix/fix-rows.tsx")).FixRows }))
const RowPanel = lazy(async () => ({ default: (await import("./row-panel.tsx")).RowPanel }))

const route = getRouteApi("/_app/jobs_/$jobId")
const path = [{ label: "Activity", to: "/jobs" }]

/** One job: how far it is, its rows, and what only a person can settle. */
export function JobPage() {
  const { jobId } = route.useParams()
  const query = useQuery(jobQuery(jobId))
  const { data: job, error } = query
  if (job === undefined && error instanceof ApiError && error.status === 404) {
    return (
      <>
        <PageHeader title={jobId} path={path} />
        <EmptyState
          icon={IconFileUnknown}
          title="Job not found"
          help="The number may be wrong, or your role can’t view it."
          actions={<Button renderRoot={(props) => <Link {...props} to="/jobs" />}>All jobs</Button>}
        />
      </>
    )
  }
  return (
    <>
      {job === undefined && <PageHeader title={jobId} path={path} />}
      {(job === undefined || error !== null) && (
        <div className={classes.notes}>
          <QueryState query={query} noun="job" rows={6}>
            {() => null}
          </QueryState>
        </div>
      )}
      {job !== undefined && <OpenJob key={jobId} job={job} />}
    </>
  )
}

function OpenJob({ job }: { job: Job }) {
  const search = route.useSearch()
  const control = useControlJob(job.id)
  // What is not sent can be edited while the job stands still, and no longer.
  const editing = search.open === "edit" && job.state === "paused"
  const fixing = search.open === "fix" || editing
  const row = fixing ? undefined : search.row
  return (
    <div className={classes.page} data-open={row !== undefined || fixing || undefined}>
      <PageHeader
        title={jobTitle(job)}
        path={path}
        pill={
          <>
            <JobStatus job={job} pill />
            <CopyText text={job.id} mono />
          </>
        }
        actions={search.open === "fix" ? undefined : <JobActions job={job} control={control} />}
      />
      <About job={job} />
      <Progress job={job} />
      <JobNotes job={job} control={control} />
      <div className={classes.body} data-panel={row !== undefined || undefined}>
        <Suspense>
          {fixing ? (
            <FixRows key={search.open} job={job} state={editing ? "planned" : "failed"} />
          ) : (
            <div className={classes.main}>
              <JobRows job={job} />
            </div>
          )}
          {row !== undefined && <RowPanel key={row} job={job} row={row} />}
        </Suspense>
      </div>
      <JobDialogs job={job} />
    </div>
  )
}

function About({ job }: { job: Job }) {
  return (
    <Group component="p" gap="4px 16px" className={`caption ${classes.about}`}>
      <span>
        {jobKindDescriptors[job.kind].name} by {job.created_by.name}, <RelativeTime at={job.created_at} />
      </span>
      {job.mode !== null && <span>{job.mode === "bulk" ? "Sent in batches" : "Sent one by one"}</span>}
      {job.kind !== "member-create" && (
        <span>
          Batch <span className="l-mono">{job.batch_code}</span>
        </span>
      )}
      {job.file !== null && <span className="wrap-anywhere">From {job.file.name}</span>}
      {job.reverses !== null && (
        <span>
          Takes back <JobLink id={job.reverses} />
        </span>
      )}
      {job.reversed_by.length > 0 && (
        <span>
          Reversed by{" "}
          {job.reversed_by.map((id, index) => (
            <Fragment key={id}>
              {index > 0 && ", "}
              <JobLink id={id} />
            </Fragment>
          ))}
        </span>
      )}
    </Group>
  )
}

function Progress({ job }: { job: Job }) {
  const states = [...stateOrder, "excluded" as const].filter((state) => job.counts[state] > 0)
  return (
    <section aria-label="Progress" className={classes.figures}>
      <Figures items={figuresOf(job)} />
      <Stack gap={10} px="var(--l-gutter)" pb="md">
        <ProgressBar job={job} page />
        <Group component="ul" gap="4px 20px">
          {states.map((state) => (
            <Group component="li" key={state} gap={6}>
              <StatusLabel status={rowWords[state]} />{" "}
              <b className="l-num">{formatCount(job.counts[state])}</b>
            </Group>
          ))}
        </Group>
      </Stack>
    </section>
  )
}

const of = (value: string, rest: string) => (
  <>
    {value} <span className={classes.of}>{rest}</span>
  </>
)
const unknown = <span className={classes.of}>Not known yet</span>

function figuresOf(job: Job): Figure[] {
  const { pace, points } = job
  const figures: Figure[] = [
    { label: "Done", value: of(formatCount(rowsDone(job)), `of ${formatCount(job.total)} rows`) },
  ]
  if (isOnHold(job)) {
    // It sends nothing, so it has neither a rate nor an end.
  } else if (job.state === "running" || job.state === "cancelling") {
    const isLookingUp = job.counts.planned + job.counts.sent === 0 && job.counts.unknown > 0
    const left = pace?.ms_left ?? null
    const timeLeft = left === null ? unknown : duration(Math.max(1000, left))
    figures.push(
      {
        label: "Rate",
        value: pace === null ? unknown : of(formatCount(Math.round(pace.per_minute)), "a minute"),
      },
      { label: "Time left", value: isLookingUp ? "Looking up" : timeLeft },
    )
  } else if (job.started_at !== null && job.finished_at !== null) {
    const took = Math.max(0, millis(job.finished_at) - millis(job.started_at))
    figures.push({ label: "Took", value: duration(took) })
  }
  if (points !== null) {
    const label = points.total < 0 ? "Points reversed" : "Points confirmed"
    figures.push({
      label: job.kind === "deduct" && job.reverses === null ? "Points deducted" : label,
      value: of(formatPoints(Math.abs(points.confirmed)), `of ${formatPoints(Math.abs(points.total))}`),
    })
  }
  return figures
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
  const show = useShow()
  if (open === undefined || open === "fix" || open === "edit") return null
  const close = () => show({ open: undefined })
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
