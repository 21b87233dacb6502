import { between, codeFrom, day, minute, pick, type Random, randomFrom, type SeedBase } from "./random.ts"
import type { SeedPerson } from "./members.ts"
import type { OrderRecord, TransactionRecord } from "../store/records.ts"

/** Something that moves points, before it is booked. `points` is signed; what is taken is the most that is taken. */
interface LedgerEvent {
  readonly at: number
  readonly type: TransactionRecord["type"]
  readonly points: number
  readonly reason: string
  readonly reference: string | null
  readonly metadata: Record<string, unknown> | null
}

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
      ? anaEvents(base, start, ordered, random)
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
function ofOrder(order: OrderRecord, random: Random): LedgerEvent[] {
  const common = { reference: order.id, metadata: null }
  const taken = { type: "redeem", points: 0 - order.points, reason: order.rewardName } as const
  const redeem: LedgerEvent = { ...common, ...taken, at: order.created }
  if (order.status !== "cancelled") return [redeem]
  const at = order.created + Math.floor((1 + random() * 2) * day)
  const reason = "Order cancelled, points returned"
  return [redeem, { ...common, at, type: "adjust", points: order.points, reason }]
}

function usual(
  base: SeedBase,
  index: number,
  person: SeedPerson,
  ordered: readonly LedgerEvent[],
  start: number,
  random: Random,
): LedgerEvent[] {
  const span = base.seededAt - person.joined
  const end = person.status === "inactive" ? person.joined + span * (0.2 + random() * 0.6) : base.seededAt
  const years = (end - person.joined) / (365 * day)
  const [low, high] = awardsPerTier[person.tier] ?? [3, 10]
  const awards = Math.ceil((between(random, low, high) * years) / 2)
  const some = (count: number) =>
    Array.from({ length: count }, () => Math.floor(start + random() * (end - start)))
  const list = [
    ...ordered,
    ...some(awards).map((at) => filed(base, index, awardAt(at, random))),
    ...some(Math.floor(awards / 14 + random() * 0.6)).map((at) => deductAt(at, random)),
    ...some(Math.floor(years * random() * 2)).map((at) => expireAt(at, random)),
  ]
  if (takenBack.has(index)) list.push(...takenBackAt(base, index))
  if (index < base.members * 0.06) list.push(formerBalanceAt(person.joined + minute, random))
  // Whom everybody meets first has news of today.
  if (index < 18) list.push(awardAt(base.seededAt - 12 * minute - index * 47 * minute, random))
  return list
}

/** Members whose volume tiers were awarded from a file each month, one row a second. */
export const filedMembers = 160

/** When the file of a month is sent to a member, ms: in the first hour of the next month. */
export function filedAt(at: number, index: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1, 0, 30) + index * 1000
}

function filed(base: SeedBase, index: number, award: LedgerEvent): LedgerEvent {
  const at = filedAt(award.at, index)
  const isFiled = index < filedMembers && award.reason.endsWith("volume tier") && at < base.seededAt - day
  return isFiled ? { ...award, at } : award
}

/** Members of a batch that was sent by mistake and taken back three hours later. */
const takenBack = new Set(Array.from({ length: 12 }, (_, at) => 20 + at))
/** The batch and its reversal as the first two jobs of the year mark them (docs/jobs.md, Correlation tags). */
export const reversedBatch = {
  days: 360,
  codes: ["7K2QX", "Q4M8T"],
  reason: "Winter bonus",
  points: 300,
} as const

function takenBackAt(base: SeedBase, index: number): LedgerEvent[] {
  const { days, codes, reason, points } = reversedBatch
  const at = Math.floor(base.seededAt - days * day) + index * 1000
  return [
    plain(at, "award", points, `${reason} · batch ${codes[0]}`),
    plain(at + 180 * minute, "deduct", -points, `Correction: ${reason} · batch ${codes[1]}`),
  ]
}

/** Events in the order they are booked: by time, and what comes in before what goes out. */
function inOrder(list: readonly LedgerEvent[]): LedgerEvent[] {
  return list.toSorted((a, b) => a.at - b.at || b.points - a.points)
}

/** The points an event moves on an account with a balance: nothing is taken that is not there. */
function movedBy({ type, points }: LedgerEvent, balance: number): number {
  return type === "deduct" || type === "expire" ? 0 - Math.min(0 - points, balance) : points
}

/** The balance after all of them. */
function balanceOf(list: readonly LedgerEvent[]): number {
  return inOrder(list).reduce((balance, next) => balance + movedBy(next, balance), 0)
}

