import { ExactNumber } from "../../../contract/exact-json.ts"

/** What a number looks like, after its spaces were made plain ones. */
const styles = {
  /** `1,234.5`, `1 234.5`, `12,34,567`, `1e5` */
  point: /^[-+]?(?:[1-9]\d{0,2}(?:[ ,'’]\d{2,3})*[ ,'’]\d{3}|\d+)(?:\.\d+)?(?:e[-+]?\d{1,3})?$/i,
  /** `1.234,5`, `1 234,5` */
  comma: /^[-+]?(?:[1-9]\d{0,2}(?:[ .'’]\d{3})+|\d+)(?:,\d+)?$/,
}
type Style = keyof typeof styles

/** What may stand around a number that is named a score: `$1,250`, `1,250 pts`, `12 %`. */
const around =
  /^(?:[\p{Sc}\p{L}]{1,4}\s?)?([-+]?\d(?:\d|[ '’.,]\d)*(?:e[-+]?\d{1,3})?)(?:\s?[\p{Sc}\p{L}%.]{1,12})?$/iu

interface NumberRules {
  /** Whether a currency or a unit may stand around it. */
  readonly units: boolean
}

/**
 * The numbers of a column, null where a value is none. Texts are read too; which sign divides the decimals is decided
 * for the whole column, by what reads more of it, then by what leaves it in order, then thousands are likelier than
 * three decimals.
 */
export function numbersOf(values: readonly unknown[], rules: NumberRules): readonly (number | null)[] {
  const point = values.map((value) => numberOf(value, "point", rules))
  if (!values.some((value) => typeof value === "string" && /[.,]/.test(value))) return point
  const comma = values.map((value) => numberOf(value, "comma", rules))
  const [more, less] = [readable(point), readable(comma)]
  if (more !== less) return more > less ? point : comma
  if (isOrdered(comma) !== isOrdered(point)) return isOrdered(comma) ? comma : point
  return size(comma) > size(point) ? comma : point
}

function size(numbers: readonly (number | null)[]): number {
  return numbers.reduce<number>((sum, number) => sum + Math.abs(number ?? 0), 0)
}

function readable(numbers: readonly (number | null)[]): number {
  return numbers.filter((number) => number !== null).length
}

function numberOf(value: unknown, style: Style, { units }: NumberRules): number | null {
  if (value instanceof ExactNumber) return numberOf(Number(value.digits), style, { units })
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value !== "string" || value.length > 60) return null
  const plain = plainDigits(value)
  const text = (units ? around.exec(plain)?.[1] : undefined) ?? plain
  if (!styles[style].test(text)) return null
  const bare =
    style === "point" ? text.replaceAll(/[ ,'’]/g, "") : text.replaceAll(/[ .'’]/g, "").replace(",", ".")
  const number = Number(bare)
  return Number.isFinite(number) ? number : null
}

/** Full-width digits and the true minus are digits and a minus. */
function plainDigits(text: string): string {
  return text
    .normalize("NFKC")
    .trim()
    .replace(/^\u2212/, "-")
}

/** Whether the numbers never go up, or never go down; numbers that are all the same are in no order. */
export function isOrdered(numbers: readonly (number | null)[]): boolean {
  const known = numbers.filter((number) => number !== null)
  if (new Set(known).size < 2) return false
  const steps = known.slice(1).map((number, at) => number - (known[at] ?? number))
  return steps.every((step) => step <= 0) || steps.every((step) => step >= 0)
}

/** A rank: a whole number from 0, also as `1st`, `#3`, `=2`, `2.`, `3位`; null for anything else. */
export function rankNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? value : null
  if (typeof value !== "string") return null
  const digits =
    /^(?:#|=|t|no\.?|nr\.?|第)?\s?=?(\d{1,9})=?\s?(?:st|nd|rd|th|er|e|ème|\.|º|ª|°|a|o|位|名|위|등)?$/iu.exec(
      plainDigits(value).replace(/[ºª]$/u, ""),
    )?.[1]
  return digits === undefined ? null : Number(digits)
}
