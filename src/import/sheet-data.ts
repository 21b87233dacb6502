import * as z from "zod/mini"
import type { Correction } from "../../contract/kinds/points.ts"
import { limits } from "../../contract/limits.ts"
import { isSameEmail } from "../../contract/email-address.ts"
import { countFormatCharacters } from "../../contract/typed-text.ts"
import { columnsToChoose } from "./mapping.ts"
import { readCell, readText, textProblem, typedCell } from "./read-cell.ts"
import {
  encodingNames,
  type Field,
  type Finding,
  metadataKey,
  metadataLabel,
  type Reading,
  type Recipe,
  type RowValues,
  type RuleRow,
  type SheetFacts,
} from "./recipe.ts"

/** A finding about a row from reading the file. Removed when the row is edited. */
const note = z.object({ severity: z.enum(["problem", "check"]), text: z.string() })
export type RowNote = z.output<typeof note>

/** A finding about a cell from reading the file, valid while the cell has this text. */
const cellNote = z.extend(note, {
  column: z.number(),
  cell: z.string(),
  fix: z.optional(z.object({ text: z.string(), label: z.string() })),
})
export type CellNote = z.output<typeof cellNote>

/** How a workbook was read, and what it has: hidden rows and columns, and numbers that Excel shortens. */
const excelOrigin = z.object({
  sheet: z.string(),
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  hiddenRows: z.boolean(),
  hiddenColumns: z.boolean(),
  allDigits: z.boolean(),
  found: z.object({ hiddenRows: z.number(), hiddenColumns: z.number(), shortened: z.number() }),
})
export type ExcelOrigin = z.output<typeof excelOrigin>

/** The user's work on a sheet and how it was read: a draft without the rows themselves. */
export const sheetWork = z.object({
  origin: z.object({
    name: z.string(),
    /** Null for a workbook, and for rows without a file. */
    encoding: z.nullable(z.enum(encodingNames)),
    /** For a guessed encoding: some of the affected cells, as each encoding reads them. */
    guess: z._default(
      z.nullable(z.array(z.object({ encoding: z.enum(encodingNames), cells: z.array(z.string()) }))),
      null,
    ),
    delimiter: z.enum([",", ";", "\t", "|"]),
    /** Null unless the file is a workbook. */
    excel: z._default(z.nullable(excelOrigin), null),
    notes: z.array(z.string()),
    /** Index of the header row; null if none. */
    headerAt: z.nullable(z.number()),
    /** Rows from the file; further ones were added here. */
    size: z.number(),
    style: z.enum([".", ","]),
    styleMatters: z.boolean(),
  }),
  columns: z.array(z.object({ name: z.string(), field: z.nullable(z.string()) })),
  /** Values for all rows, for fields without a column. */
  constants: z.record(z.string(), z.string()),
  choices: z.record(z.string(), z.string()),
  notes: z.map(z.number(), note),
  cellNotes: z._default(z.map(z.number(), z.array(cellNote)), new Map<number, CellNote[]>()),
  /** Marks of the page with their cell's text; a mark is valid while the cell has this text. */
  marks: z.map(z.number(), z.array(z.extend(note, { field: z.string(), cell: z.string() }))),
  /** Decisions about rows: `kept` despite these findings, or not sent. */
  decisions: z.map(z.number(), z.union([z.object({ kept: z.string() }), z.enum(["excluded", "removed"])])),
  edits: z.map(z.number(), z.map(z.number(), z.string())),
})

/** A complete sheet. A row's id is its index in `table`, so it never changes. */
export interface SheetData extends z.output<typeof sheetWork> {
  readonly recipe: Recipe
  readonly table: string[][]
  readonly numbers: number[]
  /** Rows like earlier ones; set by the page like `facts`, and not part of the draft. */
  repeats: ReadonlyMap<number, EarlierFinding>
  readonly restoredAt: number | null
  facts: SheetFacts
}

/**
 * An earlier row like this one. `repeat`: the same; `amount`: another amount for its reference; `recent`: another
 * amount for its reason, not long ago. Rows of the last two are decided together, by the sheet's choices.
 */
export interface EarlierFinding {
  readonly code: "repeat" | "amount" | "recent"
  readonly text: string
  /** Points still to award; negative: to deduct; null: unknown. Only for `amount`. */
  readonly difference?: number | null
  /** The choices for this row except excluding it; its own choice overrides the sheet's. */
  readonly choices?: readonly Correction[]
}

/** Where the sheet's choices have what was chosen for one row. */
export const rowChoice = (id: number) => `row:${id}`

export type Column = SheetData["columns"][number]

/** A finding in a cell, or in a row (`column`: null); `code` is its source. */
export interface CellProblem extends Pick<Finding, "field" | "severity" | "text" | "fix"> {
  readonly column: number | null
  readonly code: "cell" | "mark" | EarlierFinding["code"] | Finding["code"]
}

