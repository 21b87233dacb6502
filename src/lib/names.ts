import * as z from "zod/mini"
import { isCountryCode, suggestedCountry } from "../../contract/program/common.ts"
import { dropStored, readStored, saveStored } from "./browser-storage.ts"
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

const tabNamesKey = "laurel:member-names"
const tabNames = z.array(z.tuple([z.string(), z.string()]))
const mostTabNames = 1000

/**
 * Names shown in this tab, for an offline reload. Deleted with the tab and on signing out; member names are never
 * stored longer (docs/security.md).
 */
export function loadTabNames(ids: readonly string[]): { id: string; name: string }[] {
  const seen = new Map(readStored(tabNamesKey, tabNames, "sessionStorage"))
  return ids.flatMap((id) => {
    const name = seen.get(id)
    return name === undefined ? [] : [{ id, name }]
  })
}

/** Adds names; ids without a member are removed. */
export function saveTabNames(names: ReadonlyMap<string, string>, missing: ReadonlySet<string>): void {
  const seen = new Map([...(readStored(tabNamesKey, tabNames, "sessionStorage") ?? []), ...names])
  for (const id of missing) seen.delete(id)
  saveStored(tabNamesKey, [...seen].slice(-mostTabNames), "sessionStorage")
}

/** Deletes them, on signing out. */
export function clearTabNames(): void {
  dropStored(tabNamesKey, "sessionStorage")
}
