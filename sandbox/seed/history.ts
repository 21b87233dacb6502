import { between, randomFrom, type Random } from "../random.ts"
import type { OrderRecord, TransactionRecord } from "../store/records.ts"
import { anaHappenings } from "./ana.ts"
import type { SeedBase } from "./base.ts"
import { booked, type Happening } from "./book.ts"
import { awardAt, deductAt, expireAt, formerBalanceAt } from "./happenings.ts"
import { paidFor } from "./paid-for.ts"
import type { SeedPerson } from "./person.ts"

const day = 86_400_000
const minute = 60_000
const awardsPerTier: Record<string, readonly [number, number]> = {
  Bronze: [3, 10],
  Silver: [8, 20],
  Gold: [18, 40],
  Platinum: [35, 75],
}

/**
 * The ledger of one seeded member, oldest first: a function of the base, the member and the member's orders.
 * A redemption is always paid for: where the member was short, earlier sales are added.
 */
export function seedHistory(
  base: SeedBase,
  index: number,
  person: SeedPerson,
  orders: readonly OrderRecord[],
): TransactionRecord[] {
  if (person.status === "pending") return []
  const random = randomFrom(base.number, 41, index)
  const start = person.joined + 3 * minute
  const ordered = orders.flatMap((order) => ofOrder(order, random))
  const list =
    index === 0
      ? anaHappenings(base, start, ordered, random)
      : paidFor(
          usual(base, index, person, ordered, start, random),
          start,
          50 * between(random, 4, 160),
          random,
        )
  return booked(base, index, person.id, list)
}

/** Points of a seeded member that wait for approval. */
export function seedPending(base: SeedBase, index: number, person: SeedPerson): number {
  if (index === 0) return 600
  const random = randomFrom(base.number, 42, index)
  return person.status === "active" && random() < 0.05 ? 50 * between(random, 2, 30) : 0
}

/** A redemption, and the points that came back when it was cancelled. */
function ofOrder(order: OrderRecord, random: Random): Happening[] {
  const common = { reference: order.id, metadata: null }
  const redeem: Happening = {
    ...common,
    at: order.created,
    type: "redeem",
    points: 0 - order.points,
    reason: order.rewardName,
  }
  if (order.status !== "cancelled") return [redeem]
  const at = order.created + Math.floor((1 + random() * 2) * day)
  const reason = "Order cancelled, points returned"
  return [redeem, { ...common, at, type: "adjust", points: order.points, reason }]
}

function usual(
  base: SeedBase,
  index: number,
  person: SeedPerson,
  ordered: readonly Happening[],
  start: number,
  random: Random,
): Happening[] {
  const end =
    person.status === "inactive" ? lerp(person.joined, base.seededAt, 0.2 + random() * 0.6) : base.seededAt
  const years = (end - person.joined) / (365 * day)
  const [low, high] = awardsPerTier[person.tier] ?? [3, 10]
  const awards = Math.ceil((between(random, low, high) * years) / 2)
  const some = (count: number) =>
    Array.from({ length: count }, () => Math.floor(start + random() * (end - start)))
  const list = [
    ...ordered,
    ...some(awards).map((at) => awardAt(at, random)),
    ...some(Math.floor(awards / 14 + random() * 0.6)).map((at) => deductAt(at, random)),
    ...some(Math.floor(years * random() * 2)).map((at) => expireAt(at, random)),
  ]
  if (index < base.members * 0.06) list.push(formerBalanceAt(person.joined + minute, random))
  // Whom everybody meets first has news of today.
  if (index < 18) list.push(awardAt(base.seededAt - 12 * minute - index * 47 * minute, random))
  return list
}

function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share
}
