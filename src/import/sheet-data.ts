import * as z from "zod/mini"
import type { Correction } from "../../contract/kinds/points.ts"
import { encodingNames, type Finding, type Recipe, type SheetFacts } from "./recipe.ts"

/** A finding about a row from reading the file. Removed when the row is edited. */
const note = z.object({ severity: z.enum(["problem", "check"]), text: z.string() })
export type RowNote = z.output<typeof note>

/** The user's work on a sheet and how it was read: a draft without the rows themselves. */
export const sheetWork = z.object({
  origin: z.object({
    name: z.string(),
    /** Null for rows without a file. */
    encoding: z.nullable(z.enum(encodingNames)),
    /** For a guessed encoding: some of the affected cells, as each encoding reads them. */
    guess: z._default(
      z.nullable(z.array(z.object({ encoding: z.enum(encodingNames), cells: z.array(z.string()) }))),
      null,
    ),
    delimiter: z.enum([",", ";", "\t", "|"]),
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
