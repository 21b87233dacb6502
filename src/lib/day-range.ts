import { shortMonths } from "./time.ts"

/** A range of days, `2026-11-21`, both included; either end may be open. */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A range of days in words: `1 Nov 2026 to 21 Nov 2026`, `Since 1 Nov 2026`; undefined where both ends are open. */
export function rangeWords({ from, to }: DayRange): string | undefined {
  if (from !== undefined && to !== undefined) {
    return from === to ? dayWords(from) : `${dayWords(from)} to ${dayWords(to)}`
  }
  if (from !== undefined) return `Since ${dayWords(from)}`
  return to === undefined ? undefined : `Until ${dayWords(to)}`
}

/** A day as people write it: `21 Nov 2026`. */
function dayWords(text: string): string {
  const [year, month, day] = text.split("-").map(Number)
  return `${day} ${shortMonths[(month ?? 0) - 1]} ${year}`
}
