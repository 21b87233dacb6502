/**
 * An amount of money as people type it, in dollars: `50`, `$50`, `1,250.50`. NaN for anything else and for more than two
 * decimals: nothing is rounded.
 */
export function readDollars(text: string): number {
  const plain = text.trim().replace(/^\$\s?/, "")
  const grouped = /^(?:\d+|\d{1,3}(?:[,\s\u00A0\u202F]\d{3})+)(?:\.\d{1,2})?$/
  return grouped.test(plain) ? Number(plain.replaceAll(/[,\s\u00A0\u202F]/g, "")) : Number.NaN
}

/** Dollars as whole cents. */
export function centsOf(dollars: number): number {
  return Math.round(dollars * 100)
}
