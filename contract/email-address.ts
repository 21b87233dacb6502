import * as z from "zod/mini"
import { asExact, exactText } from "./typed-text.ts"

// Local part: the atoms of RFC 5321, with letters of any script (RFC 6531). Domain: labels of letters, digits and
// hyphens, also as punycode; its last one is no number.
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\u0060{|}~\-]+`
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-]{0,61}[\p{L}\p{M}\p{N}])?`
const lastLabel = String.raw`(?:xn--[a-z\d\-]{1,58}[a-z\d]|[\p{L}\p{M}]{2,63})`

/** An address that mail can be sent to, as far as its form says. */
export const emailPattern = new RegExp(
  `^(?=.{6,254}$)(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${lastLabel}$`,
  "iu",
)

const hint = "Enter an e-mail address like name@company.com.au."

/** An e-mail address that can receive mail: for new members, users and cards. */
export const newEmail = z
  .string()
  .check(
    asExact,
    z.trim(),
    z.maxLength(254, "At most 254 characters."),
    z.email({ pattern: emailPattern, error: hint }),
  )

const longestHeld = 320
/** Something before and after an @, without what separates several addresses or a name from one. */
const heldPattern = /^(?:"[^"]+"|[^\s<>",;]+)@[^\s<>",;]+$/u

/** Whether a text can be a member's e-mail, including ones a service accepted. */
export function isEmail(text: string): boolean {
  return text.length <= longestHeld && heldPattern.test(text)
}

/** The e-mail of an existing member, which new members might not be allowed. */
export const existingEmail = z.string().check(asExact, z.trim(), z.refine(isEmail, hint))

/** An address for comparisons: case and invisible characters do not count. */
export function comparedEmail(text: string): string {
  return exactText(text).trim().toLowerCase()
}

/** Whether two addresses are equal (`comparedEmail`); an empty one equals none. */
export function isSameEmail(one: string, other: string | null | undefined): boolean {
  const compared = comparedEmail(one)
  return compared !== "" && compared === comparedEmail(other ?? "")
}
