import type { Recipe } from "../recipes/recipe.ts"
import type { SheetData } from "../sheet/sheet-data.ts"
import { packRows, packState, readState, unpackDraft } from "./pack-draft.ts"
import type { DraftStore } from "./draft-store.ts"

/** Days after which a draft that nobody touched is dropped, in ms. */
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

/** Keeps one person's draft of one kind of file. */
export interface DraftKeeper {
  /** The draft and its key; null when there is none. Drops everybody's drafts that are too old. */
  readonly restore: () => Promise<{ readonly data: SheetData; readonly key: string } | null>
  /** Keeps rows that were just read: once for every file. */
  readonly begin: (data: SheetData, key: string) => void
  /** Keeps what was done since, in a moment. */
  readonly touch: () => void
  /** Keeps it now. */
  readonly flush: () => Promise<void>
  /** Forgets the draft. */
  readonly drop: () => Promise<void>
}

/** Makes one. Storage that refuses is no fault: the draft then lasts as long as the page. */
export function createDraftKeeper({ store, recipe, userId, now }: KeeperOptions): DraftKeeper {
  const own = `${prefix}${recipe.name}:${userId}:`
  const place = { state: own + stateEnd, rows: `${own}rows` }
  let open: { readonly data: SheetData; readonly key: string; readonly rowsId: string } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = Promise.resolve()

  /** One write after the other, so that an older one never comes last. */
  function after(write: () => Promise<void>): Promise<void> {
    writing = writing.then(write).catch(() => {})
    return writing
  }

  async function writeState(): Promise<void> {
    if (open === null) return
    await store.write(place.state, packState(open.data, { ...open, savedAt: now() }))
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    return after(writeState)
  }

  /** Drops everybody's drafts that nobody touched for too long, and rows that no draft belongs to any more. */
  async function dropOld(): Promise<void> {
    const all = (await store.keys()).filter((key) => key.startsWith(prefix))
    const live = new Set<string>()
    for (const key of all.filter((each) => each.endsWith(stateEnd))) {
      const saved = readState((await store.read(key)) ?? "")?.savedAt ?? 0
      if (now() - saved <= lifetime) live.add(key.slice(0, -stateEnd.length))
    }
    await store.drop(all.filter((key) => !live.has(key.replace(/[^:]*$/, ""))))
  }

  return {
    async restore() {
      await after(dropOld)
      const stateText = await store.read(place.state).catch(() => undefined)
      const rowsText = await store.read(place.rows).catch(() => undefined)
      const state = readState(stateText ?? "")
      if (state === null || rowsText === undefined) return null
      // A tab that was closed between two writes leaves rows of one file and the state of another.
      if (!rowsText.startsWith(state.rowsId)) return null
      const data = unpackDraft(recipe, rowsText.slice(state.rowsId.length), state)
      if (data === null) return null
      open = { data, key: state.key, rowsId: state.rowsId }
      return { data, key: state.key }
    },
    begin(data, key) {
      clearTimeout(timer)
      const rowsId = `${key}@${now()}\n`
      open = { data, key, rowsId }
      const rows = packRows(data)
      // In this order: rows that no draft belongs to would be dropped by another tab that starts now.
      void after(writeState)
      void after(() => store.write(place.rows, rowsId + rows))
    },
    touch() {
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), pause)
    },
    flush,
    drop() {
      clearTimeout(timer)
      open = null
      return after(() => store.drop([place.state, place.rows]))
    },
  }
}
