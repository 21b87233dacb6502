import * as z from "zod/mini"

const text = z.string()
const maybe = z.nullable(z.string())
const whole = z.int()
const at = z.number()
const data = z.record(z.string(), z.unknown())

/** A member as the service keeps it. Times in ms by the service's clock, balances in points. */
export const memberRecord = z.object({
  id: text,
  email: text,
  first_name: text,
  last_name: text,
  company: maybe,
  phone: maybe,
  tier: text,
  status: text,
  metadata: data,
  created: at,
  updated: at,
  balance: whole,
  earned: whole,
  redeemed: whole,
  pending: whole,
  accountKey: maybe,
})
/** A member as the service keeps it. */
export type MemberRecord = z.output<typeof memberRecord>

/** One ledger row. `visible` is when the history begins to show it, by our clock. */
export const transactionRecord = z.object({
  id: text,
  /** Order of booking; 0 for seeded rows. */
  seq: whole,
  memberId: text,
  type: z.enum(["award", "redeem", "deduct", "expire", "adjust"]),
  points: whole,
  reason: text,
  reference: maybe,
  balanceAfter: whole,
  metadata: z.nullable(data),
  created: at,
  visible: at,
})
/** One ledger row. */
export type TransactionRecord = z.output<typeof transactionRecord>

/** An award that waits for approval: not booked yet. `due` is when it is approved by itself. */
export const waitingAward = z.object({
  id: text,
  memberId: text,
  points: whole,
  reason: text,
  reference: maybe,
  metadata: z.nullable(data),
  due: z.nullable(at),
})
/** An award that waits for approval. */
export type WaitingAward = z.output<typeof waitingAward>

/** A reward of the catalogue. `stock` null means unlimited. */
export const rewardRecord = z.object({
  id: text,
  name: text,
  description: text,
  points_cost: whole,
  category: text,
  type: z.enum(["digital", "physical"]),
  status: z.enum(["active", "inactive"]),
  image_url: text,
  stock: z.nullable(whole),
})
/** A reward of the catalogue. */
export type RewardRecord = z.output<typeof rewardRecord>

/** An order as the service keeps it; the address never leaves it (docs/api/program.md, Order). */
export const orderRecord = z.object({
  id: text,
  memberId: text,
  rewardId: text,
  rewardName: text,
  type: z.enum(["digital", "physical"]),
  quantity: whole,
  points: whole,
  status: text,
  code: maybe,
  tracking: maybe,
  carrier: maybe,
  address: z.nullable(z.record(z.string(), z.string())),
  created: at,
  shipped: z.nullable(at),
  delivered: z.nullable(at),
})
/** An order as the service keeps it. */
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
/** An issued card. */
export type CardRecord = z.output<typeof cardRecord>

/** A remembered idempotency key and the answer it stands for. `kept` by our clock. */
export const keyRecord = z.object({
  key: text,
  issuedId: text,
  memberCreated: z.boolean(),
  body: text,
  kept: at,
})
/** A remembered idempotency key. */
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
/** An e-mail the gift-card service sent. */
export type MailRecord = z.output<typeof mailRecord>
