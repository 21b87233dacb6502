import { dayOf, shortMonths, startOf } from "../../../lib/time.ts"

const compact = new Intl.NumberFormat("en-AU", { notation: "compact", maximumFractionDigits: 1 })

/** Most labels that fit on the axis of time. */
const most = 6

/**
 * Where the axis of time is labelled: at firsts of months when the range is longer than about two months, at
 * midnights otherwise; at most six, evenly, and none so near the end that it would touch "Now".
 */
export function timeTicks(from: number, now: number): number[] {
  const days = (now - from) / 86_400_000
  const ticks: number[] = []
  const { year, month, day } = dayOf(from)
  const byMonth = days > 62
  const step = byMonth ? Math.ceil(days / 30.4 / most) : Math.ceil(days / most)
  for (let ahead = 1; ; ahead += step) {
    const at = byMonth ? startOf(year, month + ahead, 1) : startOf(year, month, day + ahead)
    if (at > now - (now - from) * 0.06) return ticks
    ticks.push(at)
  }
}

/** `Jun`, or `4 Jun` when the range is short; a January says its year. */
export function tickWords(at: number, from: number, now: number): string {
  const { year, month, words } = dayOf(at)
  if ((now - from) / 86_400_000 <= 62) return words
  return month === 1 ? String(year) : (shortMonths[month - 1] ?? "")
}

/** Points on the other axis: `10k`. */
export function pointsTick(points: number): string {
  return compact.format(points).toLowerCase()
}

/** Round values from 0, or from below it when the balance was: two to four lines, none of them above the peak. */
export function pointsTicks(lowest: number, highest: number): number[] {
  const [low, high] = spanOf(lowest, highest)
  const rough = (high - low) / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(
    1,
    [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough,
  )
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step)
}

/** Both ends of the axis of points: 0 and every balance lie between them, with a little air above the peak. */
export function pointsDomain(lowest: number, highest: number): [number, number] {
  const [low, high] = spanOf(lowest, highest)
  return [low, high + (high - low) * 0.04]
}

function spanOf(lowest: number, highest: number): [number, number] {
  const low = Math.min(0, lowest)
  return [low, Math.max(0, highest, low + 1)]
}
