import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { listReader, type ReadRecord, recordReader } from "../reading.ts"
import { exactField, jsonObject, paging, requiredText, timeSpan } from "./common.ts"

/** Kinds of ledger rows (docs/api/program.md, Transaction). */
export const transactionTypes = ["award", "redeem", "deduct", "expire", "adjust"] as const

const balanceKeys = { member_id: z.string().check(z.minLength(1)), balance: z.int() }
const balanceRest = { lifetime_earned: z.int(), lifetime_redeemed: z.int(), pending: z.int() }
/** Reads a balance, all figures in points (docs/api/program.md, Balance). */
export const balanceReader = recordReader(balanceKeys, balanceRest)
export type Balance = ReadRecord<typeof balanceKeys, typeof balanceRest>

const transactionKeys = { transaction_id: z.string().check(z.minLength(1)) }
const transactionRest = {
  member_id: z.string(),
  type: z.enum(transactionTypes),
  points: z.int(),
  reason: z.optional(z.string()),
  reference: z.optional(z.string()),
  balance_after: z.int(),
  /** The award response's name for `balance_after` (docs/api/program.md, Transaction). */
  new_balance: z.optional(z.int()),
  metadata: z.optional(jsonObject),
  created_at: z.iso.datetime({ offset: true }),
}
/** Reads one ledger row. `points` is negative for deductions and redemptions. */
export const transactionReader = recordReader(transactionKeys, transactionRest)
export const transactionListReader = listReader(transactionReader)
export type Transaction = ReadRecord<typeof transactionKeys, typeof transactionRest>

/** The balance after a ledger row, under either of its two names, and whether the two names disagree. */
export function balanceAfter(row: Pick<Transaction, "balance_after" | "new_balance">): {
  points: number | undefined
  disagree: boolean
} {
  const after = row.balance_after ?? undefined
  const named = row.new_balance ?? undefined
  return { points: after ?? named, disagree: after !== undefined && named !== undefined && after !== named }
}

const pointsAmount = z
  .int("Whole points only.")
  .check(
    z.minimum(limits.pointsMin, "At least 1 point."),
    z.maximum(limits.pointsMax, `At most ${limits.pointsMax.toLocaleString("en-AU")} points.`),
  )
const memberId = z.string().check(z.minLength(1, "Choose a member."))
const reason = requiredText("a reason", limits.reason)

/** An award of points to one member (docs/api/program.md, Points). */
export const awardBody = z.strictObject({
  member_id: memberId,
  points: pointsAmount,
  reason,
  /** The document sets no bound: the service decides. */
  reference: z.optional(exactField(Infinity)),
  metadata: z.optional(z.record(z.string(), z.unknown())),
})

/** Awards to many members in one request (docs/api/program.md, Bulk award). */
export const bulkAwardBody = z.strictObject({
  awards: z
    .array(z.strictObject({ member_id: memberId, points: pointsAmount, reason }))
    .check(z.minLength(1), z.maxLength(limits.bulkRows)),
})

const bulkRest = { processed: z.int(), failed: z.int() }
const bulkKeys = {
  transactions: z.array(z.looseObject({ member_id: z.string(), transaction_id: z.string() })),
}
/** Reads what a bulk award did: only the members it names succeeded (docs/api/program.md, Bulk award). */
export const bulkAwardReader = recordReader(bulkKeys, bulkRest)

/** A manual deduction (docs/api/program.md, Points, rule 1). `points` is positive here. */
export const deductBody = z.strictObject({ member_id: memberId, points: pointsAmount, reason })

/** Query of a member's ledger (docs/api/program.md, Members). `from` and `to` are ISO 8601 times. */
export const transactionListQuery = z.strictObject({
  ...paging,
  type: z.optional(z.enum(transactionTypes)),
  ...timeSpan,
})
