import type { Recipe } from "../recipes/recipe.ts"
import type { Column, SheetData } from "./sheet-data.ts"

/** Rows that an empty sheet starts with. */
const startingRows = 5

interface RowsOptions {
  readonly recipe: Recipe
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  readonly numbers: readonly number[]
}

/** A sheet of rows that come from no file. */
export function loadRows({ recipe, name, columns, rows, numbers }: RowsOptions): SheetData {
  return {
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
    columns,
    constants: {},
    doubts: new Map(),
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

/** An empty sheet to type into: a column for each field that every row needs. */
export function blankSheet(recipe: Recipe): SheetData {
  const needed = recipe.fields.filter((field) => field.required || field.key === recipe.oneOf?.keys[0])
  return loadRows({
    recipe,
    name: "Typed rows",
    columns: needed.map((field) => ({ name: field.label, field: field.key })),
    rows: Array.from({ length: startingRows }, () => []),
    numbers: Array.from({ length: startingRows }, (_, at) => at + 1),
  })
}
