import { importLimits } from "../limits.ts"

/** A long number that a spreadsheet has shortened, and thereby changed: `9.4E+21`. */
export const eNotation = /^[+\-\u2212]?\d+([.,]\d+)?E[+-]?\d+$/i

/** Whether a spreadsheet would compute this text. A sign before a number is no formula. */
export function isFormula(text: string): boolean {
  return /^[=@]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d\s().,/'-]*$/.test(text))
}

/** Everything below the blank but tab and line feed, delete, and the second block of controls. */
// oxlint-disable-next-line no-control-regex -- it is what is looked for
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/

/** Why a text cannot be kept as it is, naming the character; null for ordinary text in any script. */
export function textProblem(text: string): string | null {
  const found = control.exec(text)?.[0]
  if (found === "\u0000") return "Has a NUL character: enter it again"
  if (found !== undefined) return `Has a control character (${codePoint(found)})`
  if (!text.isWellFormed()) return "Has an incomplete character (lone surrogate)"
  if (text.includes("\uFFFD")) return "Has an unreadable character (U+FFFD)"
  return text.length > importLimits.cell ? `Longer than ${importLimits.cell} characters` : null
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
}
