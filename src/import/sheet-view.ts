import { comparedEmail } from "../../contract/email-address.ts"
import type { ExcludedRow, ExclusionCode } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { counted, formatPoints } from "../lib/format.ts"
import { withDecimalPoint } from "./read-cell.ts"
import {
  type CellProblem,
  type Column,
  type ExcelOrigin,
  fieldsOf,
  isProblem,
  rowIds,
  type SheetChecks,
  type SheetData,
} from "./sheet-data.ts"
import {
  amountRange,
  buildRow,
  delimiterLabels,
  encodingLabel,
  type Finding,
  namesOf,
  type Recipe,
  type RowValues,
} from "./recipe.ts"

/** Source of rows: a file, a paste, a blank sheet, or another page. */
export type ImportSource =
  | { readonly kind: "file"; readonly file: File; readonly sheet?: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "blank" }
  | {
      readonly kind: "rows"
      readonly name: string
      readonly columns: readonly Column[]
      readonly rows: readonly (readonly string[])[]
      /** Row numbers, such as those of a job; default from 1. */
      readonly numbers?: readonly number[]
      /** Open questions about rows, by index: each is confirmed, or its row edited. */
      readonly questions?: ReadonlyMap<number, string>
    }

/** How a file is read; absent properties are detected. */
export type ReadingChoice = Partial<
  Pick<SheetData["origin"], "encoding" | "delimiter" | "headerAt" | "style"> &
    Pick<ExcelOrigin, "sheet" | "hiddenRows" | "hiddenColumns" | "allDigits">
>

/** A finding that only the page can make, such as an unknown order. Removed when its cell is edited. */
export interface Mark extends Pick<Finding, "field" | "severity" | "text"> {
  readonly number: number
}

export interface CellEdit {
  readonly id: number
  readonly column: number
  readonly text: string
}

/** A cell by the index of its row in the view. */
export interface CellPlace {
  readonly position: number
  readonly column: number
}

/** The rows in a view: all, or those with one status; `out` were excluded by hand. */
export type RowFilter = "all" | "problems" | "checks" | "ready" | "out"

/** A row that would be sent, in the server's form, and its number in the file. */
export interface AcceptedRow {
  readonly number: number
  readonly row: Readonly<Record<string, unknown>>
  /** The e-mail of a row with a member id; it is not sent. */
  readonly besides?: string
}

export type SheetView = ReturnType<typeof viewOf>
export type FieldView = SheetView["fields"][number]

/** What a page shows of a sheet: how it was read, and the summary of its rows. */
export function viewOf(
  data: SheetData,
  checks: SheetChecks,
  state: { filter: RowFilter; shown: number; canUndo: boolean; canReread: boolean },
) {
  const { origin, recipe, columns, constants, choices, restoredAt } = data
  const { encoding, delimiter, excel } = origin
  const figures = summarise(data, checks)
  const rows = counted(figures.counts.all, "row")
  return {
    ...figures,
    ...state,
    name: origin.name,
    description:
      excel !== null
        ? `${rows}, ${excel.sheets.length === 1 ? "Excel" : `sheet ${excel.sheet}`}`
        : encoding === null
          ? rows
          : `${rows}, ${delimiterLabels[delimiter]}, ${encodingLabel(encoding)}${origin.guess === null ? "" : ", guessed"}`,
    /** How the rows were read; can be changed while their file is available (`canReread`). */
    origin,
    takesMetadata: recipe.metadata === true,
    fields: fieldsOf(data).map(({ key, label, required, type, constant = false }) => ({
      key,
      label,
      required: required !== undefined,
      type,
      constant,
    })),
    columns,
    /** Values for all rows by field, their problems, and missing fields that prevent sending. */
    constants,
    constantProblems: checks.plan().constantProblems,
    missing: checks.plan().missing,
    /** When the restored draft was last saved, ms since the epoch; null if the sheet was opened here. */
    restoredAt,
    choices,
  }
}

/** Rows that need a confirmation, by code. */
const noChecks = { repeat: 0, amount: 0, recent: 0, duplicate: 0, outlier: 0, check: 0 }
type CheckCode = keyof typeof noChecks

function summarise(data: SheetData, checks: SheetChecks) {
  const { counts, acknowledged, leftOut, cleaned, included } = countRows(data, checks)
  const { recipe, numbers, repeats } = data
  const { awarding, amounts, taken } = amountsOf(data, checks, included)
  const range = amountRange(amounts)
  return {
    counts,
    acknowledged,
    leftOut,
    taken,
    /** For all rows with another amount for their reference: the sum of the differences, and their texts. */
    differences: differencesOf(data, checks),
    /** Rows whose difference to the earlier award is still unknown. */
    unsure: [...repeats.values()].filter(({ difference }) => difference === null).length,
    rowChoices: rowChoicesOf(data, checks),
    included: included.length,
    /** Of the rows that would be sent; null if there are none or nothing is summed. */
    amounts: range && { ...range, largestRow: numbers[awarding[amounts.indexOf(range.max)] ?? 0] ?? 0 },
    people: peopleOf(
      data,
      awarding.map((id) => checks.valuesOf(id) ?? {}),
    ),
    /** Cells whose invisible characters were removed, and their fields' labels. */
    cleaned: {
      cells: cleaned.cells,
      labels: recipe.fields.flatMap(({ key, label }) => (cleaned.fields.has(key) ? [label] : [])),
    },
  }
}

