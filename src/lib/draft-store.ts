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
  const stored = readText(prefix + key)
  if (stored === null) return null
  try {
    return z.object({ values: shape, base: shape }).safeParse(JSON.parse(stored)).data ?? null
  } catch {
    // Something else stands under our key: there is no draft.
    return null
  }
}

function readText(key: string): string | null {
  try {
    return sessionStorage.getItem(key) ?? memory.get(key) ?? null
  } catch {
    return memory.get(key) ?? null
  }
}

/** Keeps a draft for a reload of this tab. Never for secrets. */
export function keepDraft<T>(key: string, draft: Draft<T>): void {
  const text = JSON.stringify(draft)
  try {
    sessionStorage.setItem(prefix + key, text)
  } catch {
    // Private windows may refuse.
    memory.set(prefix + key, text)
  }
}

/** Forgets one draft. */
export function dropDraft(key: string): void {
  memory.delete(prefix + key)
  try {
    sessionStorage.removeItem(prefix + key)
  } catch {
    // Nothing was kept.
  }
}

/** Forgets every draft of this tab: on signing out, because drafts hold what people typed about people. */
export function dropAllDrafts(): void {
  memory.clear()
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key)
    }
  } catch {
    // Nothing was kept.
  }
}
