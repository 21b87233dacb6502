import { isEmail, newEmail } from "../../contract/email-address.ts"
import { limits } from "../../contract/limits.ts"
import { limitOf, rowRefusal } from "../../contract/amount-limits.ts"
import { jobKindDescriptors, type JobKind } from "../../contract/job-kinds.ts"
import {
  comparedText,
  composedText,
  eNotation,
  exactText,
  isErrorCell,
  isFormula,
} from "../../contract/typed-text.ts"
import { centsOf, formatPoints } from "../lib/format.ts"
import {
  type Field,
  importLimits,
  type NumberStyle,
  type Reading,
  type ReadingContext,
  type SheetFacts,
} from "./recipe.ts"

/** A cell's text without invisible characters, and without the apostrophe that marks text in a spreadsheet. */
export function typedCell(cell: string, { text }: Pick<Field, "text">): string {
  if (text === "raw") return cell
  if (text === "free") return composedText(cell)
  return exactText(cell)
    .trim()
    .replace(/^'(?=.)/, "")
}

/** Reads a cell of a field; a spreadsheet error is invalid in every field. */
export function readCell(text: string, field: Field, context: ReadingContext): Reading {
  if (isErrorCell(text)) return { problem: "A spreadsheet’s error" }
  return field.read(text, context)
}

/** A field of a job kind, with the label of the job's rows. */
export function fieldOf(kind: JobKind, key: string, rest: Omit<Field, "key" | "label">): Field {
  const labels: Readonly<Record<string, string>> = jobKindDescriptors[kind].fields
  return { key, label: labels[key] ?? key, ...rest }
}

/** Reads text of at most `max` characters. A formula stays text and has to be confirmed. */
export function readText(max: number): Field["read"] {
  return (text) => {
    const problem = tooLong(text, max) ?? textProblem(text)
    if (problem !== null) return { problem }
    return isFormula(text)
      ? { value: text, check: "Looks like a formula: confirm to keep it as text" }
      : { value: text }
  }
}

/** Reads "a reference", an id or a phone number: text in which every character counts. */
export function readExact(what: string, max: number = limits.shortText): Field["read"] {
  return (text) => {
    if (eNotation.test(text)) return { problem: "Shortened by a spreadsheet: digits are lost" }
    const problem = isFormula(text) ? `A formula, not ${what}` : (tooLong(text, max) ?? textProblem(text))
    return problem === null ? { value: text } : { problem }
  }
}

function tooLong(text: string, max: number): string | null {
  return text.length > max ? `At most ${max} characters` : null
}

/** Reads an e-mail: a new member's is validated fully, an existing one only needs to look like an address. */
export function readEmail(text: string, whose: "new" | "member" = "new"): Reading {
  const problem = textProblem(text)
  if (problem !== null) return { problem }
  const address = withoutMailto(text)
  const fits = whose === "new" ? newEmail.safeParse(address).success : isEmail(address)
  return fits ? { value: address } : { problem: "Not an e-mail address" }
}

/** The address of a link as spreadsheets copy it: `mailto:ana@x.y?subject=…`. */
export function withoutMailto(text: string): string {
  return /^mailto:/i.test(text) ? text.replace(/^mailto:\s*/i, "").replace(/\?.*$/s, "") : text
}

/** C0 controls except tab and line feed, delete, and C1 controls. */
// oxlint-disable-next-line no-control-regex -- it is what is looked for
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/

/** Why a text cannot be stored, with the character; null for ordinary text in any script. */
export function textProblem(text: string): string | null {
  const found = control.exec(text)?.[0]
  if (found === "\u0000") return "Has a NUL character: enter it again"
  if (found !== undefined) {
    const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
    return `Has a control character (U+${code})`
  }
  if (!text.isWellFormed()) return "Has an incomplete character (lone surrogate)"
  if (text.includes("\uFFFD")) return "Has an unreadable character (U+FFFD)"
  return text.length > importLimits.cell ? `Longer than ${importLimits.cell} characters` : null
}

/** A value as compared with other rows. */
export function sameText(value: string | number | undefined): string {
  return comparedText(String(value ?? ""))
}

/** The range of a number, and the message for a negative one if none is allowed. */
interface NumberBounds {
  readonly min: number
  readonly max: number
  readonly negative?: string
}

/** Reads `1250`, `1,250`, `1 250`, `1,250.00` or `(1,250)` without rounding: `1,000.5`, `1E+5`, `=A1` are refused. */
export function readInteger(
  text: string,
  style: NumberStyle,
  { min, max, negative = "Enter it without a minus sign or brackets" }: NumberBounds,
): Reading {
  const parts = numberParts(text, style)
  if ("problem" in parts) return parts
  if (/[1-9]/.test(parts.decimals)) return { problem: "Not a whole number" }
  const size = Number(parts.integer)
  if (size > max) return { problem: `At most ${formatPoints(max)}` }
  const value = parts.minus ? -size : size
  if (value < 0 && min >= 0) return { problem: negative }
  return value < min ? { problem: `At least ${formatPoints(min)}` } : { value }
}

const mostDollars = 1_000_000

/** Reads dollars as spreadsheets write them: `50`, `$50.00`, `1,250.50`, without rounding. */
export function readDollars(text: string, style: NumberStyle, max = mostDollars): Reading {
  const parts = numberParts(withoutCurrency(text), style)
  if ("problem" in parts) return parts
  if (/[1-9]/.test(parts.decimals.slice(2))) return { problem: "At most two decimals" }
  const value = Number(`${parts.integer}.${parts.decimals.slice(0, 2) || "0"}`)
  if (parts.minus && value > 0) return { problem: "Enter it without a minus sign or brackets" }
  if (value > max) return { problem: `At most ${formatPoints(max)}` }
  return value > 0 ? { value } : { problem: "Must be more than 0" }
}

/** An amount above the row limit gets the server's message (contract/limits.ts), however large it is. */
export function withinRowLimit(kind: JobKind, read: (max?: number) => Reading, { amounts }: SheetFacts) {
  const limit = amounts && limitOf(kind, amounts.limits)
  const reading = read(limit && Infinity)
  if (limit === undefined || "problem" in reading || typeof reading.value !== "number") return reading
  const moved = limit.unit === "cents" ? centsOf(reading.value) : reading.value
  const problem = rowRefusal(limit, moved, amounts?.currency ?? "")
  return problem === undefined ? read() : { problem }
}

/** Spaces and apostrophes that spreadsheets use as thousands separators. */
const groupBlanks = "[ \\u00A0\\u202F\\u2009'\\u2019]"

const numberShapes: Readonly<Record<NumberStyle, RegExp>> = {
  ".": numberShape(",", "\\."),
  ",": numberShape("\\.", ","),
}

function numberShape(group: string, decimal: string): RegExp {
  // The same separator between all groups.
  const grouped = `\\d{1,3}(?:(?<sign>${group}|${groupBlanks})\\d{3})(?:\\k<sign>\\d{3})*`
  return new RegExp(`^([+-]?)(${grouped}|\\d+)(?:${decimal}(\\d*))?$`)
}

type Problem = Extract<Reading, { readonly problem: string }>
type NumberParts = Readonly<{ minus: boolean; integer: string; decimals: string }>

/**
 * Splits a number into its digits, or returns why it is invalid. Ambiguous ones, such as `1,000` with decimal commas,
 * are refused: the two readings differ by a factor of a thousand.
 */
function numberParts(given: string, style: NumberStyle): NumberParts | Problem {
  const text = plainNumber(given)
  if (eNotation.test(text)) return { problem: "Shortened by a spreadsheet: enter it in full" }
  const parts = numberShapes[style].exec(text)
  if (parts === null) return { problem: isFormula(text) ? "A formula, not a number" : "Not a number" }
  const [, sign = "", integer = "", , decimals = ""] = parts
  const minus = sign === "-"
  if (decimals.length === 3 && /^[1-9]\d{0,2}$/.test(integer)) {
    const large = formatPoints(Number(integer + decimals))
    const problem = `${Number(`${integer}.${decimals}`)} or ${large}? Enter it without separators`
    return minus ? { problem } : { problem, fix: { text: integer + decimals, label: `Use ${large}` } }
  }
  return { minus, integer: integer.replaceAll(/\D/g, ""), decimals }
}

/** Hyphens and dashes that people and spreadsheets write for a minus. */
export const minusSigns = "\\-\\u2010-\\u2013\\u2212\\uFE63"
const currency = "(?:[A-Z]{0,3}\\p{Sc}|[A-Z]{3}\\s)\\s*"
const inParentheses = new RegExp(`^\\(\\s*((?:${currency})?\\d[\\d.,'\\u2019\\s]*)\\)$`, "u")
const leadingMinus = new RegExp(`^[${minusSigns}]\\s*(?=\\d|${currency})`, "u")
const trailingMinus = new RegExp(`^(\\d[\\d.,'\\u2019\\s]*)[${minusSigns}]$`, "u")

/**
 * A number with ASCII digits, and with a hyphen before it if it is negative: full-width ones as typed on Japanese
 * keyboards, dashes, and the forms of finance systems: `(280)`, `280-`.
 */
function plainNumber(text: string): string {
  return text
    .replaceAll(/[\uFF0B-\uFF19]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xfee0))
    .replace(leadingMinus, "-")
    .replace(inParentheses, "-$1")
    .replace(trailingMinus, "-$1")
    .trim()
}

