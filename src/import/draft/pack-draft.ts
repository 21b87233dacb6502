import type { Recipe } from "../recipes/recipe.ts"
import type { SheetData } from "../sheet/sheet-data.ts"
import { draftRows, draftState, draftVersion, type DraftState } from "./draft-shape.ts"

/** The rows as they were read, as text. Cells that were changed since are in the state. */
export function packRows({ table, numbers, origin }: SheetData): string {
  return JSON.stringify({
    version: draftVersion,
    table: table.slice(0, origin.size),
    numbers: numbers.slice(0, origin.size),
  })
}

interface StateOptions {
  readonly rowsId: string
  readonly savedAt: number
  readonly key: string
}

/** What a person has done with the rows, as text. */
export function packState(data: SheetData, { rowsId, savedAt, key }: StateOptions): string {
  const { origin, columns, constants, choices } = data
  const state: DraftState = {
    version: draftVersion,
    rowsId,
    savedAt,
    key,
    origin: { ...origin, notes: [...origin.notes] },
    columns: columns.map((column) => ({ ...column })),
    constants: { ...constants },
    choices: { ...choices },
    doubts: [...data.doubts],
    marks: Array.from(data.marks, ([id, marks]) => [id, [...marks]]),
    edits: Array.from(data.edited).flatMap(([id, cells]) =>
      Array.from(cells, (column): [number, number, string] => [id, column, data.table[id]?.[column] ?? ""]),
    ),
    added: data.numbers.slice(origin.size),
    removed: [...data.removed],
    kept: [...data.kept],
    left: [...data.left],
  }
  return JSON.stringify(state)
}

/** Reads a state; null when it is of another shape. */
export function readState(text: string): DraftState | null {
  return draftState.safeParse(fromJson(text)).data ?? null
}

/** Puts a sheet together again; null when the rows are of another shape. */
export function unpackDraft(recipe: Recipe, rowsText: string, state: DraftState): SheetData | null {
  const rows = draftRows.safeParse(fromJson(rowsText)).data
  if (rows === undefined) return null
  const table = [...rows.table, ...state.added.map((): string[] => [])]
  for (const row of table) while (row.length < state.columns.length) row.push("")
  const edited = new Map<number, Set<number>>()
  for (const [id, column, text] of state.edits) {
    const row = table[id]
    if (row === undefined) continue
    row[column] = text
    edited.set(id, (edited.get(id) ?? new Set()).add(column))
  }
  return {
    recipe,
    origin: state.origin,
    table,
    numbers: [...rows.numbers, ...state.added],
    columns: state.columns,
    constants: state.constants,
    doubts: new Map(state.doubts),
    marks: new Map(state.marks),
    edited,
    removed: new Set(state.removed),
    kept: new Map(state.kept),
    repeats: new Map(),
    left: new Set(state.left),
    choices: state.choices,
    restoredAt: state.savedAt,
    facts: {},
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
