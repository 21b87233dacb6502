import {
  IconArrowsSplit,
  IconCircleArrowUpRight,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDotted,
  IconCircleMinus,
  IconCircleX,
  IconHelpCircle,
} from "@tabler/icons-react"
import type { JobKind, RowState } from "../../../../contract/job.ts"
import type { JobRow, RowDecision } from "../../../../contract/job-rows.ts"
import { rowOutcomeWords } from "../../../../contract/row-outcomes.ts"
import { statusWord, type StatusWord } from "../../../ui/status.tsx"

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
