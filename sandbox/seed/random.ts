/** A source of numbers in [0, 1), the same ones for the same seed on every machine. */
export type Random = () => number

/** Turns any seed into a 32-bit number, so that `"7"` and `7` start the same program. */
export function seedNumber(seed: string | number): number {
  let hash = 2166136261
  for (const letter of String(seed)) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619)
  return mix(hash)
}

/** Mixes whole numbers into one 32-bit number; neighbours come out unrelated. */
export function mix(...parts: number[]): number {
  let hash = 0x9e3779b9
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}

/** A generator that starts from what `mix` makes of the parts. */
export function randomFrom(...parts: number[]): Random {
  let state = mix(...parts)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** One element of a list that is not empty. */
export function pick<T>(random: Random, list: readonly [T, ...T[]] | readonly T[]): T {
  const found = list[Math.floor(random() * list.length)] ?? list[0]
  if (found === undefined) throw new Error("There is nothing to pick from an empty list.")
  return found
}

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1))
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Letters and digits that follow from the parts, for ids such as `mem_8Fq2Lx41`. */
export function codeFrom(length: number, ...parts: number[]): string {
  let text = ""
  let hash = mix(...parts)
  for (let i = 0; i < length; i += 1) {
    text += letters[hash % 62]
    hash = i % 4 === 3 ? mix(hash, i, ...parts) : Math.floor(hash / 62)
  }
  return text
}

/** What a seeded program follows from: equal bases give equal programs. */
export interface SeedBase {
  readonly seed: string
  readonly number: number
  readonly members: number
  /** The moment at which the seeded history ends, ms. */
  readonly seededAt: number
}

/** A day and a minute in ms. */
export const day = 86_400_000
export const minute = 60_000
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
