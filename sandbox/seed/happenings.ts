import { between, type Random } from "../random.ts"
import type { Happening } from "./book.ts"
import { awardText, deductText } from "./reasons.ts"

/** An award of a usual kind. */
export function awardAt(at: number, random: Random): Happening {
  return { ...awardText(random, at), at, type: "award" }
}

/** Points taken back by hand. */
export function deductAt(at: number, random: Random): Happening {
  const points = -50 * between(random, 1, 8)
  return { at, type: "deduct", points, reason: deductText(random), reference: null, metadata: null }
}

/** Points that grew too old. */
export function expireAt(at: number, random: Random): Happening {
  const points = -20 * between(random, 2, 40)
  return {
    at,
    type: "expire",
    points,
    reason: "Points older than 12 months",
    reference: null,
    metadata: null,
  }
}

/** What a member brought along from the program before. */
export function formerBalanceAt(at: number, random: Random): Happening {
  const points = 50 * between(random, 4, 60)
  return {
    at,
    type: "adjust",
    points,
    reason: "Balance from the former program",
    reference: null,
    metadata: null,
  }
}
