import * as z from "zod/mini"
import { newKey } from "../lib/new-key.ts"
import { dropDraft, keepDraft, readDraft } from "./draft-store.ts"

const shape = z.object({ key: z.string() })

const nameOf = (draftKey: string) => `${draftKey}:submission`

/**
 * The key a form is sent with (`Idempotency-Key`): made once for a draft and kept beside it, so that a reload, a
 * second click or a copied tab sends the same one and the server makes one effect of them.
 * @param draftKey names the form, the record and the person, as in `useDeskForm`
 */
export function submissionKey(draftKey: string): string {
  const kept = readDraft(nameOf(draftKey), shape)
  if (kept !== null) return kept.values.key
  const made = { key: newKey() }
  keepDraft(nameOf(draftKey), { values: made, base: made })
  return made.key
}

/** The form was accepted: what is sent next is another effect. */
export function renewSubmissionKey(draftKey: string): void {
  dropDraft(nameOf(draftKey))
}
