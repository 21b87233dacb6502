import {
  IconAlertTriangle,
  IconArrowsSplit,
  IconBan,
  IconCircleArrowUpRight,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDotted,
  IconCircleMinus,
  IconCircleX,
  IconHelpCircle,
  IconPlayerPause,
  IconPlayerPlay,
} from "@tabler/icons-react"
import type { JobRow, RowDecision } from "../../../contract/job-rows.ts"
import type { Job, JobKind, RowState } from "../../../contract/job.ts"
import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { isSameDay, millis, type Moment, shortDay, timeToSecond } from "../../lib/time.ts"
import { type StatusWord, statusWord } from "../../ui/status.tsx"
import activity from "./activity.module.css"
import classes from "../../ui/status.module.css"

interface StateMarkProps {
  word: StatusWord
  /** Tinted, only beside an `h1`. */
  pill?: boolean
  /** Somebody is needed: the word is coloured too. */
  asks?: boolean
}

/** A state of a job or of a row: an icon and a word, never colour alone. */
export function StateMark({ word: { icon: Icon, tone, word }, pill = false, asks = false }: StateMarkProps) {
  return (
    <span
      className={asks ? `${classes.status} ${activity.asks}` : classes.status}
      data-tone={tone}
      data-pill={pill || undefined}
    >
      <Icon size={15} stroke={2} aria-hidden className={classes.icon} />
      {word}
    </span>
  )
}

/** A job's status. */
export function JobStatus({ job, pill = false }: { job: Job; pill?: boolean }) {
  const word = jobWord(job)
  return <StateMark word={word} pill={pill} asks={word.asks && !pill} />
}

/** "1 row", "500 rows": `rowsText(500)`, or of something else: `rowsText(1, "member")`. */
export function rowsText(count: number, noun = "row"): string {
  return counted(count, noun)
}

/** A job's status for people. `asks`: somebody is needed, so the word is coloured too. */
interface JobWord extends StatusWord {
  readonly asks: boolean
}

/** A job's status (look, Status vocabulary): questions come before what is merely so. */
export function jobWord(job: Pick<Job, "state" | "attention" | "counts" | "pause" | "hold">): JobWord {
  switch (job.state) {
    case "draft":
      return quiet({ icon: IconCircleDashed, tone: "grey", word: "Draft" })
    case "running":
      if (isOnHold(job)) return { icon: IconPlayerPause, tone: "warning", word: "On hold", asks: true }
      return quiet({ icon: IconPlayerPlay, tone: "info", word: "Running" })
    case "paused":
      return { icon: IconPlayerPause, tone: "warning", word: "Paused", asks: true }
    case "cancelling":
      return quiet({ icon: IconBan, tone: "grey", word: "Cancelling" })
    case "cancelled":
      if (job.attention > 0) return decision
      return quiet({ icon: IconBan, tone: "grey", word: "Cancelled" })
    default:
      if (job.attention > 0) return decision
      if (job.counts.failed > 0) {
        const word = `Done, ${formatCount(job.counts.failed)} failed`
        return quiet({ icon: IconAlertTriangle, tone: "warning", word })
      }
      return quiet({ icon: IconCircleCheck, tone: "success", word: "Done" })
  }
}

const decision: JobWord = { icon: IconHelpCircle, tone: "warning", word: "Decision needed", asks: true }

function quiet(word: StatusWord): JobWord {
  return { ...word, asks: false }
}

/** Whether a restore holds it: nothing of it is sent before a person continues it. */
export function isOnHold({ hold }: Pick<Job, "hold">): boolean {
  return hold !== undefined && hold !== null
}

/** Rows that came to an end, of all. */
export function rowsDone({ total, counts }: Pick<Job, "total" | "counts">): number {
  return total - counts.planned - counts.sent - counts.unknown
}

/** Whether work on it is under way or waits to be. */
export function isActive({ state }: Pick<Job, "state">): boolean {
  return state === "running" || state === "paused" || state === "cancelling"
}

interface ProgressBarProps {
  job: Pick<Job, "total" | "counts">
  /** 10 px on the job's own page, 6 px in a list. */
  size?: "page" | "row"
}

/** How far a job is, in sections by state; what is planned is the track. */
export function ProgressBar({ job, size = "page" }: ProgressBarProps) {
  const { total, counts } = job
  const said = stateOrder
    .filter((state) => counts[state] > 0)
    .map((state) => `${rowWords[state].word.toLowerCase()} ${counts[state]}`)
    .join(", ")
  return (
    <span className={activity.around} data-size={size}>
      <progress
        className="visually-hidden"
        aria-label="Progress"
        max={Math.max(1, total)}
        value={rowsDone(job)}
        aria-valuetext={`${rowsDone(job)} of ${rowsText(total)}: ${said}`}
      />
      <span className={activity.bar} aria-hidden>
        {stateOrder.map((state) => {
          const share = state === "planned" || total === 0 ? 0 : (counts[state] / total) * 100
          // One row of thousands is still seen.
          return share === 0 ? null : (
            <span
              key={state}
              className={activity.part}
              data-tone={rowWords[state].tone}
              style={{ width: `max(${share.toFixed(3)}%, 3px)` }}
            />
          )
        })}
      </span>
    </span>
  )
}

