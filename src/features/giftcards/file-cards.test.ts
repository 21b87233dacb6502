import fc from "fast-check"
import { expect, test } from "vitest"
import { fundCost } from "../../../contract/cards.ts"
import { centsOf } from "../../lib/format.ts"
import { buildForecast } from "./file-cards.ts"

const costs = { fee_cents: 250, gst_percent: 10, fund_cents: null, fund_at: null }

const rowsOf = fc
  .array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 60 })
  .map((amounts) =>
    amounts.map((cents, at) => ({ number: at + 2, denomination: cents / 100, cardId: "card" })),
  )

test("forecast: the fund covers exactly the rows before it runs out", () => {
  fc.assert(
    fc.property(rowsOf, fc.nat({ max: 10_000_000 }), (rows, left) => {
      const { dryAfter, drawnCents, faceCents, feeCents, gstCents } = buildForecast(rows, costs, left)
      expect(faceCents + feeCents + gstCents).toBe(drawnCents)
      const drawnUpTo = (last: number) =>
        rows
          .filter(({ number }) => number <= last)
          .reduce((sum, { denomination }) => sum + fundCost(costs, centsOf(denomination)), 0)
      const last = dryAfter ?? rows.length + 1
      expect(drawnUpTo(last)).toBeLessThanOrEqual(left)
      // The next row, if any, is the first that the fund does not cover.
      expect(drawnUpTo(Math.max(last, 1) + 1) > left).toBe(dryAfter !== null)
    }),
  )
})

test("forecast counts rows by template, including rows without one", () => {
  const rows = [
    { number: 2, denomination: 75, cardId: "card" },
    { number: 3, denomination: 75, cardId: "other" },
    { number: 4, denomination: 75, cardId: undefined },
  ]
  const forecast = buildForecast(rows, costs, null)
  expect(forecast.dryAfter).toBeNull()
  expect([...forecast.templates]).toEqual([
    ["card", 1],
    ["other", 1],
    [undefined, 1],
  ])
})

test("forecast adds GST on the face value if configured, as well as on the fee", () => {
  expect(fundCost(costs, 10_000)).toBe(10_275)
  expect(fundCost({ ...costs, face_gst_percent: 10 }, 10_000)).toBe(11_275)
  expect(fundCost({ ...costs, face_gst_percent: 10 }, 20_000, 2)).toBe(22_550)
})
