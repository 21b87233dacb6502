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

/** What a chart says of the bars that it cuts off; undefined without any. `words`: each with its value. */
export function cutOffNote(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : `Cut off: ${words.join("; ")}`
}
