import type { Field, ReadingContext } from "../recipes/recipe.ts"
import type { Mapping } from "./match-columns.ts"

/** Rows that are looked at. */
const sampled = 50
/** Share of a column's texts that have to look like the field. */
const most = 0.8

/**
 * Columns by what they hold, for rows without names such as a pasted range: e-mail addresses, whole numbers, ids and
 * then sentences, each given to the first column that looks so.
 */
export function guessColumns(
  rows: readonly (readonly string[])[],
  width: number,
  fields: readonly Field[],
  context: ReadingContext,
): Mapping {
  const mapping: (string | null)[] = Array.from({ length: width }, () => null)
  const sample = rows.slice(0, sampled)
  for (const field of fields.toSorted((one, other) => rank(one) - rank(other))) {
    const at = mapping.findIndex((taken, column) => {
      if (taken !== null) return false
      const texts = sample.map((row) => row[column] ?? "").filter((text) => text !== "")
      const alike = texts.filter((text) => looksLike(text, field, context)).length
      return texts.length > 0 && alike >= texts.length * most
    })
    if (at >= 0) mapping[at] = field.key
  }
  return mapping
}

/** The stricter a field's texts, the earlier it chooses. */
function rank(field: Field): number {
  if (field.key === "email") return 0
  if (field.end === true) return 1
  if (field.mono === true && field.key.endsWith("_id")) return 2
  return field.required ? 3 : 4
}

function looksLike(text: string, field: Field, context: ReadingContext): boolean {
  const reading = field.read(text, context)
  if ("problem" in reading || reading.as !== undefined) return false
  if (field.key === "email" || field.end === true) return true
  const isWord = /^(?=\S*\d)\S+$/.test(text)
  return field.mono === true
    ? (field.key.endsWith("_id") || field.required) && isWord && !/@/.test(text)
    : !isWord && field.required
}
