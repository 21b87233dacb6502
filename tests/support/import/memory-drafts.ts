import type { DraftStore } from "../../../src/lib/import-drafts.ts"

/** Drafts that last as long as the test. */
export function memoryDrafts(): DraftStore {
  const held = new Map<string, unknown>()
  return {
    read: async (key) => held.get(key),
    write: async (key, value) => void held.set(key, structuredClone(value)),
    async replace(key, value) {
      if (held.has(key)) held.set(key, structuredClone(value))
    },
    keys: async () => [...held.keys()],
    async drop(gone) {
      for (const key of gone) held.delete(key)
    },
  }
}
