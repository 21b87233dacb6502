import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { claimRedemptions, lackingRedemptions } from "./redemptions.ts"

const minute = 60_000
const day = 24 * 60 * minute

const redemption = (n: number, points: number, at: number) => ({
  order: `ord_${n}`,
  points,
  from: at,
  to: at + 2000,
})
const entry = (
  id: string,
  points: number,
  at: number | null,
  texts: { reference?: string; type?: string } = {},
) => ({
  id,
  type: "redeem",
  points: -points,
  reason: "",
  reference: "",
  created_at: at,
  ...texts,
})

/** Redemptions of one member: whether the ledger has each, how late, and whether it names the order. */
const made = fc.array(
  fc.record({
    points: fc.integer({ min: 1, max: 5 }),
    at: fc.integer({ min: 0, max: 60 }),
    isBooked: fc.boolean(),
    lateMs: fc.integer({ min: -9 * minute, max: 9 * minute }),
    isNamed: fc.boolean(),
  }),
  { maxLength: 8 },
)

describe("redemptions of ours", () => {
  it("are never more than the ledger's, and none is missing that has an entry", () => {
    fc.assert(
      fc.property(made, fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }), (some, foreign) => {
        const ours = some.map(({ points, at }, n) => redemption(n, points, at * minute))
        const booked = some.flatMap(({ points, at, isBooked, lateMs, isNamed }, n) =>
          isBooked
            ? [entry(`t${n}`, points, at * minute + lateMs, isNamed ? { reference: `ord_${n}` } : {})]
            : [],
        )
        const entries = [...booked, ...foreign.map((points, n) => entry(`f${n}`, points, 30 * minute))]
        const claimed = claimRedemptions(ours, entries)
        expect(claimed.ours.size + claimed.left.length).toBe(ours.length)
        const lacking = lackingRedemptions(ours, entries)
        expect(lacking.length).toBeLessThanOrEqual(some.filter(({ isBooked }) => !isBooked).length)
      }),
    )
  })

  it("are missing exactly where the ledger has no entry, when all have different points", () => {
    fc.assert(
      fc.property(made, (some) => {
        const ours = some.map(({ at }, n) => redemption(n, n + 1, at * minute))
        const entries = some.flatMap(({ at, isBooked, lateMs, isNamed }, n) =>
          isBooked
            ? [entry(`t${n}`, n + 1, at * minute + lateMs, isNamed ? { reference: `ord_${n}` } : {})]
            : [],
        )
        expect(lackingRedemptions(ours, entries)).toEqual(ours.filter((_, n) => !some[n]?.isBooked))
        expect([...claimRedemptions(ours, entries).ours].toSorted()).toEqual(
          entries.map(({ id }) => id).toSorted(),
        )
      }),
    )
  })

  it("are not called missing while an entry may be theirs: without a time, by another clock, or by its order", () => {
    const ours = [redemption(1, 40, day)]
    expect(lackingRedemptions(ours, [])).toEqual(ours)
    expect(lackingRedemptions(ours, [entry("t1", 40, null)])).toEqual([])
    expect(lackingRedemptions(ours, [entry("t1", 40, day + 60 * minute)])).toEqual([])
    expect(lackingRedemptions(ours, [entry("t1", 41, day, { type: "deduct", reference: "ord_1" })])).toEqual(
      [],
    )
    expect(lackingRedemptions(ours, [entry("t1", 41, day)])).toEqual(ours)
    expect(lackingRedemptions(ours, [entry("t1", 40, 3 * day)])).toEqual(ours)
  })
})
