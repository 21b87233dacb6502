import { addDays, dayAt, minuteAt, startOfDay } from "../../contract/zoned-days.ts"
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
    const { year, words } = calendarDayOf(ms)
    return year === calendarDayOf(now).year ? words : `${words} ${year}`
  })
}

/** A day in the program's calendar: year, month from 1 and day, and the last two as text. */
export function calendarDayOf(ms: number): { year: number; month: number; day: number; words: string } {
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
    const { year, words } = calendarDayOf(ms)
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
    ...(from === undefined ? {} : { from: new Date(startOfEnd(from, timeZone)).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(endOf(to, timeZone)).toISOString() }),
  }
}

function startOfEnd(end: string, timeZone: string): number {
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
