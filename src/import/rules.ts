import { formatCount } from "../lib/format.ts"
import type { Finding, ReadingContext, Rule, RowValues } from "./recipe.ts"

/** Rows that are equal to an earlier one. The finding is on the first of the fields that the row has. */
export function duplicates(
  same: (values: RowValues) => string,
  fields: readonly string[],
  severity: Finding["severity"],
): Rule {
  return (rows) => {
    const first = new Map<string, number>()
    return rows.flatMap(({ values, number }, at): Finding[] => {
      const key = same(values)
      const earlier = first.get(key)
      if (earlier === undefined) {
        first.set(key, number)
        return []
      }
      const field = fields.find((each) => values[each] !== undefined) ?? ""
      return [{ at, field, severity, code: "duplicate", text: `Same as row ${formatCount(earlier)}` }]
    })
  }
}

/** Summary of amounts; null if there are none. The quartiles are existing amounts, not averages. */
export function amountRange(amounts: readonly number[]) {
  if (amounts.length === 0) return null
  const sorted = Float64Array.from(amounts).toSorted()
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  return {
    sum: amounts.reduce((sum, amount) => sum + amount, 0),
    count: sorted.length,
    max: at(1),
    usualFrom: at(0.25),
    usualTo: at(0.75),
  }
}

/** Fewer amounts have no outliers. */
const fewestAmounts = 5
/** Factor above the usual amount that is reported: one zero too many. */
const tooLarge = 10
/** How many rows, per row with an amount, must have a tenth of it before it looks like one zero too many. */
const common = 5

/**
 * Amounts ten times the usual one, written with `format`, or rare and exactly ten times a common amount in the file.
 */
export function outliers(field: string, format: (amount: number, context: ReadingContext) => string): Rule {
  return (rows, context) => {
    const amounts = rows.map(({ values }) => Number(values[field]))
    const range = amountRange(amounts)
    if (range === null || range.count < fewestAmounts) return []
    const times = new Map<number, number>()
    for (const amount of amounts) times.set(amount, (times.get(amount) ?? 0) + 1)
    const usual = range.usualTo
    const slip = (amount: number): string | null => {
      if (amount >= usual * tooLarge)
        return `${Math.floor(amount / usual)} times the usual ${format(usual, context)}`
      const tenth = times.get(amount / 10) ?? 0
      return amount > usual * 2 && tenth >= (times.get(amount) ?? 0) * common ? "One zero too many?" : null
    }
    return amounts.flatMap((amount, at): Finding[] => {
      const text = slip(amount)
      return text === null ? [] : [{ at, field, severity: "check", code: "outlier", text }]
    })
  }
}
