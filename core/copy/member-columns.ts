import { ExactNumber } from "../../contract/exact-json.ts"
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
    s_metadata: fold(textsOf(member.metadata).join(" ")).slice(0, longestMetadata),
  }
}

function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (typeof value !== "object") return typeof value === "string" ? [value] : [JSON.stringify(value)]
  return value instanceof ExactNumber ? [value.digits] : Object.values(value).flatMap(textsOf)
}
