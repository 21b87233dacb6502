import { Button, Stack } from "@mantine/core"
import { IconMinus, IconPlus } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { awardRow, deductRow } from "../../../contract/job-rows.ts"
import { type Job, pauseCodes } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { jobQuery, jobRowsQuery, reversalQuery, useJobAccess, useReverseJob } from "../../api/jobs.ts"
import { memberQuery } from "../../api/members.ts"
import { rereadPoints } from "../../api/points.ts"
import { useDraftKey } from "../../forms/job-drawer.tsx"
import { JobLink } from "../../forms/job-link.tsx"
import {
  JobControls,
  JobOutcome,
  LoadingDrawer,
  OutcomeFacts,
  useJobOutcome,
} from "../../forms/job-outcome.tsx"
import { isOver, type OneRow, pollInterval } from "../../forms/one-row.ts"
import { JobReason, LedgerTextPreview } from "../../forms/job-reason.tsx"
import { renewSubmissionKey, submissionKey, wasAcceptedBefore } from "../../forms/job-submission.tsx"
import { rowsOf } from "../../forms/metadata.ts"
import { cost } from "../../lib/format.ts"
import { formatCount, formatPoints } from "../../lib/format.ts"
import { fullName } from "../../lib/names.ts"
import { duration, exact, millis, timeToSecond } from "../../lib/time.ts"
import { CopyText } from "../../ui/values.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { nextButton } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import { Outcome } from "../../ui/side-drawer.tsx"
import { SideDrawer } from "../../ui/side-drawer.tsx"
import { Tooltip } from "../../ui/tooltip.tsx"
import { effectLabels, pointsText, type PointsValues } from "./points-model.ts"
import type { PointsAct } from "./points-search.ts"

interface PointsOutcomeProps {
  jobId: string
  onForm: (act: PointsAct, memberIds: readonly string[], values: PointsValues | undefined) => void
  onOther: (jobId: string) => void
  onClose: () => void
}

/** How an award or a deduction stands, in the drawer it was sent from. */
export function PointsOutcome(props: PointsOutcomeProps) {
  const { data: job, error, refetch } = useQuery(jobQuery(props.jobId))
  if (job === undefined) {
    return (
      <LoadingDrawer
        title="Outcome"
        onClose={props.onClose}
        error={error}
        what="Couldn’t load the outcome."
        onRetry={() => void refetch()}
      />
    )
  }
  const act = job.kind === "deduct" ? "deduct" : "award"
  return job.total > 1 ? (
    <ManyOutcome job={job} act={act} onClose={props.onClose} />
  ) : (
    <OneOutcome {...props} act={act} />
  )
}

