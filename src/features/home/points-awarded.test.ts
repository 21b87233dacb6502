import * as fc from "fast-check"
import { expect, test } from "vitest"
import { line } from "../../../tests/support/home/home-server.ts"
import { shortPoints } from "../../lib/format.ts"
import { awardDays, awardsSentence, axisTop, daysShown } from "./points-awarded.tsx"

test("award days include every day once, across the end of a month and a year", () => {
  const days = awardDays(
    [line("2026-12-31", 500), line("2027-01-02", 40), line("2020-01-01", 9)],
    "2027-01-02",
  )
  expect(days).toHaveLength(daysShown)
  expect(days[0]?.day).toBe("2026-12-04")
  expect(new Set(days.map(({ day }) => day)).size).toBe(daysShown)
  expect(days.filter(({ points }) => points > 0)).toEqual([
    { day: "2026-12-31", points: 500 },
    { day: "2027-01-02", points: 40 },
  ])
  expect(awardsSentence(days)).toBe("540 points in 30 days, most on 31 Dec with 500; 40 today.")
})

test("axis top holds every bar, and half of it is an integer", () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 2_000_000_000 }), (most) => {
      const top = axisTop(most)
      expect(top).toBeGreaterThanOrEqual(most)
      expect(top % 2).toBe(0)
    }),
  )
})

test.each([
  [0, "0"],
  [500, "500"],
  [2500, "2.5k"],
  [25_000, "25k"],
  [1_250_000, "1.25m"],
])("axis label of %d is %s", (points, word) => {
  expect(shortPoints(points)).toBe(word)
})
