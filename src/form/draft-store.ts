import { z } from "../lib/z.ts"

/** Every draft's key in `sessionStorage` starts so. */
const prefix = "laurel:draft:"

/** What somebody had typed, and what the fields held before. */
export interface Draft<T> {
  readonly values: T
  readonly base: T
}

/**
 * Reads a draft of this tab; null when there is none or it has another shape than the form.
 * @param shape what the form's fields hold, complete or not: a draft is work in progress
 */
export function readDraft<T>(key: string, shape: z.ZodMiniType<T>): Draft<T> | null {
  try {
    const stored = sessionStorage.getItem(prefix + key)
    if (stored === null) return null
    const draft = z.object({ values: shape, base: shape })
    return draft.safeParse(JSON.parse(stored)).data ?? null
  } catch {
    // Blocked storage, or something else under our key: there is no draft.
    return null
  }
}

/** Keeps a draft for a reload of this tab. Never for secrets. */
export function keepDraft<T>(key: string, draft: Draft<T>): void {
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(draft))
  } catch {
    // Private windows may refuse: the draft then lasts as long as the page.
  }
}

/** Forgets one draft. */
export function dropDraft(key: string): void {
  try {
    sessionStorage.removeItem(prefix + key)
  } catch {
    // Nothing was kept.
  }
}

/** Forgets every draft of this tab: on signing out, because drafts hold what people typed about people. */
export function dropAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key)
    }
  } catch {
    // Nothing was kept.
  }
}
