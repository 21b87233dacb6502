import * as z from "zod/mini"
import {
  draftKeys,
  type DraftStore,
  draftVersion as version,
  dropExpiredDrafts,
} from "../lib/import-drafts.ts"
import type { Recipe } from "./recipe.ts"
import { newSheet, sheetWork, type SheetData } from "./sheet-data.ts"

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
    const { origin, columns, constants, choices, notes, marks, decisions, edits, numbers } = data
    const work = { origin, columns, constants, choices, notes, marks, decisions, edits }
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
