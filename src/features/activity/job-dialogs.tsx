import { isReversible, jobKindDescriptors } from "../../../contract/job-kinds.ts"
import "@mantine/core/styles/Switch.layer.css"
import { Stack, Switch } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { lazy, useState } from "react"
import { type Job, pauseCodes, type Reversal } from "../../../contract/job.ts"
import { reversalQuery, useControlJob, useReleaseJob, useReverseJob } from "../../api/jobs.ts"
import { memberNamesQuery } from "../../api/members.ts"
import { JobReason, LedgerReasonField, useReason } from "../../forms/job-reason.tsx"
import { counted, formatPoints, listed, timeNeeded, timeSentence, withTime } from "../../lib/format.ts"
import { jobStatuses } from "./job-status.tsx"
import { newKey } from "../../lib/new-key.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { DataTable } from "../../ui/data-table.tsx"
import { initialFocus } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"
import classes from "./job.module.css"
import type { ControlView, JobView, TableView } from "./activity-search.ts"
import { Button } from "../../ui/button.tsx"

const DecideGroupDialog = lazy(async () => ({
  default: (await import("./decide-group.tsx")).DecideGroupDialog,
}))
const ResultsDialog = lazy(async () => ({ default: (await import("./exports.tsx")).ResultsDialog }))

/** The dialog named in the URL of a job's page; Back closes it. */
export function JobDialog(props: { job: Job; open: Exclude<JobView, TableView>; onClose: () => void }) {
  const { open, ...rest } = props
  if (open === "reverse")
    return jobKindDescriptors[rest.job.kind].canUndo ? <UndoDialog {...rest} /> : <ReverseDialog {...rest} />
  if (open === "decide") return <DecideGroupDialog {...rest} />
  return open === "results" ? <ResultsDialog {...rest} /> : <ControlDialog {...rest} open={open} />
}

/** Confirms pausing, resuming or ending a job, with a reason for another user's job. */
function ControlDialog({ job, open, onClose }: { job: Job; open: ControlView; onClose: () => void }) {
  const { access, ...reason } = useReason(job)
  const control = useControlJob(job.id)
  const release = useReleaseJob(job.id)
  const isRelease = open === "release" || open === "unproven"
  const { error, isPending } = isRelease ? release : control
  const { body, possible: isPossible, ...question } = controlQuestions(job)[open]
  const allowed = isRelease ? access.write : access.control
  const possible = allowed && isPossible
  const send = () => {
    const done = { onSuccess: onClose }
    if (!isRelease)
      control.mutate({ action: open === "leave" ? "leave-waiting" : open, ...reason.body }, done)
    else release.mutate({ ...(open === "unproven" && { unproven: true }), ...reason.body }, done)
  }
  return (
    <ConfirmDialog
      tone="plain"
      what={isRelease ? "Nothing was sent." : "The job continues unchanged."}
      {...question}
      error={error}
      busy={isPending}
      ready={possible && !reason.missing}
      onClose={onClose}
      onConfirm={send}
    >
      {possible ? (
        <p>{body}</p>
      ) : (
        <Notice tone="info" title={allowed ? "The job has moved on" : access.why}>
          {allowed && `It is ${jobStatuses[job.state].word.toLowerCase()} now. `}Nothing was changed here.
        </Notice>
      )}
      {possible && access.needsReason && <JobReason {...reason.field} initialFocus />}
    </ConfirmDialog>
  )
}

