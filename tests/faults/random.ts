/** A seeded random source, so that a failing run can be reproduced. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** An integer from `low` to `high`. */
  integer(low: number, high: number): number
  pick<T>(list: readonly T[]): T
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    integer,
    pick(list) {
      const picked = list[integer(0, list.length - 1)]
      if (picked === undefined) throw new Error("There is nothing to pick from.")
      return picked
    },
  }
}
