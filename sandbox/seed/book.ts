import { codeFrom } from "../random.ts"
import type { TransactionRecord } from "../store/records.ts"
import type { SeedBase } from "./base.ts"

/** Something that moves points, before it is booked. `points` is signed; what is taken is the most that is taken. */
export interface Happening {
  readonly at: number
  readonly type: TransactionRecord["type"]
  readonly points: number
  readonly reason: string
  readonly reference: string | null
  readonly metadata: Record<string, unknown> | null
}

/** Happenings in the order they are booked: by time, and what comes in before what goes out. */
export function inOrder(list: readonly Happening[]): Happening[] {
  return list.toSorted((a, b) => a.at - b.at || b.points - a.points)
}

/** The points a happening moves on an account with a balance: nothing is taken that is not there. */
export function movedBy({ type, points }: Happening, balance: number): number {
  return type === "deduct" || type === "expire" ? 0 - Math.min(0 - points, balance) : points
}

/** The balance after all of them. */
export function balanceOf(list: readonly Happening[]): number {
  return inOrder(list).reduce((balance, next) => balance + movedBy(next, balance), 0)
}

/** Books happenings into the ledger of a member, oldest first; what moves nothing is left out. */
export function booked(
  base: SeedBase,
  index: number,
  memberId: string,
  list: readonly Happening[],
): TransactionRecord[] {
  const rows: TransactionRecord[] = []
  let balance = 0
  for (const next of inOrder(list)) {
    const points = movedBy(next, balance)
    if (points === 0) continue
    balance += points
    rows.push({
      id: `txn_${codeFrom(10, base.number, 43, index, rows.length)}`,
      seq: 0,
      memberId,
      type: next.type,
      points,
      reason: next.reason,
      reference: next.reference,
      balanceAfter: balance,
      metadata: next.metadata,
      created: next.at,
      visible: next.at,
    })
  }
  return rows
}