/** What each control does with the rows, and whether the job's state allows it. */
function controlQuestions({ state, counts, pause, hold, total, waits_for: waits = [] }: Job) {
  const waiting = waits.reduce((sum, { rows }) => sum + rows, 0)
  const planned = counted(counts.planned, "row")
  const open = counts.sent + counts.unknown
  const underWay = open === 0 ? "" : `${counted(open, "row")} sent already will be finished or looked up. `
  const stays = `${counted(counts.confirmed, "row")} done already ${counts.confirmed === 1 ? "stays" : "stay"}.`
  const isLate = pause?.code === pauseCodes.notSentInTime
  const { found = 0, to_send: toSend = 0, undecided = 0, looking = 0, state: lookup } = hold ?? {}
  const proof = `Found at the service and not sent again: ${counted(found, "row")}.`
  const unproven = undecided + looking
  const discard = {
    title: "Discard draft",
    body: `None of its ${counted(total, "row")} was sent, and none will be.`,
    action: "Discard draft",
    keep: "Keep draft",
    possible: true,
  }
  const cancel = {
    title: "Cancel remaining",
    body: `${planned} will not be sent. ${underWay}${counts.confirmed === 0 ? "" : stays}`.trim(),
    action: `Cancel ${planned}`,
    keep: state === "paused" ? "Keep the job" : "Keep running",
    tone: "danger",
    possible: state === "running" || state === "paused",
  } as const
  return {
    pause: {
      title: "Pause this job",
      body: `${underWay}${planned} ${counts.planned === 1 ? "waits" : "wait"} until it is resumed.`,
      action: "Pause",
      possible: state === "running",
    },
    resume: {
      title: isLate ? "Send this now?" : "Resume this job",
      body: `${planned} will be sent.`,
      action: isLate ? "Send now" : "Resume",
      possible: state === "paused",
    },
    cancel: state === "draft" ? discard : cancel,
    leave: {
      title: "Leave rows out",
      body: `${counted(waiting, "row")} that ${waiting === 1 ? "waits" : "wait"} for a reversal will not be sent. The earlier awards stay unless the reversal goes on.`,
      action: `Leave ${counted(waiting, "row")} out`,
      possible: waiting > 0,
    },
    release: {
      title: "Continue job",
      body: `${proof} Not found and sent now: ${counted(toSend, "row")}.`,
      action: `Send ${counted(toSend, "row")}`,
      possible: lookup === "ready",
    },
    unproven: {
      title: "Continue without proof",
      body: `${proof} For ${counted(unproven, "row")} it isn’t known whether they were already done. Those that were are done twice.`,
      action: `Send up to ${counted(toSend + unproven, "row")}`,
      tone: "danger",
      possible: unproven > 0,
    },
  } as const
}

/** Restores what the rows of a job changed with a second job, and opens it. */
function UndoDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const navigate = useNavigate()
  const { access, ...reason } = useReason(job)
  const preview = useQuery({ ...reversalQuery(job.id, false), enabled: access.write, staleTime: 0 })
  const reverse = useReverseJob(job.id)
  // One key per dialog: a double click or a retry without a response is one undo.
  const [key] = useState(newKey)
  const read = preview.isFetching ? undefined : preview.data
  const rows = read?.open === true ? read.rows : 0
  return (
    <ConfirmDialog
      title="Undo these changes?"
      action={rows > 0 ? `Undo ${counted(rows, "change")}` : "Undo the changes"}
      tone="plain"
      error={reverse.error}
      what="Nothing was undone."
      busy={reverse.isPending}
      ready={access.write && rows > 0 && !reason.missing}
      onClose={onClose}
      onConfirm={() =>
        reverse.mutate(
          { key, ...reason.body },
          { onSuccess: (made) => void navigate({ to: "/jobs/$jobId", params: { jobId: made.id } }) },
        )
      }
    >
      {access.write ? (
        <QueryState
          query={{ ...preview, data: read }}
          noun="undo"
          what="Couldn’t work out what would be undone. Nothing was undone."
          rows={2}
          columns={[160, 80]}
        >
          {({ why_not: whyNot }) =>
            whyNot === null ? (
              <p>
                {counted(rows, "member")} {rows === 1 ? "gets" : "get"} the values from before, in a job you
                can follow. {timeSentence(timeNeeded(rows * 2, "jobs"))}A field that someone changed since
                waits for a decision and is never overwritten.
              </p>
            ) : (
              <Notice tone="warning" title="It can’t be undone now">
                {whyNot}
              </Notice>
            )
          }
        </QueryState>
      ) : (
        <Notice tone="info" title={access.why}>
          Nothing changed.
        </Notice>
      )}
      {access.write && access.needsReason && <JobReason {...reason.field} initialFocus />}
    </ConfirmDialog>
  )
}

