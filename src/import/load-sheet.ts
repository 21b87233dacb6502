import * as z from "zod/mini"
import {
  draftKeys,
  type DraftStore,
  draftVersion as version,
  dropExpiredDrafts,
} from "../lib/import-drafts.ts"
import {
  guessColumns,
  loadMapping,
  matchByContent,
  matchColumns,
  nameTest,
  type RememberedMapping,
} from "./mapping.ts"
import { findHeader, isSecondHeader, Refusal, type Table } from "./read-file.ts"
import { detectNumberStyle } from "./read-cell.ts"
import type { EncodingName, NumberStyle, Recipe } from "./recipe.ts"
import { newSheet, type RowNote, type SheetData, sheetWork } from "./sheet-data.ts"
import type { ImportSource } from "./sheet-view.ts"

const blankCount = 5

/** A sheet of rows without a file; a blank one has a column for each required field. */
export function loadRows(recipe: Recipe, source: ImportSource & { kind: "rows" | "blank" }): SheetData {
  const { name, columns, rows, numbers, questions = [] } = source.kind === "rows" ? source : blankRows(recipe)
  return newSheet({
    recipe,
    origin: {
      name,
      encoding: null,
      guess: null,
      delimiter: ",",
      excel: null,
      notes: [],
      headerAt: null,
      size: rows.length,
      style: ".",
      styleMatters: false,
    },
    table: rows.map((row) => columns.map((_, at) => (row[at] ?? "").trim())),
    numbers: rows.map((_, at) => numbers?.[at] ?? at + 1),
    columns: [...columns],
    notes: new Map(Array.from(questions, ([at, text]) => [at, { severity: "check", text }])),
  })
}

function blankRows({ fields, oneOf }: Recipe): Omit<ImportSource & { kind: "rows" }, "kind"> {
  const needed = fields.filter(({ key, required }) => required !== undefined || key === oneOf?.keys[0])
  return {
    name: "Typed rows",
    columns: needed.map(({ key, label }) => ({ name: label, field: key })),
    rows: Array.from({ length: blankCount }, () => []),
  }
}

/** Rows used to detect the number style before it is known which columns hold numbers. */
const sampledRows = 50

/** Makes a sheet from a table; throws Refusal without rows. `headerAt`: the header row, null for none. */
export function loadTable(
  recipe: Recipe,
  table: Table,
  options: {
    readonly name: string
    readonly encoding: EncodingName | null
    readonly guess: SheetData["origin"]["guess"]
    readonly remembered: readonly RememberedMapping[]
    readonly headerAt: number | null | undefined
    readonly style: NumberStyle | undefined
  },
): SheetData {
  const { name, encoding, guess, remembered, style } = options
  const { rows, width, delimiter, numbers, excel = null, cellNotes = new Map() } = table
  const isName = nameTest(recipe.fields)
  const found = findHeader(table, isName)
  const headerAt = options.headerAt === undefined ? found.at : options.headerAt
  const first = headerAt === null ? 0 : headerAt + 1
  if (rows.length <= first) {
    throw new Refusal(
      headerAt === null ? "It has no rows." : "It has column names but no rows.",
      "Choose a file with at least one row below the column names.",
    )
  }
  const given = headerAt === null ? [] : (rows[headerAt] ?? [])
  const names = Array.from({ length: width }, (_, at) => given[at] || `Column ${at + 1}`)
  const sample = () => detectNumberStyle(rows.slice(0, sampledRows).flat(), delimiter).style
  const mapping =
    headerAt === null
      ? guessColumns(rows, width, recipe.fields, { style: style ?? sample() })
      : (loadMapping(remembered, names) ??
        matchByContent(matchColumns(names, recipe), rows.slice(first), recipe.fields))
  const numeric = mapping.flatMap((field, at) =>
    recipe.fields.some(({ key, type }) => key === field && type === "number") ? [at] : [],
  )
  const detected = detectNumberStyle(textsOf(table, first, numeric), delimiter)
  return newSheet({
    recipe,
    origin: {
      name,
      encoding,
      guess,
      delimiter,
      excel,
      notes: [...(table.notes ?? []), ...(headerAt === found.at ? found.notes : [])],
      headerAt,
      size: rows.length,
      style: style ?? detected.style,
      styleMatters: detected.matters,
    },
    table: rows,
    numbers,
    columns: names.map((each, at) => ({ name: each, field: mapping[at] ?? null })),
    notes: notesOf(table, headerAt, isName),
    cellNotes,
  })
}

