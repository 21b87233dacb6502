import * as z from "zod/mini"

const formatCharacters = /\p{Cf}/gu

/** How many characters of a text nobody sees: marks of direction, zero-width blanks and joiners, soft hyphens. */
export function countFormatCharacters(text: string): number {
  return text.match(formatCharacters)?.length ?? 0
}

/**
 * An id, number, reference, e-mail or phone as a person typed, pasted or scanned it: without format characters and in
 * composed form (NFC), so that two that look the same are the same. Never for passwords or what a service returned.
 */
export function exactText(text: string): string {
  // Most texts need neither: a test is much cheaper than a copy.
  // oxlint-disable-next-line no-control-regex -- ASCII has no format characters
  return /^[\u0000-\u007F]*$/.test(text) ? text : text.replaceAll(formatCharacters, "").normalize("NFC")
}

/** A name, reason or other free text as a person typed it: joiners belong to Persian, Indic scripts and emoji. */
export function composedText(text: string): string {
  return text.normalize("NFC")
}

/** A text as it is compared with another: case, kinds and numbers of blanks, and what nobody sees do not count. */
export function comparedText(text: string): string {
  return exactText(text).trim().replaceAll(/\s+/g, " ").toLowerCase()
}

/** What somebody searches for: joiners inside words stay, because names have them. */
export function searchedText(text: string): string {
  return text.replaceAll(/(?![\u200C\u200D])\p{Cf}|^[\u200C\u200D]+|[\u200C\u200D]+$/gu, "").normalize("NFC")
}

/** Schema checks that change a text as the functions above do. */
export const asExact = z.overwrite<string>(exactText)
export const asComposed = z.overwrite<string>(composedText)
export const asSearched = z.overwrite<string>(searchedText)
