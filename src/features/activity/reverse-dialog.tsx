import { Button, Stack, Switch } from "@mantine/core"
import { useQueries, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { Job, Reversal } from "../../../contract/job.ts"
import { reversalQuery, useReverseJob } from "../../api/jobs.ts"
import { memberNamesQuery } from "../../api/members.ts"
import { JobReason, LedgerTextPreview } from "../../forms/job-reason.tsx"
import { cost, counted, formatPoints } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { newKey } from "../../lib/new-key.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { useReason } from "./job-hooks.tsx"
import classes from "./job.module.css"

/** Takes a job of awards back: says what that does before it does it, then leads to the job that does it. */
export function ReverseDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const navigate = useNavigate()
  const { access, ...reason } = useReason(job)
  const [check, setCheck] = useState(false)
  const reversal = useQuery({ ...reversalQuery(job.id, check), enabled: access.write, staleTime: 0 })
  const reverse = useReverseJob(job.id)
  const [leaveOut, setLeaveOut] = useState(false)
  // One key for one dialog: a double click, or a second try after a response that never came, is one reversal.
  const [key] = useState(newKey)

  const seen = reversal.isFetching ? undefined : reversal.data
  const plan = seen && reversePlan(seen, leaveOut)
  const open = seen?.open === true && plan !== undefined && plan.rows > 0
  return (
    <ConfirmDialog
      title={`Reverse ${jobTitle(job)}`}
      action={
        plan === undefined || !open
          ? "Reverse the awards"
          : `Reverse ${formatPoints(plan.points)} points from ${counted(plan.members, "member")}`
      }
      tone="danger"
      error={reverse.error}
      what="Nothing was reversed."
      busy={reverse.isPending}
      ready={open && access.write && !reason.missing}
      onClose={onClose}
      onConfirm={() => {
        const left = plan === undefined || plan.leaveOut.length === 0 ? {} : { leave_out: plan.leaveOut }
        reverse.mutate(
          { key, ...reason.body, ...left },
          { onSuccess: (made) => void navigate({ to: "/jobs/$jobId", params: { jobId: made.id } }) },
        )
      }}
    >
      {!access.write && <Notice tone="info" title={access.why} />}
      {access.write && seen === undefined && reversal.error === null && (
        <>
          <output className="caption">{check ? "Loading current balances…" : "Loading…"}</output>
          <SkeletonRows rows={3} columns={[160, 80]} />
        </>
      )}
      {reversal.error !== null && (
        <ErrorNotice
          error={reversal.error}
          what="Couldn’t work out what a reversal would do. Nothing was reversed."
          onRetry={() => void reversal.refetch()}
        />
      )}
      {plan !== undefined && seen !== undefined && (
        <Effect
          reversal={seen}
          plan={plan}
          leaveOut={leaveOut}
          onLeaveOut={setLeaveOut}
          onCheck={() => setCheck(true)}
          asked={check}
        />
      )}
      {open && <JobReason {...reason.field} />}
    </ConfirmDialog>
  )
}

interface EffectProps {
  reversal: Reversal
  plan: ReturnType<typeof reversePlan>
  leaveOut: boolean
  onLeaveOut: (leaveOut: boolean) => void
  onCheck: () => void
  /** Balances were asked for. */
  asked: boolean
}

