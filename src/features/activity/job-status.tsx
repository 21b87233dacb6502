import { Box } from "@mantine/core"
import type { JobRow, RowDecision } from "../../../contract/job-rows.ts"
import { type Job, reversalState, type RowState, rowStateLabels } from "../../../contract/job.ts"
import { type JobKind, jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { rowOutcomeMessages } from "../../../contract/row-outcomes.ts"
import { rowNumber } from "../../api/jobs.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { isSameDay, millis, type Moment, shortDay, timeToSecond } from "../../lib/time.ts"
import { StatusLabel, type StatusText, statusText } from "../../ui/status.tsx"
import classes from "./activity.module.css"

export const jobStatuses: Readonly<Record<Job["state"], StatusText>> = {
  draft: { icon: "circle-dashed", tone: "grey", word: "Draft" },
  running: { icon: "player-play", tone: "info", word: "Running" },
  paused: { icon: "player-pause", tone: "warning", word: "Paused" },
  cancelling: { icon: "ban", tone: "grey", word: "Stopping" },
  cancelled: { icon: "ban", tone: "grey", word: "Cancelled" },
  done: { icon: "circle-check", tone: "success", word: "Done" },
}
const onHold: StatusText = { icon: "player-pause", tone: "warning", word: "On hold" }
const needsYou: StatusText = { icon: "help-circle", tone: "warning", word: rowStateLabels.conflict }

/**
 * "Reversed", "Reversed, 3 of 762 left", or the reversal's progress; undefined unless most of the job is reversed.
 */
function reversalWord(job: Pick<Job, "counts" | "reversed">): StatusText | undefined {
  const state = reversalState(job)
  if (state === undefined) return undefined
  const { rows, of, left, isUnderWay } = state
  if (isUnderWay) {
    const word = `Being reversed, ${formatCount(rows)} of ${formatCount(of)}`
    return { icon: "player-play", tone: "info", word }
  }
  const rest = left === 0 ? "" : `, ${formatCount(left)} of ${formatCount(of)} left`
  return { icon: "circle-minus", tone: "grey", word: `Reversed${rest}` }
}

/** A job's status; open questions have precedence. `asks`: a person is needed. */
export function jobStatus(job: Pick<Job, "state" | "attention" | "counts" | "hold" | "reversed">): {
  status: StatusText
  asks: boolean
} {
  const { state, attention, counts } = job
  if (state === "running" && isOnHold(job)) return { status: onHold, asks: true }
  if ((state === "done" || state === "cancelled") && attention > 0) return { status: needsYou, asks: true }
  const reversed = isActive(job) ? undefined : reversalWord(job)
  if (reversed !== undefined) return { status: reversed, asks: false }
  if (state === "done" && counts.failed > 0) {
    const word = `Done, ${formatCount(counts.failed)} not done`
    return { status: { icon: "alert-triangle", tone: "warning", word }, asks: false }
  }
  return { status: jobStatuses[state], asks: state === "paused" }
}

/** A job's status; `pill`: tinted, for headings. */
export function JobStatus({ job, pill = false }: { job: Job; pill?: boolean }) {
  const { status, asks } = jobStatus(job)
  return <StatusLabel status={status} pill={pill} asks={asks && !pill} />
}

/** Whether it is on hold after a restore: nothing is sent before a person continues it. */
export function isOnHold({ hold }: Pick<Job, "hold">): boolean {
  return hold !== undefined && hold !== null
}

/** Number of rows that have ended. */
export function rowsDone({ total, counts }: Pick<Job, "total" | "counts">): number {
  return total - counts.planned - counts.sent - counts.unknown
}

/** "1,204 of 5,000": rows that have ended. */
export function RowsDone({ job }: { job: Job }) {
  return (
    <Box component="span" flex="none" className="l-num text-secondary">
      {formatCount(rowsDone(job))}
      <span className="text-muted"> of {formatCount(job.total)}</span>
    </Box>
  )
}

/** What a job does before its first rows end: "Finding 384 members by e-mail". */
export function activityText(
  job: Pick<Job, "kind" | "state" | "phase" | "finding" | "total" | "counts" | "hold">,
) {
  const { kind, state, phase, finding = 0 } = job
  if (state !== "running" || isOnHold(job)) return undefined
  if (phase === "preparing") {
    if (finding > 0) return `Finding ${counted(finding, "member")} by e-mail`
    return jobKindDescriptors[kind].labels.preparing ?? "Checking the rows"
  }
  return phase === "sending" && rowsDone(job) === 0 ? "Sending the first rows" : undefined
}

/** Whether it is running or queued. */
export function isActive({ state }: Pick<Job, "state">): boolean {
  return state === "running" || state === "paused" || state === "cancelling"
}

/** Progress in segments by state; planned rows are the track. `page`: thicker, on the job's own page. */
export function ProgressBar({ job, page = false }: { job: Job; page?: boolean }) {
  const { total } = job
  const there = rowGroups(job).filter(({ state }) => state !== "excluded")
  const text = there.map(({ status, count }) => `${status.word.toLowerCase()} ${count}`).join(", ")
  return (
    <span className="grow">
      <progress
        className="visually-hidden"
        aria-label="Progress"
        max={Math.max(1, total)}
        value={rowsDone(job)}
        aria-valuetext={`${rowsDone(job)} of ${counted(total, "row")}: ${text}`}
      />
      <span className={classes.bar} data-page={page || undefined} aria-hidden>
        {there
          .filter(({ state }) => state !== "planned" && total > 0)
          .map(({ state, status, count }) => (
            // One row of thousands is still visible.
            <span
              key={state}
              className="fill"
              data-tone={status.tone}
              style={{ width: `max(${((count / total) * 100).toFixed(3)}%, 3px)` }}
            />
          ))}
      </span>
    </span>
  )
}

/** Labels and tones of row states. */
export const rowStatuses: Readonly<Record<RowState, StatusText>> = {
  confirmed: { icon: "circle-check", tone: "success", word: rowStateLabels.confirmed },
  failed: { icon: "circle-x", tone: "danger", word: rowStateLabels.failed },
  conflict: needsYou,
  absent: needsYou,
  unknown: { icon: "hourglass", tone: "warning", word: rowStateLabels.unknown },
  sent: { icon: "circle-arrow-up-right", tone: "info", word: rowStateLabels.sent },
  planned: { icon: "circle-dotted", tone: "grey", word: rowStateLabels.planned },
  excluded: { icon: "circle-minus", tone: "grey", word: rowStateLabels.excluded },
}
const decided: StatusText = { ...needsYou, tone: "grey", word: "Decided" }

/** A row's state, or that it was decided. */
function rowStatus(state: RowState, isDecided: boolean): StatusText {
  return isDecided && needsPerson({ state }) ? decided : rowStatuses[state]
}

/** A row's status with the state of its reversal. */
export function rowStatusText({ state, decision, reversed_by: by, not_in_ledger }: JobRow): StatusText {
  if (not_in_ledger === true && by === undefined) {
    return { icon: "hourglass", tone: "warning", word: "Not in the ledger yet" }
  }
  if (by?.state === "confirmed") return { icon: "circle-minus", tone: "grey", word: "Reversed" }
  if (by !== undefined && isOpenState(by.state)) {
    return { icon: "player-play", tone: "info", word: "Being reversed" }
  }
  return rowStatus(state, decision !== undefined)
}

/** Whether a row may still be carried out. */
function isOpenState(state: RowState): boolean {
  return state === "planned" || state === "sent" || state === "unknown"
}

const stateOrder = [
  "confirmed",
  "failed",
  "conflict",
  "absent",
  "unknown",
  "sent",
  "planned",
  "excluded",
] as const

/** The job's rows grouped by status label, with counts: no group is empty, and labels are unique. */
export function rowGroups({ counts, attention }: Pick<Job, "counts" | "attention">) {
  const groups: { state: RowState; status: StatusText; count: number }[] = []
  for (const state of stateOrder) {
    if (counts[state] === 0) continue
    const status = rowStatus(state, attention === 0)
    const same = groups.find((group) => group.status.word === status.word)
    if (same === undefined) groups.push({ state, status, count: counts[state] })
    else same.count += counts[state]
  }
  return groups
}

/** A text field of a row's input; undefined for another type, an empty text, or one hidden from this role. */
export function inputText({ input }: Pick<JobRow, "input">, field: string): string | undefined {
  const value = input[field]
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A text field of a card's recipient, which is nested in the row's `member`. */
export function recipientText({ input: { member } }: JobRow, field: string): string | undefined {
  return inputText({ input: { ...Object(member) } }, field)
}

/** Face value of a row's card in dollars; undefined for other kinds. */
export function rowDollars({ input: { denomination } }: JobRow): number | undefined {
  return typeof denomination === "number" ? denomination : undefined
}

/** The member's name once known, otherwise the value given in the row. */
export function rowLabel(row: JobRow): string {
  const name = [inputText(row, "first_name"), inputText(row, "last_name")].filter(Boolean).join(" ")
  const given = ["email", "order_id", "member_id"].map((field) => inputText(row, field))
  const label = [row.member?.label, name, ...given, row.member?.id].find(Boolean)
  return label ?? `Row ${rowNumber(row)}`
}

/** "Row 7". */
export function rowName(row: Pick<JobRow, "line" | "row">): string {
  return `Row ${formatCount(rowNumber(row))}`
}

/** A row's change of an order: "Shipped, 0091, StarTrack"; an empty text clears a field. */
function orderChangeText({ input }: JobRow): string | undefined {
  const { status, tracking_number: number, carrier } = input
  const parts = [
    typeof status === "string" ? statusText("order", status).word : undefined,
    number === "" ? "without a tracking number" : number,
    carrier === "" ? "without a carrier" : carrier,
  ].filter((part) => typeof part === "string")
  return parts.length === 0 ? undefined : parts.join(", ")
}

/** What a row changes of its order or member: "Company: Acme, Status: Inactive"; undefined for other kinds. */
export function changeText(kind: JobKind, row: JobRow): string | undefined {
  const { subject, canUndo, fields } = jobKindDescriptors[kind]
  if (subject === "order") return orderChangeText(row)
  if (canUndo !== true) return undefined
  const parts = Object.entries(fields).flatMap(([field, label]) => {
    const value = row.input[field]
    if (field === "member_id" || typeof value !== "string") return []
    const text = field === "status" ? statusText("member", value).word : value
    return `${label}: ${text || "cleared"}`
  })
  return parts.join(", ")
}

/** Signed points of a row; undefined for kinds without points. */
export function rowPoints(kind: JobKind, row: JobRow): number | undefined {
  const { points } = row.input
  const { sign } = jobKindDescriptors[kind]
  return typeof points === "number" && sign !== undefined ? sign * points : undefined
}

/** Whether it needs a decision: none was made, or it was left open. */
export function needsPerson({ state, decision }: Pick<JobRow, "state" | "decision">): boolean {
  return (state === "absent" || state === "conflict") && decision === undefined
}

/** Whether a decision can still be made: a row that was left open can be settled later. */
export function canDecide({ state, decision }: Pick<JobRow, "state" | "decision">): boolean {
  return needsPerson({ state, decision: decision?.decision === "leave" ? undefined : decision })
}

export function decisionLabel({ decision }: Pick<RowDecision, "decision">): string {
  return { happened: "It happened", resend: "Send it again", leave: "Left open" }[decision]
}

/** A row's outcome or what it waits for. A service's code is included, Laurel's own codes are not. */
export function outcomeLabel(row: JobRow): string {
  if (row.decision !== undefined && row.state !== "confirmed") {
    if (row.outcome?.code === "left_out") return `Left out by ${row.decision.by.name}`
    return `${decisionLabel(row.decision)}, ${row.decision.by.name}`
  }
  if (row.outcome !== null) {
    const { code, message } = row.outcome
    if (Object.hasOwn(rowOutcomeMessages, code) || message === "") return message || code
    return `${message} (${code})`
  }
  return row.state === "sent" ? "Waiting for the response" : ""
}

/** A time of a job to the second: `10:42:07` today, `18 Nov, 10:42:07` on another day. */
export function clockTime(at: Moment, now: number): string {
  const ms = millis(at)
  if (Number.isNaN(ms)) return String(at)
  const time = timeToSecond(ms)
  return isSameDay(ms, now) ? time : `${shortDay(ms, now)}, ${time}`
}
