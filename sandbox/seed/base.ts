import { seedNumber } from "../random.ts"

/** What a seeded program follows from: equal bases give equal programs. */
export interface SeedBase {
  readonly seed: string
  /** The seed as a 32-bit number. */
  readonly number: number
  readonly members: number
  /** The moment at which the seeded history ends, ms. */
  readonly seededAt: number
}

const day = 86_400_000
/** How long the program has run when it is seeded: two years, ms. */
export const seedSpan = 730 * day

/** Makes a base; the seed is kept as text. */
export function seedBase(seed: string | number, members: number, seededAt: number): SeedBase {
  return { seed: String(seed), number: seedNumber(seed), members, seededAt }
}

/** When a member joined: most of them early, the rest ever more slowly. Rises with the index. */
export function joinedAt(base: SeedBase, index: number): number {
  return Math.floor(base.seededAt - seedSpan * (1 - ((index + 1) / (base.members + 1)) ** 2))
}

/** How many members had joined by a time; the inverse of `joinedAt`. */
export function joinedBy(base: SeedBase, time: number): number {
  const share = 1 - (base.seededAt - time) / seedSpan
  return share <= 0 ? 0 : Math.min(base.members, Math.floor(Math.sqrt(share) * (base.members + 1)) - 1)
}
