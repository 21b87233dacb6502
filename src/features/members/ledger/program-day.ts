/** A day of the calendar, `2026-11-21`. */
export type Day = string

const hour = 3_600_000
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    })
    formatters.set(timeZone, formatter)
  }
  return formatter
}

/** The day it is in a time zone at a moment given in ms. */
export function dayAt(ms: number, timeZone: string): Day {
  const part = new Map(
    formatterOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  return `${part.get("year")}-${part.get("month")}-${part.get("day")}`
}

/** The day after. */
export function nextDay(day: Day): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * hour).toISOString().slice(0, 10)
}

/**
 * The first moment of a day in a time zone, in ms. It is midnight there except where the clocks skip midnight;
 * zones lie up to 14 hours from UTC, so it is found between two bounds rather than computed from an offset that
 * may change in that very night.
 */
export function startOfDay(day: Day, timeZone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  let before = utc - 26 * hour
  let after = utc + 26 * hour
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayAt(middle, timeZone) < day) before = middle
    else after = middle
  }
  return after
}

/** The last ms of a day in a time zone. */
export function endOfDay(day: Day, timeZone: string): number {
  return startOfDay(nextDay(day), timeZone) - 1
}

/**
 * Days as the ledger's `from` and `to`: times, both ends included (docs/api/program.md, Members). Day precision
 * in the program's time zone.
 */
export function daysToTimes(
  days: { from?: Day | undefined; to?: Day | undefined },
  timeZone: string,
): { from?: string; to?: string } {
  return {
    ...(days.from === undefined ? {} : { from: new Date(startOfDay(days.from, timeZone)).toISOString() }),
    ...(days.to === undefined ? {} : { to: new Date(endOfDay(days.to, timeZone)).toISOString() }),
  }
}
