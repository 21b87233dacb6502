import { addDays, dayAt, minuteAt, startOfDay } from "../../contract/zoned-days.ts"
import { shortMonths } from "./time.ts"

/**
 * A range of days, `2026-11-21`, inclusive; either end may be open. An end with a time, `2026-11-21T14:05`, is that
 * minute, inclusive.
 */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A range of days as text: `1 Nov 2026 to 21 Nov 2026`, `Since 1 Nov 2026`; undefined if both ends are open. */
export function rangeLabel({ from, to }: DayRange): string | undefined {
  if (from !== undefined && to !== undefined) {
    if (from === to) return dayWords(from)
    const isOneDay = hasTime(from) && hasTime(to) && dayOf(from) === dayOf(to)
    return `${dayWords(from)} to ${isOneDay ? timeOf(to) : dayWords(to)}`
  }
  if (from !== undefined) return `Since ${dayWords(from)}`
  return to === undefined ? undefined : `Until ${dayWords(to)}`
}

/** Common ranges of days, relative to `today`. */
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

/** A day as in charts: `4 Dec`. */
export function dayLabel(day: string): string {
  const [, month, date] = day.split("-").map(Number)
  return `${date} ${shortMonths[(month ?? 1) - 1]}`
}

/** The day of a range's end, and its time, `14:05`; empty for a full day. */
export const dayOf = (end: string) => end.slice(0, 10)
export const timeOf = (end: string) => end.slice(11)
const hasTime = (end: string) => timeOf(end) !== ""

function dayWords(end: string): string {
  const day = `${dayLabel(dayOf(end))} ${end.slice(0, 4)}`
  return hasTime(end) ? `${day}, ${timeOf(end)}` : day
}

/** Whether a text is an existing day: `2026-02-28`, not `2026-02-30`. */
export function isDay(text: string): boolean {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** Whether a text is an existing day, or a minute of one: `2026-02-28T14:05`. */
export function isDayOrMinute(text: string): boolean {
  return isDay(dayOf(text)) && /^(T([01]\d|2[0-3]):[0-5]\d)?$/.test(text.slice(10))
}

/** Whether a range ends before it begins. */
export function isTurned({ from, to }: DayRange): boolean {
  if (from === undefined || to === undefined) return false
  return (hasTime(from) ? from : `${from}T00:00`) > (hasTime(to) ? to : `${to}T23:59`)
}

/** A range of days in a time zone as ISO 8601 times, inclusive. A reversed range is empty. */
export function momentsOf({ from, to }: DayRange, timeZone: string): { from?: string; to?: string } {
  if (isTurned({ from, to })) return {}
  return {
    ...(from === undefined ? {} : { from: new Date(startOf(from, timeZone)).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(endOf(to, timeZone)).toISOString() }),
  }
}

function startOf(end: string, timeZone: string): number {
  return hasTime(end) ? minuteIn(end, timeZone).start : startOfDay(end, timeZone)
}

function endOf(end: string, timeZone: string): number {
  return hasTime(end) ? minuteIn(end, timeZone).end : startOfDay(addDays(end, 1), timeZone) - 1
}

const minuteMs = 60_000

/**
 * The first and last ms of a minute in a time zone. A minute that occurs twice because clocks go back spans both; a
 * minute that is skipped starts, or ends, when clocks go forward.
 */
function minuteIn(minute: string, timeZone: string): { readonly start: number; readonly end: number } {
  const utc = Date.parse(`${minute}Z`)
  const offsetAt = (ms: number) => Date.parse(`${minuteAt(ms, timeZone)}Z`) - ms
  const offsets = [-24, 24].map((hours) => offsetAt(utc + hours * 60 * minuteMs))
  const moments = offsets.map((offset) => utc - offset)
  const named = moments.filter((ms) => minuteAt(ms, timeZone) === minute)
  if (named.length > 0) return { start: Math.min(...named), end: Math.max(...named) + minuteMs - 1 }
  let before = Math.min(...moments)
  let after = Math.max(...moments)
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / minuteMs / 2) * minuteMs
    if (minuteAt(middle, timeZone) < minute) before = middle
    else after = middle
  }
  return { start: after, end: after - 1 }
}

/** The current time in a zone, `21 Nov, 14:05`; undefined if the platform does not know the zone. */
export function timeIn(timeZone: string, at: number): string | undefined {
  try {
    const clock = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const
    return `${dayLabel(dayAt(at, timeZone))}, ${new Intl.DateTimeFormat("en-AU", clock).format(at)}`
  } catch {
    return undefined
  }
}
