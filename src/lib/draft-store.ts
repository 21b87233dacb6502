import * as z from "zod/mini"
import { dropStored } from "./browser-storage.ts"

const prefix = "laurel:draft:"

/** Drafts while the browser refuses its storage; lost when the page closes. */
const memory = new Map<string, string>()

/** A form's input, and the values the fields had before. */
export interface Draft<T> {
  readonly values: T
  readonly base: T
}

/** Reads a draft of this tab; null if there is none or it does not match the form's fields. */
export function readDraft<T>(key: string, shape: z.ZodMiniType<T>): Draft<T> | null {
  const stored = inStorage((storage) => storage.getItem(prefix + key)) ?? memory.get(prefix + key)
  if (stored === undefined) return null
  try {
    return z.object({ values: shape, base: shape }).safeParse(JSON.parse(stored)).data ?? null
  } catch {
    // Not a draft of this form.
    return null
  }
}

/** Saves a draft for a reload of this tab. Never for secrets. */
export function saveDraft<T>(key: string, draft: Draft<T>): void {
  const text = JSON.stringify(draft)
  const refused = inStorage((storage) => storage.setItem(prefix + key, text)) === null
  if (refused) memory.set(prefix + key, text)
}

/** Deletes one draft. */
export function dropDraft(key: string): void {
  memory.delete(prefix + key)
  inStorage((storage) => storage.removeItem(prefix + key))
}

/** Deletes every draft of this tab, on signing out: drafts contain personal data. */
export function dropAllDrafts(): void {
  memory.clear()
  dropStored(prefix, "sessionStorage")
}

/** Null if the browser refuses its storage, such as in private windows. */
function inStorage<T>(run: (storage: Storage) => T): T | null {
  try {
    return run(sessionStorage)
  } catch {
    return null
  }
}