/** A new sheet with the given properties. */
export function newSheet(
  data: Pick<SheetData, "recipe" | "origin" | "table" | "numbers" | "columns"> & Partial<SheetData>,
): SheetData {
  return {
    constants: {},
    choices: {},
    notes: new Map(),
    cellNotes: new Map(),
    marks: new Map(),
    decisions: new Map(),
    edits: new Map(),
    repeats: new Map(),
    restoredAt: null,
    facts: {},
    ...data,
  }
}

/** Ids of the rows that were not removed, from an id on, in file order. */
export function* rowIds({ origin, table, decisions }: SheetData, from = 0): Generator<number> {
  const first = origin.headerAt === null ? 0 : origin.headerAt + 1
  for (let id = Math.max(from, first); id < table.length; id += 1) {
    if (decisions.get(id) !== "removed") yield id
  }
}

/** Index of a field's column; null if none. */
export function columnOf({ columns }: SheetData, field: string): number | null {
  const at = columns.findIndex((column) => column.field === field)
  return at < 0 ? null : at
}

export function cellOf({ table }: SheetData, id: number, column: number | null): string {
  return column === null ? "" : (table[id]?.[column] ?? "")
}

/** The fields of a recipe plus those of its metadata columns, which are free text (docs/api/program.md). */
export function fieldsOf({ recipe, columns }: SheetData): readonly Field[] {
  if (recipe.metadata !== true) return recipe.fields
  const keys = columns.flatMap(({ field }) => (field === null ? [] : (metadataKey(field) ?? [])))
  const read = readText(limits.metadata.value)
  return [
    ...recipe.fields,
    ...keys.map((key) => ({ key, label: metadataLabel(key), names: "", text: "raw" as const, read })),
  ]
}

function planReading(data: SheetData) {
  const { oneOf } = data.recipe
  const context = { style: data.origin.style, ...data.facts }
  const constantProblems: Record<string, string> = {}
  const fields = fieldsOf(data).map((field) => {
    const column = columnOf(data, field.key)
    const text = column === null ? typedCell(data.constants[field.key]?.trim() ?? "", field) : ""
    const reading = text === "" ? null : readCell(text, field, context)
    const isBad = reading !== null && "problem" in reading
    if (isBad) constantProblems[field.key] = textProblem(text) ?? reading.problem
    return { field, column, constant: reading === null || isBad ? null : reading.value }
  })
  const absent = fields.flatMap(({ field, column, constant }) =>
    column === null && constant === null ? [field] : [],
  )
  const missing: { label: string; fields: readonly string[]; choices?: readonly ColumnChoice[] }[] = absent
    .filter(({ required }) => required !== undefined)
    .map(({ label, key }) => ({ label, fields: [key] }))
  if (oneOf?.keys.every((name) => absent.some(({ key }) => key === name)) === true) {
    missing.unshift({ label: oneOf.label, fields: oneOf.keys })
  }
  for (const field of absent) {
    const choices = choicesFor(data, field)
    if (choices.length === 0) continue
    const { key, label } = field
    const at = missing.findIndex(({ fields: keys }) => keys.includes(key))
    missing.splice(at < 0 ? missing.length : at, at < 0 ? 0 : 1, { label, fields: [key], choices })
  }
  return { fields, context, constantProblems, missing }
}

/** A column that may hold a field, with its first values. */
interface ColumnChoice {
  readonly column: number
  readonly name: string
  readonly texts: readonly string[]
}

/** Key of the choice that none of the columns with a field's name is used. */
export const noneChosen = (field: string) => `none:${field}`

const sampleTexts = 3

/** Columns with the same name to choose from; empty if they hold the same values or none is wanted. */
function choicesFor(data: SheetData, field: Field): readonly ColumnChoice[] {
  if (data.choices[noneChosen(field.key)] !== undefined) return []
  const columns = columnsToChoose(data.columns, field)
  const ids = columns.length === 0 ? [] : [...rowIds(data)]
  return columns.map((column) => ({
    column,
    name: data.columns[column]?.name ?? "",
    texts: ids
      .map((id) => cellOf(data, id, column))
      .filter((text) => text !== "")
      .slice(0, sampleTexts),
  }))
}

/** A row's values (null if it has a problem) and its findings, apart from comparisons with other rows. */
interface CheckedRow {
  readonly values: RowValues | null
  readonly problems: readonly CellProblem[]
  /** Fields whose cells had invisible characters, which were removed. */
  readonly cleaned: readonly string[]
}

