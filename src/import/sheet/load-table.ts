import { detectNumberStyle, type NumberStyle, type StyleEvidence } from "../check/number-style.ts"
import { guessColumns } from "../mapping/guess-columns.ts"
import { recallMapping, type RememberedMapping } from "../mapping/mapping-memory.ts"
import { matchColumns, nameTest, type Mapping } from "../mapping/match-columns.ts"
import { findHeader, isSecondHeader } from "../read/header-row.ts"
import type { EncodingName } from "../read/encoding.ts"
import type { Table } from "../read/parse-table.ts"
import { Refusal } from "../read/refusal.ts"
import { metadataKey } from "../recipes/metadata.ts"
import type { Recipe } from "../recipes/recipe.ts"
import type { Doubt, SheetData } from "./sheet-data.ts"

/** Rows whose cells say how numbers are written before it is known which columns hold numbers. */
const sampled = 50

interface LoadOptions {
  readonly recipe: Recipe
  readonly name: string
  readonly table: Table
  readonly encoding: EncodingName | null
  readonly remembered: readonly RememberedMapping[]
  /** The row with the names, or null for none, as a person chose it; undefined: it is looked for. */
  readonly header: number | null | undefined
  readonly style: NumberStyle | undefined
}

/**
 * Makes a sheet of a table: finds the columns' names, what each column holds, and how numbers are written.
 * @throws Refusal when there are no rows
 */
export function loadTable({
  recipe,
  name,
  table,
  encoding,
  remembered,
  header,
  style,
}: LoadOptions): SheetData {
  const isName = nameTest(recipe.fields)
  const found = findHeader(table.rows, table.numbers, isName)
  const headerAt = header === undefined ? found.at : header
  const first = headerAt === null ? 0 : headerAt + 1
  if (table.rows.length <= first) {
    throw new Refusal(
      headerAt === null ? "It has no rows." : "It has column names but no rows.",
      "Choose a file with at least one row below the column names.",
    )
  }
  const names = namesOf(table, headerAt)
  const mapping =
    headerAt === null
      ? guessColumns(table.rows, table.width, recipe.fields, {
          style: style ?? detectNumberStyle(table.rows.slice(0, sampled).flat(), table.delimiter).style,
        })
      : (recallMapping(remembered, names) ?? matchNames(names, recipe))
  const evidence = styleOf(table, first, recipe, mapping)
  const columns = names.map((each, at) => ({ name: each, field: mapping[at] ?? null }))
  return {
    recipe,
    origin: {
      name,
      encoding,
      delimiter: table.delimiter,
      notes: headerAt === found.at ? found.notes : [],
      headerAt,
      size: table.rows.length,
      style: style ?? evidence.style,
      styleMatters: evidence.matters,
    },
    table: table.rows,
    numbers: table.numbers,
    columns,
    constants: {},
    doubts: doubtsOf(table, headerAt, isName),
    marks: new Map(),
    edited: new Map(),
    removed: new Set(),
    kept: new Map(),
    repeats: new Map(),
    left: new Set(),
    choices: {},
    restoredAt: null,
    facts: {},
  }
}

/** Names of the columns; those without one are numbered. */
function namesOf(table: Table, headerAt: number | null): string[] {
  const header = headerAt === null ? [] : (table.rows[headerAt] ?? [])
  return Array.from({ length: table.width }, (_, at) => header[at] || `Column ${at + 1}`)
}

/** How numbers are written in the columns that hold them. */
function styleOf(table: Table, first: number, recipe: Recipe, mapping: Mapping): StyleEvidence {
  const numeric = new Set(recipe.fields.filter((field) => field.end).map((field) => field.key))
  const columns = mapping.flatMap((field, at) => (field !== null && numeric.has(field) ? [at] : []))
  return detectNumberStyle(texts(table.rows, first, columns), table.delimiter)
}

function* texts(rows: readonly (readonly string[])[], first: number, columns: readonly number[]) {
  for (let at = first; at < rows.length; at += 1) {
    for (const column of columns) yield rows[at]?.[column] ?? ""
  }
}

/** Rows of the file below the names that are looked at for a second line of names. */
const near = 3

function doubtsOf(
  table: Table,
  headerAt: number | null,
  isName: (text: string) => boolean,
): Map<number, Doubt> {
  const doubts = new Map<number, Doubt>()
  for (const at of table.badQuotes) doubts.set(at, { severity: "check", text: "Unmatched quote" })
  if (headerAt === null) return doubts
  for (const [at, extra] of longerRows(table, headerAt)) {
    doubts.set(at, { severity: "check", text: extra === 1 ? "One extra cell" : `${extra} extra cells` })
  }
  for (let at = headerAt + 1; at <= headerAt + near; at += 1) {
    const row = table.rows[at]
    if (row !== undefined && isSecondHeader(row, isName)) {
      doubts.set(at, { severity: "problem", text: "Repeated column names" })
    }
  }
  return doubts
}

/** Rows with more cells than there are names, such as after a comma without quotes, unless most rows are so. */
function longerRows({ rows, width }: Table, headerAt: number): ReadonlyMap<number, number> {
  const named = lengthOf(rows[headerAt] ?? [])
  const longer = new Map<number, number>()
  if (named === width) return longer
  for (let at = headerAt + 1; at < rows.length; at += 1) {
    const length = lengthOf(rows[at] ?? [])
    if (length > named) longer.set(at, length - named)
  }
  return longer.size > (rows.length - headerAt) / 2 ? new Map() : longer
}

function lengthOf(row: readonly string[]): number {
  return row.findLastIndex((cell) => cell !== "") + 1
}

/** Columns by their names; what begins with `metadata.` holds that key, once. */
function matchNames(names: readonly string[], { fields, metadata }: Recipe): Mapping {
  const mapping = matchColumns(names, fields)
  if (metadata !== true) return mapping
  const keys = names.map(metadataKey)
  return mapping.map(
    (field, at) => field ?? (keys.indexOf(keys[at] ?? null) === at ? (keys[at] ?? null) : null),
  )
}
