import type { Finding, Rule } from "../recipes/recipe.ts"
import { spreadOf } from "./spread.ts"

/** With fewer amounts nothing is usual. */
const fewest = 5
/** How much larger than the usual an amount is that is pointed out: a zero too many. */
const tooLarge = 10
/** How many rows must have the tenth of an amount, for each with the amount, before it looks like a zero too many. */
const common = 5

/**
 * Amounts that look like a slip: ten times the upper end of the usual ones or more, or rare, large and exactly ten
 * times an amount that is common in the file.
 */
export function outliers(field: string): Rule {
  return (rows) => {
    const amounts = rows.map(({ values }) => Number(values[field]))
    const spread = spreadOf(amounts)
    if (spread === null || spread.count < fewest) return []
    const times = new Map<number, number>()
    for (const amount of amounts) times.set(amount, (times.get(amount) ?? 0) + 1)
    const found: Finding[] = []
    for (const [at, amount] of amounts.entries()) {
      const text = slip(amount, spread.usualTo, times)
      if (text !== null) found.push({ at, field, severity: "check", code: "outlier", text })
    }
    return found
  }
}

function slip(amount: number, usual: number, times: ReadonlyMap<number, number>): string | null {
  if (amount >= usual * tooLarge) return `${Math.floor(amount / usual)} × typical`
  const tenth = times.get(amount / 10) ?? 0
  const own = times.get(amount) ?? 0
  return amount > usual * 2 && tenth >= own * common ? "One zero too many?" : null
}
