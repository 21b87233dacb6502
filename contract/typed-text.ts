import * as z from "zod/mini"

const formatCharacters = /\p{Cf}/gu

/** The number of invisible characters in a text: marks of direction, zero-width blanks and joiners, soft hyphens. */
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

/** A text for comparisons: case, blanks and invisible characters do not count. */
export function comparedText(text: string): string {
  return exactText(text).trim().replaceAll(/\s+/g, " ").toLowerCase()
}

/** Text to search for: joiners inside words stay, because names have them. */
export function searchedText(text: string): string {
  return text.replaceAll(/(?![\u200C\u200D])\p{Cf}|^[\u200C\u200D]+|[\u200C\u200D]+$/gu, "").normalize("NFC")
}

/** The quoted text of `="0034"`, which a spreadsheet writes to keep zeros and which computes nothing. */
export function quotedText(text: string): string | undefined {
  const quoted = /^="((?:[^"]|"")*)"$/.exec(text)?.[1]
  return quoted?.replaceAll('""', '"').trim()
}

/** Whether a spreadsheet would compute this text. A signed number is no formula. */
export function isFormula(text: string): boolean {
  return /^[=@]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d\s().,/'-]*$/.test(text))
}

/** A long number that a spreadsheet has shortened: `9.4E+21`. `12E45` may be a carrier’s own number. */
export const eNotation = /^[+\-\u2212]?\d+([.,]\d+)?E[+-]?\d+$/i

/** Names of spreadsheets' "not found" errors, after `#`. */
const notFoundNames = new Set(
  "N/A N/D N/B NV I/T YOK Н/Д SAKNAS! HIÁNYZIK PUUTTUU! NENÍ_K_DISPOZICI GETTING_DATA".split(" "),
)

/** Names of other spreadsheet errors, without the `!` or `?` at the end and the Spanish signs before them. */
const errorNames = new Set(
  `REF BEZUG RIF VERW REFERENS REFERENCE VIITTAUS ADR ODKAZ HIV BAŞV ССЫЛКА
  VALUE WERT VALEUR VALOR VALORE WAARDE VÄRDEFEL VÆRDI VERDI ARVO ARG HODNOTA ÉRTÉK DEĞER ЗНАЧ
  NAME NOM NOMBRE NOME NAAM NAMN NAVN NIMI NAZWA NÁZEV NÉV AD ИМЯ
  DIV/0 DEEL/0 DIVISION/0 JAKO/0 DZIEL/0 DĚLENÍ_NULOU ZÉRÓOSZTÓ SAYI/0 ДЕЛ/0
  NUM ZAHL NÚM GETAL OGILTIGT LUKU LICZBA ČÍSLO SZÁM SAYI ЧИСЛО
  NULL NUL NULO NULLO LEEG SKÄRNING TYHJÄ ZERO PRŮSEČÍK NULLA BOŞ ПУСТО
  SPILL ÜBERLAUF PROPAGATION EPARS DESBORDAMIENTO ESPANSIONE DESPEJAR DERRAMAR OVERLOOP OVERLØB OVERFLYT ROZLANIE
  ПЕРЕНОС CALC KALK FIELD FELD CHAMP CAMPO BLOCKED BLOCKIERT UNKNOWN UNBEKANNT CONNECT VERBINDEN BUSY BESCHÄFTIGT
  EXTERNAL EXTERN PYTHON TIMEOUT DATA ERROR`.split(/\s+/),
)

/** Whether a text is an error of a spreadsheet in any of its languages (`#REF!`, `#WERT!`, `Err:502`), or `####`. */
export function isErrorCell(text: string): boolean {
  const plain = text.trim()
  if (/^(#{2,}|Err:\d{3})$/.test(plain)) return true
  if (!plain.startsWith("#")) return false
  const name = plain.slice(1).normalize("NFC").toUpperCase()
  return (
    notFoundNames.has(name) || (/[!?]$/.test(name) && errorNames.has(name.replaceAll(/^[¡¿]|[!?]$/g, "")))
  )
}

/** Schema checks that change a text as the functions above do. */
export const asExact = z.overwrite<string>(exactText)
export const asComposed = z.overwrite<string>(composedText)
export const asSearched = z.overwrite<string>(searchedText)
