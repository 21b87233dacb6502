import { Button } from "@mantine/core"
import { IconFileUnknown } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import type { Job } from "../../../../contract/job.ts"
import { ApiError } from "../../../api/errors.ts"
import { useControlJob } from "../../../api/job-writes.ts"
import { jobQuery } from "../../../api/jobs.ts"
import { EmptyState, SkeletonRows } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { JobDialogs } from "./job-dialogs.tsx"
import { JobFigures } from "./job-figures.tsx"
import { JobHeader } from "./job-header.tsx"
import { JobNotes } from "./job-notes.tsx"
import classes from "./job.module.css"
import { JobRows } from "./job-rows.tsx"

const FixRows = lazy(async () => ({ default: (await import("../fix/fix-rows.tsx")).FixRows }))
const RowPanel = lazy(async () => ({ default: (await import("../decide/row-panel.tsx")).RowPanel }))

const route = getRouteApi("/_desk/jobs_/$jobId")

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
