import { dayAt, addDays, startOfDay } from "../../contract/zoned-days.ts"
import { shortMonths } from "./time.ts"

/** A range of days, `2026-11-21`, both included; either end may be open. */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A range of days in words: `1 Nov 2026 to 21 Nov 2026`, `Since 1 Nov 2026`; undefined where both ends are open. */
export function rangeLabel({ from, to }: DayRange): string | undefined {
  if (from !== undefined && to !== undefined) {
    return from === to ? dayWords(from) : `${dayWords(from)} to ${dayWords(to)}`
  }
  if (from !== undefined) return `Since ${dayWords(from)}`
  return to === undefined ? undefined : `Until ${dayWords(to)}`
}

/** Ranges of days that people ask for most, as they are on the day `today`. */
export function presetRanges(today: string): readonly { readonly label: string; readonly range: DayRange }[] {
  const month = `${today.slice(0, 8)}01`
  const lastOfBefore = addDays(month, -1)
  return [
    { label: "Today", range: { from: today, to: today } },
    { label: "Yesterday", range: { from: addDays(today, -1), to: addDays(today, -1) } },
    { label: "Last 7 days", range: { from: addDays(today, -6), to: today } },
    { label: "Last 30 days", range: { from: addDays(today, -29), to: today } },
    { label: "This month", range: { from: month, to: today } },
    { label: "Last month", range: { from: `${lastOfBefore.slice(0, 8)}01`, to: lastOfBefore } },
  ]
}

/** A day as charts name it: `4 Dec`. */
export function dayLabel(day: string): string {
  const [, month, date] = day.split("-").map(Number)
  return `${date} ${shortMonths[(month ?? 1) - 1]}`
}

const dayWords = (day: string) => `${dayLabel(day)} ${day.slice(0, 4)}`

/** Whether a text names a day that exists: `2026-02-28`, not `2026-02-30`. */
export function isDay(text: string): boolean {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

function endOfDay(day: string, timeZone: string): number {
  return startOfDay(addDays(day, 1), timeZone) - 1
}

/** A range of days in a time zone as moments, ISO 8601, both ends included. A range the wrong way round is none. */
export function momentsOf({ from, to }: DayRange, timeZone: string): { from?: string; to?: string } {
  if (from !== undefined && to !== undefined && from > to) return {}
  return {
    ...(from === undefined ? {} : { from: new Date(startOfDay(from, timeZone)).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(endOfDay(to, timeZone)).toISOString() }),
  }
}

/** The time of day in a zone, `21 Nov, 14:05`; undefined while its name is not known to the platform. */
export function timeIn(timeZone: string, at: number): string | undefined {
  try {
    const clock = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const
    return `${dayLabel(dayAt(at, timeZone))}, ${new Intl.DateTimeFormat("en-AU", clock).format(at)}`
  } catch {
    return undefined
  }
}
