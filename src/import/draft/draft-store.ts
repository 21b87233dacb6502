import { createStore, delMany, get, keys, set } from "idb-keyval"

/** Where drafts of imports lie. Values are text. */
export interface DraftStore {
  readonly read: (key: string) => Promise<string | undefined>
  readonly write: (key: string, text: string) => Promise<void>
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
    read: async (key) => text(await get<unknown>(key, store)),
    write: (key, value) => set(key, value, store),
    keys: async () => (await keys(store)).filter((key) => typeof key === "string"),
    drop: (gone) => delMany([...gone], store),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}

/** Drafts that last as long as the page: where the browser has no storage, and in tests. */
export function passingDrafts(): DraftStore {
  const held = new Map<string, string>()
  return {
    read: async (key) => held.get(key),
    async write(key, value) {
      held.set(key, value)
    },
    keys: async () => [...held.keys()],
    async drop(gone) {
      for (const key of gone) held.delete(key)
    },
  }
}