function Effect({ reversal, plan, leaveOut, onLeaveOut, onCheck, asked }: EffectProps) {
  const { short, undecided, checked } = reversal
  if (!reversal.open) {
    return (
      <Notice tone="warning" title="It can’t be reversed now">
        {reversal.why_not ?? "Rows are still being processed."}
      </Notice>
    )
  }
  if (reversal.rows === 0) {
    return <Notice tone="info" title="There’s nothing left to reverse" />
  }
  return (
    <Stack gap="md">
      <p>
        Each confirmed award is reversed with its own deduction, in a job you can follow and pause. No award
        is reversed twice.
      </p>
      <p>
        {counted(plan.rows, "award")} to {counted(plan.members, "member")}, one request each:{" "}
        {cost(plan.rows)}.
      </p>
      <LedgerTextPreview reason={reversal.ledger_reason ?? ""} sent="deduct" />
      {reversal.ledger_reasons > 1 && (
        <p>
          Each deduction carries the reason of its award; there are{" "}
          {counted(reversal.ledger_reasons, "different reason")}.
        </p>
      )}
      {checked && short.length === 0 && <p>Everyone still has the points.</p>}
      {short.length > 0 && (
        <>
          <ShortMembers short={short} />
          <Switch
            withThumbIndicator={false}
            checked={leaveOut}
            onChange={(event) => onLeaveOut(event.currentTarget.checked)}
            label={`Exclude the ${counted(short.length, "member")} who no longer ${have(short.length)} the points`}
          />
        </>
      )}
      {!checked && (
        <Notice
          tone="info"
          title="Balances weren’t checked"
          {...(asked
            ? {}
            : {
                action: (
                  <Button size="xs" variant="default" onClick={onCheck}>
                    Check balances
                  </Button>
                ),
              })}
        >
          {asked
            ? "They couldn’t be read, or there are too many members to check. "
            : `Checking takes up to ${cost(reversal.check_requests)}. Without it, `}
          {asked ? "The" : "the"} service refuses members who no longer have the points, and they show as
          failed rows.
        </Notice>
      )}
      {undecided > 0 && (
        <Notice
          tone="warning"
          title={`${counted(undecided, "row")} still ${undecided === 1 ? "needs" : "need"} a decision`}
        >
          {undecided === 1 ? "It is" : "They are"} not part of this reversal. Once decided as happened, a
          second reversal takes {undecided === 1 ? "it" : "them"} back.
        </Notice>
      )}
    </Stack>
  )
}

/**
 * What taking a job back does when members who no longer have the points are left out, or not: rows are requests, and
 * `leaveOut` names those that are left out (docs/decisions/0002-money.md, Reverse a batch).
 */
function reversePlan(reversal: Reversal, leaveOutShort: boolean) {
  const short = leaveOutShort ? reversal.short : []
  const leaveOut = short.flatMap(({ rows }) => rows)
  return {
    rows: reversal.rows - leaveOut.length,
    members: reversal.members - short.length,
    points: reversal.points - short.reduce((sum, { points }) => sum + points, 0),
    leaveOut,
  }
}

/** Names read at once. */
const mostNames = 100

const lowColumns = (nameOf: (member: ShortMember) => string): readonly DataColumn<ShortMember>[] => [
  { label: "Member", rowHeader: true, cell: nameOf },
  { label: "To reverse", end: true, cell: ({ points }) => formatPoints(points) },
  {
    label: "Balance",
    end: true,
    cell: ({ balance }) => <span className={classes.before}>{formatPoints(balance)}</span>,
  },
]

type ShortMember = Reversal["short"][number]

/** Members who have fewer points than would be taken, first those who lack most. */
function ShortMembers({ short }: { short: Reversal["short"] }) {
  const unnamed = short.flatMap(({ label, member_id: id }) => (label === null ? [id] : []))
  const names = useQueries({
    queries: Array.from({ length: Math.ceil(unnamed.length / mostNames) }, (_, at) =>
      memberNamesQuery(unnamed.slice(at * mostNames, (at + 1) * mostNames)),
    ),
    combine: (results) => new Map(results.flatMap(({ data }) => [...(data?.names ?? [])])),
  })
  const nameOf = ({ label, member_id: id }: ShortMember) => label ?? names.get(id) ?? id
  return (
    <Section title={`${counted(short.length, "member")} no longer ${have(short.length)} the points`}>
      <div className={`card ${classes.short}`}>
        <DataTable
          label="Members who no longer have the points"
          columns={lowColumns(nameOf)}
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
