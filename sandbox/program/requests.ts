import { emailPattern } from "../../contract/email-address.ts"
import { forNames, memberDetailNames } from "../../contract/program/member-fields.ts"
import type { Context } from "hono"
import * as z from "zod/mini"
import { invalid } from "../http.ts"
import type { CallEnv } from "../world.ts"

const text = z.string("must be a string")
const filled = z.string("must be a string").check(z.regex(/\S/, "must not be empty"))
const integer = z.int("must be an integer")
const atLeastOne = z.int("must be an integer").check(z.minimum(1, "must be at least 1"))
const record = z.record(z.string(), z.unknown(), "must be an object")

const details = forNames(memberDetailNames, () => z.optional(text))

/** What creates a member; unknown fields are ignored. */
export const newMember = z.object({
  email: z
    .string("must be a string")
    .check(z.email({ pattern: emailPattern, error: "must be a valid email" })),
  first_name: filled,
  last_name: filled,
  ...details,
  metadata: z.optional(record),
})

/** What changes a member. */
export const memberChange = z.object({
  email: z.optional(z.unknown()),
  first_name: z.optional(filled),
  last_name: z.optional(filled),
  ...details,
  status: z.optional(z.enum(["active", "inactive"], "must be active or inactive")),
  metadata: z.optional(record),
})

/** A single award. */
export const award = z.object({
  member_id: filled,
  points: atLeastOne,
  reason: filled,
  reference: z.optional(text),
  metadata: z.optional(record),
})

/** A bulk award of at most 100 items. */
export const bulkAward = z.object({
  awards: z
    .array(z.object({ member_id: filled, points: atLeastOne, reason: filled }), "must be an array")
    .check(z.minLength(1, "must not be empty"), z.maxLength(100, "must have at most 100 items")),
})

/** A manual deduction. */
export const deduction = z.object({ member_id: filled, points: atLeastOne, reason: filled })

/** Where a physical reward goes. */
const shippingAddress = z.object(
  {
    name: filled,
    line1: filled,
    line2: z.optional(text),
    city: filled,
    state: z.optional(text),
    postal_code: filled,
    country: z.string("must be a string").check(z.regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 alpha-2 code")),
  },
  "must be an object",
)

/** A redemption; whether an address is needed depends on the reward. */
export const redemption = z.object({
  member_id: filled,
  reward_id: filled,
  quantity: z._default(integer.check(z.minimum(1, "must be at least 1")), 1),
  shipping_address: z.optional(shippingAddress),
})

/** A change of an order; null and empty text clear a field. */
export const orderChange = z.object({
  status: z.optional(
    z.enum(
      ["pending", "processing", "shipped", "completed", "cancelled"],
      "must be pending, processing, shipped, completed or cancelled",
    ),
  ),
  tracking_number: z.optional(z.nullable(text)),
  carrier: z.optional(z.nullable(text)),
})

type C = Context<CallEnv>

/** A whole number of the query. Throws 400 out of bounds. */
export function queryInt(c: C, name: string, fallback: number, low: number, high: number): number {
  const text = c.req.query(name)
  if (text === undefined || text === "") return fallback
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= low && value <= high) return value
  throw invalid(`${name} must be an integer from ${low} to ${high}`)
}

/** `page` and `per_page` with their documented bounds. */
export function queryPage(c: C) {
  const page = queryInt(c, "page", 1, 1, 100_000_000)
  const per_page = queryInt(c, "per_page", 25, 1, 100)
  return { page, per_page, offset: (page - 1) * per_page, end: page * per_page }
}

/** One of a set of words, or undefined. */
export function queryWord(c: C, name: string, words: readonly string[]): string | undefined {
  const text = c.req.query(name)
  if (text === undefined || text === "") return undefined
  if (words.includes(text)) return text
  throw invalid(`${name} must be one of ${words.join(", ")}`)
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
  throw invalid(`${name} must be an ISO 8601 date-time`)
}

/** A bare date (UTC) or a time as ms. As the end of a range a bare date means the whole day. */
export function queryDate(c: C, name: string, end: boolean): number | undefined {
  const text = c.req.query(name)
  if (text === undefined || text === "") return undefined
  const bare = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const at = Date.parse(bare ? `${text}T00:00:00Z` : text)
  if (Number.isNaN(at)) throw invalid(`${name} must be a date`)
  if (!end) return at
  return bare ? at + 86_400_000 : at + 1
}
