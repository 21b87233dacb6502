/** A measured figure, react-admin's in the same run, and its bounds. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly value: number
  readonly peer?: number
  readonly atMost?: number
  readonly atLeast?: number
  /** Largest share of the peer's figure that passes. */
  readonly ratioAtMost?: number
}

const columns = ["figure", "Laurel", "react-admin", "ratio", "bound", "ok"]

/** Prints the figures as one table; returns whether all bounds are met. */
export function printTable(figures: readonly Figure[]): boolean {
  const lines = [columns, ...figures.map(cellsOf)]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  for (const line of lines) {
    const cells = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
    process.stdout.write(`${cells.join("  ").trimEnd()}\n`)
  }
  return figures.every(isMet)
}

function cellsOf(figure: Figure): string[] {
  const { name, unit, value, peer, atMost, atLeast, ratioAtMost } = figure
  const bounds = [
    ...(atMost === undefined ? [] : [`≤ ${atMost}`]),
    ...(atLeast === undefined ? [] : [`≥ ${atLeast}`]),
    ...(ratioAtMost === undefined ? [] : [`≤ ${ratioAtMost} ×`]),
  ]
  const ok = bounds.length === 0 ? "" : isMet(figure) ? "yes" : "NO"
  const ratio = ratioOf(figure)
  return [
    name,
    `${round(value)} ${unit}`.trim(),
    peer === undefined ? "" : round(peer),
    ratio === undefined ? "" : ratio.toFixed(2),
    bounds.join(", "),
    ok,
  ]
}

function ratioOf({ value, peer }: Figure): number | undefined {
  return peer === undefined || peer === 0 ? undefined : value / peer
}

function isMet(figure: Figure): boolean {
  const { value, atMost = Infinity, atLeast = -Infinity, ratioAtMost = Infinity } = figure
  return value <= atMost && value >= atLeast && (ratioOf(figure) ?? 0) <= ratioAtMost
}

/** The value below which `share` of the values lie. Values may be unsorted. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1)
}
