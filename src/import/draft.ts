import { createStore, delMany, get, keys, set } from "idb-keyval"
import * as z from "zod/mini"
import type { Recipe } from "./recipe.ts"
import { newSheet, sheetWork, type SheetData } from "./sheet-data.ts"

/**
 * Drafts in this browser's IndexedDB: what people typed about people, under the user's id. They stay after signing out,
 * until the job is started, the person discards them, or 14 days have passed (docs/security.md).
 */
export function browserDrafts() {
  const store = createStore("laurel-import", "drafts")
  return {
    read: (key: string) => get<unknown>(key, store),
    write: (key: string, value: unknown) => set(key, value, store),
    keys: async () => (await keys(store)).filter((key) => typeof key === "string"),
    drop: (gone: string[]) => delMany(gone, store),
  }
}

export type DraftStore = ReturnType<typeof browserDrafts>

/** Version of the two shapes below: a draft of another version is dropped, never guessed at. */
const version = 3

/** The rows as they were read: written once, because they are large. */
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

/** Puts a sheet together again; null when either part is of another shape, or they do not belong together. */
function unpack(recipe: Recipe, storedRows: unknown, storedState: unknown): OpenDraft | null {
  const rows = draftRows.safeParse(storedRows).data
  const state = draftState.safeParse(storedState).data
  // A tab that was closed between two writes leaves rows of one file and the state of another.
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

/** Time after which a draft that nobody touched is dropped, in ms. */
const lifetime = 14 * 24 * 3_600_000
/** Time without a change before it is written, in ms: a person who types is not disturbed, and little is lost. */
const pause = 300

const prefix = "import:"
const stateEnd = "state"

/** Keeps one person's draft of one kind of file; where storage refuses, it lasts as long as the page. */
export function createDraftKeeper(store: DraftStore, recipe: Recipe, userId: string, now: () => number) {
  const own = `${prefix}${recipe.name}:${userId}:`
  const place = { state: own + stateEnd, rows: `${own}rows` }
  let open: OpenDraft | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = Promise.resolve()

  /** One write after the other, so that an older one never comes last. */
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
    await store.write(place.state, state)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    return inTurn(writeState)
  }

  /** Drops everybody's drafts that nobody touched for too long, and rows that no draft belongs to any more. */
  async function dropOld(): Promise<void> {
    const all = (await store.keys()).filter((key) => key.startsWith(prefix))
    const live = new Set<string>()
    for (const key of all.filter((each) => each.endsWith(stateEnd))) {
      const savedAt = draftState.safeParse(await store.read(key)).data?.savedAt ?? 0
      if (now() - savedAt <= lifetime) live.add(key.slice(0, -stateEnd.length))
    }
    await store.drop(all.filter((key) => !live.has(key.replace(/[^:]*$/, ""))))
  }

  return {
    flush,
    async restore(): Promise<OpenDraft | null> {
      await inTurn(dropOld)
      const stored = await Promise.all([store.read(place.rows), store.read(place.state)]).catch(() => [])
      open = unpack(recipe, stored[0], stored[1])
      return open
    },
    begin(data: SheetData, key: string): void {
      const rowsId = `${key}@${now()}`
      open = { data, key, rowsId }
      const { size } = data.origin
      const rows = { version, rowsId, table: data.table.slice(0, size), numbers: data.numbers.slice(0, size) }
      // In this order: rows that no draft belongs to would be dropped by another tab that starts now.
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