/** Rows by what happens to them, and the ids of those that would be sent. */
function countRows(data: SheetData, checks: SheetChecks) {
  const counts = { all: 0, problems: 0, checks: 0, ready: 0, out: 0 }
  const acknowledged = { ...noChecks }
  const leftOut = { ...noChecks, total: 0 }
  const cleaned = { cells: 0, fields: new Set<string>() }
  const included: number[] = []
  const blocked = checks.plan().missing.length > 0
  for (const id of rowIds(data)) {
    counts.all += 1
    const standing = checks.standingOf(id)
    if (standing === "blank") continue
    for (const field of checks.cleanedIn(id)) {
      cleaned.cells += 1
      cleaned.fields.add(field)
    }
    if (checks.isIncluded(id)) included.push(id)
    else if (!blocked || standing !== "ready") leftOut.total += 1
    if (standing === "check") {
      counts.checks += 1
      const group = checks.isAcknowledged(id) ? acknowledged : leftOut
      group[codeToConfirm(checks, id)] += 1
    } else if (standing === "problem") counts.problems += 1
    else if (standing === "out") counts.out += 1
    else if (!blocked) counts.ready += 1
  }
  return { counts, acknowledged, leftOut, cleaned, included }
}

/** The choice for all rows with another amount excludes only those that need another confirmation. */
function codeToConfirm(checks: SheetChecks, id: number): CheckCode {
  const problems = checks.problemsOf(id)
  const rest = checks.isAcknowledged(id) || !checks.isChosen(id) ? [] : problems.filter(needsOwnDecision)
  return checkCode(rest.length > 0 ? rest : problems)
}

/** The amounts of the rows that would be sent. `taken`: points that rows with a smaller amount than before deduct. */
function amountsOf(
  { recipe, repeats, choices }: SheetData,
  checks: SheetChecks,
  included: readonly number[],
) {
  const { amount } = recipe
  const taken = { points: 0, rows: 0 }
  const awarding: number[] = []
  const amounts: number[] = []
  for (const id of included) {
    const { difference } = repeats.get(id) ?? {}
    const moved =
      difference != null && choices["amount"] === "difference"
        ? difference
        : Number(checks.valuesOf(id)?.[amount ?? ""] ?? 0)
    if (moved < 0) {
      taken.points -= moved
      taken.rows += 1
      continue
    }
    awarding.push(id)
    if (amount !== undefined) amounts.push(moved)
  }
  return { awarding, amounts, taken }
}

/** The first finding to confirm counts for the row; repeats come before everything else. */
function checkCode(problems: readonly CellProblem[]): CheckCode {
  const earlier = earlierCodes.find((each) => problems.some(({ code }) => code === each))
  if (earlier !== undefined) return earlier
  const code = problems.find((problem) => !isProblem(problem))?.code
  return code === "duplicate" || code === "outlier" ? code : "check"
}

/** Rows for which another amount was awarded before and that are decided one by one, and how many have each choice. */
function rowChoicesOf({ repeats }: SheetData, checks: SheetChecks) {
  const found = { all: 0, difference: 0, as_well: 0 }
  for (const [id, { choices }] of repeats) {
    if (choices === undefined) continue
    found.all += 1
    const choice = choices.find((each) => each === checks.choiceOf(id))
    if (choice !== undefined) found[choice] += 1
  }
  return found
}

function differencesOf({ repeats, recipe }: SheetData, checks: SheetChecks) {
  const sum = { more: 0, less: 0, total: 0 }
  for (const [id, { code, difference }] of repeats) {
    if (code !== "amount") continue
    sum.total += Number(checks.valuesOf(id)?.[recipe.amount ?? ""] ?? 0)
    if (difference != null) sum[difference < 0 ? "less" : "more"] += Math.abs(difference)
  }
  return sum
}

const earlierCodes = ["repeat", "amount", "recent"] as const
const needsOwnDecision = ({ code }: CellProblem) => code !== "amount" && code !== "recent"

/** `byEmail`: e-mails that the server has to find, also of known members. */
function peopleOf({ recipe, facts }: SheetData, rows: readonly RowValues[]) {
  const counts = new Map<string, number>()
  const emails = new Set<string>()
  for (const values of rows) {
    const who = recipe.who(values, facts)
    counts.set(who, (counts.get(who) ?? 0) + 1)
    if (namesOf(recipe, values)[0] === "email") emails.add(comparedEmail(String(values["email"])))
  }
  const people = { members: counts.size, byEmail: emails.size, mostRows: 0, repeated: 0 }
  for (const count of counts.values()) {
    if (count > 1) people.repeated += 1
    people.mostRows = Math.max(people.mostRows, count)
  }
  return people
}

/** Characters of a long text that are rendered; editing shows all of it. */
const drawn = 300

export type RowView = ReturnType<typeof rowView>

