import * as z from "zod/mini"

const text = z.string("must be a string")
const filled = z.string("must be a string").check(z.regex(/\S/, "must not be empty"))
const whole = z.int("must be an integer")
const atLeastOne = z.int("must be an integer").check(z.minimum(1, "must be at least 1"))
const record = z.record(z.string(), z.unknown(), "must be an object")

/** What creates a member; unknown fields are ignored. */
export const newMember = z.object({
  email: z.string("must be a string").check(z.email("must be a valid email")),
  first_name: filled,
  last_name: filled,
  company: z.optional(text),
  phone: z.optional(text),
  metadata: z.optional(record),
})

/** What changes a member. */
export const memberChange = z.object({
  email: z.optional(z.unknown()),
  first_name: z.optional(filled),
  last_name: z.optional(filled),
  company: z.optional(text),
  phone: z.optional(text),
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

/** A bulk award; its bounds are a setting. */
export const bulkAward = z.object({
  awards: z
    .array(z.object({ member_id: filled, points: atLeastOne, reason: filled }), "must be an array")
    .check(z.minLength(1, "must not be empty")),
})

/** A manual deduction. */
export const deduction = z.object({ member_id: filled, points: atLeastOne, reason: filled })

/** Where a physical reward goes. */
export const shippingAddress = z.object(
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
  quantity: z._default(whole.check(z.minimum(1, "must be at least 1")), 1),
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
