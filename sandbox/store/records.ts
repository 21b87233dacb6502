import * as z from "zod/mini"
import { forNames, memberDetailNames } from "../../contract/program/member-fields.ts"

const text = z.string()
const maybe = z.nullable(z.string())
const integer = z.int()
const at = z.number()
const data = z.record(z.string(), z.unknown())

/** A member as the service keeps it. Times in ms by the service's clock, balances in points. */
export const memberRecord = z.object({
  id: text,
  email: text,
  first_name: text,
  last_name: text,
  ...forNames(memberDetailNames, () => maybe),
  tier: text,
  status: text,
  metadata: data,
  created: at,
  updated: at,
  balance: integer,
  earned: integer,
  redeemed: integer,
  pending: integer,
  accountKey: maybe,
})
export type MemberRecord = z.output<typeof memberRecord>

/** One ledger row. `visible` is when the history begins to show it, by our clock. */
export const transactionRecord = z.object({
  id: text,
  /** Order of booking; 0 for seeded rows. */
  seq: integer,
  memberId: text,
  type: z.enum(["award", "redeem", "deduct", "expire", "adjust"]),
  points: integer,
  reason: text,
  reference: maybe,
  balanceAfter: integer,
  metadata: z.nullable(data),
  created: at,
  visible: at,
})
export type TransactionRecord = z.output<typeof transactionRecord>

/** An award that waits for approval: not booked yet. */
export const waitingAward = z.object({
  id: text,
  memberId: text,
  points: integer,
  reason: text,
  reference: maybe,
  metadata: z.nullable(data),
})
export type WaitingAward = z.output<typeof waitingAward>

/** A reward of the catalogue. `stock` null means unlimited. */
export const rewardRecord = z.object({
  id: text,
  name: text,
  description: text,
  points_cost: integer,
  category: text,
  type: z.enum(["digital", "physical"]),
  status: z.enum(["active", "inactive"]),
  image_url: text,
  stock: z.nullable(integer),
})
export type RewardRecord = z.output<typeof rewardRecord>

/** An order as the service keeps it; the address never leaves it (docs/api/program.md, Order). */
export const orderRecord = z.object({
  id: text,
  memberId: text,
  rewardId: text,
  rewardName: text,
  type: z.enum(["digital", "physical"]),
  quantity: integer,
  points: integer,
  status: text,
  code: maybe,
  tracking: maybe,
  carrier: maybe,
  address: z.nullable(z.record(z.string(), z.string())),
  created: at,
  shipped: z.nullable(at),
  delivered: z.nullable(at),
})
export type OrderRecord = z.output<typeof orderRecord>

/** An issued card. `amount` in dollars. The redeem link is derived, never kept. */
export const cardRecord = z.object({
  id: text,
  cardId: text,
  memberId: text,
  amount: z.number(),
  externalRef: maybe,
  isTest: z.boolean(),
  issued: at,
  expires: at,
})
export type CardRecord = z.output<typeof cardRecord>

/** A remembered idempotency key and its response. `kept` by our clock. */
export const keyRecord = z.object({
  key: text,
  issuedId: text,
  memberCreated: z.boolean(),
  body: text,
  kept: at,
})
export type KeyRecord = z.output<typeof keyRecord>

/** An e-mail the gift-card service sent. */
export const mailRecord = z.object({
  id: text,
  to: text,
  subject: text,
  issuedId: text,
  unsubscribeUrl: maybe,
  sent: at,
})
export type MailRecord = z.output<typeof mailRecord>

const parcel = z.record(z.string(), maybe)
const points = { memberId: text, points: integer, reason: text }
const yes = z.boolean()
const issued = { cardId: text, amount: z.number(), externalRef: maybe, isTest: yes }
const kind = <Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), seq: integer, at, id: text, ...shape })

/**
 * One thing the service really did since it was seeded. `at` is our clock in ms, `id` the upstream id of what
 * came of it. Tests compare this list with Laurel's rows; it is never cut and never lags. An award with `waiting`
 * is not booked yet: its `approve` follows under the same id.
 */
export const effect = z.discriminatedUnion("kind", [
  kind("award", { ...points, reference: maybe, metadata: z.nullable(data), bulk: yes, waiting: yes }),
  kind("deduct", points),
  kind("redeem", { memberId: text, rewardId: text, quantity: integer, points: integer, transactionId: text }),
  kind("refund", { ...points, orderId: text }),
  kind("approve", { memberId: text, points: integer }),
  kind("order-update", { before: parcel, after: parcel }),
  kind("member-create", { email: text, by: z.enum(["program", "giftcard"]) }),
  kind("member-update", { fields: z.array(text) }),
  kind("member-delete", {}),
  kind("card", { ...issued, memberId: text, key: text, drawnCents: integer }),
])
export type Effect = z.output<typeof effect>

type WithoutStamp<T> = T extends unknown ? Omit<T, "seq" | "at"> : never
/** An effect before the store numbers and dates it. */
export type NewEffect = WithoutStamp<Effect>

/** A changed record, plain JSON: what a file or IndexedDB keeps and gives back. `value` null: it is gone. */
export interface Change {
  readonly kind: string
  readonly id: string
  readonly value: unknown
}

/** The records changed since the last call; a record changed twice is there once, in its current state. */
export class ChangeLog {
  private changed = new Map<string, Change>()

  note(kind: string, id: string, value: unknown): void {
    this.changed.set(`${kind}\n${id}`, { kind, id, value })
  }

  drain(): Change[] {
    const list = [...this.changed.values()]
    this.changed.clear()
    return list
  }
}

/**
 * What a ledger row adds to a member's lifetime figures, in points. A balance is what was earned, less what was
 * redeemed, deducted and expired: points that came in by hand count as earned, and a cancelled order's points that
 * came back were not redeemed.
 */
export function lifetimeOf({
  type,
  points,
  reference,
}: Pick<TransactionRecord, "type" | "points" | "reference">): { earned: number; redeemed: number } {
  if (type === "redeem") return { earned: 0, redeemed: 0 - points }
  if (type === "award") return { earned: points, redeemed: 0 }
  if (type !== "adjust" || points < 0) return { earned: 0, redeemed: 0 }
  const returned = reference?.startsWith("ord_") === true
  return returned ? { earned: 0, redeemed: 0 - points } : { earned: points, redeemed: 0 }
}
