import type { TransactionRecord } from "./records.ts"

/**
 * What a ledger row adds to a member's lifetime figures, in points. A balance is what was earned, less what was
 * redeemed, deducted and expired: points that came in by hand count as earned, and a cancelled order's points that
 * came back were not redeemed.
 */
export function lifetimeOf({
  type,
  points,
  reference,
}: Pick<TransactionRecord, "type" | "points" | "reference">): {
  readonly earned: number
  readonly redeemed: number
} {
  if (type === "redeem") return { earned: 0, redeemed: 0 - points }
  if (type === "award") return { earned: points, redeemed: 0 }
  if (type !== "adjust" || points < 0) return { earned: 0, redeemed: 0 }
  const returned = reference?.startsWith("ord_") === true
  return returned ? { earned: 0, redeemed: 0 - points } : { earned: points, redeemed: 0 }
}
