import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { isStorable } from "./program/common.ts"

export const noteKinds = ["member", "order"] as const

/** The note kept here about a record; the services never see it. `version` counts saves, 0 before the first. */
export const note = z.object({
  kind: z.enum(noteKinds),
  id: z.string(),
  text: z.string(),
  version: z.int(),
  saved_at: z.nullable(z.string()),
  saved_by: z.nullable(z.string()),
})
export type Note = z.output<typeof note>

/** Body of `PUT /api/notes/{kind}/{id}`: `version` is the one the person saw; with another one the response is 409. */
export const saveNoteBody = z.strictObject({
  text: z
    .string()
    .check(
      z.maxLength(limits.note, `At most ${limits.note} characters.`),
      z.refine<string>(isStorable, "The note has a character that cannot be stored."),
    ),
  version: z.int().check(z.minimum(0)),
})
export type SaveNoteBody = z.output<typeof saveNoteBody>
