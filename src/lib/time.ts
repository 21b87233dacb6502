import { dayAt, startOfDay } from "../../contract/zoned-days.ts"
import { once } from "./once.ts"

/** A time: an ISO 8601 string from a service, milliseconds, or a Date. */
export type Moment = Date | string | number

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Formatters of a zone, created on first use because each takes a millisecond. */
function formatsIn(zone: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat("en-AU", { timeZone: zone, hourCycle: "h23", ...options }))
  const minutes = { hour: "2-digit", minute: "2-digit" } as const
  return {
    zone,
    clock: format(minutes),
    toSecond: format({ ...minutes, second: "2-digit" }),
    long: format({ day: "numeric", month: "long", year: "numeric" }),
    full: format({ ...minutes, second: "2-digit", timeZoneName: "short" }),
  }
}

let formats: ReturnType<typeof formatsIn> | undefined
const formatsNow = () => (formats ??= formatsIn(Intl.DateTimeFormat().resolvedOptions().timeZone))

/** Sets the time zone (IANA name) of every time and day on screen: the program's, as in filters and reports. */
export function showTimesIn(zone: string): void {
  if (zone === formats?.zone) return
  try {
    const next = formatsIn(zone)
    next.clock()
    formats = next
  } catch {
    // Older platforms lack newer zones; the zone is unchanged then.
  }
}

/** Offset of the server's clock to the browser's, in ms; 0 if they agree within a minute. */
let serverAhead = 0

/** Reads the server's time from a response's `Date` header: a browser's clock can be hours off. */
export function learnServerTime(date: string | null, receivedAt: number): void {
  const ahead = Date.parse(date ?? "") - receivedAt
  if (!Number.isNaN(ahead)) serverAhead = Math.abs(ahead) < minute ? 0 : ahead
}

/** The server's time for the browser's `now`, in ms; for comparison with times of records. */
export function serverTime(now: number): number {
  return now + serverAhead
}

/** The browser's time for a record's time, in ms. */
export function browserTime(moment: number): number {
  return moment - serverAhead
}

/** Three letters each: en-AU writes "June", "July" and "Sept". */
export const shortMonths = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")

/** Milliseconds since the epoch, or NaN for an invalid date. */
export function millis(at: Moment): number {
  if (typeof at === "string") return isoDay.test(at) ? Date.parse(at) : Number.NaN
  return at instanceof Date ? at.getTime() : at
}

/** `Date` accepts almost anything: "9" is 1 September 2001. */
const isoDay = /^\d{4}-\d{2}-\d{2}/

/** Formats a time; an invalid date is shown as received. */
function inWords(at: Moment, words: (ms: number) => string): string {
  const ms = millis(at)
  if (!Number.isNaN(ms)) return words(ms)
  return typeof at === "string" ? at : ""
}

/** Whole seconds, at least one: a countdown ends with the response, not with "0 s". */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.round((moment - now) / second))
}

/** `18 Nov`, with the year if it is not the current one: `18 Nov 2025`. */
export function shortDay(at: Moment, now: number): string {
  return inWords(at, (ms) => {
    const { year, words } = dayOf(ms)
    return year === dayOf(now).year ? words : `${words} ${year}`
  })
}

/** A day in the program's calendar: year, month from 1 and day, and the last two as text. */
export function dayOf(ms: number): { year: number; month: number; day: number; words: string } {
  const [year = 0, month = 1, day = 0] = dayAt(ms, formatsNow().zone).split("-").map(Number)
  return { year, month, day, words: `${day} ${shortMonths[month - 1]}` }
}

/** The program's day as in file names: `2026-11-21`. */
export function isoDayOf(ms: number): string {
  return dayAt(ms, formatsNow().zone)
}

/** When a day of the program's calendar starts, in ms; overflowing months and days are normalised. */
export function startOf(year: number, month: number, day: number): number {
  return startOfDay(new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10), formatsNow().zone)
}

/** Whether two times, in ms, are on the same day. */
export function isSameDay(one: number, other: number): boolean {
  return dayAt(one, formatsNow().zone) === dayAt(other, formatsNow().zone)
}

/** A day in full: `3 March 2022`. */
export function longDay(at: Moment): string {
  return inWords(at, (ms) => formatsNow().long().format(ms))
}

/** The time of day: `14:05`. */
export function timeOfDay(at: Moment): string {
  return inWords(at, (ms) => formatsNow().clock().format(ms))
}

/** The time of day to the second: `14:05:09`. */
export function timeToSecond(at: Moment): string {
  return inWords(at, (ms) => formatsNow().toSecond().format(ms))
}

/**
 * Time since `at`, with `now` in ms: `12 s ago`, `35 min ago`, `3 h ago`, `Yesterday 16:05`, `18 Nov`, `18 Nov 2025`. A
 * time slightly in the future (clock skew) is `just now`.
 */
export function ago(at: Moment, now: number): string {
  return inWords(at, (ms) => {
    const age = now - ms
    if (age < -minute) return shortDay(ms, now)
    if (age < second) return "just now"
    if (age < minute) return `${Math.floor(age / second)} s ago`
    if (age < hour) return `${Math.floor(age / minute)} min ago`
    return age < day ? `${Math.floor(age / hour)} h ago` : yesterdayOrBefore(ms, now)
  })
}

/** A day relative to the calendar, for a ledger: `Today 10:42`, `Yesterday 16:05`, `18 Nov`, `18 Nov 2025`. */
export function onDay(at: Moment, now: number): string {
  return inWords(at, (ms) =>
    isSameDay(ms, now) ? `Today ${formatsNow().clock().format(ms)}` : yesterdayOrBefore(ms, now),
  )
}

/** By calendar days, not 24 hours, so that it is right when the clocks change. */
function yesterdayOrBefore(ms: number, now: number): string {
  const dayBefore = Date.parse(dayAt(now, formatsNow().zone)) - day
  const isYesterday = Date.parse(dayAt(ms, formatsNow().zone)) === dayBefore
  return isYesterday ? `Yesterday ${formatsNow().clock().format(ms)}` : shortDay(ms, now)
}

/** Time to the second with its zone, for tooltips and the audit log: `21 Nov 2026, 10:42:07 AEST`. */
export function exact(at: Moment): string {
  return inWords(at, (ms) => {
    const part = new Map(
      formatsNow()
        .full()
        .formatToParts(ms)
        .map(({ type, value }) => [type, value]),
    )
    const { year, words } = dayOf(ms)
    return `${words} ${year}, ${part.get("hour")}:${part.get("minute")}:${part.get("second")} ${part.get("timeZoneName")}`
  })
}

/** A duration in ms: `210 ms`, `1.8 s`, `12 s`, `3 min 55 s`, `2 h 5 min`, `3 d 4 h`. At most two units. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${Number((ms / second).toFixed(1))} s`
  const seconds = Math.round(ms / second)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return pair(seconds, 60, "min", 1, "s")
  if (seconds < 86_400) return pair(seconds, 3600, "h", 60, "min")
  return pair(seconds, 86_400, "d", 3600, "h")
}

function pair(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const larger = Math.floor(seconds / large)
  const rest = Math.floor((seconds % large) / small)
  return rest === 0 ? `${larger} ${largeName}` : `${larger} ${largeName} ${rest} ${smallName}`
}