function checkRow(data: SheetData, plan: ReturnType<typeof planReading>, id: number): CheckedRow {
  const values: Record<string, string | number> = {}
  const problems: CellProblem[] = []
  const cleaned: string[] = []
  const { oneOf } = data.recipe
  let named = false
  for (const { field, column, constant } of plan.fields) {
    const { key, required } = field
    const isName = oneOf?.keys.includes(key) === true
    const cell = cellOf(data, id, column)
    if (isName && named) {
      if (oneOf.compared === true) problems.push(...alsoNamed(data, plan, { field, cell, values }))
      continue
    }
    const found = fileFindings(data, id, key, cell)
    problems.push(...found)
    if (found.some(isProblem)) {
      named ||= isName
      continue
    }
    const text = typedCell(cell, field)
    if (text.length < cell.length && countFormatCharacters(text) < countFormatCharacters(cell))
      cleaned.push(key)
    if (text === "") {
      if (constant !== null) values[key] = constant
      else if (required !== undefined && column !== null) problems.push(problemIn(data, key, required))
      continue
    }
    named ||= isName
    const reading = readCell(text, field, plan.context)
    if ("value" in reading) values[reading.as ?? key] = reading.value
    problems.push(...foundBy(data, key, reading))
  }
  if (!named) problems.push(...unnamed(data, plan))
  problems.push(...externalProblems(data, id, problems))
  return { values: problems.some(isProblem) ? null : values, problems, cleaned }
}

/** The problem of a row without any of the fields of which it needs one, in the first of their columns. */
function unnamed(data: SheetData, plan: ReturnType<typeof planReading>): readonly CellProblem[] {
  const { oneOf } = data.recipe
  const first = plan.fields.find(
    ({ field, column }) => column !== null && oneOf?.keys.includes(field.key) === true,
  )
  return oneOf === undefined || first === undefined ? [] : [problemIn(data, first.field.key, oneOf.empty)]
}

/**
 * Reads a further name of the row's member into its values, to be compared. Two of one kind cannot both be right. A text
 * that is no address, such as "n/a", is ignored.
 */
function alsoNamed(
  data: SheetData,
  { context }: ReturnType<typeof planReading>,
  { field, cell, values }: { field: Field; cell: string; values: Record<string, string | number> },
): readonly CellProblem[] {
  const text = typedCell(cell, field)
  if (text === "") return []
  const reading = readCell(text, field, context)
  if ("problem" in reading) return text.includes("@") ? foundBy(data, field.key, reading) : []
  const key = reading.as ?? field.key
  const before = values[key]
  values[key] ??= reading.value
  const isSame =
    before === reading.value || (key === "email" && isSameEmail(String(before), String(reading.value)))
  if (before === undefined || isSame) return []
  return [problemIn(data, field.key, `Not the same as ${before}: remove the wrong one`)]
}

/** What reading the file found in a cell. */
function fileFindings(data: SheetData, id: number, key: string, cell: string): readonly CellProblem[] {
  const column = columnOf(data, key)
  const notes = data.cellNotes.get(id) ?? []
  return notes.flatMap(({ severity, text, fix, ...place }) => {
    if (place.column !== column || place.cell !== cell) return []
    return { ...problemIn(data, key, text, severity === "check" ? "check" : "cell"), ...(fix && { fix }) }
  })
}

function foundBy(data: SheetData, key: string, reading: Reading): readonly CellProblem[] {
  const fix = reading.fix && { fix: reading.fix }
  if ("problem" in reading) return [{ ...problemIn(data, key, reading.problem), ...fix }]
  return reading.check === undefined ? [] : [{ ...problemIn(data, key, reading.check, "check"), ...fix }]
}

function problemIn(
  data: SheetData,
  field: string,
  text: string,
  code: Exclude<CellProblem["code"], "duplicate" | "outlier"> = "cell",
): CellProblem {
  const severity = code === "cell" || code === "mark" ? "problem" : "check"
  return { field, column: columnOf(data, field), severity, code, text }
}

/** Whether it always excludes the row. */
export function isProblem({ severity }: CellProblem): boolean {
  return severity === "problem"
}

/** Findings from outside the sheet: marks of the page, repeats of earlier jobs, and notes from reading the file. */
function externalProblems(data: SheetData, id: number, own: readonly CellProblem[]): CellProblem[] {
  const { recipe, columns, marks, repeats, notes } = data
  const textIn = (field: string) => cellOf(data, id, columnOf(data, field))
  const found = (marks.get(id) ?? [])
    .filter(({ field, cell }) => textIn(field) === cell)
    .map(({ field, severity, text }) => problemIn(data, field, text, severity === "check" ? "check" : "mark"))
  const repeat = repeats.get(id)
  if (repeat !== undefined) {
    const names = recipe.oneOf?.keys ?? recipe.fields.slice(0, 1).map(({ key }) => key)
    const field = names.find((key) => textIn(key) !== "") ?? names[0] ?? ""
    found.push(problemIn(data, field, repeat.text, repeat.code))
  }
  const note = notes.get(id)
  if (note !== undefined && !own.some(({ text }) => text === note.text)) {
    const field = columns.find((column) => column.field !== null)?.field ?? ""
    found.push(problemIn(data, field, note.text, note.severity === "check" ? "check" : "cell"))
  }
  return found
}

