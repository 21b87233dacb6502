import { ExactNumber } from "../../../contract/exact-json.ts"

/** Whether a value is a record: an object with named fields, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}

const deepestList = 3
const deepestField = 5
/** Beyond these a row is no longer something a person would map; its rest stays visible as sent. */
const mostFields = 200

/**
 * The rows of a response whose form nobody has described: the list itself, else the longest list inside a record, else
 * a record of records with its keys as a field. `null` when there is nothing that could be rows.
 */
export function sentRows(data: unknown): readonly unknown[] | null {
  if (Array.isArray(data)) return data
  if (!isRecord(data)) return null
  const list = longestList(data, 1)
  if (list !== null) return list
  const entries = Object.entries(data)
  if (entries.length < 2 || !entries.every(([, value]) => isRecord(value))) return null
  return entries.map(([key, value]) => ({ key, ...(isRecord(value) ? value : {}) }))
}

function longestList(record: Readonly<Record<string, unknown>>, depth: number): readonly unknown[] | null {
  let longest: readonly unknown[] | null = null
  for (const value of Object.values(record)) {
    const list: unknown = isRecord(value) && depth < deepestList ? longestList(value, depth + 1) : value
    if (Array.isArray(list) && list.length >= (longest?.length ?? 0)) longest = list
  }
  return longest
}

/** A row's fields by name, nested ones by the names on the way to them (`member.display_name`), as they came. */
export type RowFields = ReadonlyMap<string, unknown>

/** A row's fields; a list inside stays one value, a row that is a list or a value gets names of its own. */
export function rowFields(row: unknown): RowFields {
  const found = new Map<string, unknown>()
  const collect = (holder: object, path: readonly string[]): void => {
    for (const [key, value] of Object.entries(holder)) {
      if (found.size >= mostFields) return
      // A dot that belongs to a name gets a backslash, so that two paths never share a name.
      const here = [...path, key === "" ? "(no name)" : key.replaceAll(/[\\.]/g, "\\$&")]
      const nested = isRecord(value) && here.length < deepestField && Object.keys(value).length > 0
      if (nested) collect(value, here)
      else found.set(here.join("."), value)
    }
  }
  if (typeof row === "object" && row !== null) collect(row, [])
  else if (row !== null && row !== undefined) found.set("value", row)
  return found
}

/** The names on the way to a field. */
export function fieldPath(name: string): readonly string[] {
  return [...name.matchAll(/(?:[^\\.]|\\.)+/gs)].map(([part]) => part.replaceAll(/\\(.)/gs, "$1"))
}

/** Every field that any row has, in the order they first came. */
export function fieldNames(rows: readonly RowFields[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => [...row.keys()]))]
}

/** A value as text in a cell: nothing for nothing, JSON for what is nested. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ""
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

/** What a number looks like, after its spaces were made plain ones: `1,234.5` and `1 234.5`, or `1.234,5`. */
const styles = {
  point: /^[-+]?(?:[1-9]\d{0,2}(?:[ ,'’]\d{2,3})*[ ,'’]\d{3}|\d+)(?:\.\d+)?(?:e[-+]?\d{1,3})?$/i,
  comma: /^[-+]?(?:[1-9]\d{0,2}(?:[ .'’]\d{3})+|\d+)(?:,\d+)?$/,
}

/** What may stand around a number that is named a score: `$1,250`, `1,250 pts`, `12 %`. */
const withUnit =
  /^(?:[\p{Sc}\p{L}]{1,4}\s?)?([-+]?\d(?:\d|[ '’.,]\d)*(?:e[-+]?\d{1,3})?)(?:\s?[\p{Sc}\p{L}%.]{1,12})?$/iu

/**
 * The numbers of a column, null where a value is none. Texts are read too; which sign divides the decimals is decided
 * for the whole column: by what reads more of it, then by what leaves it in order, then thousands are likelier than
 * three decimals.
 * @param units whether a currency or a unit may stand around a number
 */
export function numbersOf(values: readonly unknown[], units: boolean): readonly (number | null)[] {
  const point = values.map((value) => numberOf(value, "point", units))
  if (!values.some((value) => typeof value === "string" && /[.,]/.test(value))) return point
  const comma = values.map((value) => numberOf(value, "comma", units))
  const readable = (numbers: typeof point) => numbers.filter((number) => number !== null).length
  const size = (numbers: typeof point) => numbers.reduce<number>((sum, each) => sum + Math.abs(each ?? 0), 0)
  if (readable(point) !== readable(comma)) return readable(point) > readable(comma) ? point : comma
  if (isOrdered(comma) !== isOrdered(point)) return isOrdered(comma) ? comma : point
  return size(comma) > size(point) ? comma : point
}

function numberOf(value: unknown, style: keyof typeof styles, units: boolean): number | null {
  if (value instanceof ExactNumber) return numberOf(Number(value.digits), style, units)
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value !== "string" || value.length > 60) return null
  // Full-width digits and the true minus are digits and a minus.
  const plain = value
    .normalize("NFKC")
    .trim()
    .replace(/^\u2212/, "-")
  const text = (units ? withUnit.exec(plain)?.[1] : undefined) ?? plain
  if (!styles[style].test(text)) return null
  const digits =
    style === "point" ? text.replaceAll(/[ ,'’]/g, "") : text.replaceAll(/[ .'’]/g, "").replace(",", ".")
  const number = Number(digits)
  return Number.isFinite(number) ? number : null
}

/** Whether the numbers never go up, or never go down; numbers that are all the same are in no order. */
export function isOrdered(numbers: readonly (number | null)[]): boolean {
  const known = numbers.filter((number) => number !== null)
  if (new Set(known).size < 2) return false
  const steps = known.slice(1).map((number, at) => number - (known[at] ?? number))
  return steps.every((step) => step <= 0) || steps.every((step) => step >= 0)
}

/** A rank: a whole number from 0, also as `1st`, `#3`, `=2`, `2.`; null for anything else. */
export function rankNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? value : null
  if (typeof value !== "string") return null
  const digits = /^(?:#|=|t|no\.?)?\s?=?(\d{1,9})=?\s?(?:st|nd|rd|th|\.)?$/i.exec(value.trim())?.[1]
  return digits === undefined ? null : Number(digits)
}
