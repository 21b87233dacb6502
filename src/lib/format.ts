const grouped = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 0 })

/** The true minus, U+2212: as wide as a plus, so signed columns stay aligned. */
const minus = "\u2212"

/** A whole number with its thousands grouped and no unit: `12,480`. Points are integers; a balance may be negative. */
export function formatPoints(points: number): string {
  return points < 0 ? minus + grouped.format(-points) : grouped.format(points)
}

/** A change in points with its sign: `+1,250`, `−300`, and a plain `0`. */
export function formatSigned(points: number): string {
  return points > 0 ? `+${grouped.format(points)}` : formatPoints(points)
}

/** How many of something; the same grouping as points, kept apart because counts are never negative. */
export function formatCount(count: number): string {
  return grouped.format(count)
}

/**
 * Money, always with two decimals: `$100.00`. The currency's code stands once per screen, not here.
 * @param cents the amount in the currency's hundredths
 * @param currency ISO 4217 code, for example `AUD`
 */
export function formatMoney(cents: number, currency: string): string {
  const money = new Intl.NumberFormat("en-AU", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  return cents < 0 ? minus + money.format(-cents / 100) : money.format(cents / 100)
}

const units = ["bytes", "KB", "MB", "GB"]

/** A size in powers of 1,000: `512 bytes`, `1.4 KB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0
  return `${value.toFixed(digits)} ${units[unit] ?? "bytes"}`
}
