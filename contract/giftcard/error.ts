import * as z from "zod/mini"

const shapes = z.union([
  z.looseObject({ error: z.looseObject({ code: z.string(), message: z.optional(z.nullable(z.string())) }) }),
  z.looseObject({ code: z.string(), message: z.optional(z.nullable(z.string())) }),
  z.looseObject({ error: z.string() }),
  z.string(),
])

/** Code and message of a gift-card error, as far as the body carries them. */
export interface CardError {
  readonly code: string | undefined
  readonly message: string | undefined
}

const codeForm = /^[A-Z][A-Z0-9_]{2,60}$/

/**
 * Reads a gift-card error body, whose shape is not documented: `error.code`, a flat `code`, or a string
 * (docs/api/giftcard.md, Not shown). Nothing recognisable gives neither code nor message.
 */
export function readCardError(body: unknown): CardError {
  const parsed = shapes.safeParse(body)
  if (!parsed.success) return { code: undefined, message: undefined }
  const found = parsed.data
  if (typeof found === "string") return fromText(found)
  if ("error" in found && typeof found.error === "string") return fromText(found.error)
  const holder =
    "error" in found && typeof found.error === "object" && found.error !== null ? found.error : found
  const held = z
    .looseObject({ code: z.string(), message: z.optional(z.nullable(z.string())) })
    .safeParse(holder)
  if (!held.success) return { code: undefined, message: undefined }
  return { code: held.data.code, message: held.data.message ?? undefined }
}

function fromText(text: string): CardError {
  return codeForm.test(text) ? { code: text, message: undefined } : { code: undefined, message: text }
}
