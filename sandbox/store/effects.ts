import * as z from "zod/mini"

const common = { seq: z.int(), at: z.number(), id: z.string() }
const points = { memberId: z.string(), points: z.int(), reason: z.string() }

/**
 * One thing the service really did since it was seeded. `at` is our clock in ms, `id` the upstream id of what
 * came of it. Tests compare this list with the desk's rows; it is never cut and never lags. An award with `waiting`
 * is not booked yet: its `approve` follows under the same id.
 */
export const effect = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("award"),
    ...common,
    ...points,
    reference: z.nullable(z.string()),
    metadata: z.nullable(z.record(z.string(), z.unknown())),
    bulk: z.boolean(),
    waiting: z.boolean(),
  }),
  z.object({ kind: z.literal("deduct"), ...common, ...points }),
  z.object({
    kind: z.literal("redeem"),
    ...common,
    memberId: z.string(),
    rewardId: z.string(),
    quantity: z.int(),
    points: z.int(),
    transactionId: z.string(),
  }),
  z.object({ kind: z.literal("refund"), ...common, ...points, orderId: z.string() }),
  z.object({ kind: z.literal("approve"), ...common, memberId: z.string(), points: z.int() }),
  z.object({
    kind: z.literal("order-update"),
    ...common,
    before: z.record(z.string(), z.nullable(z.string())),
    after: z.record(z.string(), z.nullable(z.string())),
  }),
  z.object({
    kind: z.literal("member-create"),
    ...common,
    email: z.string(),
    by: z.enum(["program", "giftcard"]),
  }),
  z.object({ kind: z.literal("member-update"), ...common, fields: z.array(z.string()) }),
  z.object({ kind: z.literal("member-delete"), ...common }),
  z.object({
    kind: z.literal("card"),
    ...common,
    memberId: z.string(),
    cardId: z.string(),
    amount: z.number(),
    externalRef: z.nullable(z.string()),
    key: z.string(),
    isTest: z.boolean(),
    drawnCents: z.int(),
  }),
])

/** One thing the service really did. */
export type Effect = z.output<typeof effect>

type WithoutStamp<T> = T extends unknown ? Omit<T, "seq" | "at"> : never

/** An effect before the store numbers and dates it. */
export type NewEffect = WithoutStamp<Effect>
