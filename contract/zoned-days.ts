const hourMs = 3_600_000

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  // Sweden writes dates as ISO 8601 does.
  const made = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" })
  formats.set(timeZone, made)
  return made
}

/** The day it is in a time zone at a moment given in ms: `2026-11-21`. */
export function dayAt(ms: number, timeZone: string): string {
  return formatOf(timeZone).format(ms)
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
