import type { Random } from "../random.ts"
import type { SeedBase } from "./base.ts"
import { balanceOf, type Happening } from "./book.ts"
import { awardAt, deductAt, expireAt } from "./happenings.ts"
import { paidFor } from "./paid-for.ts"

const day = 86_400_000
const minute = 60_000
/** What Ana Silva has before her newest award, in points. */
const before = 11_230
const awards = 112

/**
 * What happened to Ana Silva, whom everybody meets first: a sale about once a week for two years, a few corrections,
 * her redemptions, and an award of today that brings her to 12,480 points in every seed.
 */
export function anaHappenings(
  base: SeedBase,
  start: number,
  ordered: readonly Happening[],
  random: Random,
): Happening[] {
  const end = base.seededAt
  const at = (share: number) => Math.floor(start + share * (end - 2 * day - start))
  const week = 1 / awards
  const sales = Array.from({ length: awards }, (_, nth) => awardAt(at((nth + random()) * week), random))
  const corrections = [
    ...[0.21, 0.4, 0.58, 0.76, 0.965].map((share) => deductAt(at(share), random)),
    ...[0.55, 0.78, 0.95].map((share) => expireAt(at(share), random)),
    adjusted("Dealer merge, balance moved", 1500, end - 9 * day),
  ]
  const rest = [...corrections, ...ordered]
  return [...shared(sales, rest, start, random), bonus(end - 8 * minute)]
}

/**
 * The sales and the rest with the sales made as large as it takes to end at the balance aimed at: the smaller they
 * begin, the less there is to take back, and what is missing is added to all of them alike.
 */
function shared(
  sales: readonly Happening[],
  rest: readonly Happening[],
  start: number,
  random: Random,
): Happening[] {
  for (const share of [0.6, 0.45, 0.3, 0.15]) {
    const list = paidFor([...sales.map((sale) => scaled(sale, share)), ...rest], start, 500, random)
    if (balanceOf(list) <= before) return raised(list)
  }
  return raised(paidFor(rest, start, 500, random))
}

function scaled(sale: Happening, share: number): Happening {
  return { ...sale, points: Math.max(10, 10 * Math.round((sale.points * share) / 10)) }
}

/** Adds to every award alike until the balance is reached: it rises everywhere, so no redemption comes short. */
function raised(happenings: readonly Happening[]): Happening[] {
  let list = [...happenings]
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

function adjusted(reason: string, points: number, at: number): Happening {
  return { at, type: "adjust", points, reason, reference: null, metadata: null }
}

function bonus(at: number): Happening {
  const reason = "Q3 installer bonus"
  return { at, type: "award", points: 1250, reason, reference: "INV-88213", metadata: null }
}
