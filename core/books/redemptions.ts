import type { BookEntry } from "../copy/copy-store.ts"
import type { BookedRedemption } from "./book-store.ts"

/** A service books a redemption so long before or after our call at most, ms. */
const slackMs = 600_000
/** An entry so near may be a redemption of ours: it is not called missing because of the service's clock, ms. */
const doubtMs = 86_400_000

type Redeemed = Pick<BookEntry, "id" | "type" | "points" | "reason" | "reference" | "created_at">
type Redemption = Pick<BookedRedemption, "order" | "points" | "from" | "to">

/** Which of a member's entries are redemptions of ours, and which of ours no entry shows. */
interface ClaimedRedemptions<T> {
  readonly ours: ReadonlySet<string>
  readonly left: readonly T[]
}

/** Claims an entry for each redemption of ours: that of its order, otherwise one with its points and time. */
export function claimRedemptions<T extends Redemption>(
  redemptions: readonly T[],
  entries: readonly Redeemed[],
): ClaimedRedemptions<T> {
  const left = [...redemptions]
  const ours = new Set<string>()
  if (left.length === 0) return { ours, left }
  const claim = (entry: Redeemed, fits: (one: T) => boolean) => {
    const at = left.findIndex(fits)
    if (at === -1 || ours.has(entry.id)) return
    left.splice(at, 1)
    ours.add(entry.id)
  }
  const redeemed = entries.filter(isRedemption)
  for (const entry of redeemed) claim(entry, (one) => isNamed(entry, one))
  for (const entry of redeemed)
    claim(entry, (one) => hasPoints(entry, one) && entry.created_at !== null && isNear(entry, one, slackMs))
  return { ours, left }
}

/** Redemptions of ours that no entry can be, not even one that names the order, or an unclaimed one of that day. */
export function lackingRedemptions<T extends Redemption>(
  redemptions: readonly T[],
  entries: readonly Redeemed[],
): T[] {
  const { ours, left } = claimRedemptions(redemptions, entries)
  const others = entries.filter((entry) => !ours.has(entry.id))
  const taken = new Set<string>()
  return left.filter((one) => {
    const may = others.find(
      (entry) =>
        !taken.has(entry.id) &&
        (isNamed(entry, one) ||
          (isRedemption(entry) && hasPoints(entry, one) && isNear(entry, one, doubtMs))),
    )
    if (may !== undefined) taken.add(may.id)
    return may === undefined
  })
}

function isRedemption({ points, type }: Redeemed): boolean {
  return type === "redeem" && (points ?? -1) < 0
}

function isNamed({ reference, reason }: Redeemed, { order }: Redemption): boolean {
  return order !== null && `${reference} ${reason}`.split(/[^\w-]+/).includes(order.toLowerCase())
}

/** What is not known may be equal. */
function hasPoints({ points }: Redeemed, one: Redemption): boolean {
  return one.points === null || points === null || one.points === -points
}

function isNear({ created_at: at }: Redeemed, { from, to }: Redemption, ms: number): boolean {
  return at === null || (at >= from - ms && at <= to + ms)
}
