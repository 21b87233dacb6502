import { formatCount } from "../../lib/format.ts"
import type { Finding, Rule, RowValues } from "../recipes/recipe.ts"

interface DuplicateOptions {
  /** The same text for rows that are the same. */
  readonly same: (values: RowValues) => string
  /** The first of these that a row holds carries the finding. */
  readonly fields: readonly string[]
  readonly severity: "problem" | "check"
}

/** Rows that are the same as one further up; the first of them stands unmarked. */
export function duplicates({ same, fields, severity }: DuplicateOptions): Rule {
  return (rows) => {
    const first = new Map<string, number>()
    const found: Finding[] = []
    for (const [at, { values, number }] of rows.entries()) {
      const key = same(values)
      const earlier = first.get(key)
      if (earlier === undefined) {
        first.set(key, number)
        continue
      }
      const field = fields.find((each) => values[each] !== undefined) ?? fields[0] ?? ""
      found.push({ at, field, severity, code: "duplicate", text: `Same as row ${formatCount(earlier)}` })
    }
    return found
  }
}
