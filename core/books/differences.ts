import type { LedgerLook } from "../copy/ledger-sync.ts"
import type { BookedRedemption, BookedRow, DifferenceRecord } from "./book-store.ts"
import { shapeOf } from "./member-book.ts"
import { lackingRedemptions } from "./redemptions.ts"

// When a difference counts (docs/books.md, Differences). Times are ms since 1970.

/** Two looks are at least so far apart, ms. */
const leastApartMs = 1_800_000
/** A row confirmed since is too young to be missing, ms. */
export const youngMs = 1_800_000

/** How far two looks have to be apart, for the recent lag of the service's history. */
export function lookApart(lagMs: number): number {
  return Math.max(leastApartMs, 2 * lagMs)
}

/** A row of ours that the member's ledger did not have. */
export type LackingRow = Pick<BookedRow, "job" | "row" | "points" | "transaction" | "at">

interface Judged {
  readonly memberId: string
  readonly look: LedgerLook
  readonly now: number
  readonly apartMs: number
  /** What is kept of the member and not resolved. */
  readonly known: readonly DifferenceRecord[]
  readonly lacking: readonly LackingRow[]
  /** Every redemption of ours of the member. */
  readonly redemptions: readonly BookedRedemption[]
  /** The month in which a difference of that time counts. */
  readonly monthOf: (at: number) => string
}

/**
 * What a look at a member changes: a difference counts when a later look shows the same one, and is resolved when a look
 * does not show it.
 */
export function judgeLook(judged: Judged): DifferenceRecord[] {
  const { look, known } = judged
  const pending = Math.max(0, look.pending ?? 0)
  const { rows, approved } = judgeRows(judged, pending)
  const changes = [...rows, ...judgeBalance(judged, pending), ...judgeAwaiting(judged, pending)]
  const changed = new Set(changes.map(({ id }) => id))
  const departed = known.filter(
    ({ id, class: kind }) => kind === "missing" && !changed.has(id) && !approved.has(id),
  )
  return [...changes, ...departed.map((one) => ({ ...one, resolvedAt: judged.now }))]
}

/** Rows of ours that the ledger has neither by the entry's id nor, of redemptions, by order, points and time. */
function rowsNotIn({ look, lacking, redemptions, now }: Judged) {
  const listed = new Set(look.entries.map(({ id }) => id))
  const rows = lacking
    .filter(({ transaction }) => !listed.has(transaction))
    .map(({ transaction, ...row }) => ({ ...row, named: { transaction } }))
  const orders = lackingRedemptions(redemptions, look.entries).flatMap(({ points, order, to, ...row }) =>
    points === null || to >= now - youngMs
      ? []
      : [{ ...row, points: -points, at: to, named: order === null ? {} : { order } }],
  )
  return [...rows, ...orders]
}

/** Rows of ours that the ledger still lacks, beyond what awaits approval; `approved`: kept as they are. */
function judgeRows(judged: Judged, pending: number) {
  const { known, memberId, now, apartMs, monthOf } = judged
  let left = pending
  const rows: DifferenceRecord[] = []
  const approved = new Set<string>()
  for (const { job, row, points, named, at } of rowsNotIn(judged)) {
    if (points > 0 && points <= left) {
      left -= points
      continue
    }
    const id = `missing:${job}.${row}`
    const before = known.find((one) => one.id === id)
    const first: DifferenceRecord = {
      id,
      class: "missing",
      member: memberId,
      points,
      month: monthOf(at),
      firstAt: now,
      secondAt: null,
      resolvedAt: null,
      detail: { ...named, row: { job, row } },
    }
    const next = secondLook(before, first, now, apartMs)
    if (next === undefined) approved.add(id)
    else rows.push(next)
  }
  return { rows, approved }
}

function judgeBalance({ look, known, memberId, now, apartMs, monthOf }: Judged, pending: number) {
  const { difference, gaps } = shapeOf(look.entries, look.balance, -Infinity)
  const unresolved = known.filter((one) => one.class === "unexplained")
  const [counted, candidates] = [true, false].map((isCounted) =>
    unresolved.filter(({ secondAt }) => (secondAt !== null) === isCounted),
  )
  const resolved = (some: readonly DifferenceRecord[] = []) =>
    some.map((one) => ({ ...one, resolvedAt: now }))
  // Points that await approval may be in the balance and in no entry, or the other way round.
  if (difference === 0 || (pending > 0 && Math.abs(difference) === pending)) return resolved(unresolved)
  const left = difference - (counted ?? []).reduce((sum, { points }) => sum + points, 0)
  if (left === 0) return resolved(candidates)
  const gap = gaps.find(({ points }) => points === left)
  const first: DifferenceRecord = {
    id: `unexplained:${memberId}:${now}`,
    class: "unexplained",
    member: memberId,
    points: left,
    month: monthOf(gap?.at ?? now),
    firstAt: now,
    secondAt: null,
    resolvedAt: null,
    detail: {},
  }
  const same = candidates?.find(({ points }) => points === left)
  const others = resolved(candidates?.filter((one) => one !== same))
  const next = secondLook(same, first, now, apartMs)
  return next === undefined ? others : [...others, next]
}

function judgeAwaiting({ known, memberId, now, monthOf }: Judged, pending: number): DifferenceRecord[] {
  const before = known.find((one) => one.class === "awaiting")
  if (pending === 0) return before === undefined ? [] : [{ ...before, resolvedAt: now }]
  if (before?.points === pending) return []
  const first = { firstAt: now, secondAt: now, month: monthOf(now), resolvedAt: null, detail: {} }
  const id = `awaiting:${memberId}`
  return [{ ...first, ...before, id, class: "awaiting", member: memberId, points: pending }]
}

/** undefined: nothing changes yet. */
function secondLook(
  before: DifferenceRecord | undefined,
  first: DifferenceRecord,
  now: number,
  apartMs: number,
): DifferenceRecord | undefined {
  if (before === undefined) return first
  if (before.secondAt !== null || now - before.firstAt < apartMs) return undefined
  return { ...before, secondAt: now }
}
