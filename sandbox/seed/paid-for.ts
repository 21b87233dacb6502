import type { Random } from "../random.ts"
import { inOrder, movedBy, type Happening } from "./book.ts"
import { awardAt } from "./happenings.ts"

/** What an earlier sale that pays for an order brings, in points. */
const usualAward = 900

/** The happenings with the sales that the redemptions among them need, spread over the time before each. */
export function paidFor(
  happenings: readonly Happening[],
  start: number,
  spare: number,
  random: Random,
): Happening[] {
  let list = inOrder(happenings)
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
function firstShort(list: readonly Happening[]): { order: Happening; points: number } | undefined {
  let balance = 0
  for (const next of list) {
    balance += movedBy(next, balance)
    if (balance < 0) return { order: next, points: 0 - balance }
  }
  return undefined
}
