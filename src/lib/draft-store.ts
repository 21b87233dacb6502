import * as z from "zod/mini"

const prefix = "laurel:draft:"

/** Where drafts are while the browser refuses its storage: they then last as long as the page. */
const memory = new Map<string, string>()

/** What somebody had typed, and what the fields held before. */
export interface Draft<T> {
  readonly values: T
  readonly base: T
}

/** Reads a draft of this tab; null when there is none or it has another shape than the form's fields. */
export function readDraft<T>(key: string, shape: z.ZodMiniType<T>): Draft<T> | null {
  const stored = inStorage((storage) => storage.getItem(prefix + key)) ?? memory.get(prefix + key)
  if (stored === undefined) return null
  try {
    return z.object({ values: shape, base: shape }).safeParse(JSON.parse(stored)).data ?? null
  } catch {
    // Something else stands under our key: there is no draft.
    return null
  }
}

/** Keeps a draft for a reload of this tab. Never for secrets. */
export function saveDraft<T>(key: string, draft: Draft<T>): void {
  const text = JSON.stringify(draft)
  const refused = inStorage((storage) => storage.setItem(prefix + key, text)) === null
  if (refused) memory.set(prefix + key, text)
}

/** Forgets one draft. */
export function dropDraft(key: string): void {
  memory.delete(prefix + key)
  inStorage((storage) => storage.removeItem(prefix + key))
}

/** Forgets every draft of this tab: on signing out, because drafts hold what people typed about people. */
export function dropAllDrafts(): void {
  memory.clear()
  inStorage((storage) => {
    const drafts = Object.keys(storage).filter((key) => key.startsWith(prefix))
    for (const key of drafts) storage.removeItem(key)
  })
}

/** Null where the browser refuses its storage, as private windows may. */
function inStorage<T>(run: (storage: Storage) => T): T | null {
  try {
    return run(sessionStorage)
  } catch {
    return null
  }
}
