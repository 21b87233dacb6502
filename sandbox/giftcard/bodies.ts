import * as z from "zod/mini"

const text = z.string("must be a string")
const filled = z.string("must be a string").check(z.regex(/\S/, "must not be empty"))
const short = z
  .string("must be a string")
  .check(z.minLength(1, "must not be empty"), z.maxLength(255, "must be at most 255 characters"))

/** An issue request (docs/api/giftcard.md, Issue a card); unknown fields are ignored. */
export const issueBody = z.object({
  member: z.object(
    {
      email: z.string("must be a string").check(z.email("must be a valid email")),
      firstname: filled,
      lastname: filled,
      accountKey: z.optional(text),
      mobile: z.optional(text),
    },
    "must be an object",
  ),
  denomination: z.number("must be a number").check(z.positive("must be more than 0")),
  expiryDays: z._default(
    z
      .int("must be an integer")
      .check(z.minimum(30, "must be at least 30"), z.maximum(365, "must be at most 365")),
    90,
  ),
  cardId: z.optional(filled),
  externalRef: z.optional(short),
  idempotencyKey: z.optional(short),
  unsubscribeUrl: z.optional(text),
})
/** An issue request as the service understood it. */
export type IssueBody = z.output<typeof issueBody>