/** Books events into the ledger of a member, oldest first; what moves nothing is left out. */
function booked(
  base: SeedBase,
  index: number,
  memberId: string,
  list: readonly LedgerEvent[],
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

const installs =
  `Split system install, Multi-head install, Ducted system sale, Ducted retrofit, Hot water heat pump sale,
Cassette install, Commissioning report filed`.split(/,\s+/)
const courses =
  "R32 handling, heat pump basics, commissioning, quoting ducted systems, working at heights".split(", ")
const models = "KX-25 KX-35 KX-50 KX-71 DU-100 DU-140 HP-270".split(" ")

// Made once: it costs more than everything else of a ledger.
const monthName = new Intl.DateTimeFormat("en-AU", { month: "long", timeZone: "UTC" })

/** An award as a dealer would see it: mostly invoices, some volume tiers and training. */
function awardText(random: Random, created: number): Omit<LedgerEvent, "at" | "type"> {
  const kind = random()
  const invoice = `INV-${between(random, 41_000, 88_999)}`
  if (kind < 0.68) {
    const units = between(random, 1, 4)
    return {
      reason: units === 1 ? pick(random, installs) : `${pick(random, installs)} ×${units}`,
      points: units * 50 * between(random, 2, 9),
      reference: invoice,
      metadata: random() < 0.4 ? { model: pick(random, models), units } : null,
    }
  }
  if (kind < 0.84) {
    const month = monthName.format(created)
    const points = 200 * between(random, 3, 12)
    return { reason: `${month} volume tier`, points, reference: invoice, metadata: null }
  }
  if (kind < 0.94) {
    const reason = `Training: ${pick(random, courses)}`
    return { reason, points: 150, reference: `LMS-${between(random, 1000, 9999)}`, metadata: null }
  }
  const reason = pick(random, ["Referral bonus", "Winter promotion", "Summer sprint"])
  return { reason, points: 500, reference: null, metadata: null }
}

/** An award of a usual kind. */
function awardAt(at: number, random: Random): LedgerEvent {
  return { ...awardText(random, at), at, type: "award" }
}

/** Points taken back by hand. */
function deductAt(at: number, random: Random): LedgerEvent {
  const points = -50 * between(random, 1, 8)
  const reasons = ["Returned unit", "Invoice credited", "Claimed twice", "Warranty claim declined"]
  return plain(at, "deduct", points, pick(random, reasons))
}

function expireAt(at: number, random: Random): LedgerEvent {
  return plain(at, "expire", -20 * between(random, 2, 40), "Points older than 12 months")
}

/** What a member brought along from the program before. */
function formerBalanceAt(at: number, random: Random): LedgerEvent {
  return plain(at, "adjust", 50 * between(random, 4, 60), "Balance from the former program")
}

function plain(at: number, type: LedgerEvent["type"], points: number, reason: string): LedgerEvent {
  return { at, type, points, reason, reference: null, metadata: null }
}

/** What an earlier sale that pays for an order brings, in points. */
const usualAward = 900

/** The events with the sales that the redemptions among them need, spread over the time before each. */
function paidFor(
  events: readonly LedgerEvent[],
  start: number,
  spare: number,
  random: Random,
): LedgerEvent[] {
  let list = inOrder(events)
  for (;;) {
    const short = firstShort(list)
    if (short === undefined) return list
    const from = Math.min(start, short.order.at)
    const count = Math.ceil((short.points + spare) / usualAward)
    const points = 50 * Math.ceil((short.points + spare) / count / 50)
    const added = Array.from({ length: count }, () => {
      const at = Math.floor(from + random() * (short.order.at - from))
      return { ...awardAt(at, random), points }
    })
    list = inOrder([...list, ...added])
  }
}

/** The first redemption that the balance does not cover, and how many points are missing. */
function firstShort(list: readonly LedgerEvent[]): { order: LedgerEvent; points: number } | undefined {
  let balance = 0
  for (const next of list) {
    balance += movedBy(next, balance)
    if (balance < 0) return { order: next, points: 0 - balance }
  }
  return undefined
}

/** What Ana Silva has before her newest award, in points. */
const before = 11_230
const awards = 112

/**
 * What happened to Ana Silva, whom everybody meets first: a sale about once a week for two years, a few corrections,
 * her redemptions, and an award of today that brings her to 12,480 points in every seed.
 */
function anaEvents(
  base: SeedBase,
  start: number,
  ordered: readonly LedgerEvent[],
  random: Random,
): LedgerEvent[] {
  const end = base.seededAt
  const at = (share: number) => Math.floor(start + share * (end - 2 * day - start))
  const week = 1 / awards
  const sales = Array.from({ length: awards }, (_, nth) => awardAt(at((nth + random()) * week), random))
  const corrections = [
    ...[0.21, 0.4, 0.58, 0.76, 0.965].map((share) => deductAt(at(share), random)),
    ...[0.55, 0.78, 0.95].map((share) => expireAt(at(share), random)),
    plain(end - 9 * day, "adjust", 1500, "Dealer merge, balance moved"),
  ]
  const bonus = plain(end - 8 * minute, "award", 1250, "Q3 installer bonus")
  const rest = [...corrections, ...ordered]
  return [...shared(sales, rest, start, random), { ...bonus, reference: "INV-88213" }]
}

/**
 * The sales and the rest with the sales made as large as it takes to end at the balance aimed at: the smaller they
 * begin, the less there is to take back, and what is missing is added to all of them alike.
 */
function shared(
  sales: readonly LedgerEvent[],
  rest: readonly LedgerEvent[],
  start: number,
  random: Random,
): LedgerEvent[] {
  for (const share of [0.6, 0.45, 0.3, 0.15]) {
    const list = paidFor([...sales.map((sale) => scaled(sale, share)), ...rest], start, 500, random)
    if (balanceOf(list) <= before) return raised(list)
  }
  return raised(paidFor(rest, start, 500, random))
}

function scaled(sale: LedgerEvent, share: number): LedgerEvent {
  return { ...sale, points: Math.max(10, 10 * Math.round((sale.points * share) / 10)) }
}

/** Adds to every award alike until the balance is reached: it rises everywhere, so no redemption comes short. */
function raised(events: readonly LedgerEvent[]): LedgerEvent[] {
  let list = [...events]
  for (let missing = before - balanceOf(list); missing > 0; missing = before - balanceOf(list)) {
    const count = list.filter((one) => one.type === "award").length
    const each = Math.max(10, 10 * Math.floor(missing / count / 10))
    let left = missing
    list = list.map((one) => {
      const more = one.type === "award" ? Math.min(each, left) : 0
      left -= more
      return { ...one, points: one.points + more }
    })
  }
  return list
}