/** A row's state for people (look, Status vocabulary), in the order in which they are listed. */
export const rowWords: Readonly<Record<RowState, StatusWord>> = {
  confirmed: { icon: IconCircleCheck, tone: "success", word: "Confirmed" },
  failed: { icon: IconCircleX, tone: "danger", word: "Failed" },
  conflict: { icon: IconArrowsSplit, tone: "danger", word: "Conflict" },
  absent: { icon: IconCircleDashed, tone: "warning", word: "Absent" },
  unknown: { icon: IconHelpCircle, tone: "warning", word: "Unknown" },
  sent: { icon: IconCircleArrowUpRight, tone: "info", word: "Sent" },
  planned: { icon: IconCircleDotted, tone: "grey", word: "Planned" },
  excluded: { icon: IconCircleMinus, tone: "grey", word: "Excluded" },
}

/** States of rows to carry out, in the order of the bar and of what is written below it. */
export const stateOrder = ["confirmed", "failed", "conflict", "absent", "unknown", "sent", "planned"] as const

/** A text of a row's input; undefined for another kind of value, an empty one, or one this role does not see. */
export function inputText(row: JobRow, field: string): string | undefined {
  const value = row.input[field]
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A text of a card's recipient, who stands in the row as one field. */
export function recipientText({ input: { member } }: JobRow, field: string): string | undefined {
  if (typeof member !== "object" || member === null) return undefined
  const value = new Map<string, unknown>(Object.entries(member)).get(field)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Face value of a row's card in dollars; undefined for other kinds. */
export function rowDollars({ input: { denomination } }: JobRow): number | undefined {
  return typeof denomination === "number" ? denomination : undefined
}

/** Whom a row concerns: the name once it is known, else what the row was given. */
export function rowLabel(row: JobRow): string {
  const name = [inputText(row, "first_name"), inputText(row, "last_name")].filter(Boolean).join(" ")
  const known = row.member?.label ?? (name === "" ? undefined : name)
  return (
    known ??
    inputText(row, "email") ??
    inputText(row, "order_id") ??
    inputText(row, "member_id") ??
    row.member?.id ??
    `Row ${rowNumber(row)}`
  )
}

/** The number under which people know a row: the one in its file, where it came from one. */
export function rowNumber({ line, row }: Pick<JobRow, "line" | "row">): number {
  return line ?? row
}

/** What a row asks of an order: "Shipped, 0091, StarTrack"; an empty text takes a field away. */
export function orderChangeText({ input }: JobRow): string | undefined {
  const { status, tracking_number: number, carrier } = input
  const parts = [
    typeof status === "string" ? statusWord("order", status).word : undefined,
    number === "" ? "without a tracking number" : number,
    carrier === "" ? "without a carrier" : carrier,
  ].filter((part) => typeof part === "string")
  return parts.length === 0 ? undefined : parts.join(", ")
}

/** Signed points of a row; undefined for kinds without points. */
export function rowPoints(kind: JobKind, row: JobRow): number | undefined {
  const { points } = row.input
  if (typeof points !== "number" || kind === "member-create") return undefined
  return kind === "deduct" ? -points : points
}

/** Whether only a person can settle it: nobody has decided, or somebody left it open. */
export function needsPerson({ state, decision }: Pick<JobRow, "state" | "decision">): boolean {
  return (state === "absent" || state === "conflict") && decision === undefined
}

/** Whether a decision may still be made: a row that was left open can be settled later. */
export function canDecide({ state, decision }: Pick<JobRow, "state" | "decision">): boolean {
  return (
    (state === "absent" || state === "conflict") && (decision === undefined || decision.decision === "leave")
  )
}

/** A decision in words. */
export function decisionWords({ decision }: Pick<RowDecision, "decision">): string {
  return { happened: "It happened", resend: "Send it again", leave: "Left open" }[decision]
}

/** How a row ended or what it waits for. The desk's own codes speak for themselves, a service's code is named. */
export function outcomeWords(row: JobRow): string {
  if (row.decision !== undefined && row.state !== "confirmed") {
    if (row.outcome?.code === "left_out") return `Skipped by ${row.decision.by.name}`
    return `${decisionWords(row.decision)}, ${row.decision.by.name}`
  }
  if (row.outcome !== null) {
    const { code, message } = row.outcome
    if (Object.hasOwn(rowOutcomeWords, code) || message === "") return message || code
    return `${code}: ${message}`
  }
  return row.state === "sent" ? "Waiting for the response" : ""
}

/** A moment of a job to the second: `10:42:07` today, `18 Nov, 10:42:07` on another day. */
export function clockTime(at: Moment, now: number): string {
  const ms = millis(at)
  if (Number.isNaN(ms)) return String(at)
  const time = timeToSecond(ms)
  return isSameDay(ms, now) ? time : `${shortDay(ms, now)}, ${time}`
}
