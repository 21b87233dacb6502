import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import type { Candidate, JobRow, RowEvidence } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { rowEvidenceQuery, useDecideRow, useJobAccess } from "../../api/jobs.ts"
import { Allowed, useFirstQuestion, OrderLink } from "./job-access.tsx"
import { clockTime, inputText, rowLabel, rowNumber, rowPoints } from "./job-status.tsx"
import { type DescriptionItem, DescriptionList } from "../../ui/data-table.tsx"
import { JobReason } from "../../forms/job-reason.tsx"
import { OrderConflictTable } from "../../forms/order-conflict-table.tsx"
import { cost, formatCount, formatPoints, formatSigned } from "../../lib/format.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { useNow } from "../../ui/hooks.ts"
import { AsOf, SkeletonRows } from "../../ui/query-state.tsx"
import classes from "./job.module.css"
import {
  type Choice,
  choiceKey,
  decisionOf,
  actionWords,
  optionWords,
  distanceWords,
} from "./decision-labels.ts"

/** What a person needs to settle a row, and the choice. Nothing is chosen for them. */
export function Question({ job, row }: { job: Job; row: JobRow }) {
  const access = useJobAccess(job)
  const evidence = useQuery({ ...rowEvidenceQuery(job.id, row.row), enabled: access.control })
  const inLedger = jobKindDescriptors[job.kind].record === "entry"
  if (!access.control) {
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
          <output className="l-meta text-muted">
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
            needsReason={access.needsReason}
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
  needsReason: boolean
  age: React.ReactNode
}

function Decide({ job, evidence, needsReason, age }: DecideProps) {
  const { row } = evidence
  const [chosen, choose] = useState<string>()
  const [reason, setReason] = useState("")
  const decide = useDecideRow(job.id, row.row)
  const next = useFirstQuestion(job.id)
  const now = useNow("half-minute")
  // What was read again may no longer offer what was chosen.
  const choice = choicesOf(evidence).find((each) => choiceKey(each) === chosen && isOpen(each, evidence))
  const access = useJobAccess(job)
  const ready = choice !== undefined && (!needsReason || reason.trim() !== "")
  const settle = async (made: Choice) => {
    await decide.mutateAsync(decisionOf(made, reason))
    await next.openAfter(row.row)
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        // What went wrong stands above the button.
        if (choice !== undefined && ready && !decide.isPending) void settle(choice).catch(() => undefined)
      }}
    >
      <Choices
        job={job}
        evidence={evidence}
        chosen={chosen}
        onChoose={choose}
        disabled={decide.isPending}
        age={age}
      />
      {needsReason && (
        <JobReason
          job={job}
          label={`Why you’re deciding for ${job.created_by.name}`}
          required
          value={reason}
          onChange={setReason}
        />
      )}
      {decide.error !== null && <ErrorNotice error={decide.error} what="Nothing was decided." />}
      <div className={classes.foot}>
        <span className="l-meta text-muted">Your decision is saved in the audit log.</span>
        <Allowed allowed={access.control} why={access.why}>
          <Button
            type="submit"
            variant="filled"
            {...(choice?.kind === "resend" ? { color: "danger" } : {})}
            loading={decide.isPending || next.busy}
            disabled={!ready}
          >
            {actionWords(choice, job.kind, row, now)}
          </Button>
        </Allowed>
      </div>
    </form>
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

interface ChoicesProps {
  job: Job
  evidence: RowEvidence
  chosen: string | undefined
  onChoose: (key: string) => void
  disabled: boolean
  /** How old what is shown is. */
  age: ReactNode
}

/** The question and its answers, none of them chosen beforehand. */
function Choices({ job, evidence, chosen, onChoose, disabled, age }: ChoicesProps) {
  const { candidates, row, resend } = evidence
  const noun = jobKindDescriptors[job.kind].record
  const what = noun === "entry" ? "ledger entry" : noun
  // One that belongs to another row is shown and cannot be it.
  const free = candidates.filter(
    ({ claimed_by: owner }) => owner === null || (owner.job === job.id && owner.row === row.row),
  ).length
  const count =
    free === 0 ? `no ${what} could be it` : `${formatCount(free)} ${plural(what, free)} could be it`
  return (
    <fieldset className={classes.choices} disabled={disabled}>
      <legend className={classes.panelLegend}>
        {row.conflict === undefined ? (
          <>
            What happened? <span className="text-muted">{count}</span>
          </>
        ) : (
          "What should happen?"
        )}
      </legend>
      {choicesOf(evidence).map((choice) => {
        const key = choiceKey(choice)
        const option = { name: "decision", value: key, checked: chosen === key, onChoose }
        switch (choice.kind) {
          case "candidate":
            return <Entry key={key} option={option} candidate={choice.candidate} job={job} row={row.row} />
          default: {
            const words = optionWords(choice.kind, job.kind, row)
            const open = choice.kind !== "resend" || resend.allowed
            return (
              <Option key={key} option={option} title={words.title} disabled={!open}>
                {open ? words.help : (resend.why_not ?? "It can’t be sent again now.")}
              </Option>
            )
          }
        }
      })}
      <div className={classes.age}>{age}</div>
    </fieldset>
  )
}

interface OptionState {
  name: string
  value: string
  checked: boolean
  onChoose: (key: string) => void
}

interface OptionProps {
  option: OptionState
  title: string
  disabled?: boolean
  children: ReactNode
}

function Option({ option, title, disabled = false, children }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is the title, two levels down
    <label className={classes.option} data-disabled={disabled || undefined}>
      <input
        type="radio"
        className={classes.radio}
        name={option.name}
        value={option.value}
        checked={option.checked}
        disabled={disabled}
        onChange={() => option.onChoose(option.value)}
      />
      <span className={classes.words}>
        <span className="l-medium">{title}</span>
        <span className={classes.help}>{children}</span>
      </span>
    </label>
  )
}

