/** A bar is cut off if it is more than that many times as high as the next lower one, and enough others remain. */
const timesHigher = 5
const leastOthers = 3

/**
 * Top of an axis from 0, so that all bars can be told apart: up to three that are far higher than all others are cut
 * off, which the chart has to say with their values.
 */
export function barsTop(values: readonly number[]): { readonly top: number; readonly isCutOff: boolean } {
  const sorted = values.filter((value) => value > 0).toSorted((one, other) => other - one)
  const cut = [3, 2, 1].find(
    (count) =>
      sorted.length >= count + leastOthers &&
      (sorted[count - 1] ?? 0) > timesHigher * (sorted[count] ?? Infinity),
  )
  return cut === undefined
    ? { top: axisTop(sorted[0] ?? 0), isCutOff: false }
    : { top: axisTop((sorted[cut] ?? 0) * 1.25), isCutOff: true }
}

/** Top of the axis: a round number of at least `most`, whose half is an integer. */
export function axisTop(most: number): number {
  if (most <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 4, 6, 8].find((step) => step * power >= most) ?? 10) * power
}

/** Least range of a line's axis as a part of its values: labels are cut to two decimals and must differ. */
const leastRange = 0.05

/** Axis of lines, which may begin above 0: round ticks whose short labels differ, however alike the values are. */
export function lineAxis(values: readonly number[]): { domain: [number, number]; ticks: number[] } {
  const [least, most] = values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)]
  const largest = Math.max(Math.abs(least), Math.abs(most))
  const range = Math.max(most - least, largest * leastRange)
  const wanted = Math.max(range / 4, values.every(Number.isInteger) ? 1 : Number.MIN_VALUE)
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = ([1, 2, 5].find((each) => each * power >= wanted) ?? 10) * power
  const middle = (least + most) / 2
  const bottom = Math.floor((middle - range / 2) / step)
  const first = least >= 0 ? Math.max(0, bottom) : bottom
  const last = Math.max(first + 1, Math.ceil((middle + range / 2) / step))
  const ticks = Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  )
  return { domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1], ticks }
}

/** What a chart says of the bars that it cuts off; undefined without any. `words`: each with its value. */
export function cutOffNote(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : `Cut off: ${words.join("; ")}`
}
