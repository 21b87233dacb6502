import type { Context } from "hono"
import { invalid } from "../refusal.ts"
import type { CallEnv } from "../world.ts"

type C = Context<CallEnv>

function refusing(c: C): boolean {
  return c.env.world.settings.badQuery === "refuse"
}

/** A whole number of the query; out of bounds it is refused or brought within, as the settings say. */
export function queryInt(c: C, name: string, fallback: number, low: number, high: number): number {
  const text = c.req.query(name)
  if (text === undefined || text === "") return fallback
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= low && value <= high) return value
  if (refusing(c)) throw invalid(`${name} must be an integer from ${low} to ${high}`)
  return Number.isNaN(value) ? fallback : Math.min(high, Math.max(low, value))
}

/** `page` and `per_page` with their documented bounds. */
export function queryPage(c: C): { page: number; per_page: number; offset: number } {
  const page = queryInt(c, "page", 1, 1, 100_000_000)
  const per_page = queryInt(c, "per_page", 25, 1, 100)
  return { page, per_page, offset: (page - 1) * per_page }
}

/** One of a set of words, or undefined. */
export function queryWord(c: C, name: string, words: readonly string[]): string | undefined {
  const text = c.req.query(name)
  if (text === undefined || text === "") return undefined
  if (words.includes(text)) return text
  if (refusing(c)) throw invalid(`${name} must be one of ${words.join(", ")}`)
  return undefined
}

/** Free text, or undefined when empty. */
export function queryText(c: C, name: string): string | undefined {
  return c.req.query(name) || undefined
}

/** An ISO 8601 time as ms. */
export function queryTime(c: C, name: string): number | undefined {
  const text = c.req.query(name)
  if (text === undefined || text === "") return undefined
  const at = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(at)) return at
  if (refusing(c)) throw invalid(`${name} must be an ISO 8601 date-time`)
  return undefined
}

/**
 * A bare date or a time as ms. A bare date begins in the zone of the settings; as the end of a range it stands for
 * the whole day.
 */
export function queryDate(c: C, name: string, end: boolean): number | undefined {
  const text = c.req.query(name)
  if (text === undefined || text === "") return undefined
  const bare = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const at = Date.parse(bare ? `${text}T00:00:00Z` : text)
  if (Number.isNaN(at)) {
    if (refusing(c)) throw invalid(`${name} must be a date`)
    return undefined
  }
  if (!bare) return end ? at + 1 : at
  const start = at - c.env.world.settings.orderDateOffsetMinutes * 60_000
  return end ? start + 86_400_000 : start
}
