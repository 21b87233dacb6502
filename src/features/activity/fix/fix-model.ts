import type { JobRow } from "../../../../contract/job-rows.ts"
import { corrections } from "../../../../contract/kinds/points.ts"
import { jobKindDescriptors, type JobKind } from "../../../../contract/job-kinds.ts"
import { rowNumber } from "../../../api/jobs.ts"
import { metadataIn } from "../../../import/recipe.ts"
import type { EarlierFinding } from "../../../import/sheet-data.ts"
import type { Mark, ImportSource } from "../../../import/sheet-view.ts"

function fixColumns(kind: JobKind): readonly (readonly [field: string, label: string])[] {
  return Object.entries(jobKindDescriptors[kind].fields)
}

type Values = Readonly<Record<string, unknown>>

function flatten({ member, ...input }: Values): Values {
  return typeof member === "object" && member !== null ? { ...input, ...member } : input
}

/** Whether a row that was left out has an id and an e-mail, as in its file. */
const isNamedTwice = ({ member_id: id, email }: Values) => id !== undefined && email !== undefined

/** A column's value as text; the member column shows the e-mail if the row names the member by it. */
function cellText(kind: JobKind, values: Values, key: string): string {
  const value = key === "member_id" && !isNamedTwice(values) ? (values["email"] ?? values[key]) : values[key]
  if (value === "") return jobKindDescriptors[kind].clearWord ?? ""
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

/**
 * The rows of a job as a sheet: the outcome, and the columns that can be corrected. What was wrong in the file stays a
 * question, because the texts alone may read well: `50` where Excel held -50.
 */
export function fixSource(
  { id, kind }: { readonly id: string; readonly kind: JobKind },
  rows: readonly JobRow[],
  status: { readonly label: string; readonly of: (row: JobRow) => string },
): ImportSource {
  const given = fixColumns(kind)
  // A separate column, so that the two are compared again.
  const separate = rows.some(({ input }) => isNamedTwice(input))
  const columns = separate
    ? given.flatMap((column) =>
        column[0] === "member_id" ? [column, ["email", "E-mail"] as const] : [column],
      )
    : given
  return {
    kind: "rows",
    name: id,
    columns: [{ name: status.label, field: null }, ...columns.map(([field, name]) => ({ name, field }))],
    rows: rows.map((row) => {
      const values = flatten(row.input)
      const { email: _, ...others } = values
      return [
        status.of(row),
        ...columns.map(([key]) => cellText(kind, separate && key === "member_id" ? others : values, key)),
      ]
    }),
    numbers: rows.map(rowNumber),
    questions: new Map(
      rows.flatMap(({ outcome }, at) =>
        outcome?.code === "problem_in_file" ? [[at, outcome.message] as const] : [],
      ),
    ),
  }
}

/** An amount that was refused before is sent again only after confirmation. */
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

/** Why valid rows were left out: each is sent only after confirmation. */
export function leftOutChecks(kind: JobKind, rows: readonly JobRow[]): readonly Mark[] {
  const { field } = columnFor(kind, "")
  return rows.flatMap((row): Mark[] => {
    if (row.outcome === null || row.outcome.code === "problem_in_file" || isOtherAmount(row)) return []
    return [{ number: rowNumber(row), field, severity: "check", text: row.outcome.message }]
  })
}

const isOtherAmount = ({ outcome }: JobRow) => outcome?.code === "other_amount"

/**
 * Choices for rows left out because another amount was awarded before, by index. The difference needs a reference to
 * the earlier award; the server computes it.
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

/** The input of a row that was left out: all its cells and its metadata, also of one that is kept as texts. */
export function completeInput(row: JobRow, built: Values): Values {
  const { metadata = metadataIn(row.input) } = row.input
  return typeof metadata === "object" && metadata !== null ? { metadata, ...built } : built
}

/** The input of a corrected row, with its `metadata`; undefined without corrections. */
export function fixedInput(kind: JobKind, row: JobRow, built: Values): Values | undefined {
  const before = flatten(row.input)
  const after = flatten(built)
  const changed = fixColumns(kind)
    .map(([key]) => key)
    .filter((key) => cellText(kind, before, key) !== cellText(kind, after, key))
  const isOtherPair = changed.includes("denomination") || changed.includes("cardId")
  const confirms = row.outcome?.code === "pair_refused" && !isOtherPair
  if (changed.length === 0 && !confirms) return undefined

  const { confirm_pair: _, idempotencyKey, ...fields } = row.input
  const input = new Map<string, unknown>(Object.entries(fields))
  const recipient = new Map<string, unknown>(Object.entries(Object(row.input["member"])))
  const { recipientFields = [] } = jobKindDescriptors[kind]
  for (const key of changed) {
    const target = recipientFields.includes(key) ? recipient : input
    // The cell's value decides which of the two fields it is.
    const fields = key === "member_id" ? ["member_id", "email"] : [key]
    for (const field of fields) {
      if (after[field] === undefined) target.delete(field)
      else target.set(field, after[field])
    }
  }
  // An idempotency key from the API is valid for the unchanged request only.
  if (idempotencyKey !== undefined && changed.length === 0) input.set("idempotencyKey", idempotencyKey)
  if (recipientFields.length > 0) input.set("member", Object.fromEntries(recipient))
  if (confirms) input.set("confirm_pair", true)
  // The expected values were those of the previous order. For another one only this is expected: no tracking number.
  if (changed.includes("order_id")) input.set("expected", { tracking_number: null })
  if (changed.includes("member_id")) input.delete("expected")
  return Object.fromEntries(input)
}

/** The column of a server problem; a problem of the entire row or of no column is shown in the first. */
export function columnFor(kind: JobKind, path: string): { readonly field: string; readonly label: string } {
  const columns = fixColumns(kind)
  const name = /^(?:member\.)?([^.]*)/.exec(path)?.[1] ?? ""
  const wanted = name === "email" && "member_id" in jobKindDescriptors[kind].fields ? "member_id" : name
  const [field = "", label = ""] = columns.find(([key]) => key === wanted) ?? columns[0] ?? []
  return { field, label }
}
