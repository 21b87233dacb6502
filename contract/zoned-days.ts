const hourMs = 3_600_000

type TimeStyle = "short" | undefined

const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string, timeStyle: TimeStyle): Intl.DateTimeFormat {
  const key = `${timeStyle} ${timeZone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  // Swedish dates are in ISO 8601 format.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle })
  formats.set(key, format)
  return format
}

/** The day it is in a time zone at a moment given in ms: `2026-11-21`. */
export function dayAt(ms: number, timeZone: string): string {
  return formatFor(timeZone, undefined).format(ms)
}

/** Local time in a time zone at a moment given in ms: `2026-11-21T14:05`. */
export function minuteAt(ms: number, timeZone: string): string {
  return formatFor(timeZone, "short").format(ms).replace(" ", "T")
}

/** The first moment of a day in a time zone, in ms, between two bounds: the offset may change in that very night. */
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

/** The day `steps` days later, or earlier when negative. */
export function addDays(day: string, steps: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + steps * 24 * hourMs).toISOString().slice(0, 10)
}

/** The first day of the month that comes `steps` months after that of a day; negative steps go back. */
export function addMonths(day: string, steps: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number)
  return new Date(Date.UTC(year, month - 1 + steps, 1)).toISOString().slice(0, 10)
}

const dayMs = 24 * hourMs

/** Offsets to UTC in ms, each until a moment, which is not included. */
export type ZoneOffsets = readonly { readonly until: number; readonly offset: number }[]

/** The offsets to UTC that a time zone has between two moments, in ms: one, or one more for each change of clocks. */
export function zoneOffsets(from: number, to: number, timeZone: string): ZoneOffsets {
  const offsetAt = (ms: number) => Date.parse(`${minuteAt(ms, timeZone)}Z`) - Math.floor(ms / 60_000) * 60_000
  const found: { until: number; offset: number }[] = []
  let offset = offsetAt(from)
  for (let at = from; at < to; at += dayMs) {
    const next = Math.min(at + dayMs, to)
    const later = offsetAt(next)
    if (later === offset) continue
    let [before, after] = [at, next]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === offset) before = middle
      else after = middle
    }
    found.push({ until: after, offset })
    offset = later
  }
  return [...found, { until: to, offset }]
}

/** The day of a moment by those offsets, counted from 1 January 1970. */
export function dayNumber(ms: number, offsets: ZoneOffsets): number {
  const { offset = 0 } = offsets.find(({ until }) => ms < until) ?? offsets.at(-1) ?? {}
  return Math.floor((ms + offset) / dayMs)
}

/** `2026-11-21` of a day's number. */
export function dayOfNumber(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
