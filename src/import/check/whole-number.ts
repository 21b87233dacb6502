import { formatPoints } from "../../lib/format.ts"
import type { Reading } from "../recipes/recipe.ts"
import { eNotation, isFormula } from "./text-problems.ts"
import type { NumberStyle } from "./number-style.ts"

/** Blanks that spreadsheets put between thousands: plain, no-break, narrow no-break, thin, and the Swiss apostrophes. */
const groupBlanks = "[ \\u00A0\\u202F\\u2009'\\u2019]"

const shapes: Readonly<Record<NumberStyle, RegExp>> = {
  ".": shape(",", "\\."),
  ",": shape("\\.", ","),
}

function shape(group: string, decimal: string): RegExp {
  // All groups are parted by the same sign.
  const grouped = `\\d{1,3}(?:(?<sign>${group}|${groupBlanks})\\d{3})(?:\\k<sign>\\d{3})*`
  return new RegExp(`^([+\\-\\u2212]?)(${grouped}|\\d+)(?:${decimal}(\\d*))?$`)
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/**
 * Reads a whole number as spreadsheets write it: `1250`, `1,250`, `1 250`, `1,250.00`. Nothing is rounded and nothing
 * is computed: `1,000.5`, `1E+5`, `=A1` and `1,2,50` are refused in words.
 */
export function readWholeNumber(text: string, style: NumberStyle, { min, max }: Bounds): Reading {
  const parts = numberParts(text, style)
  if ("problem" in parts) return parts
  if (/[1-9]/.test(parts.decimals)) return { problem: "Not a whole number" }
  const size = Number(parts.whole)
  if (size > max) return { problem: `At most ${formatPoints(max)}` }
  const value = parts.minus ? -size : size
  if (value < 0 && min >= 0) return { problem: "Enter it without the minus sign" }
  return value < min ? { problem: `At least ${formatPoints(min)}` } : { value }
}

interface NumberParts {
  readonly minus: boolean
  /** Digits only. */
  readonly whole: string
  readonly decimals: string
}

/** A number as it is written, taken apart; or why it is none. */
export function numberParts(text: string, style: NumberStyle): NumberParts | { readonly problem: string } {
  if (eNotation.test(text)) return { problem: "Shortened by a spreadsheet: enter it in full" }
  const parts = shapes[style].exec(text)
  if (parts === null) return { problem: isFormula(text) ? "A formula, not a number" : "Not a number" }
  const [, sign = "", whole = "", , decimals = ""] = parts
  return { minus: sign === "-" || sign === "\u2212", whole: whole.replaceAll(/\D/g, ""), decimals }
}