/** Reverses a job of awards: shows the effects first, then opens the reversing job. */
function ReverseDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const navigate = useNavigate()
  const { access, ...reason } = useReason(job)
  const [check, setCheck] = useState(false)
  const may = isReversible(job.kind) && access.write
  const reversal = useQuery({ ...reversalQuery(job.id, check), enabled: may, staleTime: 0 })
  const reverse = useReverseJob(job.id)
  const [leaveOut, setLeaveOut] = useState(false)
  const [written, setWritten] = useState<string>()
  // One key per dialog: a double click or a retry without a response is one reversal.
  const [key] = useState(newKey)

  const preview = reversal.isFetching ? undefined : reversal.data
  const plan = preview && reversePlan(preview, leaveOut)
  const open = preview?.open === true && plan !== undefined && plan.rows > 0
  return (
    <ConfirmDialog
      title={job.total === 1 ? "Reverse this award?" : "Reverse these awards?"}
      action={
        open
          ? `Reverse ${formatPoints(plan.points)} points from ${counted(plan.members, "member")}`
          : "Reverse the awards"
      }
      tone="danger"
      error={reverse.error}
      what="Nothing was reversed."
      busy={reverse.isPending}
      ready={open && may && reason.body.reason !== undefined}
      onClose={onClose}
      onConfirm={() => {
        const leave_out = plan?.leaveOut ?? []
        reverse.mutate(
          {
            key,
            ...reason.body,
            ...(leave_out.length > 0 && { leave_out }),
            ...(written?.trim() && { ledger_reason: written.trim() }),
          },
          { onSuccess: (made) => void navigate({ to: "/jobs/$jobId", params: { jobId: made.id } }) },
        )
      }}
    >
      {may ? (
        <QueryState
          query={{ ...reversal, data: preview }}
          noun="reversal"
          what="Couldn’t work out what a reversal would do. Nothing was reversed."
          lead={<output className="caption">{check ? "Loading current balances…" : "Loading…"}</output>}
          rows={3}
          columns={[160, 80]}
        >
          {(read) => (
            <ReversalPreview
              reversal={read}
              leaveOut={leaveOut}
              onLeaveOut={setLeaveOut}
              written={written}
              onWritten={setWritten}
              onCheck={check ? undefined : () => setCheck(true)}
            />
          )}
        </QueryState>
      ) : (
        <Notice tone="info" title={isReversible(job.kind) ? access.why : "Only awards can be reversed"}>
          Nothing changed.
        </Notice>
      )}
      {may && preview?.open !== false && (
        <JobReason
          {...reason.field}
          required
          {...(!access.needsReason && { label: "Reason" })}
          initialFocus
        />
      )}
    </ConfirmDialog>
  )
}

interface ReversalProps {
  reversal: Reversal
  leaveOut: boolean
  onLeaveOut: (leaveOut: boolean) => void
  onCheck: (() => void) | undefined
}

interface PreviewProps extends ReversalProps {
  /** The ledger reason that members read, in place of the default. */
  written: string | undefined
  onWritten: (reason: string) => void
}

/** What will be reversed, or why nothing can be. */
function ReversalPreview(props: PreviewProps) {
  const { reversal, leaveOut, written, onWritten } = props
  const { open, why_not, ledger_reason, ledger_reasons, undecided, corrected } = reversal
  if (!open) {
    return (
      <Notice tone="warning" title="It can’t be reversed now">
        {why_not ?? "Rows are still being processed."}
      </Notice>
    )
  }
  if (reversal.rows === 0) return <Notice tone="info" title="There’s nothing left to reverse" />
  const { rows, members } = reversePlan(reversal, leaveOut)
  const isOne = undecided === 1
  return (
    <Stack gap="md">
      <p>
        Each award that is done is reversed with its own deduction, in a job you can follow and pause. No
        award is reversed twice.
      </p>
      <p>
        {counted(rows, "award")} to {withTime(counted(members, "member"), timeNeeded(rows, "jobs"))}.{" "}
        <FirstMembers {...{ reversal, leaveOut, members }} />
      </p>
      {corrected > 0 && (
        <p>
          {counted(corrected, "award")} {corrected === 1 ? "was" : "were"} corrected by a deduction. Only what
          is left of {corrected === 1 ? "it" : "them"} is deducted.
        </p>
      )}
      <LedgerReasonField
        usual={ledger_reason ?? ""}
        reasons={ledger_reasons}
        value={written}
        onChange={onWritten}
      />
      <Balances {...props} />
      {undecided > 0 && (
        <Notice
          tone="warning"
          title={`${counted(undecided, "row")} still ${isOne ? "needs" : "need"} a decision`}
        >
          {isOne ? "It is" : "They are"} not part of this reversal. Once decided as happened, a second
          reversal takes {isOne ? "it" : "them"} back.
        </Notice>
      )}
    </Stack>
  )
}

