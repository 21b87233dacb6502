import type { DraftStore } from "../../../src/lib/import-drafts.ts"

/** In-memory drafts. */
export function memoryDrafts(): DraftStore {
  const drafts = new Map<string, unknown>()
  return {
    read: async (key) => drafts.get(key),
    write: async (key, value) => void drafts.set(key, structuredClone(value)),
    async replace(key, value) {
      if (drafts.has(key)) drafts.set(key, structuredClone(value))
    },
    keys: async () => [...drafts.keys()],
    async drop(keys) {
      for (const key of keys) drafts.delete(key)
    },
  }
}
