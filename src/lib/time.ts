import { dayAt, startOfDay } from "../../contract/zoned-days.ts"
import { once } from "./once.ts"

/** A moment as it comes: an ISO 8601 string from a service, milliseconds, or a Date. */
export type Moment = Date | string | number

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Formatters of a zone, each made when it is used first: making one takes a millisecond. */
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

/** Sets the time zone (IANA name) of every time and day on screen: the program's, as filters and reports use it. */
export function showTimesIn(zone: string): void {
  if (zone === formats?.zone) return
  try {
    const asked = formatsIn(zone)
    asked.clock()
    formats = asked
  } catch {
    // An older platform may not know a newer name; times then stay as they are.
  }
}

/** The server's clock less the browser's, in ms; 0 while they agree within a minute. */
let serverAhead = 0

/** Learns the server's time from a response's `Date` header: a browser's clock may be hours off. */
export function learnServerTime(date: string | null, receivedAt: number): void {
  const ahead = Date.parse(date ?? "") - receivedAt
  if (!Number.isNaN(ahead)) serverAhead = Math.abs(ahead) < minute ? 0 : ahead
}

/** What the server's clock shows when the browser's shows `now`, in ms: moments of records are compared with it. */
export function serverTime(now: number): number {
  return now + serverAhead
}

/** The other way: a record's moment by the browser's clock, in ms. */
export function browserTime(moment: number): number {
  return moment - serverAhead
}

/** Three letters each: en-AU writes "June", "July" and "Sept" where a column needs "Jun", "Jul", "Sep". */
export const shortMonths = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")

/** Milliseconds since the epoch, or NaN when a service sent something that is not a date. */
export function millis(at: Moment): number {
  if (typeof at === "string") return isoDay.test(at) ? Date.parse(at) : Number.NaN
  return at instanceof Date ? at.getTime() : at
}

/** The platform reads a date into almost anything: "9" is the first of September 2001 to it. */
const isoDay = /^\d{4}-\d{2}-\d{2}/

/** A moment in words; what a service sent instead of a date is shown as it came. */
function inWords(at: Moment, words: (ms: number) => string): string {
  const ms = millis(at)
  if (!Number.isNaN(ms)) return words(ms)
  return typeof at === "string" ? at : ""
}

/** Whole seconds, never below one: the countdown ends with a response, not with "0 s". The clock ticks by the second. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.round((moment - now) / second))
}

/** `18 Nov`, and with the year when it is another one: `18 Nov 2025`. */
export function shortDay(at: Moment, now: number): string {
  return inWords(at, (ms) => {
    const { year, words } = dayOf(ms)
    return year === dayOf(now).year ? words : `${words} ${year}`
  })
}

/** A day as the program's calendar has it: year, month from 1 and day, and the last two in words. */
export function dayOf(ms: number): { year: number; month: number; day: number; words: string } {
  const [year = 0, month = 1, day = 0] = dayAt(ms, formatsNow().zone).split("-").map(Number)
  return { year, month, day, words: `${day} ${shortMonths[month - 1]}` }
}

/** The program's day at a moment, as names of files have it: `2026-11-21`. */
export function isoDayOf(ms: number): string {
  return dayAt(ms, formatsNow().zone)
}

/** When a day of the program's calendar starts, in ms; months and days beyond their ends count on. */
export function startOf(year: number, month: number, day: number): number {
  return startOfDay(new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10), formatsNow().zone)
}

/** Whether two moments, in ms, lie on the same day. */
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
 * How long ago, with `now` in ms: `12 s ago`, `35 min ago`, `3 h ago`, `Yesterday 16:05`, `18 Nov`, `18 Nov 2025`. A
 * moment slightly in the future (two clocks) reads `just now`.
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

/** When something was, by the calendar, for a ledger: `Today 10:42`, `Yesterday 16:05`, `18 Nov`, `18 Nov 2025`. */
export function onDay(at: Moment, now: number): string {
  return inWords(at, (ms) =>
    isSameDay(ms, now) ? `Today ${formatsNow().clock().format(ms)}` : yesterdayOrBefore(ms, now),
  )
}

/** By the calendar, not by 24 hours, so that it stays right on the days the clocks change. */
function yesterdayOrBefore(ms: number, now: number): string {
  const dayBefore = Date.parse(dayAt(now, formatsNow().zone)) - day
  const isYesterday = Date.parse(dayAt(ms, formatsNow().zone)) === dayBefore
  return isYesterday ? `Yesterday ${formatsNow().clock().format(ms)}` : shortDay(ms, now)
}

/** The moment to the second with its zone, for tooltips and the audit log: `21 Nov 2026, 10:42:07 AEST`. */
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

/** A length of time in ms: `210 ms`, `1.8 s`, `12 s`, `3 min 55 s`, `2 h 5 min`, `3 d 4 h`. Two units at most. */
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
  const whole = Math.floor(seconds / large)
  const rest = Math.floor((seconds % large) / small)
  return rest === 0 ? `${whole} ${largeName}` : `${whole} ${largeName} ${rest} ${smallName}`
}
