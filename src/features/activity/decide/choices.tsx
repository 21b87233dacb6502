import type { ReactNode } from "react"
import type { Job } from "../../../../contract/job.ts"
import type { Candidate, RowEvidence } from "../../../../contract/job-rows.ts"
import { formatCount, formatSigned } from "../../../lib/format.ts"
import { useNow } from "../../../ui/hooks.ts"
import { clockTime } from "../jobs/job-time.ts"
import { choiceKey, claimWords, distanceWords, nounOf, optionWords, type Choice } from "./choice-words.ts"
import classes from "./panel.module.css"

/** Everything that can be chosen for a row, in the order it is shown. */
export function choicesOf({ candidates, row }: RowEvidence): readonly Choice[] {
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
export function Choices({ job, evidence, chosen, onChoose, disabled, age }: ChoicesProps) {
  const { candidates, row, resend } = evidence
  const noun = nounOf(job.kind)
  const what = noun === "entry" ? "ledger entry" : noun
  // One that belongs to another row is shown and cannot be it.
  const free = candidates.filter(
    ({ claimed_by: owner }) => owner === null || (owner.job === job.id && owner.row === row.row),
  ).length
  const count =
    free === 0 ? `no ${what} could be it` : `${formatCount(free)} ${plural(what, free)} could be it`
  return (
    <fieldset className={classes.choices} disabled={disabled}>
      <legend className={classes.legend}>
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
  const noun = nounOf(job.kind)
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
