/** One measured figure with its bound. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Largest value that passes; absent for a figure that is only told. */
  readonly atMost?: number
}

/** Prints figures as a table and says whether all of them keep their bounds. */
export function printFigures(title: string, figures: readonly Figure[]): boolean {
  process.stdout.write(`\n${title}\n`)
  let fine = true
  for (const figure of figures) {
    const kept = figure.atMost === undefined || figure.value <= figure.atMost
    fine &&= kept
    const bound = figure.atMost === undefined ? "" : `  (at most ${figure.atMost}${kept ? "" : ", MISSED"})`
    process.stdout.write(`  ${figure.name.padEnd(58)} ${round(figure.value)} ${figure.unit}${bound}\n`)
  }
  return fine
}

/** The value below which `share` of the values lie. Values may come in any order. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 3 : 1)
}