const leadingCurrency = new RegExp(`^([+-]?)${currency}`, "u")

/** An amount without the currency sign or code before it: `$`, `A$`, `AUD`. A minus before or after that stays. */
function withoutCurrency(text: string): string {
  return plainNumber(plainNumber(text).replace(leadingCurrency, "$1"))
}

/** A number as the style with decimal points writes it, with the same reading and the same doubts. */
export function withDecimalPoint(text: string, style: NumberStyle): string {
  if (style === "." || isFormula(text)) return text
  return text.replaceAll(/[.,]/g, (sign) => (sign === "." ? "," : "."))
}

/** Forms that only one of the two styles has; `1,250` and `1.250` are in neither list. */
const pointForms = /^[+-]?(\d+\.\d{1,2}|\d{4,}\.\d+|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,})$/
const commaForms = /^[+-]?(\d+,\d{1,2}|\d{4,},\d+|\d{1,3}(\.\d{3})+,\d+|\d{1,3}(\.\d{3}){2,})$/

/** Detects the style by unambiguous numbers, else by the delimiter: programs with decimal commas write semicolons. */
export function detectNumberStyle(texts: Iterable<string>, delimiter: string) {
  let point = 0
  let comma = 0
  let matters = false
  for (const cell of texts) {
    const text = withoutCurrency(cell)
    if (!text.includes(",") && !text.includes(".")) continue
    matters = true
    if (pointForms.test(text)) point += 1
    else if (commaForms.test(text)) comma += 1
  }
  const hasComma = point === comma ? delimiter === ";" : comma > point
  const style: NumberStyle = hasComma ? "," : "."
  return { style, matters }
}
