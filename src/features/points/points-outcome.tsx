import { Stack, Tooltip } from "@mantine/core"
import { IconMinus, IconPlus } from "@tabler/icons-react"
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ComponentProps, useEffect, useState } from "react"
import type { Correction } from "../../../contract/kinds/points.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import { type AwardRow, awardRow, deductRow } from "../../../contract/kinds/points.ts"
import { type Job, pauseCodes } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import {
  createJob,
  isOver,
  jobQuery,
  jobRowsQuery,
  reversalQuery,
  reverseJob,
  useReverseJob,
} from "../../api/jobs.ts"
import { memberQuery } from "../../api/members.ts"
import { refetchPoints } from "../../api/points.ts"
import { type Followed, followJob } from "../../forms/followed-jobs.ts"
import { type OneRow } from "../../forms/one-row.ts"
import { useDraftKey } from "../../forms/job-drawer.tsx"
import { JobLink } from "../../ui/record-link.tsx"
import {
  JobControls,
  JobOutcome,
  LoadingDrawer,
  OutcomeFacts,
  useJobOutcome,
} from "../../forms/job-outcome.tsx"
import { JobReason, LedgerReasonField, useReason } from "../../forms/job-reason.tsx"
import { renewSubmissionKey, submissionKey, wasAcceptedBefore } from "../../forms/job-submission.tsx"
import { rowsOf } from "../../forms/metadata-editor.tsx"
import { counted, formatCount, formatPoints } from "../../lib/format.ts"
import { fullName } from "../../lib/names.ts"
import { newKey } from "../../lib/new-key.ts"
import { duration, exact, millis, timeToSecond } from "../../lib/time.ts"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { initialFocus } from "../../ui/hooks.ts"
import { Outcome, SideDrawer } from "../../ui/side-drawer.tsx"
import { CopyText } from "../../ui/values.tsx"
import { actionLabels, effectLabels, pointsText, type PointsValues } from "./points-model.ts"
import type { PointsAct } from "./points-search.ts"
import { Button } from "../../ui/button.tsx"

interface PointsOutcomeProps {
  jobId: string
  onForm: (act: PointsAct, memberIds: readonly string[], values: PointsValues | undefined) => void
  onOther: (jobId: string) => void
  onClose: () => void
}

