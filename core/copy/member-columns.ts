import { ExactNumber } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import type { MemberSearchScope } from "../../contract/members.ts"
import { timeOf } from "../../contract/program/common.ts"
import type { Member } from "../../contract/program/member.ts"

/** Letters that have no accent to take away. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
}

/** A text for searching and sorting: without case, accents, control and invisible characters. */
export function fold(text: string): string {
  const plain = text
    .normalize("NFD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .replaceAll(/\p{Cc}/gu, " ")
    .toLowerCase()
    .replaceAll(/[ßøłæœđðþı]/g, (letter) => plainLetters[letter] ?? letter)
  return plain.toWellFormed()
}

/** The words of a search, each to be found in a folded text. */
export function foldedWords(search: string): string[] {
  return fold(search).split(/\s+/).filter(Boolean)
}

/** The digits of a number as it is dialled anywhere: without zeros at the beginning. */
function dialled(text: string): string {
  return text.replaceAll(/\D/g, "").replace(/^0+/, "")
}

/** What a search matches in the folded columns: every word, or the phone. */
export function searchWords(search: string, scope: MemberSearchScope): { words: string[]; phone?: string } {
  const words = foldedWords(search)
  const digits = dialled(search)
  const isPhone =
    scope === "all" && /^[\d\s+()\-./]+$/.test(search) && search.replaceAll(/\D/g, "").length >= 3
  return isPhone && digits !== "" ? { words, phone: digits } : { words }
}

/** Longest folded metadata of a member, in characters. */
const longestMetadata = 4000

/** Longest custom field that is compared, in characters: longer than any that is looked for. */
const longestField = limits.shortText + 1

/** A custom field's name as a key of the column `fields`: nothing to escape, and no capital, which `LIKE` may ignore. */
export const fieldKey = (name: string) =>
  encodeURIComponent(name.toWellFormed())
    .replaceAll("!", "%21")
    .replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)

/** A custom field's value as it is compared. Folded texts have no control characters: two of them replace `"` and `\\`. */
export const fieldText = (value: string) =>
  fold(value).trim().slice(0, longestField).replaceAll('"', "\u0001").replaceAll("\\", "\u0002")

/** A custom field as one text, as the list shows it. */
export function shownField(value: unknown): string {
  if (value === undefined || value === null) return ""
  if (value instanceof ExactNumber) return value.digits
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** Sorts numbers within texts by their size: each has as many digits, a negative number those of its complement. */
function sortedText(text: string): string {
  const padded = text.replaceAll(/(?<!\d)(?<!\d\.)\d+/g, (digits) => digits.padStart(16, "0"))
  return /^-[\d.]+$/.test(text) ? padded.replaceAll(/\d/g, (digit) => String(9 - Number(digit))) : padded
}

/** Custom fields as JSON: under its key, how each is compared and sorted. Empty ones are left out; no text has a `"`. */
function fieldsOf(metadata: Member["metadata"]): string {
  const texts = Object.entries(metadata ?? {}).map(
    ([name, value]) => [name, fieldText(shownField(value))] as const,
  )
  const present = texts.filter(([, text]) => text !== "")
  return JSON.stringify(
    Object.fromEntries(present.map(([name, text]) => [fieldKey(name), [text, sortedText(text)]])),
  )
}

/** What lists search, filter and sort by; times are ms since 1970. */
export function memberColumns(member: Member) {
  const { id, first_name, last_name, email, company, phone, points_balance } = member
  const name = [first_name, last_name].filter(Boolean).join(" ")
  return {
    id,
    name_key: fold(name),
    id_key: fold(id),
    email: fold(email ?? ""),
    company: fold(company ?? ""),
    phone: dialled(phone ?? ""),
    points_balance: typeof points_balance === "number" ? points_balance : null,
    tier: fold(member.tier ?? ""),
    status: fold(member.status ?? ""),
    created_at: timeOf(member.created_at) ?? null,
    updated_at: timeOf(member.updated_at) ?? null,
    s_name: fold(`${name} ${id}`),
    s_contact: fold(`${email ?? ""} ${company ?? ""}`),
    fields: fieldsOf(member.metadata),
    s_metadata: fold(textsOf(member.metadata).join(" ")).slice(0, longestMetadata),
  }
}

function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (typeof value !== "object") return typeof value === "string" ? [value] : [JSON.stringify(value)]
  return value instanceof ExactNumber ? [value.digits] : Object.values(value).flatMap(textsOf)
}
