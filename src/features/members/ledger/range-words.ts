import type { DayRange } from "../../../list/days-choice.tsx"

const words = new Intl.DateTimeFormat("en-AU", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
})

/** A day as people write it: `21 Nov 2026`. */
function dayWords(day: string): string {
  return words.format(Date.parse(`${day}T00:00:00Z`))
}

/** A range of days in words. */
export function rangeWords({ from, to }: DayRange): string {
  if (from !== undefined && to !== undefined) {
    return from === to ? dayWords(from) : `${dayWords(from)} to ${dayWords(to)}`
  }
  if (from !== undefined) return `Since ${dayWords(from)}`
  return to === undefined ? "Any date" : `Until ${dayWords(to)}`
}
