import { formatCount } from "../../lib/format.ts"
import type { Finding, Rule, RowValues } from "../recipes/recipe.ts"

interface SameReferenceOptions {
  /** Field that holds the reference. */
  readonly reference: string
  /** Field within whose values a reference is unique. */
  readonly within: string
  /** The same text for rows that are one effect written twice: another rule says so. */
  readonly unless: (values: RowValues) => string
}

/** Rows whose reference a row further up has already, though they are another effect. */
export function sameReference({ reference, within, unless }: SameReferenceOptions): Rule {
  return (rows) => {
    const first = new Map<string, { readonly number: number; readonly effect: string }>()
    const found: Finding[] = []
    for (const [at, { values, number }] of rows.entries()) {
      if (values[reference] === undefined) continue
      const key = JSON.stringify([values[within] ?? null, values[reference]])
      const earlier = first.get(key)
      const effect = unless(values)
      if (earlier === undefined) first.set(key, { number, effect })
      else if (earlier.effect !== effect) {
        const text = `Same reference as row ${formatCount(earlier.number)}`
        found.push({ at, field: reference, severity: "check", code: "duplicate", text })
      }
    }
    return found
  }
}
