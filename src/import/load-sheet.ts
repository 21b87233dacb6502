import { guessColumns, matchColumns, nameTest, recallMapping, type RememberedMapping } from "./mapping.ts"
import { findHeader, isSecondHeader, type Table } from "./parse-table.ts"
import { detectNumberStyle } from "./read-cell.ts"
import { Refusal } from "./read-file.ts"
import type { EncodingName, NumberStyle, Recipe } from "./recipe.ts"
import { newSheet, type RowNote, type SheetData } from "./sheet-data.ts"
import type { ImportSource } from "./sheet-view.ts"

/** Rows that an empty sheet starts with. */
const blankCount = 5

/** A sheet of rows that come from no file; a blank one has a column for each field that every row needs. */
export function loadRows(recipe: Recipe, source: ImportSource & { kind: "rows" | "blank" }): SheetData {
  const {
    name,
    columns,
    rows,
    numbers = rows.map((_, at) => at + 1),
  } = source.kind === "rows" ? source : blankRows(recipe)
  return newSheet({
    recipe,
    origin: {
      name,
      encoding: null,
      delimiter: ",",
      notes: [],
      headerAt: null,
      size: rows.length,
      style: ".",
      styleMatters: false,
    },
    table: rows.map((row) => columns.map((_, at) => (row[at] ?? "").trim())),
    numbers: [...numbers],
    columns: [...columns],
  })
}

function blankRows(recipe: Recipe): ImportSource & { kind: "rows" } {
  const needed = recipe.fields.filter(
    (field) => field.required !== undefined || field.key === recipe.oneOf?.keys[0],
  )
  return {
    kind: "rows",
    name: "Typed rows",
    columns: needed.map(({ key, label }) => ({ name: label, field: key })),
    rows: Array.from({ length: blankCount }, () => []),
  }
}

interface TableOptions {
  readonly name: string
  readonly encoding: EncodingName
  readonly remembered: readonly RememberedMapping[]
  /** The row with the names, or null for none, as a person chose it; undefined: it is detected. */
  readonly header: number | null | undefined
  readonly style: NumberStyle | undefined
}

/** Rows by which the style of numbers is detected before it is known which columns hold numbers. */
const sampledRows = 50

/**
 * Makes a sheet of a table: finds the columns' names, what each column holds, and how numbers are written.
 * @throws Refusal when there are no rows
 */
export function loadTable(recipe: Recipe, table: Table, options: TableOptions): SheetData {
  const { name, encoding, remembered, header, style } = options
  const isName = nameTest(recipe.fields)
  const found = findHeader(table, isName)
  const headerAt = header === undefined ? found.at : header
  const first = headerAt === null ? 0 : headerAt + 1
  if (table.rows.length <= first) {
    throw new Refusal(
      headerAt === null ? "It has no rows." : "It has column names but no rows.",
      "Choose a file with at least one row below the column names.",
    )
  }
  const names = Array.from(
    { length: table.width },
    (_, at) => (headerAt === null ? "" : table.rows[headerAt]?.[at]) || `Column ${at + 1}`,
  )
  const sample = table.rows.slice(0, sampledRows).flat()
  const mapping =
    headerAt === null
      ? guessColumns(table.rows, table.width, recipe.fields, {
          style: style ?? detectNumberStyle(sample, table.delimiter).style,
        })
      : (recallMapping(remembered, names) ?? matchColumns(names, recipe))
  const numeric = new Set(recipe.fields.filter(({ type }) => type === "number").map(({ key }) => key))
  const numericColumns = mapping.flatMap((field, at) => (field !== null && numeric.has(field) ? [at] : []))
  const detected = detectNumberStyle(textsOf(table, first, numericColumns), table.delimiter)
  return newSheet({
    recipe,
    origin: {
      name,
      encoding,
      delimiter: table.delimiter,
      notes: headerAt === found.at ? [...found.notes] : [],
      headerAt,
      size: table.rows.length,
      style: style ?? detected.style,
      styleMatters: detected.matters,
    },
    table: table.rows,
    numbers: table.numbers,
    columns: names.map((each, at) => ({ name: each, field: mapping[at] ?? null })),
    notes: notesOf(table, headerAt, isName),
  })
}

function* textsOf({ rows }: Table, first: number, columns: readonly number[]) {
  for (let at = first; at < rows.length; at += 1) {
    for (const column of columns) yield rows[at]?.[column] ?? ""
  }
}

/** Rows below the names among which a second line of names is searched. */
const secondHeaderRows = 3

function notesOf(table: Table, headerAt: number | null, isName: (text: string) => boolean) {
  const notes = new Map<number, RowNote>()
  for (const at of table.badQuotes) notes.set(at, { severity: "check", text: "Unmatched quote" })
  if (headerAt === null) return notes
  for (const [at, extra] of longerRows(table, headerAt)) {
    notes.set(at, { severity: "check", text: extra === 1 ? "One extra cell" : `${extra} extra cells` })
  }
  for (let at = headerAt + 1; at <= headerAt + secondHeaderRows; at += 1) {
    const row = table.rows[at]
    if (row !== undefined && isSecondHeader(row, isName)) {
      notes.set(at, { severity: "problem", text: "Repeated column names" })
    }
  }
  return notes
}

/** Rows with more cells than there are names, such as after a comma without quotes, unless most rows are so. */
function longerRows({ rows, width }: Table, headerAt: number): ReadonlyMap<number, number> {
  const lengthOf = (at: number) => (rows[at] ?? []).findLastIndex((cell) => cell !== "") + 1
  const named = lengthOf(headerAt)
  const longer = new Map<number, number>()
  if (named === width) return longer
  for (let at = headerAt + 1; at < rows.length; at += 1) {
    const extra = lengthOf(at) - named
    if (extra > 0) longer.set(at, extra)
  }
  return longer.size > (rows.length - headerAt) / 2 ? new Map() : longer
}
