import { createStore, delMany, get, keys, set } from "idb-keyval"
import * as z from "zod/mini"
import type { SheetData } from "./load-sheet.ts"
import { delimiters } from "./parse-table.ts"
import { encodings } from "./read-file.ts"
import type { Recipe } from "./recipe.ts"

/** Where drafts of imports are kept. */
export interface DraftStore {
  readonly read: (key: string) => Promise<unknown>
  readonly write: (key: string, value: unknown) => Promise<void>
  readonly keys: () => Promise<readonly string[]>
  readonly drop: (keys: readonly string[]) => Promise<void>
}

/**
 * Drafts in this browser's IndexedDB. They hold what people put into a file about people, and stay after signing out:
 * that is what a draft of an import is for. They are kept under the user's id, dropped when the job is started or the
 * person discards them, and after 14 days (docs/security.md).
 */
export function browserDrafts(): DraftStore {
  const store = createStore("laurel-import", "drafts")
  return {
    read: (key) => get<unknown>(key, store),
    write: (key, value) => set(key, value, store),
    keys: async () => (await keys(store)).filter((key) => typeof key === "string"),
    drop: (gone) => delMany([...gone], store),
  }
}

/** Drafts that last as long as the page. */
export function memoryDrafts(): DraftStore {
  const held = new Map<string, unknown>()
  return {
    read: async (key) => held.get(key),
    write: async (key, value) => void held.set(key, structuredClone(value)),
    keys: async () => [...held.keys()],
    async drop(gone) {
      for (const key of gone) held.delete(key)
    },
  }
}

/** Version of the two shapes below: a draft of another version is dropped, never guessed at. */
const version = 2

/** The rows as they were read: written once, because they are large. */
const draftRows = z.object({
  version: z.literal(version),
  rowsId: z.string(),
  table: z.array(z.array(z.string())),
  numbers: z.array(z.number()),
})

const note = z.object({ severity: z.enum(["problem", "check"]), text: z.string() })

/** Everything that changes while a person works: written often, and small. */
const draftState = z.object({
  version: z.literal(version),
  /** Which rows it belongs to. */
  rowsId: z.string(),
  /** ms since 1970. */
  savedAt: z.number(),
  /** Idempotency-Key of the job this draft becomes. */
  key: z.string(),
  origin: z.object({
    name: z.string(),
    encoding: z.nullable(z.enum(encodings)),
    delimiter: z.enum(delimiters),
    notes: z.array(z.string()),
    headerAt: z.nullable(z.number()),
    size: z.number(),
    style: z.enum([".", ","]),
    styleMatters: z.boolean(),
  }),
  columns: z.array(z.object({ name: z.string(), field: z.nullable(z.string()) })),
  constants: z.record(z.string(), z.string()),
  choices: z.record(z.string(), z.string()),
  notes: z.array(z.tuple([z.number(), note])),
  marks: z.array(z.tuple([z.number(), z.array(z.extend(note, { field: z.string(), cell: z.string() }))])),
  decisions: z.array(
    z.tuple([z.number(), z.union([z.object({ kept: z.string() }), z.enum(["excluded", "removed"])])]),
  ),
  /** Row, column and text of every cell that was changed. */
  edits: z.array(z.tuple([z.number(), z.number(), z.string()])),
  /** Numbers of rows that were added here. */
  added: z.array(z.number()),
})

function packRows({ table, numbers, origin }: SheetData, rowsId: string): z.input<typeof draftRows> {
  const { size } = origin
  return { version, rowsId, table: table.slice(0, size), numbers: numbers.slice(0, size) }
}

function packState(
  data: SheetData,
  own: { readonly rowsId: string; readonly savedAt: number; readonly key: string },
): z.input<typeof draftState> {
  const { origin, columns, constants, choices, notes, marks, decisions, edited, table, numbers } = data
  return {
    version,
    ...own,
    origin: { ...origin, notes: [...origin.notes] },
    columns: [...columns],
    constants,
    choices,
    notes: [...notes],
    marks: Array.from(marks, ([id, each]) => [id, [...each]]),
    decisions: [...decisions],
    edits: [...edited].flatMap(([id, cells]) =>
      Array.from(cells, (at): [number, number, string] => [id, at, table[id]?.[at] ?? ""]),
    ),
    added: numbers.slice(origin.size),
  }
}

/** Puts a sheet together again; null when either part is of another shape, or they do not belong together. */
function unpack(recipe: Recipe, storedRows: unknown, storedState: unknown) {
  const rows = draftRows.safeParse(storedRows).data
  const state = draftState.safeParse(storedState).data
  // A tab that was closed between two writes leaves rows of one file and the state of another.
  if (rows === undefined || state === undefined || rows.rowsId !== state.rowsId) return null
  const { key, rowsId, savedAt, added, edits, origin, columns, constants, choices } = state
  const table = [...rows.table, ...added.map(() => columns.map(() => ""))]
  const edited = new Map<number, Set<number>>()
  for (const [id, column, text] of edits) {
    const row = table[id]
    if (row === undefined) continue
    row[column] = text
    edited.set(id, (edited.get(id) ?? new Set()).add(column))
  }
  const data: SheetData = {
    recipe,
    origin,
    table,
    numbers: [...rows.numbers, ...added],
    columns,
    constants,
    choices,
    notes: new Map(state.notes),
    marks: new Map(state.marks),
    decisions: new Map(state.decisions),
    edited,
    repeats: new Map(),
    restoredAt: savedAt,
    facts: {},
  }
  return { data, key, rowsId }
}

/** Time after which a draft that nobody touched is dropped, in ms. */
const lifetime = 14 * 24 * 3_600_000
/** Time without a change before it is written, in ms: a person who types is not disturbed, and little is lost. */
const pause = 300

const prefix = "import:"
const stateEnd = "state"

interface KeeperOptions {
  readonly store: DraftStore
  readonly recipe: Recipe
  readonly userId: string
  /** ms since 1970. */
  readonly now: () => number
}

/** Keeps one person's draft of one kind of file. Storage that refuses is no fault: it then lasts as long as the page. */
export function createDraftKeeper({ store, recipe, userId, now }: KeeperOptions) {
  const own = `${prefix}${recipe.name}:${userId}:`
  const place = { state: own + stateEnd, rows: `${own}rows` }
  let open: { readonly data: SheetData; readonly key: string; readonly rowsId: string } | null = null
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
    await store.write(place.state, packState(data, { key, rowsId, savedAt: now() }))
  }

  /** Keeps it now. */
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
    /** The draft and its key; null when there is none. Drops everybody's drafts that are too old. */
    async restore(): Promise<{ readonly data: SheetData; readonly key: string } | null> {
      await inTurn(dropOld)
      const [rows, state] = await Promise.all([store.read(place.rows), store.read(place.state)]).catch(
        () => [],
      )
      open = unpack(recipe, rows, state)
      return open
    },
    /** Keeps rows that were just read: once for every file. */
    begin(data: SheetData, key: string): void {
      clearTimeout(timer)
      open = { data, key, rowsId: `${key}@${now()}` }
      const rows = packRows(data, open.rowsId)
      // In this order: rows that no draft belongs to would be dropped by another tab that starts now.
      void inTurn(writeState)
      void inTurn(() => store.write(place.rows, rows))
    },
    /** Keeps what was done since, after a short pause. */
    touch(): void {
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), pause)
    },
    /** Forgets the draft. */
    drop(): Promise<void> {
      clearTimeout(timer)
      open = null
      return inTurn(() => store.drop([place.state, place.rows]))
    },
  }
}
