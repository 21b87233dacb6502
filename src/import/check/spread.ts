/** How amounts are spread; all in the amounts' own unit. */
export interface Spread {
  readonly sum: number
  readonly count: number
  readonly min: number
  readonly median: number
  readonly max: number
  /** A quarter of the amounts is below the first, a quarter above the second. */
  readonly usualFrom: number
  readonly usualTo: number
}

/** Sums amounts up; null when there are none. Middle values are amounts that are there, never averages. */
export function spreadOf(amounts: readonly number[]): Spread | null {
  if (amounts.length === 0) return null
  const sorted = Float64Array.from(amounts).toSorted()
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  return {
    sum: amounts.reduce((sum, amount) => sum + amount, 0),
    count: sorted.length,
    min: at(0),
    median: at(0.5),
    max: at(1),
    usualFrom: at(0.25),
    usualTo: at(0.75),
  }
}