const reportEvery = 5000
const unchecked: CheckedRow = { values: null, problems: [], cleaned: [] }

export type SheetChecks = ReturnType<typeof createChecks>

/** Checks the rows of a sheet, each one separately and then against the others, and caches the findings. */
export function createChecks(data: SheetData) {
  let plan = planReading(data)
  const own: CheckedRow[] = []
  let compared = new Map<number, CellProblem[]>()

  const isBlank = (id: number) => data.table[id]?.every((cell) => cell === "") ?? true

  /** Rows that are excluded or cannot be sent are not compared. */
  function compare(): void {
    compared = new Map()
    if (plan.missing.length > 0) return
    const rows: (RuleRow & { readonly id: number })[] = []
    for (const id of rowIds(data)) {
      const values = own[id]?.values ?? null
      if (values === null || data.decisions.get(id) === "excluded" || isBlank(id)) continue
      rows.push({ id, values, number: data.numbers[id] ?? 0 })
    }
    for (const rule of data.recipe.rules) {
      for (const { at, ...found } of rule(rows, plan.context)) {
        const id = rows[at]?.id ?? -1
        const problem = { column: columnOf(data, found.field), ...found }
        const others = compared.get(id)
        if (others === undefined) compared.set(id, [problem])
        else others.push(problem)
      }
    }
  }

  function problemsOf(id: number): readonly CellProblem[] {
    if (isBlank(id)) return unchecked.problems
    const found = own[id]?.problems ?? unchecked.problems
    const more = compared.get(id)
    return more === undefined ? found : [...found, ...more]
  }

  /** A row's status. `blank`: added and still empty; `out`: excluded by hand. */
  function standingOf(id: number): "problem" | "check" | "ready" | "out" | "blank" {
    const problems = problemsOf(id)
    if (problems.some(isProblem)) return "problem"
    if (problems.length > 0) return "check"
    if (isBlank(id)) return "blank"
    return data.decisions.get(id) === "excluded" ? "out" : "ready"
  }

  /** The findings to confirm in a row, and of which value, as the text that is stored with the decision. */
  const checksOf = (id: number) =>
    problemsOf(id)
      .filter(({ code }) => code !== "amount" && code !== "recent")
      .map(({ field, code }) => `${field}:${code}:${own[id]?.values?.[field] ?? ""}`)
      .toSorted()
      .join(" ")

  /** The choice for a row that was awarded another amount before; undefined for other rows. */
  function choiceOf(id: number): string | undefined {
    const found = data.repeats.get(id)
    if (found === undefined || found.code === "repeat") return undefined
    if (found.choices === undefined) return data.choices[found.code]
    return found.choices.find((choice) => choice === data.choices[rowChoice(id)])
  }

  /** Whether the choice for rows with another amount includes this one. */
  function isChosen(id: number): boolean {
    const found = data.repeats.get(id)
    if (found === undefined || found.code === "repeat") return true
    const choice = choiceOf(id)
    if (found.choices !== undefined) return choice !== undefined
    if (found.code === "recent" || choice === "as_well") return choice === "as_well"
    return choice === "difference" && (found.difference ?? 0) !== 0
  }

  function isAcknowledged(id: number): boolean {
    const decision = data.decisions.get(id)
    const checks = checksOf(id)
    if (decision === "excluded" || !isChosen(id)) return false
    return checks === ""
      ? problemsOf(id).length > 0
      : typeof decision === "object" && decision.kept === checks
  }

  return {
    plan: () => plan,
    all(onProgress: (share: number) => void): void {
      plan = planReading(data)
      own.length = 0
      for (let id = 0; id < data.table.length; id += 1) {
        own[id] = data.decisions.get(id) === "removed" ? unchecked : checkRow(data, plan, id)
        if (id % reportEvery === reportEvery - 1) onProgress(id / data.table.length)
      }
      compare()
    },
    some(ids: Iterable<number>): void {
      for (const id of ids) own[id] = checkRow(data, plan, id)
      compare()
    },
    problemsOf,
    cleanedIn: (id: number): readonly string[] => own[id]?.cleaned ?? unchecked.cleaned,
    valuesOf: (id: number): RowValues | null => own[id]?.values ?? null,
    standingOf,
    checksOf,
    choiceOf,
    isChosen,
    isAcknowledged,
    isIncluded(id: number): boolean {
      if (plan.missing.length > 0) return false
      const standing = standingOf(id)
      return standing === "ready" || (standing === "check" && isAcknowledged(id))
    },
  }
}
