import { type FlowType, flowTypes } from "../../contract/books.ts"
import type { BookEntry } from "../copy/copy-store.ts"
import { ledgerOrder } from "../copy/ledger-order.ts"
import type { Month } from "./months.ts"

// The rules of the books for one member (docs/books.md, A month). Times are ms since 1970.

export interface Amount {
  points: number
  entries: number
}

/** What a ledger says without its dates. */
export interface LedgerShape {
  /** Points before the first entry, and when they are brought in; a ledger without entries has its whole balance. */
  readonly broughtIn: number
  readonly broughtInAt: number
  /** Where an entry does not begin with the balance that the one before it left: points, and that entry's time. */
  readonly gaps: readonly { readonly points: number; readonly at: number }[]
  /** The member's balance less what the entries and the points before them add up to. */
  readonly difference: number
}

/** `since`: when points without any entry are brought in. */
export function shapeOf(
  entries: readonly Pick<BookEntry, "points" | "balance_after" | "created_at">[],
  balance: number | null,
  since: number,
): LedgerShape {
  const ordered = ledgerOrder(entries)
  const [first] = ordered
  if (first === undefined) return { broughtIn: balance ?? 0, broughtInAt: since, gaps: [], difference: 0 }
  const sum = entries.reduce((total, { points }) => total + (points ?? 0), 0)
  const before = beginOf(first)
  // Entries without balances do not show what was before them.
  const broughtIn = before ?? (balance === null ? 0 : balance - sum)
  const gaps = ordered.slice(1).flatMap((entry, at) => {
    const [begin, end] = [beginOf(entry), ordered[at]?.balance_after]
    const points = begin === undefined || end == null ? 0 : begin - end
    return points === 0 ? [] : [{ points, at: timeOf(entry) }]
  })
  const difference = balance === null ? 0 : balance - broughtIn - sum
  return { broughtIn, broughtInAt: timeOf(first), gaps, difference }
}

function beginOf({ balance_after, points }: Pick<BookEntry, "balance_after" | "points">): number | undefined {
  return balance_after === null || points === null ? undefined : balance_after - points
}

/** An entry without a time is older than every month. */
function timeOf({ created_at }: Pick<BookEntry, "created_at">): number {
  return created_at ?? -Infinity
}

export function flowTypeOf(type: string): FlowType {
  return flowTypes.find((known) => known === type) ?? "other"
}

/** One member's part of one month. */
export interface MemberMonth {
  readonly opening: number
  readonly closing: number
  readonly inside: readonly BookEntry[]
  readonly broughtIn: number
  /** Entries that the closed month before did not have; `points` may have more than the entries found. */
  readonly late: Amount & { readonly found: readonly BookEntry[] }
  readonly unexplained: number
  /** The member's last balance, where they were deleted in the month. */
  readonly deleted: number | undefined
  /** Entries dated before the month's end. */
  readonly count: number
}

export interface MemberLedger {
  readonly entries: readonly BookEntry[]
  readonly shape: Pick<LedgerShape, "broughtIn" | "broughtInAt">
  /** Differences that count, by the month in which they do. */
  readonly unexplained: readonly { readonly month: string; readonly points: number }[]
  /** When the member was found deleted. */
  readonly leftAt?: number | undefined
}

/**
 * A member's part of a month; undefined where they were deleted before. `basis`: points and entries at the end of the
 * closed month right before, null if that month did not have the member; without one the opening is of the ledger.
 */
export function memberMonth(
  { month, from, to }: Month,
  ledger: MemberLedger,
  basis: readonly [points: number, entries: number] | null | undefined,
): MemberMonth | undefined {
  const { entries, shape, unexplained, leftAt = Infinity } = ledger
  if (leftAt < from) return basis ? deletedBefore(basis) : undefined
  const before = entries.filter((entry) => timeOf(entry) < from)
  const inside = entries.filter((entry) => timeOf(entry) >= from && timeOf(entry) < to)
  const isOld = shape.broughtInAt < from
  const counted = (fits: (of: string) => boolean) =>
    unexplained.reduce((sum, each) => (fits(each.month) ? sum + each.points : sum), 0)
  const byLedger = (isOld ? shape.broughtIn : 0) + sumOf(before) + counted((of) => of < month)
  const opening = basis === undefined ? byLedger : (basis?.[0] ?? 0)
  const [known, knownEntries] = basis ?? [0, 0]
  // The points before the first entry came with that entry.
  const broughtLate = basis !== undefined && knownEntries === 0 && isOld ? shape.broughtIn - known : 0
  const isNow = shape.broughtInAt >= from && shape.broughtInAt < to
  const broughtIn = (isNow ? shape.broughtIn : 0) + broughtLate
  const late = basis === undefined ? noneLate : lateOf(before, knownEntries, byLedger - opening - broughtLate)
  const here = counted((of) => of === month)
  const end = opening + sumOf(inside) + broughtIn + late.points + here
  const hasLeft = leftAt < to
  return {
    opening,
    closing: hasLeft ? 0 : end,
    inside,
    broughtIn,
    late,
    unexplained: here,
    deleted: hasLeft ? end : undefined,
    count: before.length + inside.length,
  }
}

const noneLate = { points: 0, entries: 0, found: [] }

function deletedBefore([points]: readonly [number, number]): MemberMonth {
  const nothing = { inside: [], broughtIn: 0, late: noneLate, unexplained: 0, count: 0 }
  return { opening: points, closing: 0, deleted: points, ...nothing }
}

/** The newest entries of the copy are the ones that the closed month lacked. */
function lateOf(before: readonly BookEntry[], known: number, points: number): MemberMonth["late"] {
  const entries = Math.abs(before.length - known)
  if (before.length <= known) return { points, entries, found: [] }
  const found = before.toSorted((one, other) => one.n - other.n).slice(known)
  return { points, entries, found: sumOf(found) === points ? found : [] }
}

function sumOf(entries: readonly Pick<BookEntry, "points">[]): number {
  return entries.reduce((sum, { points }) => sum + (points ?? 0), 0)
}
