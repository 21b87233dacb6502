import { Button } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { type Job, pauseCodes } from "../../../../contract/job.ts"
import { jobQuery, jobRowsQuery } from "../../../api/jobs.ts"
import { focusWhenDrawn } from "../../../ui/hooks.ts"
import { rereadPoints } from "../../../api/points.ts"
import { JobControls } from "../../../forms/outcome/job-controls.tsx"
import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { OutcomeFacts } from "../../../forms/outcome/outcome-facts.tsx"
import { isOver, lookEvery } from "../../../forms/outcome/use-one-row.ts"
import { formatCount, formatPoints } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import { Outcome, SideDrawer } from "../../../ui/side-drawer.tsx"
import type { PointsAct } from "../points-search.ts"
import { FailedRows } from "./failed-rows.tsx"
import type { OutcomeProps } from "./points-outcome.tsx"
import { pointsText } from "./points-model.ts"

interface ManyOutcomeProps extends OutcomeProps {
  job: Job
  act: PointsAct
  title: string
}

/** The outcome for several members: how many are done, what is still open, who it did not work for. */
export function ManyOutcome({ job: first, jobId, act, title, onClose }: ManyOutcomeProps) {
  const { data: job = first } = useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : lookEvery),
  })
  useReread(job)
  const { counts, total } = job
  const done = act === "award" ? "awarded" : "deducted"
  const open = counts.planned + counts.sent
  const all = counts.confirmed === total
  return (
    <SideDrawer
      title={title}
      onClose={onClose}
      foot={
        <Button
          size="md"
          fullWidth
          {...(all ? { variant: "filled", ref: focusWhenDrawn } : {})}
          onClick={onClose}
        >
          {all ? "Done" : "Close"}
        </Button>
      }
    >
      {counts.confirmed > 0 && (
        <Outcome
          word={all ? "Confirmed" : `${formatCount(counts.confirmed)} of ${formatCount(total)} confirmed`}
        >
          {pointsText(Math.abs(job.points?.confirmed ?? 0))} {done} {act === "award" ? "to" : "from"}{" "}
          {formatCount(counts.confirmed)} {counts.confirmed === 1 ? "member" : "members"}
        </Outcome>
      )}
      <Standing job={job} open={open} done={done} />
      {counts.unknown > 0 && (
        <Notice tone="warning" title={`${formatCount(counts.unknown)} not known yet`}>
          There was no usable response. They’re being looked up in the ledger and won’t be sent again before
          that. You can leave: a notice and <JobLink id={job.id}>the job</JobLink> tell how they ended.
        </Notice>
      )}
      {job.attention > 0 && (
        <Notice
          tone="warning"
          title={`${formatCount(job.attention)} need a decision`}
          action={<JobLink id={job.id}>Review and decide</JobLink>}
        >
          Someone has to check whether they happened.
        </Notice>
      )}
      {counts.failed > 0 && <FailedRows jobId={jobId} count={counts.failed} done={done} />}
      <OutcomeFacts
        facts={[
          { label: "Total points", value: formatPoints(Math.abs(job.points?.total ?? 0)) },
          { label: "Batch code", value: <span className="l-mono">{job.batch_code}</span> },
          {
            label: "Job",
            value: (
              <JobLink id={job.id}>
                {job.id}, {formatCount(total)} rows
              </JobLink>
            ),
          },
        ]}
      />
    </SideDrawer>
  )
}

function Standing({ job, open, done }: { job: Job; open: number; done: string }) {
  if (job.state === "paused") {
    const late = job.pause?.code === pauseCodes.notSentInTime
    return (
      <Notice
        tone="warning"
        title={late ? "They weren’t sent within a minute" : (job.pause?.message ?? "The job is paused")}
        action={<JobControls jobId={job.id} send={late ? "Send now" : "Try again"} />}
      >
        {formatCount(open)} were not {done} yet. They wait for your word.
      </Notice>
    )
  }
  if (open === 0) return null
  if (job.state === "cancelled" || job.state === "cancelling") {
    return (
      <Notice tone="info" title="Cancelled">
        {formatCount(open)} were not {done}.
      </Notice>
    )
  }
  return (
    <Notice tone="info" title={`${formatCount(open)} to go`}>
      The job runs on the server, so you can leave.
    </Notice>
  )
}

/** When it comes to its end, whatever the page shows of its members is read again. */
function useReread(job: Job): void {
  const queryClient = useQueryClient()
  const over = isOver(job)
  const { data } = useQuery({
    ...jobRowsQuery(job.id, { state: "confirmed", page: 1, per_page: 100 }),
    enabled: over && job.counts.confirmed > 0,
  })
  useEffect(() => {
    const ids = data?.rows.flatMap((row) => row.member?.id ?? []) ?? []
    if (ids.length > 0) rereadPoints(queryClient, ids)
  }, [queryClient, data])
}
