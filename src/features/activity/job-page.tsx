import { Box, Group, Stack } from "@mantine/core"
import {
  IconArrowBackUp,
  IconDownload,
  IconFileUnknown,
  IconPlayerPause,
  IconTool,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { Fragment, lazy, Suspense } from "react"
import { jobKindDescriptors, isReversible } from "../../../contract/job-kinds.ts"
import { type Job, reversalState } from "../../../contract/job.ts"
import { jobQuery, useControlJob, useJobAccess } from "../../api/jobs.ts"
import { useCan } from "../../api/session.ts"
import { JobLink } from "../../ui/record-link.tsx"
import { ApiError } from "../../lib/errors.ts"
import { counted, formatCount, formatPoints } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { duration } from "../../lib/time.ts"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { type Figure, figureOf, Figures, PageHeader } from "../../ui/page-header.tsx"
import { EmptyState, QueryState } from "../../ui/query-state.tsx"
import { initialFocus } from "../../ui/hooks.ts"
import { StatusLabel } from "../../ui/status.tsx"
import { CopyText, RelativeTime } from "../../ui/values.tsx"
import { JobButton, useShow } from "./job-hooks.tsx"
import { JobNotes } from "./job-notes.tsx"
import { JobRows } from "./job-rows.tsx"
import {
  activityText,
  isActive,
  isOnHold,
  JobStatus,
  ProgressBar,
  rowGroups,
  rowsDone,
} from "./job-status.tsx"
import classes from "./job.module.css"
import { isTableView, type JobView } from "./activity-search.ts"
import { Button, buttonIcon, LinkButton } from "../../ui/button.tsx"

const FixRows = lazy(async () => ({ default: (await import("./fix/fix-rows.tsx")).FixRows }))
const RowPanel = lazy(async () => ({ default: (await import("./row-panel.tsx")).RowPanel }))
const JobDialog = lazy(async () => ({ default: (await import("./job-dialogs.tsx")).JobDialog }))

const route = getRouteApi("/_app/jobs_/$jobId")
const path = [{ label: "Activity", to: "/jobs" }]

/** One job: progress, rows, and rows that need a decision. */
export function JobPage() {
  const { jobId } = route.useParams()
  const query = useQuery(jobQuery(jobId))
  const { data: job, error } = query
  const isMissing = job === undefined && error instanceof ApiError && error.status === 404
  return (
    <>
      {job === undefined && <PageHeader title={jobId} path={path} />}
      {isMissing && (
        <EmptyState
          icon={IconFileUnknown}
          title="Job not found"
          help="The number may be wrong, or your role can’t view it."
          actions={<LinkButton to="/jobs">All jobs</LinkButton>}
        />
      )}
      {!isMissing && (job === undefined || error !== null) && (
        <div className={`hide-empty ${classes.notes}`}>
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
  const { open, row: openRow } = route.useSearch()
  const show = useShow()
  const control = useControlJob(job.id)
  // Unsent rows can be edited only while the job is paused.
  const table = isTableView(open) && (open !== "edit" || job.state === "paused") ? open : undefined
  const fixing = table !== undefined
  const row = fixing ? undefined : openRow
  return (
    <Stack gap={0} className={`grow ${classes.page}`} data-open={row !== undefined || fixing || undefined}>
      <PageHeader
        title={jobTitle(job)}
        path={path}
        pill={
          <>
            <JobStatus job={job} pill />
            <CopyText text={job.id} mono />
          </>
        }
        actions={
          open === "fix" || open === "fix-left-out" ? undefined : <JobActions job={job} control={control} />
        }
      />
      <About job={job} />
      <Progress job={job} />
      <JobNotes job={job} control={control} />
      <div className={`grow line-above ${classes.body}`} data-panel={row !== undefined || undefined}>
        <Suspense>
          {table !== undefined ? (
            <FixRows key={table} job={job} state={correctedState[table]} />
          ) : (
            <Stack gap={0} pt={12} className={`grow ${classes.main}`}>
              <JobRows job={job} />
            </Stack>
          )}
          {row !== undefined && <RowPanel key={row} job={job} row={row} />}
        </Suspense>
      </div>
      {open !== undefined && !isTableView(open) && (
        <Suspense>
          <JobDialog job={job} open={open} onClose={() => show()} />
        </Suspense>
      )}
    </Stack>
  )
}

const correctedState = { fix: "failed", "fix-left-out": "excluded", edit: "planned" } as const

/** The available actions of a job. Irreversible ones, and those that need a reason, ask first. */
function JobActions({ job, control }: { job: Job; control: ReturnType<typeof useControlJob> }) {
  const show = useShow()
  const { needsReason, write } = useJobAccess(job)
  const mayAward = useCan("points.write")
  const { state, counts } = job
  const open = (view: JobView) => () => show({ open: view })
  const { isSettled, reverse, undo, fixFailed, fixLeftOut, pause, cancel } = possibleActions(job)
  return (
    <Group gap="sm" className={classes.actions}>
      {reverse && mayAward && (
        <JobButton job={job} needs="write" icon={IconArrowBackUp} onClick={open("reverse")}>
          Reverse
        </JobButton>
      )}
      {undo && write && (
        <JobButton job={job} needs="write" icon={IconArrowBackUp} onClick={open("reverse")}>
          Undo
        </JobButton>
      )}
      {state !== "draft" && (
        <RequirePermission permission="exports.people">
          <Button leftSection={<IconDownload {...buttonIcon} />} onClick={open("results")}>
            Results
          </Button>
        </RequirePermission>
      )}
      {fixFailed && (
        <JobButton
          job={job}
          needs="write"
          variant={isSettled ? "filled" : "default"}
          icon={IconTool}
          onClick={open("fix")}
        >
          Fix {counted(counts.failed, "failed row")}
        </JobButton>
      )}
      {fixLeftOut && (
        <JobButton job={job} needs="write" icon={IconTool} onClick={open("fix-left-out")}>
          Fix {counted(counts.excluded, "left-out row")}
        </JobButton>
      )}
      {pause && (
        <JobButton
          job={job}
          needs="control"
          icon={IconPlayerPause}
          {...(control.variables?.action === "resume" && initialFocus)}
          loading={control.isPending}
          onClick={needsReason ? open("pause") : () => control.mutate({ action: "pause" })}
        >
          Pause
        </JobButton>
      )}
      {cancel !== undefined && (
        <JobButton job={job} needs="control" variant="subtle" onClick={open("cancel")}>
          {cancel}
        </JobButton>
      )}
    </Group>
  )
}

/** What can be done with a job as it is; `cancel`: the label of the button. */
function possibleActions(job: Job) {
  const { state, counts } = job
  const isRunning = state === "running"
  const isSettled = !isActive(job) && state !== "draft"
  // Only unsent rows can be paused or cancelled.
  const hasUnsent = counts.planned > 0 && (isRunning || state === "paused")
  const cancelUnsent = counts.planned === job.total ? "Cancel" : "Cancel remaining"
  // Rows of a reversed job are not sent again.
  const isReversed = reversalState(job) !== undefined
  const canFixLeftOut = (isRunning || state === "paused" || state === "done") && job.reverses === null
  const hasDoneRows = counts.confirmed > 0 && isSettled && !isReversed
  return {
    isSettled,
    reverse: hasDoneRows && isReversible(job.kind),
    undo: hasDoneRows && jobKindDescriptors[job.kind].canUndo === true,
    fixFailed: counts.failed > 0 && !isReversed && state !== "cancelling",
    fixLeftOut: counts.excluded > 0 && !isReversed && canFixLeftOut,
    pause: isRunning && hasUnsent,
    cancel: state === "draft" ? "Discard draft" : hasUnsent ? cancelUnsent : undefined,
  }
}

function About({ job }: { job: Job }) {
  const { name, showsBatchCode = true, sign } = jobKindDescriptors[job.kind]
  return (
    <Group component="p" gap="4px 16px" className={`caption ${classes.about}`}>
      <span>
        {name} by {job.created_by.name}, <RelativeTime at={job.created_at} />
      </span>
      {job.mode !== null && <span>{job.mode === "bulk" ? "Sent together" : "Sent one at a time"}</span>}
      {showsBatchCode && (
        <span>
          Batch <span className="l-mono">{job.batch_code}</span>
        </span>
      )}
      {job.open === true && <span>Takes parcels until the end of the day</span>}
      {job.file !== null && <span className="wrap-anywhere">From {job.file.name}</span>}
      {job.reverses !== null && (
        <span>
          Takes back <JobLink id={job.reverses} />
        </span>
      )}
      {job.linked !== undefined && (
        <span>
          {sign === -1
            ? "Deducts what was awarded too much, made with"
            : "What was awarded too much is deducted by"}{" "}
          <JobLink id={job.linked} />
        </span>
      )}
      {job.reversed_by.length > 0 && (
        <span>
          {reversalLabel(job)}{" "}
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

/** A reversal may have been refused, or cancelled before anything was reversed. */
function reversalLabel({ reversed = { rows: 0, points: 0, open: 0 } }: Job): string {
  if (reversed.open > 0) return "Being reversed by"
  return reversed.rows > 0 ? "Reversed by" : "Reversal"
}

function Progress({ job }: { job: Job }) {
  return (
    <Box component="section" flex="none" aria-label="Progress">
      <Figures items={jobFigures(job)} />
      <Stack gap={10} px="gutter" pb="md">
        <ProgressBar job={job} page />
        <output className="caption hide-empty">{activityText(job)}</output>
        <Group component="ul" gap="4px 20px">
          {rowGroups(job).map(({ state, status, count }) => (
            <Group component="li" key={state} gap={6}>
              <StatusLabel status={status} /> <b className="l-num">{formatCount(count)}</b>
            </Group>
          ))}
        </Group>
      </Stack>
    </Box>
  )
}

const unknown = figureOf("", "Not known yet")

function jobFigures(job: Job): Figure[] {
  const { pace, points, counts, state } = job
  const figures: Figure[] = [
    { label: "Processed", value: figureOf(formatCount(rowsDone(job)), `of ${counted(job.total, "row")}`) },
  ]
  // A job on hold sends nothing, so it has neither a rate nor an end.
  if (!isOnHold(job) && (state === "running" || state === "cancelling")) {
    const isLookingUp = counts.planned + counts.sent === 0 && counts.unknown > 0
    const left = pace?.ms_left ?? null
    const timeLeft = left === null ? unknown : duration(Math.max(1000, left))
    const perMinute = pace?.per_minute ?? null
    const rate = perMinute === null ? unknown : figureOf(formatCount(Math.round(perMinute)), "a minute")
    figures.push({ label: "Rate", value: rate })
    figures.push({ label: "Time left", value: isLookingUp ? "Looking up" : timeLeft })
  }
  if (job.worked_ms !== null) figures.push({ label: "Took", value: duration(job.worked_ms) })
  if (points !== null) {
    const taken = job.reverses === null ? "Points deducted" : "Points reversed"
    figures.push({
      label: jobKindDescriptors[job.kind].sign === -1 ? taken : "Points awarded",
      value: figureOf(formatPoints(Math.abs(points.confirmed)), `of ${formatPoints(Math.abs(points.total))}`),
    })
  }
  if (job.reversed !== undefined && points !== null) {
    const left = Math.max(0, points.confirmed - job.reversed.points)
    figures.push({
      label: "Points after reversal",
      value: figureOf(formatPoints(left), `of ${formatPoints(points.confirmed)}`),
    })
  }
  return figures
}
