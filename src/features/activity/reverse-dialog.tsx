import { Button, Switch } from "@mantine/core"
import { useQueries, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { Job, Reversal } from "../../../contract/job.ts"
import { reversalQuery, useJobAccess, useReverseJob } from "../../api/jobs.ts"
import { memberNamesQuery } from "../../api/members.ts"
import { rowsText } from "./job-status.tsx"
import { JobReason, LedgerTextPreview } from "../../forms/job-reason.tsx"

import { cost, counted, formatPoints } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { newKey } from "../../lib/new-key.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import classes from "./job.module.css"
import heads from "../../ui/table-head.module.css"

/** Takes a job of awards back: says what that does before it does it, then leads to the job that does it. */
export function ReverseDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const navigate = useNavigate()
  const access = useJobAccess(job)
  const [check, setCheck] = useState(false)
  const reversal = useQuery({ ...reversalQuery(job.id, check), enabled: access.write, staleTime: 0 })
  const reverse = useReverseJob(job.id)
  const [leaveOut, setLeaveOut] = useState(false)
  const [reason, setReason] = useState("")
  // One key for one dialog: a double click, or a second try after an answer that never came, is one reversal.
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
      ready={open && access.write && (!access.needsReason || reason.trim() !== "")}
      onClose={onClose}
      onConfirm={() => {
        const said = reason.trim() === "" ? {} : { reason: reason.trim() }
        const left = plan === undefined || plan.leaveOut.length === 0 ? {} : { leave_out: [...plan.leaveOut] }
        reverse.mutate(
          { key, ...said, ...left },
          { onSuccess: (made) => void navigate({ to: "/jobs/$jobId", params: { jobId: made.id } }) },
        )
      }}
    >
      {!access.write && <Notice tone="info" title={access.why} />}
      {access.write && seen === undefined && reversal.error === null && (
        <>
          <output className="l-meta text-muted">{check ? "Loading current balances…" : "Loading…"}</output>
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
      {seen !== undefined && (
        <Effect
          reversal={seen}
          plan={plan}
          leaveOut={leaveOut}
          onLeaveOut={setLeaveOut}
          onCheck={() => setCheck(true)}
          asked={check}
        />
      )}
      {open && <JobReason job={job} required={access.needsReason} value={reason} onChange={setReason} />}
    </ConfirmDialog>
  )
}

interface EffectProps {
  reversal: Reversal
  plan: ReversePlan | undefined
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
    <div className={classes.effect}>
      <p>
        Each confirmed award is reversed with its own deduction, in a job you can follow and pause. No award
        is reversed twice.
      </p>
      {plan !== undefined && (
        <p>
          {counted(plan.rows, "award")} to {counted(plan.members, "member")}, one request each:{" "}
          {cost(plan.rows)}.
        </p>
      )}
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
            label={`Exclude the ${rowsText(short.length, "member")} who no longer ${short.length === 1 ? "has" : "have"} the points`}
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
          title={`${rowsText(undecided)} still ${undecided === 1 ? "needs" : "need"} a decision`}
        >
          {undecided === 1 ? "It is" : "They are"} not part of this reversal. Once decided as happened, a
          second reversal takes {undecided === 1 ? "it" : "them"} back.
        </Notice>
      )}
    </div>
  )
}

/** What a reversal would do as chosen. */
export interface ReversePlan {
  /** Awards that are taken back: a request each. */
  readonly rows: number
  /** Members who lose points. */
  readonly members: number
  /** Points that are taken back. */
  readonly points: number
  /** Numbers of the rows that are left out. */
  readonly leaveOut: readonly number[]
}

/**
 * What taking a job back does when members who no longer have the points are left out, or not
 * (docs/decisions/0002-money.md, Reverse a batch).
 */
export function reversePlan(reversal: Reversal, leaveOutShort: boolean): ReversePlan {
  if (!leaveOutShort) {
    return { rows: reversal.rows, members: reversal.members, points: reversal.points, leaveOut: [] }
  }
  const { short } = reversal
  const leaveOut = short.flatMap(({ rows }) => rows)
  return {
    rows: reversal.rows - leaveOut.length,
    members: reversal.members - short.length,
    points: reversal.points - short.reduce((sum, { points }) => sum + points, 0),
    leaveOut,
  }
}

/** Names asked for at once. */
const mostNames = 100

/** Members who have fewer points than would be taken, first those who lack most. */
export function ShortMembers({ short }: { short: Reversal["short"] }) {
  const unnamed = short.flatMap(({ label, member_id: id }) => (label === null ? [id] : []))
  const names = useQueries({
    queries: Array.from({ length: Math.ceil(unnamed.length / mostNames) }, (_, at) =>
      memberNamesQuery(unnamed.slice(at * mostNames, (at + 1) * mostNames)),
    ),
    combine: (results) => new Map(results.flatMap(({ data }) => [...(data?.names ?? [])])),
  })
  return (
    <section aria-label="Members who no longer have the points">
      <p className="l-medium">
        {rowsText(short.length, "member")} no longer {short.length === 1 ? "has" : "have"} the points
      </p>
      <div className={classes.short}>
        <table className={classes.table}>
          <thead className={`${heads.head} ${heads.stays}`}>
            <tr>
              <th scope="col">Member</th>
              <th scope="col" data-end>
                To reverse
              </th>
              <th scope="col" data-end>
                Balance
              </th>
            </tr>
          </thead>
          <tbody>
            {short.map((member) => (
              <tr key={member.member_id}>
                <th scope="row">{member.label ?? names.get(member.member_id) ?? member.member_id}</th>
                <td data-end>{formatPoints(member.points)}</td>
                <td data-end className={classes.low}>
                  {formatPoints(member.balance)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
