/** Widths of bar, gap, bar, gap, bar, gap of each value (ISO/IEC 15417, table 1); 103 to 105 are start codes. */
const patterns =
  `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
  123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
  232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
  313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
  111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
  111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
  114311 411113 411311 113141 114131 311141 411131 211412 211214 211232`
    .split(/\s+/)
    .map(String)
const stop = "2331112"
const sets = ["A", "B", "C"] as const

/**
 * Decodes a Code 128 symbol from its bars as a scanner does: start, characters in sets A to C, checksum, stop.
 * @param drawing vertical lines, `M11 46L11 0M52.50 46L52.50 0` and so on, grouped by width
 * @throws Error if the symbol is incomplete
 */
export function decodeCode128(drawing: readonly { readonly width: number; readonly path: string }[]): string {
  const bars = drawing
    .flatMap(({ width, path }) =>
      [...path.matchAll(/M([\d.]+) \d+L\1 0/g)].map(([, middle]) => [Number(middle) - width / 2, width]),
    )
    .toSorted(([one = 0], [other = 0]) => one - other)
  const widths = bars.flatMap(([at = 0, width = 0], index) => {
    const next = bars[index + 1]?.[0]
    return next === undefined ? [width] : [width, next - at - width]
  })
  const text = widths.join("")
  if (!text.endsWith(stop)) throw new Error("It has no stop.")
  const values = (text.slice(0, -stop.length).match(/.{6}/g) ?? []).map((each) => patterns.indexOf(each))
  const check = values.pop()
  const [start = 0, ...rest] = values
  if (start < 103 || values.includes(-1)) throw new Error("It has no start, or a pattern that is none.")
  const sum = rest.reduce((total, value, at) => total + value * (at + 1), start)
  if (sum % 103 !== check) throw new Error("The check sum is wrong.")
  return characters(sets[start - 103] ?? "A", rest)
}

function characters(start: (typeof sets)[number], values: readonly number[]): string {
  let set = start
  let text = ""
  for (const value of values) {
    if (set === "C" && value < 100) text += String(value).padStart(2, "0")
    else if (value === 99) set = "C"
    else if (value === 100) set = "B"
    else if (value === 101) set = "A"
    else if (value < 96) text += String.fromCharCode(set === "A" && value >= 64 ? value - 64 : value + 32)
    else throw new Error(`The value ${value} stands for no character.`)
  }
  return text
}