/** The status of an award or deduction, in place of its form. */
export function PointsOutcome(props: PointsOutcomeProps) {
  const query = useQuery(jobQuery(props.jobId))
  const { data: job, error, refetch } = query
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

/**
 * The notification of a confirmed award or deduction. An award can be undone by its reversal, which the server
 * creates once per row.
 */
export function pointsFollowed(
  client: QueryClient,
  act: PointsAct,
  points: number,
  member: { readonly id: string; readonly name: string },
): Followed {
  const { done, to } = actionLabels[act]
  const { name } = member
  const link = { to: `/members/${encodeURIComponent(member.id)}`, label: "View" }
  return {
    doing: effectLabels(act, points, [name]).running,
    confirmed: (one) => {
      const key = newKey()
      const undo = async () => {
        const made = await reverseJob(client, one.job.id, { key })
        followJob(made.id, {
          id: one.job.id,
          doing: `Reversing ${pointsText(points)} from ${name}`,
          confirmed: (reversal) => {
            refetchPoints(client, [member.id])
            return { title: `${pointsText(points)} reversed from ${name}`, text: balanceNow(reversal), link }
          },
        })
        return undefined
      }
      const title = `${pointsText(points)} ${done} ${to} ${name}`
      return { title, text: balanceNow(one), link, undo: act === "award" ? undo : undefined }
    },
  }
}

function balanceNow({ row: { balance_after } }: OneRow): string | undefined {
  return balance_after === null ? undefined : `The balance is now ${formatPoints(balance_after)}.`
}

type SentPoints = Pick<AwardRow, "points"> & Partial<AwardRow>

function OneOutcome({ jobId, act, onForm, onOther, onClose }: PointsOutcomeProps & { act: PointsAct }) {
  const queryClient = useQueryClient()
  const [reversing, setReversing] = useState(false)
  const outcome = useJobOutcome<SentPoints>(
    jobId,
    ({ job, row }) =>
      (act === "award" ? awardRow : deductRow).safeParse(row.input).data ?? {
        points: Math.abs(job.points?.total ?? 0),
      },
    (_, { row }) => {
      if (row.member?.id) refetchPoints(queryClient, [row.member.id])
    },
  )
  const name = useMemberName(outcome.one)
  const { verb, done, to } = actionLabels[act]
  const Icon = act === "award" ? IconPlus : IconMinus
  return (
    <JobOutcome kind={act} outcome={outcome} onClose={onClose}>
      {({ points, member_id, reason = "", reference = "", metadata }, { job, row }) => {
        const memberId = row.member?.id ?? member_id
        const showForm = (values?: PointsValues) =>
          onForm(act, memberId === undefined ? [] : [memberId], values)
        const reversal = job.reverses !== null
        const response = row.state === "confirmed" && row.known_by !== "look" && responseTime(row)
        return {
          doing: effectLabels(act, points, [name]).running,
          notice:
            row.state === "excluded" && row.outcome !== null ? (
              <LeftOutNotice row={row} outcome={row.outcome} linked={job.linked} onMade={onOther} />
            ) : undefined,
          done: `${pointsText(points)} ${reversal ? "reversed" : done} ${to} ${name}`,
          facts: [
            ["Reason", reason],
            ["Reference", reference && <span className="l-mono">{reference}</span>],
            ["Custom fields", metadata && Object.keys(metadata).join(", ")],
            ["Transaction", row.upstream_id && <CopyText text={row.upstream_id} mono />],
            job.reversed_by.length > 0 && [
              "Reversal",
              job.reversed_by.map((id) => <JobLink key={id} id={id} />),
            ],
          ],
          details: response && [["Response received", response]],
          ...(!reversal && {
            onCorrect: () =>
              showForm({
                points: formatPoints(points),
                reason,
                reference,
                metadata: rowsOf(metadata),
                mode: "bulk",
              }),
            another: {
              label: `${verb} again`,
              icon: <Icon size={16} stroke={2} aria-hidden />,
              onClick: () => showForm(),
            },
          }),
          more: job.kind === "award" && (
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
              action={`Reverse ${pointsText(points)} from ${name}`}
              onReversed={onOther}
              onClose={() => setReversing(false)}
            />
          ) : undefined,
        }
      }}
    </JobOutcome>
  )
}

/** An award left out because its reference was used before: the possible next steps. */
function LeftOutNotice(props: {
  row: JobRow
  outcome: NonNullable<JobRow["outcome"]>
  linked: string | undefined
  onMade: (jobId: string) => void
}) {
  const { row, outcome, linked, onMade } = props
  const [keys] = useState(() => ({ difference: newKey(), as_well: newKey() }))
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (correction: Correction) => {
      const rows = [{ ...row.input, correction }]
      return createJob({ body: { kind: "award", rows }, key: keys[correction] })
    },
    onSuccess: ({ id }) => onMade(id),
  })
  const button = (correction: Correction, label: string) => (
    <Button
      size="xs"
      loading={isPending && variables === correction}
      disabled={isPending && variables !== correction}
      onClick={() => mutate(correction)}
    >
      {label}
    </Button>
  )
  return (
    <>
      <Notice
        tone="warning"
        title="Nothing was awarded"
        action={
          linked === undefined ? (
            <>
              {outcome.code === "other_amount" && button("difference", "Award the difference")}
              {button("as_well", "Award it as well")}
            </>
          ) : (
            <JobLink id={linked}>Open the deduction</JobLink>
          )
        }
      >
        {outcome.message}
      </Notice>
      <ErrorNotice error={error} what="Nothing was awarded." />
    </>
  )
}

function useMemberName(one: OneRow | undefined): string {
  const { id, label } = one?.row.member ?? {}
  const { data } = useQuery({ ...memberQuery(id ?? "none"), enabled: Boolean(id) })
  return data === undefined ? (label ?? id ?? "the member") : fullName(data.data)
}

