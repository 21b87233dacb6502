import { isCountryCode, suggestedCountry } from "../../contract/program/common.ts"
import { once } from "./once.ts"

type Named = {
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  email?: string | null | undefined
  id?: string | null | undefined
}

/** First and last name, else the e-mail, else the id. */
export function fullName(member: Named): string {
  const name = [member.first_name, member.last_name]
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "")
    .join(" ")
  return name || member.email || member.id || "No name"
}

const segmenter = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }))

function firstLetter(word: string): string {
  // Two ASCII characters never combine; the check below is slow.
  if (/^[!-~](?:[!-~]|$)/.test(word)) return word.charAt(0)
  for (const { segment } of segmenter().segment(word)) return segment
  return ""
}

/** One or two capitals for an avatar: `Ana Silva` → `AS`, `Priya` → `P`, nothing readable → `?`. */
export function initials(name: string): string {
  const words = name
    .split(/[\s@.]+/u)
    .filter((word) => /[a-z\d]/i.test(word) || /[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(word))
  const first = words.at(0)
  if (first === undefined) return "?"
  const last = words.length > 1 && !name.includes("@") ? (words.at(-1) ?? "") : ""
  return (firstLetter(first) + firstLetter(last)).toLocaleUpperCase("en")
}

/** Whether a text contains every word of `typed`, ignoring case. */
export function containsWords(text: string, typed: string): boolean {
  const words = typed.toLocaleLowerCase().split(/\s+/)
  return words.every((word) => text.toLocaleLowerCase().includes(word))
}

/** A country's English name as on parcels: "Hong Kong" for `HK`. A text that is no code is unchanged. */
export function countryName(code: string): string {
  const upper = code.toUpperCase()
  const known = isCountryCode(upper) ? upper : suggestedCountry(code)
  if (known === undefined) return code
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
  return names.of(known)?.replace(/ SAR China$/, "") ?? code
}
