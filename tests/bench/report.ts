/** A measured figure with its bound. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Largest value that passes; absent for a figure without a bound. */
  readonly atMost?: number
  /** The original bound, if it was scaled to this machine by the peer's speed. */
  readonly setAt?: number
}

/** Prints figures as a table; returns whether all bounds are met. */
export function printFigures(title: string, figures: readonly Figure[]): boolean {
  process.stdout.write(`\n${title}\n`)
  let fine = true
  for (const figure of figures) {
    const isMet = figure.atMost === undefined || figure.value <= figure.atMost
    fine &&= isMet
    const set =
      figure.setAt === undefined || figure.setAt === figure.atMost ? "" : ` here, ${figure.setAt} set`
    const bound =
      figure.atMost === undefined ? "" : `  (at most ${figure.atMost}${set}${isMet ? "" : ", MISSED"})`
    process.stdout.write(`  ${figure.name.padEnd(58)} ${round(figure.value)} ${figure.unit}${bound}\n`)
  }
  return fine
}

/** Figures, each followed by the peer's of the same name and unit and the ratio. */
export function withPeer(figures: readonly Figure[], theirs: readonly Figure[]): Figure[] {
  return figures.flatMap((own) => {
    const their = theirs.find(({ name, unit }) => name === own.name && unit === own.unit)
    if (their === undefined || their.value === 0) return [own]
    const peer = { name: "    the peer’s", value: their.value, unit: own.unit }
    return [own, peer, { name: "    as a share of that", value: own.value / their.value, unit: "" }]
  })
}

/** Scales a bound that was set where the peer took `there` to a machine where it takes `here`; never lowers it. */
export function boundHere(
  setAt: number,
  { here, there }: { here: number; there: number },
): Pick<Figure, "atMost" | "setAt"> {
  const atMost = setAt * Math.max(1, here / there)
  return { atMost: atMost < 100 ? Math.round(atMost * 100) / 100 : Math.round(atMost), setAt }
}

/** The value below which `share` of the values lie. Values may be unsorted. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 3 : 1)
}
