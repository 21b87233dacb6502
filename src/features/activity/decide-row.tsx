import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ComponentProps, type ReactNode, useState } from "react"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import type { Candidate, JobRow, RowEvidence } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { rowEvidenceQuery, useDecideRow } from "../../api/jobs.ts"
import { JobReason } from "../../forms/job-reason.tsx"
import { OrderConflictTable } from "../../forms/order-conflict-table.tsx"
import { cost, formatCount, formatPoints, formatSigned } from "../../lib/format.ts"
import { Allowed } from "../../lists/require-permission.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { useNow } from "../../ui/hooks.ts"
import { AsOf, SkeletonRows } from "../../ui/query-state.tsx"
import { RadioOption } from "../../forms/field-groups.tsx"
import {
  actionLabel,
  type Choice,
  choiceKey,
  choiceText,
  decisionOf,
  sendingDistance,
} from "./decision-labels.ts"
import { useFirstQuestion, useReason } from "./job-hooks.tsx"
import { clockTime, inputText, rowLabel, rowNumber, rowPoints } from "./job-status.tsx"
import classes from "./job.module.css"

/** What a person needs to settle a row, and the choice. Nothing is chosen for them. */
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
      {row.outcome !== null && <p className="text-secondary">{row.outcome.message}</p>}
      {evidence.isPending && (
        <>
          <output className="caption">
            {inLedger ? `Checking the ledger: ${cost(2)}` : `Looking it up: ${cost(1)}`}
          </output>
          <SkeletonRows rows={5} columns={[120, 180]} />
        </>
      )}
      {evidence.error !== null && (
        <ErrorNotice
          error={evidence.error}
          what={`${inLedger ? "Couldn’t load the ledger." : "Couldn’t look it up."} Nothing was decided.`}
          onRetry={() => void evidence.refetch()}
        />
      )}
      {evidence.data !== undefined && (
        <>
          <EvidenceFacts job={job} evidence={evidence.data} />
          <Decide
            job={job}
            evidence={evidence.data}
            reason={reason}
            age={
              <AsOf
                at={evidence.dataUpdatedAt}
                refreshing={evidence.isFetching}
                onRefresh={() => void evidence.refetch()}
              />
            }
          />
        </>
      )}
    </>
  )
}

interface DecideProps {
  job: Job
  evidence: RowEvidence
  reason: ReturnType<typeof useReason>
  /** How old what is shown is. */
  age: ReactNode
}

function Decide({ job, evidence, reason, age }: DecideProps) {
  const { row, resend } = evidence
  const [chosen, setChosen] = useState<string>()
  const decide = useDecideRow(job.id, row.row)
  const next = useFirstQuestion(job.id)
  const now = useNow("half-minute")
  const choices = choicesOf(evidence)
  // What was read again may no longer offer what was chosen.
  const choice = choices.find((each) => choiceKey(each) === chosen && isOpen(each, evidence))
  const settle = async (made: Choice) => {
    await decide.mutateAsync(decisionOf(made, reason.body))
    await next.openAfter(row.row)
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        // What went wrong stands above the button.
        if (choice !== undefined && !reason.missing && !decide.isPending) {
          void settle(choice).catch(() => undefined)
        }
      }}
    >
      <fieldset disabled={decide.isPending}>
        <legend className={classes.legend}>
          {row.conflict === undefined ? (
            <>
              <b>What happened?</b> <span className="text-muted">{candidateCount(job, evidence)}</span>
            </>
          ) : (
            <b>What should happen?</b>
          )}
        </legend>
        {choices.map((each) => {
          const key = choiceKey(each)
          const open = isOpen(each, evidence)
          const text = choiceText(each, job.kind, row, now)
          return (
            <RadioOption
              joined
              key={key}
              name="decision"
              value={key}
              checked={chosen === key}
              disabled={!open}
              onChange={() => setChosen(key)}
              title={text.title}
            >
              {each.kind === "candidate" ? (
                <CandidateText candidate={each.candidate} job={job} row={row.row} />
              ) : (
                ((open ? text.help : resend.why_not) ?? "It can’t be sent again now.")
              )}
            </RadioOption>
          )
        })}
        <div className={classes.age}>{age}</div>
      </fieldset>
      <DecisionFields
        access={reason.access}
        field={reason.field}
        error={decide.error}
        notDone="Nothing was decided."
      >
        <Button
          type="submit"
          variant="filled"
          {...(choice?.kind === "resend" ? { color: "danger" } : {})}
          loading={decide.isPending || next.busy}
          disabled={choice === undefined || reason.missing}
        >
          {actionLabel(choice, job.kind, row, now)}
        </Button>
      </DecisionFields>
    </form>
  )
}

interface DecisionFieldsProps {
  access: ReturnType<typeof useReason>["access"]
  field: ReturnType<typeof useReason>["field"]
  error: Error | null
  /** What was not done when there is an error. */
  notDone: string
  /** The button that decides. */
  children: ComponentProps<typeof Allowed>["children"]
}

/** The foot of every decision about a row: the reason for another person's job, what went wrong, the button. */
export function DecisionFields({ access, field, error, notDone, children }: DecisionFieldsProps) {
  return (
    <>
      {access.control && access.needsReason && (
        <JobReason {...field} label={`Why you’re deciding for ${field.job.created_by.name}`} />
      )}
      {error !== null && <ErrorNotice error={error} what={notDone} />}
      <div className={classes.footer}>
        <span className="caption">Your decision is saved in the audit log.</span>
        <Allowed allowed={access.control} why={access.why}>
          {children}
        </Allowed>
      </div>
    </>
  )
}

/** Whether a choice may be made: an entry that belongs to another row may not, nor what the server does not allow. */
function isOpen(choice: Choice, evidence: RowEvidence): boolean {
  if (choice.kind === "candidate") return choice.candidate.claimed_by === null
  return choice.kind !== "resend" || evidence.resend.allowed
}

