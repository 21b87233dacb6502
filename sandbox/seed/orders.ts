import {
  between,
  codeFrom,
  day,
  joinedBy,
  minute,
  pick,
  type Random,
  randomFrom,
  type SeedBase,
  seedSpan,
} from "./random.ts"
import type { OrderRecord, RewardRecord } from "../store/records.ts"
import { featured } from "./members.ts"

/** Number of the order after the newest seeded one. */
export const nextOrderNumber = 20_411
const anasOrder = 20_398
/** The dearest reward each tier takes, in points; Ana Silva saves for her newest one. */
const ceilings: Readonly<Record<string, number>> & { readonly Platinum: number } = {
  Bronze: 9000,
  Silver: 15_000,
  Gold: 25_000,
  Platinum: 70_000,
}
const anasCeiling = 5000

/** A seeded order and the index of its member. */
export interface SeedOrder {
  readonly member: number
  readonly order: OrderRecord
}

/** Number of orders of a program with `members` members. */
function orderCount(members: number): number {
  return Math.min(18_000, Math.ceil(members * 1.2))
}

/**
 * The orders of two years, oldest first. An order goes to an active member who had joined by then;
 * every ninth of them includes one of Ana Silva's.
 */
export function seedOrders(
  base: SeedBase,
  rewards: readonly RewardRecord[],
  who: (index: number) => { id: string; tier: string; status: string },
): SeedOrder[] {
  if (base.members === 0) return []
  const total = orderCount(base.members)
  const catalogue = rewards.filter((reward) => reward.status === "active")
  const step = Math.max(1, Math.floor(total / 9))
  const made: SeedOrder[] = []
  for (let n = 0; n < total; n += 1) {
    const random = randomFrom(base.number, 31, n)
    const number = nextOrderNumber - total + n
    const created = orderTime(base, n, total, random)
    const ana = number === anasOrder || n % step === Math.floor(step / 2)
    const member = ana ? 0 : memberFor(base, created, random, who)
    const person = who(member)
    const ceiling = member === 0 ? anasCeiling : (ceilings[person.tier] ?? ceilings.Platinum)
    const reward = number === anasOrder ? rewards[0] : affordable(catalogue, ceiling, random)
    if (reward === undefined) continue
    const order = orderOf(base, `ord_${number}`, person.id, reward, created, random)
    made.push({ member, order: number === anasOrder ? { ...order, ...waiting } : order })
  }
  return made
}

const notShipped = { tracking: null, carrier: null, shipped: null, delivered: null }
const waiting = { ...notShipped, status: "processing" }

/** Times rise with the number: each order has its own slice of the two years, denser towards the end. */
function orderTime(base: SeedBase, number: number, total: number, random: Random): number {
  const share = (number + random()) / total
  const newest = base.seededAt - 10 * minute - (total - number) * 1000
  return Math.floor(Math.min(base.seededAt - seedSpan * (1 - share ** 0.7), newest))
}

function memberFor(
  base: SeedBase,
  time: number,
  random: Random,
  who: (index: number) => { status: string },
): number {
  const joined = Math.max(1, joinedBy(base, time))
  const known = Math.min(featured.length, joined)
  if (random() < Math.min(0.02, 60 / orderCount(base.members))) return between(random, 0, known - 1)
  for (let tries = 0; tries < 6; tries += 1) {
    const index = between(random, 0, joined - 1)
    if (who(index).status === "active") return index
  }
  return between(random, 0, known - 1)
}

function affordable(
  catalogue: readonly RewardRecord[],
  ceiling: number,
  random: Random,
): RewardRecord | undefined {
  const within = catalogue.filter((reward) => reward.points_cost <= ceiling)
  return within.length === 0 ? undefined : pick(random, within)
}

function orderOf(
  base: SeedBase,
  id: string,
  memberId: string,
  reward: RewardRecord,
  created: number,
  random: Random,
): OrderRecord {
  const quantity = reward.points_cost < 4000 && random() < 0.15 ? 2 : 1
  const common = {
    id,
    memberId,
    rewardId: reward.id,
    rewardName: reward.name,
    type: reward.type,
    quantity,
    points: reward.points_cost * quantity,
    created,
    address: null,
  }
  if (reward.type === "digital") {
    const code = [4, 4, 4].map((n, i) => codeFrom(n, base.number, 32, created, i).toUpperCase()).join("-")
    return { ...common, ...notShipped, status: "completed", code, delivered: created }
  }
  return { ...common, code: null, ...journey(base.seededAt - created, created, random) }
}

/** How far a parcel is, from its age: the newest wait, the oldest are delivered, some were cancelled. */
function journey(age: number, created: number, random: Random) {
  if (random() < 0.04 && age > 4 * day) return { ...notShipped, status: "cancelled" }
  const packed = (1 + random() * 8) * day
  if (age < packed) return { ...notShipped, status: age < packed * 0.5 ? "pending" : "processing" }
  const shipped = collected(created, Math.floor(created + packed))
  const delivered = Math.floor(shipped + (1 + random() * 5) * day)
  const parcel = { ...parcelOf(random), shipped }
  if (age < delivered - created) return { ...parcel, status: "shipped", delivered: null }
  return { ...parcel, status: "completed", delivered }
}

/** Parcels are collected once a day, in the afternoon of the east. */
function collected(created: number, packed: number): number {
  const at = Math.floor(packed / day) * day + 330 * minute
  return at > created && at <= packed ? at : packed
}

function parcelOf(random: Random): { carrier: string; tracking: string } {
  const carrier = pick(random, ["Australia Post", "StarTrack", "Aramex", "TNT"])
  const digits = (count: number) => String(Math.floor(random() * 10 ** count)).padStart(count, "0")
  if (carrier === "Australia Post") return { carrier, tracking: `33ABC4${digits(6)}` }
  if (carrier === "StarTrack") return { carrier, tracking: `LRLZ${digits(8)}` }
  if (carrier === "Aramex") return { carrier, tracking: `MP${digits(10)}` }
  return { carrier, tracking: digits(9) }
}