/** What a reversal does with or without members who are short (docs/jobs.md). */
function reversePlan(reversal: Reversal, excludeShort: boolean) {
  const short = excludeShort ? reversal.short : []
  const leaveOut = short.flatMap(({ rows }) => rows)
  return {
    rows: reversal.rows - leaveOut.length,
    members: reversal.members - short.length,
    points: reversal.points - short.reduce((sum, { points }) => sum + points, 0),
    leaveOut,
  }
}

/** The affected members: the first ones by name, the others as a number. */
function FirstMembers(props: Pick<ReversalProps, "reversal" | "leaveOut"> & { members: number }) {
  const { reversal, leaveOut, members } = props
  const out = new Set(leaveOut ? reversal.short.map(({ member_id: id }) => id) : [])
  const first = reversal.first_members.filter(({ member_id: id }) => !out.has(id))
  const nameOf = useLabels(first)
  const others = members - first.length
  const named = [...first.map(nameOf), ...(others > 0 ? [counted(others, "other")] : [])]
  return <>Members: {listed(named)}.</>
}

/** Members by label, otherwise by name, otherwise by id. */
function useLabels(members: readonly { member_id: string; label: string | null }[]) {
  const unnamed = members.flatMap(({ label, member_id: id }) => (label === null ? [id] : []))
  const found = useQuery(memberNamesQuery(unnamed)).data?.names
  return ({ label, member_id: id }: { member_id: string; label: string | null }) =>
    label ?? found?.get(id) ?? id
}

/** Members who no longer have the points, as far as checked; without `onCheck` the balances were requested. */
function Balances({ reversal, leaveOut, onLeaveOut, onCheck }: ReversalProps) {
  const { short, checked } = reversal
  if (!checked) {
    return (
      <Notice
        tone="info"
        title="Balances weren’t checked"
        action={
          onCheck && (
            <Button size="xs" onClick={onCheck}>
              Check balances
            </Button>
          )
        }
      >
        {onCheck === undefined
          ? "They couldn’t be read, or there are too many members to check. The "
          : `Checking takes ${timeNeeded(reversal.check_requests) || "a moment"}. Without it, the `}
        service refuses members who no longer have the points, and their rows show as not done.
      </Notice>
    )
  }
  if (short.length === 0) {
    return (
      <p tabIndex={-1} {...initialFocus}>
        Everyone still has the points.
      </p>
    )
  }
  return (
    <>
      <ShortMembers short={short} />
      <Switch
        {...initialFocus}
        withThumbIndicator={false}
        checked={leaveOut}
        onChange={(event) => onLeaveOut(event.currentTarget.checked)}
        label={`Leave out the ${counted(short.length, "member")} who no longer ${have(short.length)} the points`}
      />
    </>
  )
}

/** Members with fewer points than would be deducted, largest deficit first. */
function ShortMembers({ short }: { short: Reversal["short"] }) {
  const nameOf = useLabels(short)
  return (
    <Section title={`${counted(short.length, "member")} no longer ${have(short.length)} the points`}>
      <div className={`card ${classes.short}`}>
        <DataTable
          label="Members who no longer have the points"
          columns={[
            { label: "Member", rowHeader: true, cell: nameOf },
            { label: "To reverse", end: true, cell: ({ points }) => formatPoints(points) },
            {
              label: "Balance",
              end: true,
              cell: ({ balance }) => (
                <span className="tone-text" data-tone="warning">
                  {formatPoints(balance)}
                </span>
              ),
            },
          ]}
          rows={short}
          keyOf={({ member_id: id }) => id}
          wide
        />
      </div>
    </Section>
  )
}

function have(count: number): string {
  return count === 1 ? "has" : "have"
}