/** Everything that can be chosen for a row, in the order it is shown. */
function choicesOf({ candidates, row }: RowEvidence): readonly Choice[] {
  // Two changes of one order stand side by side: there is nothing to link.
  const shown = row.conflict === undefined ? candidates : []
  const free = shown.some(({ claimed_by: owner }) => owner === null)
  return [
    ...shown.map((candidate) => ({ kind: "candidate", candidate }) as const),
    // Seen in the service itself, though nothing here shows it.
    ...(free ? [] : ([{ kind: "happened" }] as const)),
    { kind: "resend" },
    { kind: "leave" },
  ]
}

/** "2 ledger entries could be it": one that belongs to another row is shown and cannot be it. */
function candidateCount(job: Job, { candidates, row }: RowEvidence): string {
  const count = candidates.filter(
    ({ claimed_by: owner }) => owner === null || (owner.job === job.id && owner.row === row.row),
  ).length
  const { record } = jobKindDescriptors[job.kind]
  const noun = record === "entry" ? "ledger entry" : record
  if (count === 0) return `no ${noun} could be it`
  const nouns = record === "entry" ? "ledger entries" : `${noun}s`
  return `${formatCount(count)} ${count === 1 ? noun : nouns} could be it`
}

function CandidateText({ candidate, job, row }: { candidate: Candidate; job: Job; row: number }) {
  const { points, text, reference, upstream_id, after_ms, marked } = candidate
  const distance = sendingDistance(after_ms)
  const claim = claimText(candidate, job.id, row)
  return (
    <>
      {points !== null && <b className={points > 0 ? classes.gain : undefined}>{formatSigned(points)} </b>}
      {text !== null && text !== "" && `${text}, `}
      <span className="l-mono">{upstream_id}</span>
      <br />
      {distance !== undefined && (
        <>
          <span className={distance.before ? classes.before : undefined}>{distance.text}</span>
          {", "}
        </>
      )}
      {marked ? "with our batch code" : "without our batch code"}
      {reference !== null && reference !== "" && `, reference ${reference}`}
      {claim !== undefined && `, ${claim}`}
    </>
  )
}

function claimText({ claimed_by: owner }: Candidate, jobId: string, row: number): string | undefined {
  if (owner === null) return undefined
  if (owner.job === jobId && owner.row === row) return "linked to this row already"
  const belongs = `belongs to row ${formatCount(owner.row)}`
  return owner.job === jobId ? belongs : `${belongs} of ${owner.job}`
}

const controls: Readonly<Record<RowEvidence["control"], string>> = {
  found: "it shows later changes of ours",
  "not-yet": "it doesn’t show all of our later changes yet",
  none: "there are no later changes of ours to compare with",
}

function EvidenceFacts({ job, evidence }: { job: Job; evidence: RowEvidence }) {
  const now = useNow("half-minute")
  const { row, balance } = evidence
  const points = rowPoints(job.kind, row)
  const reads = evidence.looked_at.map((at) => clockTime(at, now))
  const inLedger = jobKindDescriptors[job.kind].record === "entry"
  const orderId = job.kind === "order-update" ? inputText(row, "order_id") : undefined
  const reason = inputText(row, "reason")
  const isSaid = row.outcome?.code === "no_control" || row.outcome?.code === "history_lagging"
  return (
    <>
      {row.conflict !== undefined && <OrderConflictTable conflict={row.conflict} />}
      <DescriptionList
        layout="beside"
        items={[
          [
            "Sent",
            <>
              {row.sent_at === null ? "" : `${clockTime(row.sent_at, now)}, `}row{" "}
              {formatCount(rowNumber(row))}
              {points !== undefined && (
                <>
                  , <b>{formatSigned(points)}</b>
                </>
              )}
            </>,
          ],
          reason !== undefined && ["Reason", reason],
          row.attempts > 1 && ["Attempts", formatCount(row.attempts)],
          evidence.call_ended !== null && ["Response", evidence.call_ended],
          [inLedger ? "Ledger checked" : "Looked up", reads.length === 0 ? "Not yet" : listed(reads)],
          inLedger && !isSaid && ["The ledger", controls[evidence.control]],
          (inLedger || job.kind === "redeem") && [
            "Balance now",
            balance === null
              ? "Couldn’t be loaded"
              : `${formatPoints(balance.balance)}, ${pendingText(balance.pending)}`,
          ],
          orderId !== undefined && ["Order", <OrderLink id={orderId} />],
          row.member?.id != null && ["Member", <RowMember row={row} />],
        ]}
      />
    </>
  )
}

/** Whom a row concerns; a known member is a link. */
export function RowMember({ row }: { row: JobRow }) {
  const memberId = row.member?.id ?? null
  if (memberId === null) return rowLabel(row)
  return (
    <Link to="/members/$memberId" params={{ memberId }} className="l-link">
      {rowLabel(row)}
    </Link>
  )
}

/** Leads to an order's page. */
export function OrderLink({ id }: { id: string }) {
  return (
    <Link to="/orders/$orderId" params={{ orderId: id }} className="l-link l-mono">
      {id}
    </Link>
  )
}

function pendingText(pending: number | null): string {
  if (pending === null) return "pending not known"
  return pending === 0 ? "nothing pending" : `${formatPoints(pending)} pending`
}

const conjunction = new Intl.ListFormat("en-AU", { type: "conjunction" })

/** "10:44:08 and 10:45:10"; of many only the last three. */
function listed(times: readonly string[]): string {
  const last = conjunction.format(times.slice(-3))
  return times.length > 3 ? `${formatCount(times.length - 3)} times, then ${last}` : last
}
