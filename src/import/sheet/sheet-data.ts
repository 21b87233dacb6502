import type { NumberStyle } from "../check/number-style.ts"
import type { Delimiter } from "../read/delimiter.ts"
import type { EncodingName } from "../read/encoding.ts"
import type { Recipe, SheetFacts } from "../recipes/recipe.ts"
import type { CellProblem } from "./sheet-view.ts"

/** A column as it stands in the sheet. */
export interface Column {
  readonly name: string
  readonly field: string | null
}

/** A finding about a whole row that was made while the file was read. It goes when the row is edited. */
export interface Doubt {
  readonly severity: CellProblem["severity"]
  readonly text: string
}

/** A mark on one row. It holds as long as the cell has the text it had. */
export interface AppliedMark extends Doubt {
  readonly field: string
  readonly cell: string
}

/** How the rows came to be, for people and for reading them again. */
interface Origin {
  readonly name: string
  readonly encoding: EncodingName | null
  readonly delimiter: Delimiter
  readonly notes: readonly string[]
  /** Place of the row with the columns' names; null without one. */
  readonly headerAt: number | null
  /** Rows that came with the file; those after were added here. */
  readonly size: number
  readonly style: NumberStyle
  readonly styleMatters: boolean
}

/** A whole sheet. A row's id is its place in `table`, so it never changes. */
export interface SheetData {
  readonly recipe: Recipe
  origin: Origin
  /** Cells as they stand now; every row as long as `columns`. */
  readonly table: string[][]
  /** Number of each row in the file. */
  readonly numbers: number[]
  columns: readonly Column[]
  /** Values for all rows of fields that no column holds. */
  constants: Readonly<Record<string, string>>
  readonly doubts: Map<number, Doubt>
  readonly marks: Map<number, readonly AppliedMark[]>
  /** Cells that were changed here, by row. */
  readonly edited: Map<number, Set<number>>
  readonly removed: Set<number>
  /** Rows kept after a check, with what they were kept in spite of. */
  readonly kept: Map<number, string>
  /** Rows left out by hand. */
  readonly left: Set<number>
  /** Rows that repeat earlier ones, with the words for it; told by the page, and no part of the draft. */
  repeats: ReadonlyMap<number, string>
  choices: Readonly<Record<string, string>>
  restoredAt: number | null
  /** What the desk's settings say; told by the page, and no part of the draft. */
  facts: SheetFacts
}

/** Place of the first row that is data. */
function firstRow({ origin }: SheetData): number {
  return origin.headerAt === null ? 0 : origin.headerAt + 1
}

/** Ids of the rows from an id on that were not removed, in the file's order; of all without one. */
export function* rowIds(data: SheetData, from = 0): Generator<number> {
  for (let id = Math.max(from, firstRow(data)); id < data.table.length; id += 1) {
    if (!data.removed.has(id)) yield id
  }
}

/** Place of the column that holds a field; null when none does. */
export function columnOf({ columns }: SheetData, field: string): number | null {
  const at = columns.findIndex((column) => column.field === field)
  return at < 0 ? null : at
}

/** A cell's text; "" where there is none. */
export function cellOf({ table }: SheetData, id: number, column: number | null): string {
  return column === null ? "" : (table[id]?.[column] ?? "")
}