interface SentPoints {
  readonly points: number
  readonly member_id?: string | undefined
  readonly reason?: string | undefined
  readonly reference?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

function readSent(act: PointsAct, { job, row }: OneRow): SentPoints {
  const read = (act === "award" ? awardRow : deductRow).safeParse(row.input)
  return read.data ?? { points: Math.abs(job.points?.total ?? 0) }
}

function OneOutcome({ jobId, act, onForm, onOther, onClose }: PointsOutcomeProps & { act: PointsAct }) {
  const queryClient = useQueryClient()
  const [reversing, setReversing] = useState(false)
  const outcome = useJobOutcome<SentPoints>(
    jobId,
    (one) => readSent(act, one),
    (_, { row }) => {
      if (row.member?.id) rereadPoints(queryClient, [row.member.id])
    },
  )
  const name = useMemberName(outcome.one)
  const again = (ids: readonly string[], values?: PointsValues) => () => onForm(act, ids, values)
  return (
    <JobOutcome kind={act} outcome={outcome} onClose={onClose}>
      {(sent, { job, row }) => {
        const memberId = row.member?.id ?? sent.member_id
        const ids = memberId === undefined ? [] : [memberId]
        const reversal = job.reverses !== null
        const done = reversal ? "reversed" : act === "award" ? "awarded" : "deducted"
        const Again = act === "award" ? IconPlus : IconMinus
        return {
          doing: effectLabels(act, sent.points, [name]).running,
          done: `${pointsText(sent.points)} ${done} ${act === "award" ? "to" : "from"} ${name}`,
          facts: [
            { label: "Reason", value: sent.reason },
            { label: "Reference", value: sent.reference && <span className="l-mono">{sent.reference}</span> },
            { label: "Metadata", value: sent.metadata && Object.keys(sent.metadata).join(", ") },
            { label: "Transaction", value: row.upstream_id && <CopyText text={row.upstream_id} mono /> },
            {
              label: "Reversed by",
              value: job.reversed_by.length > 0 && job.reversed_by.map((id) => <JobLink key={id} id={id} />),
            },
          ],
          details: [
            {
              label: "Response received",
              value: row.state === "confirmed" && row.ended_at !== null && row.known_by !== "look" && (
                <ResponseTime sentAt={row.sent_at} endedAt={row.ended_at} />
              ),
            },
          ],
          onCorrect: reversal ? undefined : again(ids, valuesOf(sent)),
          another: reversal
            ? undefined
            : {
                label: act === "award" ? "Award again" : "Deduct again",
                icon: <Again size={16} stroke={2} aria-hidden />,
                onClick: again(ids),
              },
          more: job.kind === "award" && job.reversed_by.length === 0 && (
            <p className="text-muted l-meta">
              A wrong award is reversed with a deduction.{" "}
              <button type="button" className="l-link" onClick={() => setReversing(true)}>
                Reverse
              </button>
            </p>
          ),
          footer: reversing ? (
            <ReverseAward
              job={job}
              action={`Reverse ${pointsText(sent.points)} from ${name}`}
              onReversed={onOther}
              onClose={() => setReversing(false)}
            />
          ) : undefined,
        }
      }}
    </JobOutcome>
  )
}

function valuesOf(sent: SentPoints): PointsValues {
  return {
    points: formatPoints(sent.points),
    reason: sent.reason ?? "",
    reference: sent.reference ?? "",
    metadata: rowsOf(sent.metadata),
    mode: "bulk",
  }
}

function useMemberName(one: OneRow | undefined): string {
  const id = one?.row.member?.id ?? undefined
  const { data } = useQuery({ ...memberQuery(id ?? "none"), enabled: id !== undefined })
  if (data !== undefined) return fullName(data.data)
  return one?.row.member?.label ?? id ?? "the member"
}

/** "10:46:12, in 0.4 s". */
function ResponseTime({ sentAt, endedAt }: { sentAt: string | null; endedAt: string }) {
  const at = millis(endedAt)
  const took = sentAt === null ? Number.NaN : at - millis(sentAt)
  if (Number.isNaN(at)) return endedAt
  return (
    <Tooltip label={exact(at)}>
      <span className="l-num">
        {timeToSecond(at)}
        {took >= 0 && `, in ${duration(took)}`}
      </span>
    </Tooltip>
  )
}

function ReverseAward(props: {
  job: Job
  action: string
  onReversed: (jobId: string) => void
  onClose: () => void
}) {
  const { job, action, onReversed, onClose } = props
  const access = useJobAccess(job)
  const reversal = useQuery({ ...reversalQuery(job.id, false), enabled: access.write, staleTime: 0 })
  const reverse = useReverseJob(job.id)
  const [typedReason, setReason] = useState("")
  const key = useDraftKey(`reverse:${job.id}`)
  const forecast = reversal.isFetching ? undefined : reversal.data
  const reason = typedReason.trim()
  const ready = forecast?.open === true && access.write && (!access.needsReason || reason !== "")
  const start = () =>
    reverse.mutate(
      { key: submissionKey(key), ...(reason === "" ? {} : { reason }) },
      {
        onSuccess: (made) => {
          renewSubmissionKey(key)
          onReversed(made.id)
        },
        // The reason was changed after a lost response, and the first request had arrived.
        onError: (error) => wasAcceptedBefore(error) && renewSubmissionKey(key),
      },
    )
  return (
    <>
      {!access.write && <Notice tone="info" title={access.why} />}
      {reversal.error !== null && (
        <ErrorNotice
          error={reversal.error}
          what="Couldn’t work out what a reversal would do. Nothing was reversed."
          onRetry={() => void reversal.refetch()}
        />
      )}
      {forecast?.open === false && (
        <Notice tone="warning" title="It can’t be reversed now">
          {forecast.why_not}
        </Notice>
      )}
      {reverse.error !== null && <ErrorNotice error={reverse.error} what="Nothing was reversed." />}
      <LedgerTextPreview reason={forecast?.ledger_reason ?? ""} sent="deduct" />
      <JobReason job={job} required={access.needsReason} value={typedReason} onChange={setReason} />
      <span className="text-muted l-meta">A deduction, sent as soon as you confirm: {cost(1)}.</span>
      <Button size="md" fullWidth disabled={reverse.isPending} onClick={onClose}>
        Keep them
      </Button>
      <Button
        size="md"
        variant="filled"
        fullWidth
        data-autofocus
        loading={reverse.isPending}
        disabled={!ready}
        onClick={start}
      >
        {action}
      </Button>
    </>
  )
}

function ManyOutcome({ job: first, act, onClose }: { job: Job; act: PointsAct; onClose: () => void }) {
  const { data: job = first } = useQuery({
    ...jobQuery(first.id),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : pollInterval),
  })
  useReread(job)
  const { counts, total } = job
  const done = act === "award" ? "awarded" : "deducted"
  const all = counts.confirmed === total
  return (
    <SideDrawer
      title={jobKindDescriptors[act].labels.title}
      onClose={onClose}
      foot={
        <Button size="md" fullWidth {...(all && { variant: "filled", ...nextButton })} onClick={onClose}>
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
      <OpenRows job={job} done={done} />
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
      {counts.failed > 0 && <FailedRows jobId={job.id} count={counts.failed} done={done} />}
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

function OpenRows({ job, done }: { job: Job; done: string }) {
  const open = job.counts.planned + job.counts.sent
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

/** How many failed rows are named here; the rest stand on the job's page. */
const failedShown = 5

function FailedRows({ jobId, count, done }: { jobId: string; count: number; done: string }) {
  const { data } = useQuery(jobRowsQuery(jobId, { state: "failed", page: 1, per_page: failedShown }))
  return (
    <Notice
      tone="danger"
      title={`${formatCount(count)} were not ${done}`}
      action={<JobLink id={jobId}>Correct and retry</JobLink>}
    >
      <Stack component="ul" gap={8}>
        {data?.rows.map((row) => (
          <li key={row.row}>
            <span className="l-medium">{row.member?.label ?? row.member?.id ?? `Row ${row.row}`}</span>:{" "}
            {row.outcome?.message ?? "The service refused it."}
          </li>
        ))}
      </Stack>
    </Notice>
  )
}

function useReread(job: Job): void {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    ...jobRowsQuery(job.id, { state: "confirmed", page: 1, per_page: 100 }),
    enabled: isOver(job) && job.counts.confirmed > 0,
  })
  useEffect(() => {
    const ids = data?.rows.flatMap((row) => row.member?.id ?? []) ?? []
    if (ids.length > 0) rereadPoints(queryClient, ids)
  }, [queryClient, data])
}