/** One row for rendering: its id, its editable texts, and `shown` with grouped numbers. */
export function rowView(
  { recipe, columns, numbers, table, repeats }: SheetData,
  checks: SheetChecks,
  id: number,
) {
  const texts = columns.map((_, at) => table[id]?.[at] ?? "")
  const numeric = new Set(recipe.fields.filter(({ type }) => type === "number").map(({ key }) => key))
  const values = checks.valuesOf(id)
  const { choices } = repeats.get(id) ?? {}
  return {
    id,
    number: numbers[id] ?? 0,
    standing: checks.standingOf(id),
    acknowledged: checks.isAcknowledged(id),
    /** False while a choice excludes it, or if there is nothing else to confirm. */
    canKeep: checks.isChosen(id) && (choices === undefined || checks.checksOf(id) !== ""),
    /** The available choices for a row that was awarded another amount before, and the current one. */
    choices,
    choice: checks.choiceOf(id),
    texts,
    shown: texts.map((text, at) => {
      const field = columns[at]?.field ?? ""
      const value = numeric.has(field) && text !== "" ? values?.[field] : undefined
      return typeof value === "number" ? formatPoints(value) : text.slice(0, drawn)
    }),
    problems: checks.problemsOf(id),
  }
}

const exclusionCodes: Readonly<Record<CheckCode, ExclusionCode>> = {
  repeat: "repeated_row",
  amount: "other_amount",
  recent: "other_amount",
  duplicate: "duplicate_in_file",
  outlier: "outlier_in_file",
  check: "check_in_file",
}

/** A row of the file as stored with its job; `line` is its number in the file. */
export type FileEntry =
  | { readonly line: number; readonly row: AcceptedRow["row"] }
  | { readonly line: number; readonly excluded: Omit<ExcludedRow, "line"> }

/** A row that is sent, with the choice if another amount was awarded before. */
export function acceptedInput(data: SheetData, checks: SheetChecks, id: number): AcceptedRow["row"] {
  const input = buildRow(data.recipe, checks.valuesOf(id) ?? {})
  const correction = checks.choiceOf(id)
  return correction === undefined ? input : { ...input, correction }
}

/** A row for its job: to be sent, or excluded with the reason and its readable values. */
export function fileEntry(data: SheetData, checks: SheetChecks, id: number): FileEntry {
  const line = data.numbers[id] ?? 0
  const values = checks.valuesOf(id)
  if (values !== null && checks.isIncluded(id)) {
    return { line, row: acceptedInput(data, checks, id) }
  }
  const problems = checks.problemsOf(id)
  const texts = problems.map(({ text }) => text).join("; ")
  const isBad = checks.standingOf(id) === "problem"
  // A row that names two members keeps both.
  const isRead = values !== null && !(isBad && namesOf(data.recipe, values).length > 1)
  const input = isRead ? buildRow(data.recipe, values) : textsOf(data, id)
  const byHand = !isBad && data.decisions.get(id) === "excluded"
  const others = byHand ? "excluded_by_person" : exclusionCodes[checkCode(problems)]
  const message = byHand || texts === "" ? "Left out by hand" : texts.slice(0, limits.reason)
  return { line, excluded: { code: isBad ? "problem_in_file" : others, message, input } }
}

/** A row's texts by field. Its numbers get decimal points: rows of a job are read without their file's style. */
function textsOf(data: SheetData, id: number): Readonly<Record<string, string>> {
  const { columns, table, constants, origin, recipe } = data
  const cells = columns.flatMap(({ field }, at) =>
    field === null ? [] : [[field, table[id]?.[at] ?? ""] as const],
  )
  const texts = [...Object.entries(constants), ...cells.filter(([, text]) => text !== "")]
  const isNumber = (key: string) =>
    recipe.fields.some((field) => field.key === key && field.type === "number")
  return Object.fromEntries(
    texts.map(([key, text]) => [key, isNumber(key) ? withDecimalPoint(text, origin.style) : text]),
  )
}

/** The rows that would not be sent, unchanged, with number and reason, as a file's columns and rows. */
export function excludedTable(data: SheetData, checks: SheetChecks) {
  const { columns, numbers, table } = data
  const excluded = [...rowIds(data)].filter(
    (id) => checks.standingOf(id) !== "blank" && !checks.isIncluded(id),
  )
  return {
    columns: ["Row", ...columns.map(({ name }) => name), "Why"],
    rows: excluded.map((id) => {
      const why = checks.problemsOf(id).map(({ text }) => text)
      if (checks.standingOf(id) === "out") why.push("Left out by hand")
      return [numbers[id] ?? 0, ...columns.map((_, at) => table[id]?.[at] ?? ""), why.join("; ")]
    }),
  }
}

/** SHA-256 over the effects of the rows, in any order and spelling; null without Web Crypto (plain HTTP). */
export async function fingerprintOf(recipe: Recipe, rows: readonly RowValues[]): Promise<string | null> {
  // Missing on pages served over plain HTTP, despite the type.
  if (!("subtle" in crypto)) return null
  const lines = rows.map((row) => recipe.normal(row)).toSorted()
  const bytes = new TextEncoder().encode([recipe.name, ...lines].join("\n"))
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
