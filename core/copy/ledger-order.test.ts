import * as fc from "fast-check"
import { expect, it } from "vitest"
import { ledgerOrder } from "./ledger-order.ts"

interface Step {
  readonly id: number
  readonly points: number | null
  readonly balance_after: number | null
  readonly created_at: number | null
}

/** A ledger in the order in which it was booked; several entries may have one time. */
const ledger = (gap: fc.Arbitrary<number>) =>
  fc.array(fc.record({ gap, points: fc.integer({ min: -3, max: 3 }) }), { maxLength: 30 }).map((moves) => {
    let [at, balance] = [0, 0]
    return moves.map(({ gap: later, points }, id): Step => {
      at += later
      balance += points
      return { id, points, balance_after: balance, created_at: at }
    })
  })
const shuffled = (steps: readonly Step[]) =>
  fc.shuffledSubarray([...steps], { minLength: steps.length, maxLength: steps.length })
const isChain = (steps: readonly Step[]) =>
  steps.every(
    ({ points, balance_after }, at) =>
      at === 0 || (balance_after ?? 0) - (points ?? 0) === steps[at - 1]?.balance_after,
  )
const withShuffled = (gap: fc.Arbitrary<number>) =>
  ledger(gap).chain((steps) => fc.tuple(fc.constant(steps), shuffled(steps)))

it("entries of different times are in the order of their times, whatever order they came in", () => {
  fc.assert(
    fc.property(withShuffled(fc.integer({ min: 1, max: 9 })), ([steps, sent]) => {
      expect(ledgerOrder(sent)).toEqual(steps)
    }),
  )
})

it("entries of one time are chained by their balances, and later times stay later", () => {
  fc.assert(
    fc.property(withShuffled(fc.integer({ min: 0, max: 1 })), ([steps, sent]) => {
      const ordered = ledgerOrder(sent)
      expect(isChain(ordered)).toBe(true)
      expect(ordered.at(-1)?.balance_after).toBe(steps.at(-1)?.balance_after)
    }),
  )
})

it("balances count more than times that differ between the service's machines", () => {
  fc.assert(
    fc.property(
      withShuffled(fc.integer({ min: 0, max: 2 })),
      fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 30, maxLength: 30 }),
      ([, sent], skew) => {
        const skewed = sent.map((step) => ({
          ...step,
          created_at: (step.created_at ?? 0) + (skew[step.id] ?? 0),
        }))
        expect(isChain(ledgerOrder(skewed))).toBe(true)
      },
    ),
  )
})

it("every entry is in the order once, also where the chain is broken or has no balances", () => {
  const broken = fc.record({
    id: fc.integer(),
    points: fc.option(fc.integer({ min: -3, max: 3 })),
    balance_after: fc.option(fc.integer({ min: -3, max: 3 })),
    created_at: fc.option(fc.integer({ min: 0, max: 3 })),
  })
  fc.assert(
    fc.property(fc.array(broken, { maxLength: 30 }), (steps) => {
      const ordered = ledgerOrder(steps)
      expect(new Set(ordered)).toEqual(new Set(steps))
      expect(ordered).toHaveLength(steps.length)
    }),
  )
})

it("a broken chain is in the order of times, and an entry without a time comes first", () => {
  const steps = [
    { points: 5, balance_after: 905, created_at: 3 },
    { points: 5, balance_after: 10, created_at: 2 },
    { points: 1, balance_after: 70, created_at: null },
  ]
  expect(ledgerOrder(steps).map(({ balance_after }) => balance_after)).toEqual([70, 10, 905])
})
