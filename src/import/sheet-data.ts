import * as z from "zod/mini"
import type { Correction } from "../../contract/earlier-awards.ts"
import { encodingNames, type Finding, type Recipe, type SheetFacts } from "./recipe.ts"

/** A finding about a whole row that was made while the file was read. It goes when the row is edited. */
const note = z.object({ severity: z.enum(["problem", "check"]), text: z.string() })
export type RowNote = z.output<typeof note>

/** What a person has done with a sheet, and how it was read: everything of a draft but the rows as they were read. */
export const sheetWork = z.object({
  origin: z.object({
    name: z.string(),
    /** Null for rows that come from no file. */
    encoding: z.nullable(z.enum(encodingNames)),
    /** Of a guessed encoding: some of the cells that depend on it, as each encoding reads them. */
    guess: z._default(
      z.nullable(z.array(z.object({ encoding: z.enum(encodingNames), cells: z.array(z.string()) }))),
      null,
    ),
    delimiter: z.enum([",", ";", "\t", "|"]),
    notes: z.array(z.string()),
    /** Index of the row with the columns' names; null without one. */
    headerAt: z.nullable(z.number()),
    /** Rows that came with the file; those after were added here. */
    size: z.number(),
    style: z.enum([".", ","]),
    styleMatters: z.boolean(),
  }),
  columns: z.array(z.object({ name: z.string(), field: z.nullable(z.string()) })),
  /** Values for all rows of fields that no column holds. */
  constants: z.record(z.string(), z.string()),
  choices: z.record(z.string(), z.string()),
  notes: z.map(z.number(), note),
  /** Marks of the page, each with the text that its cell had: it holds as long as the cell has it. */
  marks: z.map(z.number(), z.array(z.extend(note, { field: z.string(), cell: z.string() }))),
  /** What a person decided about a row: `kept` in spite of these checks, or not sent. */
  decisions: z.map(z.number(), z.union([z.object({ kept: z.string() }), z.enum(["excluded", "removed"])])),
  edits: z.map(z.number(), z.map(z.number(), z.string())),
})

/** A whole sheet. A row's id is its index in `table`, so it never changes. */
export interface SheetData extends z.output<typeof sheetWork> {
  readonly recipe: Recipe
  readonly table: string[][]
  readonly numbers: number[]
  /** Rows like earlier ones; like `facts` from the page, and no part of the draft. */
  repeats: ReadonlyMap<number, EarlierFinding>
  readonly restoredAt: number | null
  facts: SheetFacts
}

/**
 * What earlier jobs did like a row. `repeat`: the same; `amount`: another amount for its reference; `recent`: another
 * amount for its reason, not long ago. All rows of the last two are decided together, by the sheet's choices.
 */
export interface EarlierFinding {
  readonly code: "repeat" | "amount" | "recent"
  readonly text: string
  /** What the row still has to award; negative: to take away; null: not known. Of `amount` only. */
  readonly difference?: number | null
  /** What can be chosen for this row by itself, other than to leave it out: its own choice counts, not the sheet's. */
  readonly choices?: readonly Correction[]
}

/** Where the sheet's choices have what was chosen for one row. */
export const rowChoice = (id: number) => `row:${id}`

export type Column = SheetData["columns"][number]

/** What is wrong in a cell, or in a row (`column`: null); `code` says where the finding comes from. */
export interface CellProblem extends Pick<Finding, "field" | "severity" | "text" | "fix"> {
  readonly column: number | null
  readonly code: "cell" | "mark" | EarlierFinding["code"] | Finding["code"]
}

/** A sheet nobody has worked on, but for what is given. */
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

/** Ids of the rows from an id on that were not removed, in the file's order. */
export function* rowIds({ origin, table, decisions }: SheetData, from = 0): Generator<number> {
  const first = origin.headerAt === null ? 0 : origin.headerAt + 1
  for (let id = Math.max(from, first); id < table.length; id += 1) {
    if (decisions.get(id) !== "removed") yield id
  }
}

/** Index of the column that holds a field; null when none does. */
export function columnOf({ columns }: SheetData, field: string): number | null {
  const at = columns.findIndex((column) => column.field === field)
  return at < 0 ? null : at
}

export function cellOf({ table }: SheetData, id: number, column: number | null): string {
  return column === null ? "" : (table[id]?.[column] ?? "")
}
