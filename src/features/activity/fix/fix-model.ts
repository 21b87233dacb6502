import type { JobKind, RetryJobBody } from "../../../../contract/job.ts"
import { type JobRow, rowSchemas } from "../../../../contract/job-rows.ts"
import type { RowOutcomeCode } from "../../../../contract/row-outcomes.ts"
import { orderStatuses } from "../../../../contract/program/order.ts"
import { inputText } from "../jobs/row-words.ts"
import { cardCells, cardInput } from "./fix-card.ts"

/** One column of the table of failed rows. `member` stands for `member_id` or `email`, whichever it looks like. */
export interface FixField {
  readonly key:
    | "member"
    | "points"
    | "reason"
    | "reference"
    | "email"
    | "first_name"
    | "last_name"
    | "company"
    | "phone"
    | "member_id"
    | "reward_id"
    | "quantity"
    | "order_id"
    | "status"
    | "tracking_number"
    | "carrier"
    | "firstname"
    | "lastname"
    | "denomination"
    | "cardId"
    | "expiryDays"
    | "externalRef"
    | "accountKey"
    | "confirm"
  readonly label: string
  /** Numbers stand at the right end. */
  readonly end?: boolean
  /** Yes or no, for rows with this outcome only. */
  readonly onlyFor?: RowOutcomeCode
}

const member: FixField = { key: "member", label: "Member id or e-mail" }
const points: FixField = { key: "points", label: "Points", end: true }
const reason: FixField = { key: "reason", label: "Reason" }

/** The columns in which the failed rows of a kind can be mended. */
const fixFields: Readonly<Record<JobKind, readonly FixField[]>> = {
  award: [member, points, reason, { key: "reference", label: "Reference" }],
  deduct: [member, points, reason],
  "member-create": [
    { key: "email", label: "E-mail" },
    { key: "first_name", label: "First name" },
    { key: "last_name", label: "Last name" },
    { key: "company", label: "Company" },
    { key: "phone", label: "Phone" },
  ],
  redeem: [
    { key: "member_id", label: "Member id" },
    { key: "reward_id", label: "Reward id" },
    { key: "quantity", label: "Quantity", end: true },
  ],
  "order-update": [
    { key: "order_id", label: "Order id" },
    { key: "status", label: "Status" },
    { key: "tracking_number", label: "Tracking number" },
    { key: "carrier", label: "Carrier" },
  ],
  giftcard: [
    { key: "email", label: "E-mail" },
    { key: "firstname", label: "First name" },
    { key: "lastname", label: "Last name" },
    { key: "denomination", label: "Amount", end: true },
    { key: "cardId", label: "Card template" },
    { key: "expiryDays", label: "Days", end: true },
    { key: "externalRef", label: "Reference" },
    { key: "accountKey", label: "Account key" },
    { key: "confirm", label: "Try anyway", onlyFor: "pair_refused" },
  ],
}

/** The columns that these rows need. */
export function fixColumns(kind: JobKind, rows: readonly JobRow[]): readonly FixField[] {
  return fixFields[kind].filter(
    ({ onlyFor }) => onlyFor === undefined || rows.some(({ outcome }) => outcome?.code === onlyFor),
  )
}

/** What the cells of a row hold, as text. */
export type FixCells = Readonly<Partial<Record<FixField["key"], string>>>

/** The cells of a row as it was sent. */
export function cellsOf(kind: JobKind, row: JobRow): FixCells {
  if (kind === "giftcard") return cardCells(row)
  const text = ({ key }: FixField) =>
    key === "member" ? (inputText(row, "email") ?? inputText(row, "member_id")) : inputText(row, key)
  return Object.fromEntries(fixFields[kind].map((field) => [field.key, text(field) ?? ""]))
}

/** A row's cells checked: what is sent, or what is wrong by cell. */
export type FixCheck =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<FixField["key"], string>>> }

/** Checks mended cells with the schema that the server uses, keeping what the table does not show (`metadata`). */
export function checkCells(kind: JobKind, row: JobRow, cells: FixCells): FixCheck {
  const parsed = rowSchemas[kind].safeParse(inputOf(kind, row, cells))
  if (parsed.success) return { ok: true, input: parsed.data }
  const problems: Partial<Record<FixField["key"], string>> = {}
  for (const { path, message } of parsed.error.issues) {
    const key = fieldOf(kind, path[0] === "member" ? path[1] : path[0])
    problems[key] ??= key === "status" ? `One of ${orderStatuses.join(", ")}.` : message
  }
  return { ok: false, problems }
}

function inputOf(kind: JobKind, row: JobRow, cells: FixCells): Record<string, unknown> {
  if (kind === "giftcard") return cardInput(row, cells)
  const input: Record<string, unknown> = { ...row.input }
  // The cell says which of both it is.
  if (fixFields[kind].includes(member)) {
    delete input["member_id"]
    delete input["email"]
  }
  for (const { key } of fixFields[kind]) {
    const text = cells[key]?.trim() ?? ""
    if (key === "member") input[text.includes("@") ? "email" : "member_id"] = text
    else if (text === "" && key.endsWith("_id")) input[key] = text
    // Empty text clears a field of an order; a row that does so goes on doing it.
    else if (text === "" && input[key] !== "") delete input[key]
    else if (text === "") continue
    else if (key === "status") input[key] = text.toLowerCase()
    else input[key] = key === "points" || key === "quantity" ? pointsOf(text) : text
  }
  // What somebody saw was of the order named before. Of this one only so much is known: it should have no number.
  if (kind === "order-update" && input["order_id"] !== row.input["order_id"]) {
    input["expected"] = { tracking_number: null }
  }
  return input
}

/** "1,250" and "1 250" are 1250; anything that is no whole number stays text and is refused by name. */
function pointsOf(text: string): number | string {
  const plain = text.replaceAll(/[,\s\u00A0\u202F]/g, "")
  return /^\d+$/.test(plain) ? Number(plain) : text
}

/** The column a problem stands at; one about no column, or about the whole row, stands at the first. */
export function fieldOf(kind: JobKind, name: PropertyKey | undefined): FixField["key"] {
  const fields = fixFields[kind]
  const found = fields.find(({ key }) => key === name)
  return found?.key ?? fields[0]?.key ?? "member"
}

/** How a column is called on screen. */
export function labelOf(kind: JobKind, key: FixField["key"]): string {
  return fixFields[kind].find((field) => field.key === key)?.label ?? key
}

/** What is sent for the rows that are tried again: a mended input only where a cell was changed. */
export function retryRows(
  kind: JobKind,
  rows: readonly JobRow[],
  edits: ReadonlyMap<number, FixCells>,
): NonNullable<RetryJobBody["rows"]> {
  return rows.map((row) => {
    const cells = edits.get(row.row)
    const checked = cells === undefined ? undefined : checkCells(kind, row, cells)
    return checked?.ok === true ? { row: row.row, input: checked.input } : { row: row.row }
  })
}
