import type { DayRange } from "./day-range.ts"
import { shortMonths } from "./time.ts"

const hourMs = 3_600_000

/** Whether a text names a day that exists: `2026-02-28`, not `2026-02-30`. */
export function isDay(text: string): boolean {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  })
  formats.set(timeZone, made)
  return made
}

/** The day it is in a time zone at a moment given in ms: `2026-11-21`. */
export function dayAt(ms: number, timeZone: string): string {
  const part = new Map(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  return `${part.get("year")}-${part.get("month")}-${part.get("day")}`
}

/**
 * The first moment of a day in a time zone, in ms. It is midnight there except where the clocks skip midnight;
 * zones lie up to 14 hours from UTC, so it is found between two bounds rather than computed from an offset that
 * may change in that very night.
 */
export function startOfDay(day: string, timeZone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  let before = utc - 26 * hourMs
  let after = utc + 26 * hourMs
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayAt(middle, timeZone) < day) before = middle
    else after = middle
  }
  return after
}

/** The last ms of a day in a time zone. */
function endOfDay(day: string, timeZone: string): number {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 24 * hourMs)
  return startOfDay(next.toISOString().slice(0, 10), timeZone) - 1
}

/**
 * A range of days as moments, ISO 8601, both ends included. A range the wrong way round is none.
 * @param timeZone IANA name, the program's
 */
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
    const format = new Intl.DateTimeFormat("en-AU", {
      timeZone,
      day: "numeric",
      month: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    })
    const part = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const month = shortMonths[Number(part.get("month")) - 1]
    return `${part.get("day")} ${month}, ${part.get("hour")}:${part.get("minute")}`
  } catch {
    return undefined
  }
}
