import * as z from "zod/mini"
import { limits } from "../limits.ts"

/** Whether every half of a surrogate pair has its partner and there is no NUL: text that survives any store. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000")
}

/**
 * Free-form key/value data of a record, with every key as it came: a record schema would leave out one of the name
 * `__proto__` without a word.
 */
export const freeForm = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { params: { expected: "record" } },
)

/** Whether a JSON value is nested at most `depth` levels and every text in it, names too, survives any store. */
export function isNestedStorable(value: unknown, depth: number): boolean {
  if (typeof value === "string") return isStorable(value)
  if (typeof value !== "object" || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(
    ([name, held]) => name !== "__proto__" && isStorable(name) && isNestedStorable(held, depth - 1),
  )
}

const storable = z.refine<string>(
  isStorable,
  "This text has a character that cannot be stored. Delete it and type it again.",
)

/** Text with something in it, trimmed, up to `max` characters. */
export function requiredText(what: string, max: number = limits.shortText) {
  return z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `Enter ${what}.`),
      z.maxLength(max, `At most ${max} characters.`),
      storable,
    )
}

/** Text that may be empty, trimmed, up to `max` characters. */
export function plainText(max: number = limits.shortText) {
  return z.string().check(z.trim(), z.maxLength(max, `At most ${max} characters.`), storable)
}

/** An e-mail address as a person types it. */
export const emailText = z
  .string()
  .check(
    z.trim(),
    z.maxLength(254, "At most 254 characters."),
    z.email("Enter an e-mail address like name@company.com.au."),
  )
