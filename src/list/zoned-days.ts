import type { DayRange } from "./days-choice.tsx"

const dayMs = 86_400_000

/** Whether a text names a day that exists: `2026-02-28`, not `2026-02-30`. */
export function isDay(text: string): boolean {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** How far a time zone is ahead of UTC at a moment, in ms. */
function aheadAt(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(ms)
  const part = new Map(parts.map(({ type, value }) => [type, value]))
  const date = `${part.get("year")}-${part.get("month")}-${part.get("day")}`
  const local = Date.parse(`${date}T${part.get("hour")}:${part.get("minute")}:${part.get("second")}Z`)
  return local - Math.floor(ms / 1000) * 1000
}

/** The first moment of a day in a time zone, in ms; with the offset of that night, not of today. */
function startOf(day: string, timeZone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  const near = utc - aheadAt(utc, timeZone)
  return utc - aheadAt(near, timeZone)
}

/**
 * A range of days as moments, ISO 8601, both ends included. A range the wrong way round is none.
 * @param timeZone IANA name, the program's
 */
export function momentsOf({ from, to }: DayRange, timeZone: string): { from?: string; to?: string } {
  if (from !== undefined && to !== undefined && from > to) return {}
  const after = to === undefined ? undefined : new Date(Date.parse(`${to}T00:00:00Z`) + dayMs)
  return {
    ...(from === undefined ? {} : { from: new Date(startOf(from, timeZone)).toISOString() }),
    ...(after === undefined
      ? {}
      : { to: new Date(startOf(after.toISOString().slice(0, 10), timeZone) - 1).toISOString() }),
  }
}
