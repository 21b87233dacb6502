import { millis } from "../../../lib/time.ts"

const long = new Intl.DateTimeFormat("en-AU", { day: "numeric", month: "long", year: "numeric" })

/** A day in full: `3 March 2022`. What is not a date is shown as it came. */
export function calendarDay(at: string | null | undefined): string {
  if (at === null || at === undefined) return ""
  const ms = millis(at)
  return Number.isNaN(ms) ? at : long.format(ms)
}