/** "10:46:12, in 0.4 s". */
function responseTime({ sent_at, ended_at }: JobRow) {
  if (ended_at === null) return null
  const at = millis(ended_at)
  return (
    <Tooltip label={exact(at)}>
      <span className="l-num">
        {timeToSecond(at)}
        {sent_at !== null && `, in ${duration(at - millis(sent_at))}`}
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
  const { access, ...reason } = useReason(job)
  const reversal = useQuery({ ...reversalQuery(job.id, false), enabled: access.write, staleTime: 0 })
  const reverse = useReverseJob(job.id)
  const [written, setWritten] = useState<string>()
  const key = useDraftKey(`reverse:${job.id}`)
  const forecast = reversal.isFetching ? undefined : reversal.data
  const ready = forecast?.open === true && access.write && !reason.missing
  const start = () =>
    reverse.mutate(
      {
        key: submissionKey(key),
        ...reason.body,
        ...(written?.trim() && { ledger_reason: written.trim() }),
      },
      {
        onSuccess: (made) => {
          renewSubmissionKey(key)
          onReversed(made.id)
        },
        // The reason was changed after a lost response, but the first request had arrived.
        onError: (error) => wasAcceptedBefore(error) && renewSubmissionKey(key),
      },
    )
  return (
    <>
      {!access.write && <Notice tone="info" title={access.why} />}
      <ErrorNotice
        error={reversal.error}
        what="Couldn’t work out what a reversal would do. Nothing was reversed."
        onRetry={reversal.refetch}
      />
      {forecast?.open === false && (
        <Notice tone="warning" title="It can’t be reversed now">
          {forecast.why_not}
        </Notice>
      )}
      <ErrorNotice error={reverse.error} what="Nothing was reversed." />
      {forecast?.ledger_reason != null && (
        <LedgerReasonField
          usual={forecast.ledger_reason}
          reasons={forecast.ledger_reasons}
          value={written}
          onChange={setWritten}
        />
      )}
      <JobReason {...reason.field} />
      <span className="text-muted l-meta">A deduction, sent as soon as you confirm.</span>
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

function ManyOutcome({ job, act, onClose }: { job: Job; act: PointsAct; onClose: () => void }) {
  useRereadConfirmed(job)
  const { id, counts, total, points } = job
  const { confirmed, unknown, failed } = counts
  const { done, to } = actionLabels[act]
  const all = confirmed === total
  const open = openRows(job, done)
  return (
    <SideDrawer
      title={jobKindDescriptors[act].labels.title}
      onClose={onClose}
      foot={
        <Button size="md" fullWidth {...(all && { variant: "filled", ...initialFocus })} onClick={onClose}>
          {all ? "Done" : "Close"}
        </Button>
      }
    >
      {confirmed > 0 && (
        <Outcome word={all ? "Done" : `${formatCount(confirmed)} of ${formatCount(total)} done`}>
          {pointsText(Math.abs(points?.confirmed ?? 0))} {done} {to} {counted(confirmed, "member")}
        </Outcome>
      )}
      {open && <Notice {...open} />}
      {unknown > 0 && (
        <Notice tone="warning" title={`Checking ${formatCount(unknown)}`}>
          There was no usable response. They’re being looked up in the ledger and won’t be sent again before
          that. You can leave: a notice and <JobLink id={id}>the job</JobLink> tell how they ended.
        </Notice>
      )}
      {job.attention > 0 && (
        <Notice
          tone="warning"
          title={`${formatCount(job.attention)} need a decision`}
          action={<JobLink id={id}>Review and decide</JobLink>}
        >
          Someone has to check whether they happened.
        </Notice>
      )}
      {failed > 0 && <FailedRows jobId={id} title={`${formatCount(failed)} were not ${done}`} />}
      <OutcomeFacts
        facts={[
          ["Total points", formatPoints(Math.abs(points?.total ?? 0))],
          ["Job", <JobLink id={id}>Details</JobLink>],
        ]}
      />
    </SideDrawer>
  )
}

function openRows(
  { id, state, pause, counts }: Job,
  done: string,
): ComponentProps<typeof Notice> | undefined {
  const open = formatCount(counts.planned + counts.sent)
  // Rows in flight end independently of the job.
  const waits = counts.planned > 0 && `${formatCount(counts.planned)} were not ${done}`
  const onItsWay = counts.sent > 0 && `${formatCount(counts.sent)} are being sent.`
  if (state === "paused") {
    const late = pause?.code === pauseCodes.notSentInTime
    return {
      tone: "warning",
      title: late ? "They weren’t sent within a minute" : (pause?.message ?? "The job is paused"),
      action: <JobControls jobId={id} send={late ? "Send now" : "Try again"} />,
      children: [waits && `${waits} yet. They wait for your word.`, onItsWay].filter(Boolean).join(" "),
    }
  }
  if (open === "0") return undefined
  return state === "cancelled" || state === "cancelling"
    ? {
        tone: "info",
        title: state === "cancelled" ? "Cancelled" : "Stopping",
        children: [waits && `${waits}.`, onItsWay].filter(Boolean).join(" "),
      }
    : { tone: "info", title: `${open} to go`, children: "The job runs on the server, so you can leave." }
}

/** Number of failed rows listed here; the rest are on the job's page. */
const failedShown = 5

function FailedRows({ jobId, title }: { jobId: string; title: string }) {
  const { data } = useQuery(jobRowsQuery(jobId, { state: "failed", page: 1, per_page: failedShown }))
  return (
    <Notice tone="danger" title={title} action={<JobLink id={jobId}>Correct and retry</JobLink>}>
      <Stack component="ul" gap={8}>
        {data?.rows.map(({ row, member, outcome }) => (
          <li key={row}>
            <span className="l-medium">{member?.label ?? member?.id ?? `Row ${row}`}</span>:{" "}
            {outcome?.message ?? "The service refused it."}
          </li>
        ))}
      </Stack>
    </Notice>
  )
}

function useRereadConfirmed(job: Job): void {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    ...jobRowsQuery(job.id, { state: "confirmed", page: 1, per_page: 100 }),
    enabled: isOver(job) && job.counts.confirmed > 0,
  })
  useEffect(() => {
    const ids = data?.rows.flatMap(({ member }) => member?.id ?? []) ?? []
    if (ids.length > 0) refetchPoints(queryClient, ids)
  }, [queryClient, data])
}
