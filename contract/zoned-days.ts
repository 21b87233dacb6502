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
