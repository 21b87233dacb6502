import type { JobKind } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import type { CsvCell } from "../../../lib/csv.ts"
import {
  decisionWords,
  inputText,
  recipientText,
  rowDollars,
  rowNumber,
  rowWords,
} from "../jobs/row-words.ts"

interface ResultColumn {
  readonly name: string
  readonly value: (row: JobRow) => CsvCell
}

const input = (name: string): ResultColumn => ({ name, value: (row) => inputText(row, name) })
const points: ResultColumn = {
  name: "points",
  // An excluded row may have a text that is no number.
  value: ({ input: { points: amount } }) =>
    typeof amount === "number" || typeof amount === "string" ? amount : undefined,
}

const inputs: Readonly<Record<JobKind, readonly ResultColumn[]>> = {
  award: [
    { name: "member_id", value: (row) => inputText(row, "member_id") ?? row.member?.id },
    { name: "email", value: (row) => inputText(row, "email") },
    { name: "member", value: (row) => row.member?.label },
    points,
    input("reason"),
    input("reference"),
  ],
  deduct: [
    { name: "member_id", value: (row) => inputText(row, "member_id") ?? row.member?.id },
    { name: "email", value: (row) => inputText(row, "email") },
    { name: "member", value: (row) => row.member?.label },
    points,
    input("reason"),
  ],
  "member-create": [
    input("email"),
    input("first_name"),
    input("last_name"),
    input("company"),
    input("phone"),
  ],
  redeem: [
    input("member_id"),
    { name: "member", value: (row) => row.member?.label },
    input("reward_id"),
    input("quantity"),
  ],
  "order-update": [input("order_id"), input("status"), input("tracking_number"), input("carrier")],
  giftcard: [
    { name: "email", value: (row) => recipientText(row, "email") },
    { name: "member", value: (row) => row.member?.label },
    input("cardId"),
    { name: "denomination", value: rowDollars },
    input("expiryDays"),
    input("externalRef"),
  ],
}

const outcome: readonly ResultColumn[] = [
  { name: "state", value: (row) => rowWords[row.state].word },
  { name: "outcome_code", value: (row) => row.outcome?.code },
  { name: "outcome", value: (row) => row.outcome?.message },
  { name: "upstream_id", value: (row) => row.upstream_id },
  { name: "balance_after", value: (row) => row.balance_after },
  { name: "attempts", value: (row) => row.attempts },
  { name: "sent_at", value: (row) => row.sent_at },
  { name: "ended_at", value: (row) => row.ended_at },
  { name: "decision", value: ({ decision }) => decision && decisionWords(decision) },
  { name: "decided_by", value: ({ decision }) => decision?.by.name },
  { name: "decided_at", value: ({ decision }) => decision?.at },
]

/** The columns of a job's results: the row's number, what was asked under its field names, what became of it. */
export function resultColumns(kind: JobKind): readonly ResultColumn[] {
  return [{ name: "row", value: rowNumber }, ...inputs[kind], ...outcome]
}