interface EntryProps {
  option: OptionState
  candidate: Candidate
  job: Job
  row: number
}

function Entry({ option, candidate, job, row }: EntryProps) {
  const now = useNow("half-minute")
  const distance = distanceWords(candidate.after_ms)
  const claim = claimWords(candidate, job.id, row)
  const noun = jobKindDescriptors[job.kind].record
  return (
    <Option
      option={option}
      disabled={claim !== undefined}
      title={
        candidate.created_at === null
          ? `It happened: the ${noun} without a time`
          : `It happened: the ${noun} of ${clockTime(candidate.created_at, now)}`
      }
    >
      {candidate.points !== null && (
        <b className={candidate.points > 0 ? classes.gain : undefined}>{formatSigned(candidate.points)} </b>
      )}
      {candidate.text !== null && candidate.text !== "" && `${candidate.text}, `}
      <span className="l-mono">{candidate.upstream_id}</span>
      <br />
      {distance !== undefined && (
        <>
          <span className={distance.before ? classes.before : undefined}>{distance.words}</span>
          {", "}
        </>
      )}
      {candidate.marked ? "with our batch code" : "without our batch code"}
      {candidate.reference !== null && candidate.reference !== "" && `, reference ${candidate.reference}`}
      {claim !== undefined && `, ${claim}`}
    </Option>
  )
}

function plural(noun: string, count: number): string {
  if (count === 1) return noun
  return noun === "ledger entry" ? "ledger entries" : `${noun}s`
}

/** To whom an entry belongs already. */
function claimWords({ claimed_by: owner }: Candidate, jobId: string, rowNumber: number): string | undefined {
  if (owner === null) return undefined
  if (owner.job === jobId && owner.row === rowNumber) return "linked to this row already"
  const row = `row ${formatCount(owner.row)}`
  return owner.job === jobId ? `belongs to ${row}` : `belongs to ${row} of ${owner.job}`
}

const controls: Readonly<Record<RowEvidence["control"], string>> = {
  found: "it shows later changes of ours",
  "not-yet": "it doesn’t show all of our later changes yet",
  none: "there are no later changes of ours to compare with",
}

/** What was sent, how the call ended, when the ledger was read and what it is worth, and the balance now. */
function EvidenceFacts({ job, evidence }: { job: Job; evidence: RowEvidence }) {
  const now = useNow("half-minute")
  const { row, balance } = evidence
  const points = rowPoints(job.kind, row)
  const memberId = row.member?.id ?? null
  const reads = evidence.looked_at.map((at) => clockTime(at, now))
  const inLedger = jobKindDescriptors[job.kind].record === "entry"
  const ledger = inLedger ? "Ledger checked" : "Looked up"
  const orderId = job.kind === "order-update" ? inputText(row, "order_id") : undefined
  const saidAlready = row.outcome?.code === "no_control" || row.outcome?.code === "history_lagging"
  const facts: DescriptionItem[] = [
    [
      "Sent",
      <>
        {row.sent_at === null ? "" : `${clockTime(row.sent_at, now)}, `}row {formatCount(rowNumber(row))}
        {points !== undefined && (
          <>
            , <b>{formatSigned(points)}</b>
          </>
        )}
      </>,
    ],
    ["Reason", inputText(row, "reason")],
    ["Attempts", row.attempts > 1 ? formatCount(row.attempts) : undefined],
    ["Response", evidence.call_ended ?? undefined],
    [ledger, reads.length === 0 ? "Not yet" : listed(reads)],
    ["The ledger", !inLedger || saidAlready ? undefined : controls[evidence.control]],
    [
      "Balance now",
      !inLedger && job.kind !== "redeem"
        ? undefined
        : balance === null
          ? "Couldn’t be loaded"
          : `${formatPoints(balance.balance)}, ${pendingWords(balance.pending)}`,
    ],
    ["Order", orderId === undefined ? undefined : <OrderLink id={orderId} />],
    [
      "Member",
      memberId === null ? undefined : (
        <Link to="/members/$memberId" params={{ memberId }} className="l-link">
          {rowLabel(row)}
        </Link>
      ),
    ],
  ]
  return (
    <>
      {row.conflict !== undefined && <OrderConflictTable conflict={row.conflict} />}
      <DescriptionList layout="beside" items={facts.filter(([, value]) => value !== undefined)} />
    </>
  )
}

function pendingWords(pending: number | null): string {
  if (pending === null) return "pending not known"
  return pending === 0 ? "nothing pending" : `${formatPoints(pending)} pending`
}

/** "10:44:08 and 10:45:10"; of many only the last three. */
function listed(times: readonly string[]): string {
  const last = times.slice(-3)
  const words =
    last.length === 1 ? (last[0] ?? "") : `${last.slice(0, -1).join(", ")} and ${last.at(-1) ?? ""}`
  const more = times.length - last.length
  return more > 0 ? `${formatCount(more)} times, then ${words}` : words
}
