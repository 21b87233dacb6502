import { between, codeFrom, randomFrom, type Random } from "../random.ts"
import type { OrderRecord, TransactionRecord } from "../store/records.ts"
import type { SeedBase } from "./base.ts"
import type { SeedPerson } from "./person.ts"
import { awardText, deductText } from "./reasons.ts"

const day = 86_400_000
const minute = 60_000

type Happening =
  | { at: number; kind: "award" | "deduct" | "expire" }
  | { at: number; kind: "order" | "refund"; order: OrderRecord }

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
  const book = new Book(base, index, person.id)
  const end =
    person.status === "inactive" ? lerp(person.joined, base.seededAt, 0.2 + random() * 0.6) : base.seededAt
  if (index < base.members * 0.06)
    book.add("adjust", 50 * between(random, 4, 60), "Balance from the former program", person.joined + minute)

  const spare = 50 * between(random, 4, 160)
  let before = person.joined + 2 * minute
  for (const next of happenings(base, index, person, end, orders, random)) {
    if (next.kind === "award") book.award(awardText(random, next.at), next.at)
    else if (next.kind === "order") redeem(book, next.order, before, spare, random)
    else if (next.kind === "refund") book.refund(next.order, next.at)
    else if (next.kind === "deduct")
      book.take("deduct", 50 * between(random, 1, 8), deductText(random), next.at)
    else book.take("expire", 20 * between(random, 2, 40), "Points older than 12 months", next.at)
    before = Math.max(before, next.at)
  }
  if (index === 0) lastOfAna(book, base.seededAt)
  return book.rows
}

/** Ana Silva's newest rows are the same in every seed, so that she can always pay for a reward. */
function lastOfAna(book: Book, end: number): void {
  book.add("adjust", 12_000, "Dealer merge, balance moved", end - 9 * minute)
  book.award(
    { reason: "Q3 installer bonus", points: 1250, reference: "INV-88213", metadata: null },
    end - 8 * minute,
  )
}

/** Points of a seeded member that wait for approval. */
export function seedPending(base: SeedBase, index: number, person: SeedPerson): number {
  if (index === 0) return 600
  const random = randomFrom(base.number, 42, index)
  return person.status === "active" && random() < 0.05 ? 50 * between(random, 2, 30) : 0
}

function happenings(
  base: SeedBase,
  index: number,
  person: SeedPerson,
  end: number,
  orders: readonly OrderRecord[],
  random: Random,
): Happening[] {
  const years = (end - person.joined) / (365 * day)
  const [low, high] = awardsPerTier[person.tier] ?? [3, 10]
  const awards = index === 0 ? 112 : Math.ceil((between(random, low, high) * years) / 2)
  const start = person.joined + 3 * minute
  const list: Happening[] = orders.map((order) => ({ at: order.created, kind: "order", order }))
  for (const order of orders) {
    const at = order.created + Math.floor((1 + random() * 2) * day)
    if (order.status === "cancelled") list.push({ at, kind: "refund", order })
  }
  const some = (kind: "award" | "deduct" | "expire", count: number) => {
    for (let n = 0; n < count; n += 1) list.push({ at: Math.floor(start + random() * (end - start)), kind })
  }
  some("award", awards)
  some("deduct", Math.floor(awards / 14 + random() * 0.6))
  some("expire", Math.floor(years * random() * 2))
  if (index < 18) list.push({ at: base.seededAt - 12 * minute - index * 47 * minute, kind: "award" })
  return list.toSorted((a, b) => a.at - b.at)
}

/** Books a redemption; a member who is short earned enough before, and some to spare. */
function redeem(book: Book, order: OrderRecord, before: number, spare: number, random: Random): void {
  if (book.balance < order.points) {
    const short = order.points + spare - book.balance
    const gap = order.created - before
    const count = gap > 2 * day ? Math.ceil(short / 1500) : 1
    for (let n = 1; n <= count; n += 1) {
      const at = Math.floor(before + (gap * n) / (count + 1))
      const points = 50 * Math.ceil(short / count / 50)
      if (count === 1) book.add("adjust", points, "Dealer merge, balance moved", at)
      else book.award({ ...awardText(random, at), points }, at)
    }
  }
  book.add("redeem", -order.points, order.rewardName, order.created, order.id)
}

function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

/** A ledger being written: keeps the running balance. */
class Book {
  readonly rows: TransactionRecord[] = []
  balance = 0
  private readonly base: SeedBase
  private readonly index: number
  private readonly memberId: string

  constructor(base: SeedBase, index: number, memberId: string) {
    this.base = base
    this.index = index
    this.memberId = memberId
  }

  award(text: ReturnType<typeof awardText>, at: number): void {
    this.add("award", text.points, text.reason, at, text.reference, text.metadata)
  }

  /** Takes what is there, at most so many points; nothing from an empty account. */
  take(type: "deduct" | "expire", points: number, reason: string, at: number): void {
    const taken = Math.min(points, this.balance)
    if (taken > 0) this.add(type, -taken, reason, at)
  }

  refund(order: OrderRecord, at: number): void {
    this.add("adjust", order.points, "Order cancelled, points returned", at, order.id)
  }

  add(
    type: TransactionRecord["type"],
    points: number,
    reason: string,
    at: number,
    reference: string | null = null,
    metadata: Record<string, unknown> | null = null,
  ): void {
    this.balance += points
    this.rows.push({
      id: `txn_${codeFrom(10, this.base.number, 43, this.index, this.rows.length)}`,
      seq: 0,
      memberId: this.memberId,
      type,
      points,
      reason,
      reference,
      balanceAfter: this.balance,
      metadata,
      created: at,
      visible: at,
    })
  }
}