function* textsOf({ rows }: Table, first: number, columns: readonly number[]) {
  for (let at = first; at < rows.length; at += 1) {
    for (const column of columns) yield rows[at]?.[column] ?? ""
  }
}

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

const lengthOf = (row: readonly string[] = []) => row.findLastIndex((cell) => cell !== "") + 1

/** Rows with more cells than the header, such as after an unquoted comma, unless most rows have them. */
function longerRows(
  { rows, width }: Table,
  headerAt: number,
): readonly (readonly [at: number, extra: number])[] {
  const named = lengthOf(rows[headerAt])
  if (named === width) return []
  const longer = rows.flatMap((row, at) => {
    const extra = at > headerAt ? lengthOf(row) - named : 0
    return extra > 0 ? [[at, extra] as const] : []
  })
  return longer.length > (rows.length - headerAt) / 2 ? [] : longer
}

/** The rows as read from the file: written once, because they are large. */
const draftRows = z.object({
  version: z.literal(version),
  rowsId: z.string(),
  table: z.array(z.array(z.string())),
  numbers: z.array(z.number()),
})

const draftState = z.extend(sheetWork, {
  version: z.literal(version),
  rowsId: z.string(),
  savedAt: z.number(),
  key: z.string(),
  added: z.array(z.number()),
})

interface OpenDraft {
  readonly data: SheetData
  readonly key: string
  readonly rowsId: string
}

/** Restores a sheet; null when a part is invalid, or when the two parts do not belong together. */
function unpack(recipe: Recipe, storedRows: unknown, storedState: unknown): OpenDraft | null {
  const rows = draftRows.safeParse(storedRows).data
  const state = draftState.safeParse(storedState).data
  // A tab closed between two writes can leave the rows of one file and the state of another.
  if (rows === undefined || state === undefined || rows.rowsId !== state.rowsId) return null
  const { key, rowsId, savedAt, added, version: _, ...work } = state
  const table = [...rows.table, ...added.map(() => work.columns.map(() => ""))]
  for (const [id, cells] of work.edits) {
    const row = table[id] ?? []
    for (const [column, text] of cells) row[column] = text
  }
  const numbers = [...rows.numbers, ...added]
  return { data: newSheet({ recipe, table, numbers, restoredAt: savedAt, ...work }), key, rowsId }
}

/** Delay before a change is written, in ms. */
const pause = 300

/** Saves one user's draft of one recipe. If storage refuses, the draft exists until the page closes. */
export function createDraftSaver(store: DraftStore, recipe: Recipe, userId: string, now: () => number) {
  const place = draftKeys(recipe.name, userId)
  let open: OpenDraft | null = null
  let isStored = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = Promise.resolve()

  /** Serialises writes, so that an older one never comes last. */
  function inTurn(write: () => Promise<void>): Promise<void> {
    writing = writing.then(write).catch(() => {})
    return writing
  }

  async function writeState(): Promise<void> {
    if (open === null) return
    const { data, key, rowsId } = open
    const { origin, columns, constants, choices, notes, cellNotes, marks, decisions, edits, numbers } = data
    const work = { origin, columns, constants, choices, notes, cellNotes, marks, decisions, edits }
    const added = numbers.slice(origin.size)
    const state: z.input<typeof draftState> = { version, rowsId, savedAt: now(), key, added, ...work }
    await (isStored ? store.replace(place.state, state) : store.write(place.state, state))
    isStored = true
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    return inTurn(writeState)
  }

  return {
    flush,
    async restore(): Promise<OpenDraft | null> {
      await inTurn(() => dropExpiredDrafts(store, now()))
      const stored = await Promise.all([store.read(place.rows), store.read(place.state)]).catch(() => [])
      open = unpack(recipe, stored[0], stored[1])
      isStored = open !== null
      return open
    },
    begin(data: SheetData, key: string): void {
      const rowsId = `${key}@${now()}`
      open = { data, key, rowsId }
      isStored = false
      const { size } = data.origin
      const rows = { version, rowsId, table: data.table.slice(0, size), numbers: data.numbers.slice(0, size) }
      // In this order: another tab that starts now would delete rows without a draft.
      void flush()
      void inTurn(() => store.write(place.rows, rows))
    },
    touch(): void {
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), pause)
    },
    drop(): Promise<void> {
      clearTimeout(timer)
      open = null
      return inTurn(() => store.drop([place.state, place.rows]))
    },
  }
}
