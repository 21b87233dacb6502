import * as z from "zod/mini"
import type { RowRecord } from "./job-store.ts"

// What the engine stores in a row's `notes`, besides those of the row's kind. Times are ms since 1970 on the store's
// clock.

const refusal = z.object({ code: z._default(z.string(), ""), message: z._default(z.string(), "") })

/** What a restore means for a row (docs/restore.md). */
const restored = z.object({
  /** When the restore was detected: all sends of the row were earlier. */
  at: z.number(),
  /** When the restored store was last known to be complete: anything it does not know of came later. */
  since: z.number(),
  /** When the job was created. */
  made: z.number(),
  /** Attempts at that time: later attempts are settled as usual. */
  attempts: z.number(),
  /** A sample before sending: an entry that someone else may have made proves nothing. */
  sample: z.boolean(),
})
export type RestoredFacts = Readonly<z.output<typeof restored>>

const missed = z.object({ since: z.number(), lookups: z.number() })

/** An unreadable note counts as missing. */
const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

const rowNotes = z.object({
  restored: optional(restored),
  /** Failed lookups in a row. */
  missed: optional(missed),
  /** The first lookup that found nothing. */
  empty_at: optional(z.number()),
  /** When the row went back from a person's decision to lookups. */
  reopened_at: optional(z.number()),
  /** Refusal of an attempt that followed an unknown one: the row is looked up first. */
  refusal: optional(refusal),
  /** An undocumented refusal: only a person may resend the row. */
  sendOnce: optional(refusal),
  /** Refusal of the row's bulk request as a whole. */
  refused_together: optional(refusal),
})
type RowNotes = z.output<typeof rowNotes>

/** The engine's own notes of a row; those of its kind are left out. */
export function notesOf({ notes }: Pick<RowRecord, "notes">): RowNotes {
  return rowNotes.parse(notes ?? {})
}

/** Notes to store, as the `notes` of a row or of a part of it. */
export function engineNotes(some: { readonly [Name in keyof RowNotes]?: NonNullable<RowNotes[Name]> }) {
  return some satisfies RowRecord["notes"]
}

/** The `notes` without the note. */
export function withoutNote(notes: RowRecord["notes"], name: keyof RowNotes): RowRecord["notes"] {
  if (notes === null || !(name in notes)) return notes
  const { [name]: _removed, ...rest } = notes
  return rest
}

/** Start of an unknown row's waiting time: the end of its call, or when it was reopened if that was later. */
export function waitedSince(row: Pick<RowRecord, "notes" | "endedAt">): number | null {
  const { endedAt } = row
  return endedAt === null ? null : Math.max(endedAt, notesOf(row).reopened_at ?? endedAt)
}
