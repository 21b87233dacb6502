import type { JobKind } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { corrections } from "../../../../contract/earlier-awards.ts"
import { jobKindDescriptors } from "../../../../contract/job-kinds.ts"
import { rowNumber } from "../../../api/jobs.ts"
import type { EarlierFinding } from "../../../import/sheet-data.ts"
import type { Mark, ImportSource } from "../../../import/sheet-view.ts"

/** The recipient's fields of a gift card, which are a field of their own (docs/api/giftcard.md, Issue a card). */
const recipientFields = new Set(["email", "firstname", "lastname", "accountKey"])

function columnsOf(kind: JobKind): readonly (readonly [field: string, label: string])[] {
  return Object.entries(jobKindDescriptors[kind].fields)
}

type Values = Readonly<Record<string, unknown>>

function flatten({ member, ...input }: Values): Values {
  return typeof member === "object" && member !== null ? { ...input, ...member } : input
}

/** What a column holds, as text; a member's column holds the e-mail where the row names the member by it. */
function textOf(values: Values, key: string): string {
  const value = key === "member_id" ? (values["email"] ?? values["member_id"]) : values[key]
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

/** The rows of a job as a sheet: what became of each, and the columns in which it is corrected. */
export function fixSource(
  { id, kind }: { readonly id: string; readonly kind: JobKind },
  rows: readonly JobRow[],
  status: { readonly label: string; readonly of: (row: JobRow) => string },
): ImportSource {
  const columns = columnsOf(kind)
  return {
    kind: "rows",
    name: id,
    columns: [{ name: status.label, field: null }, ...columns.map(([field, name]) => ({ name, field }))],
    rows: rows.map((row) => {
      const values = flatten(row.input)
      return [status.of(row), ...columns.map(([key]) => textOf(values, key))]
    }),
    numbers: rows.map(rowNumber),
  }
}

/** An amount that was refused before is tried again only where a person keeps it. */
export function refusedPairs(rows: readonly JobRow[]): readonly Mark[] {
  return rows.flatMap((row): Mark[] =>
    row.outcome?.code === "pair_refused"
      ? [
          {
            number: rowNumber(row),
            field: "denomination",
            severity: "check",
            text: "Refused before: keep it to try anyway",
          },
        ]
      : [],
  )
}

/** Why rows were left out, where nothing is wrong with them: each is sent only when a person keeps it. */
export function leftOutChecks(kind: JobKind, rows: readonly JobRow[]): readonly Mark[] {
  const { field } = columnFor(kind, "")
  return rows.flatMap((row): Mark[] => {
    if (row.outcome === null || row.outcome.code === "problem_in_file" || isOtherAmount(row)) return []
    return [{ number: rowNumber(row), field, severity: "check", text: row.outcome.message }]
  })
}

const isOtherAmount = ({ outcome }: JobRow) => outcome?.code === "other_amount"

/**
 * Rows left out because another amount was awarded before, by their place: what a person can choose for each. Only a
 * reference tells to what the rest belongs; the server works the difference out.
 */
export function otherAmounts(rows: readonly JobRow[]): ReadonlyMap<number, EarlierFinding> {
  return new Map(
    rows.flatMap((row, at) => {
      if (row.outcome === null || !isOtherAmount(row)) return []
      const hasReference = typeof row.input["reference"] === "string" && row.input["reference"] !== ""
      const choices = corrections.filter((choice) => choice !== "difference" || hasReference)
      return [[at, { code: "amount", text: row.outcome.message, choices }] as const]
    }),
  )
}

/** What is sent for a row that was left out: everything that its cells say, and its `metadata`. */
export function completeInput(row: JobRow, built: Values): Values {
  const { metadata } = row.input
  return typeof metadata === "object" && metadata !== null ? { metadata, ...built } : built
}

/** What is sent for a row: its input with what was corrected, keeping `metadata`; undefined when nothing was. */
export function fixedInput(kind: JobKind, row: JobRow, built: Values): Values | undefined {
  const before = flatten(row.input)
  const after = flatten(built)
  const changed = columnsOf(kind)
    .map(([key]) => key)
    .filter((key) => textOf(before, key) !== textOf(after, key))
  const isOtherPair = changed.includes("denomination") || changed.includes("cardId")
  const confirms = row.outcome?.code === "pair_refused" && !isOtherPair
  if (changed.length === 0 && !confirms) return undefined

  const { confirm_pair: _, idempotencyKey, ...kept } = row.input
  const input = new Map<string, unknown>(Object.entries(kept))
  const recipient = new Map<string, unknown>(Object.entries(Object(row.input["member"])))
  for (const key of changed) {
    const target = kind === "giftcard" && recipientFields.has(key) ? recipient : input
    // The cell says which of both it is.
    const fields = key === "member_id" ? ["member_id", "email"] : [key]
    for (const field of fields) {
      if (after[field] === undefined) target.delete(field)
      else target.set(field, after[field])
    }
  }
  // A key that came through the API stands for the request as it was.
  if (idempotencyKey !== undefined && changed.length === 0) input.set("idempotencyKey", idempotencyKey)
  if (kind === "giftcard") input.set("member", Object.fromEntries(recipient))
  if (confirms) input.set("confirm_pair", true)
  // What somebody saw was of the order named before. Of this one only so much is known: it should have no number.
  if (changed.includes("order_id")) input.set("expected", { tracking_number: null })
  return Object.fromEntries(input)
}

/** The column a problem of the server belongs to; one about no column, or about the whole row, belongs to the first. */
export function columnFor(kind: JobKind, path: string): { readonly field: string; readonly label: string } {
  const columns = columnsOf(kind)
  const name = /^(?:member\.)?([^.]*)/.exec(path)?.[1] ?? ""
  const wanted = name === "email" && "member_id" in jobKindDescriptors[kind].fields ? "member_id" : name
  const [field = "", label = ""] = columns.find(([key]) => key === wanted) ?? columns[0] ?? []
  return { field, label }
}
