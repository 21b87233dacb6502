import { Box, Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { type ComponentProps, type ReactNode, useState } from "react"
import { jobKindDescriptors, type JobKind } from "../../../contract/job-kinds.ts"
import type { Candidate, DecisionBody, JobRow, RowEvidence } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { rowEvidenceQuery, rowNumber, useDecideRow } from "../../api/jobs.ts"
import { JobReason, type Reason, useReason } from "../../forms/job-reason.tsx"
import { ConflictTable } from "../../forms/conflict-table.tsx"
import { capital, counted, formatCount, formatPoints, formatSigned, listed } from "../../lib/format.ts"
import { duration } from "../../lib/time.ts"
import { Allowed } from "../../lists/require-permission.tsx"
import { BusyFields } from "../../ui/field-parts.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { AsOf, QueryState } from "../../ui/query-state.tsx"
import { MemberLink, OrderLink } from "../../ui/record-link.tsx"
import { RadioOption } from "../../forms/fields.tsx"
import { useNextQuestion, useShow } from "./job-hooks.tsx"
import { clockTime, inputText, rowLabel, rowPoints } from "./job-status.tsx"
import classes from "./job.module.css"
import { Button } from "../../ui/button.tsx"

/** The question about a row that needs a decision, as the panel's title. */
export function questionTitle(kind: JobKind, row: JobRow): string {
  if (row.conflict !== undefined) return `Two changes of ${rowLabel(row)}`
  return filled(jobKindDescriptors[kind].decision.question, kind, row)
}

function filled(text: string, kind: JobKind, row: JobRow): string {
  const points = rowPoints(kind, row)
  const what = points === undefined ? "points" : counted(Math.abs(points), "point")
  return text
    .replace("{who}", () => rowLabel(row))
    .replace("these {what}", `these ${what}`)
    .replace("{what}", points === undefined ? "these points" : what)
}

/** The evidence and the choices for a row that needs a decision. None is preselected. */
export function Question({ job, row }: { job: Job; row: JobRow }) {
  const reason = useReason(job)
  const evidence = useQuery({ ...rowEvidenceQuery(job.id, row.row), enabled: reason.access.control })
  const inLedger = jobKindDescriptors[job.kind].record === "entry"
  if (!reason.access.control) {
    return (
      <p className="text-secondary">
        {row.outcome?.message ?? "A manager has to decide this."} Requires the Manager role.
      </p>
    )
  }
  return (
    <>
      {row.outcome?.code === "changed_again" ? (
        <Notice tone="warning" title={row.outcome.message} />
      ) : (
        row.outcome !== null && <p className="text-secondary">{row.outcome.message}</p>
      )}
      <QueryState
        query={evidence}
        noun="ledger"
        what={`${inLedger ? "Couldn’t load the ledger." : "Couldn’t look it up."} Nothing was decided.`}
        lead={<output className="caption">{inLedger ? "Checking the ledger…" : "Looking it up…"}</output>}
        rows={5}
        columns={[120, 180]}
      >
        {(read) => {
          // The member by name, as in the panel's title.
          const named = { ...read, row: { ...read.row, member: row.member } }
          return (
            <>
              <EvidenceFacts job={job} evidence={named} />
              <Decide job={job} evidence={named} reason={reason}>
                <AsOf
                  at={evidence.dataUpdatedAt}
                  refreshing={evidence.isFetching}
                  onRefresh={() => void evidence.refetch()}
                />
              </Decide>
            </>
          )
        }}
      </QueryState>
    </>
  )
}

function Decide(props: { job: Job; evidence: RowEvidence; reason: Reason; children: ReactNode }) {
  const { job, evidence, reason, children } = props
  const { row } = evidence
  const [chosen, setChosen] = useState<string>()
  const decide = useDecideRow(job.id, row.row)
  const next = useNextQuestion(job.id)
  const show = useShow()
  const choices = decisionChoices(job, evidence, useServerNow("half-minute"))
  // After a refetch the chosen option may no longer be available.
  const choice = choices.find(({ key, open }) => key === chosen && open)
  const settle = async (body: DecisionBody) => {
    await decide.mutateAsync({ ...body, ...reason.body })
    // The other rows are checked against this one, so it is decided first.
    if (body.decision === "resend" && isFirstSent(job, row)) show()
    else next.mutate(row.row)
  }
  return (
    <Stack
      component="form"
      flex={1}
      onSubmit={(event) => {
        event.preventDefault()
        // Errors are shown above the button.
        if (choice !== undefined && !reason.missing && !decide.isPending) {
          void settle(choice.body).catch(() => undefined)
        }
      }}
    >
      <BusyFields busy={decide.isPending}>
        <Box component="legend" mb={8}>
          {row.conflict === undefined ? (
            <>
              <b>What happened?</b> <span className="text-muted">{candidateCount(job, evidence)}</span>
            </>
          ) : (
            <b>What should happen?</b>
          )}
        </Box>
        {choices.map(({ key, open, title, help }) => (
          <RadioOption
            joined
            key={key}
            name="decision"
            value={key}
            checked={chosen === key}
            disabled={!open}
            onChange={() => setChosen(key)}
            title={title}
          >
            {help}
          </RadioOption>
        ))}
        <Box mt={6}>{children}</Box>
      </BusyFields>
      <DecisionFields reason={reason} error={decide.error} notDone="Nothing was decided.">
        <Button
          type="submit"
          variant="filled"
          loading={decide.isPending || next.isPending}
          disabled={choice === undefined || reason.missing}
        >
          {choice?.action ?? "Choose what happened"}
        </Button>
      </DecisionFields>
    </Stack>
  )
}

/** The footer of every decision: reason for another user's job, error, button. */
export function DecisionFields(props: {
  reason: Reason
  error: Error | null
  notDone: string
  children: ComponentProps<typeof Allowed>["children"]
}) {
  const { reason, error, notDone, children } = props
  const { control, needsReason, why } = reason.access
  const { job } = reason.field
  return (
    <>
      {control && needsReason && (
        <JobReason {...reason.field} label={`Why you’re deciding for ${job.created_by.name}`} />
      )}
      <ErrorNotice error={error} what={notDone} />
      <Group justify="space-between" gap="sm" className={`line-above ${classes.footer}`}>
        <span className="caption">Your decision is saved in the audit log.</span>
        <Allowed allowed={control} why={why}>
          {children}
        </Allowed>
      </Group>
    </>
  )
}

/** The available choices; not `open`: the entry belongs to another row, or the server does not allow it. */
function decisionChoices(job: Job, { row, candidates, resend }: RowEvidence, now: number) {
  const { record, decision, subject } = jobKindDescriptors[job.kind]
  const isConflict = row.conflict !== undefined
  // A conflict has no ledger entry to link.
  const linked = (isConflict ? [] : candidates).map((candidate) => {
    const { created_at: at, upstream_id, claimed_by } = candidate
    const time = at === null ? undefined : `of ${clockTime(at, now)}`
    return {
      key: `entry ${upstream_id}`,
      title: `It happened: the ${record} ${time ?? "without a time"}`,
      help: <CandidateText candidate={candidate} job={job} row={row.row} />,
      action: time === undefined ? `Link this ${record}` : `Link the ${record} ${time}`,
      open: claimed_by === null,
      body: { decision: "happened", upstream_id } satisfies DecisionBody,
    }
  })
  const article = record === "order" || record === "entry" ? "an" : "a"
  const happened = {
    title: "It happened",
    help: `Without ${article} ${record} to link: you’ve confirmed it at the service yourself.`,
  }
  const again = {
    title: "It didn’t happen: send it again",
    help: `${filled(decision.resendRisk, job.kind, row)}${
      isFirstSent(job, row) ? " When it goes through, the job’s other rows are checked against it." : ""
    }`,
    action: filled(decision.again, job.kind, row),
  }
  const leave = { title: "Leave it open", help: "The job finishes without this row. You can decide later." }
  const texts = isConflict ? conflictTexts[subject] : { happened, resend: again, leave }
  const fixed = (kind: keyof typeof texts) => {
    const { title, help, action = title }: { title: string; help: string; action?: string } = texts[kind]
    const open = kind !== "resend" || resend.allowed
    const whyNot = resend.why_not ?? "It can’t be sent again now."
    const body: DecisionBody = { decision: kind }
    return { key: kind, title, help: open ? help : whyNot, action, open, body }
  }
  // The user may have seen it in the service, though nothing here shows it.
  const unlinked = linked.some(({ open }) => open) ? [] : [fixed("happened")]
  return [...linked, ...unlinked, fixed("resend"), fixed("leave")]
}

/** Whether the rows that were refused together with this one wait for its outcome. */
function isFirstSent({ refusal }: Job, { outcome }: JobRow): boolean {
  return refusal != null && outcome?.code === "no_canary"
}

const resolved = {
  title: "Already resolved",
  help: "Nothing is sent: you’ve handled it at the service yourself.",
}

/** Another user changed the order or the member meanwhile; both changes are shown (docs/orders.md). */
const conflictTexts = {
  order: {
    happened: resolved,
    resend: {
      title: "Replace with ours",
      help: "Only the fields under “Yours” change, and only if the order hasn’t changed again.",
    },
    leave: { title: "Keep theirs", help: "Nothing is sent. You can change this decision later." },
  },
  member: {
    happened: resolved,
    resend: {
      title: "Send it all the same",
      help: "The fields get the values under “After”, unless they have changed again.",
    },
    leave: { title: "Leave the member as now", help: "Nothing is sent. You can change this decision later." },
  },
}

/** "2 ledger entries could be it": an entry of another row is shown but not counted. */
function candidateCount(job: Job, { candidates, row }: RowEvidence): string {
  const count = candidates.filter(
    ({ claimed_by: owner }) => owner === null || (owner.job === job.id && owner.row === row.row),
  ).length
  const { record } = jobKindDescriptors[job.kind]
  const [noun, nouns] = record === "entry" ? ["ledger entry", "ledger entries"] : [record, `${record}s`]
  if (count === 0) return `no ${noun} could be it`
  return `${formatCount(count)} ${count === 1 ? noun : nouns} could be it`
}

function CandidateText({ candidate, job, row }: { candidate: Candidate; job: Job; row: number }) {
  const { points, text, reference, upstream_id, after_ms, has_batch_code: hasBatchCode } = candidate
  const claim = claimText(candidate, job.id, row)
  return (
    <>
      {points !== null && (
        <b className={points > 0 ? "tone-text" : undefined} data-tone="success">
          {formatSigned(points)}{" "}
        </b>
      )}
      {text !== null && text !== "" && `${text}, `}
      <span className="l-mono">{upstream_id}</span>
      <br />
      {after_ms !== null && (
        <>
          <span className={after_ms <= -1000 ? "tone-text" : undefined} data-tone="warning">
            {sendingDistance(after_ms)}
          </span>
          {", "}
        </>
      )}
      {hasBatchCode ? "with our batch code" : "without our batch code"}
      {reference !== null && reference !== "" && `, reference ${reference}`}
      {claim !== undefined && `, ${claim}`}
    </>
  )
}

/** Time between sending and the entry: an entry from before is unlikely to be the row's effect. */
function sendingDistance(afterMs: number): string {
  if (Math.abs(afterMs) < 1000) return "at the time of sending"
  return `${duration(Math.abs(afterMs))} ${afterMs < 0 ? "before" : "after"} sending`
}

function claimText({ claimed_by: owner }: Candidate, jobId: string, row: number): string | undefined {
  if (owner === null) return undefined
  if (owner.job === jobId && owner.row === row) return "linked to this row already"
  const belongs = `belongs to row ${formatCount(owner.row)}`
  return owner.job === jobId ? belongs : `${belongs} of ${owner.job}`
}

const canaryLabels: Readonly<Record<RowEvidence["canary"], string>> = {
  found: "it shows later changes of ours",
  "not-yet": "it doesn’t show all of our later changes yet",
  none: "there are no later changes of ours to compare with",
}

function EvidenceFacts({ job, evidence }: { job: Job; evidence: RowEvidence }) {
  const now = useServerNow("half-minute")
  const { row, call_ended } = evidence
  const points = rowPoints(job.kind, row)
  const reads = evidence.looked_at.map((at) => clockTime(at, now))
  const { record, subject, costsPoints = false } = jobKindDescriptors[job.kind]
  const inLedger = record === "entry"
  const orderId = subject === "order" ? inputText(row, "order_id") : undefined
  const reason = inputText(row, "reason")
  return (
    <>
      {row.conflict !== undefined && <ConflictTable of={subject} conflict={row.conflict} />}
      <DescriptionList
        layout="inline"
        items={[
          [
            "Sent",
            <>
              {row.sent_at === null ? "Not sent, " : `${clockTime(row.sent_at, now)}, `}
              {`row ${formatCount(rowNumber(row))}`}
              {points !== undefined && ", "}
              {points !== undefined && <b>{formatSigned(points)}</b>}
            </>,
          ],
          reason !== undefined && ["Reason", reason],
          row.attempts > 1 && ["Attempts", formatCount(row.attempts)],
          call_ended !== null && ["Response", capital(call_ended)],
          [inLedger ? "Ledger checked" : "Looked up", reads.length === 0 ? "Not yet" : lastOf(reads)],
          inLedger && !isExplained(row) && ["The ledger", canaryLabels[evidence.canary]],
          (inLedger || costsPoints) && ["Balance now", balanceText(evidence.balance)],
          orderId !== undefined && ["Order", <OrderLink id={orderId} />],
          row.member?.id != null && ["Member", <RowMember row={row} />],
        ]}
      />
    </>
  )
}

/** The member of a row; a known member is a link. */
export function RowMember({ row }: { row: JobRow }) {
  const memberId = row.member?.id ?? null
  const label = rowLabel(row)
  if (memberId === null) return label
  // A row about an order is labelled with it.
  return <MemberLink id={memberId} text={label === inputText(row, "order_id") ? undefined : label} />
}

/** Whether the outcome already says what the ledger shows. */
function isExplained({ outcome }: JobRow): boolean {
  return outcome?.code === "no_canary" || outcome?.code === "history_lagging"
}

function balanceText(balance: RowEvidence["balance"]): string {
  if (balance === null) return "Couldn’t be loaded"
  return `${formatPoints(balance.balance)}, ${pendingText(balance.pending)}`
}

function pendingText(pending: number | null): string {
  if (pending === null) return "pending not known"
  return pending === 0 ? "nothing pending" : `${formatPoints(pending)} pending`
}

function lastOf(times: readonly string[]): string {
  const last = listed(times.slice(-3))
  return times.length > 3 ? `${formatCount(times.length - 3)} times, then ${last}` : last
}
