import * as fc from "fast-check"
import { expect, test } from "vitest"
import { dayRow } from "../../../tests/support/home/home-server.ts"
import { shortPoints } from "../../lib/format.ts"
import { axisTop, barsTop } from "../../lib/chart-axis.ts"
import { awardDays, awardsSentence, daysShown } from "./points-awarded.tsx"

test("award days include every day once, across the end of a month and a year", () => {
  const days = awardDays(
    [dayRow("2026-12-31", 500), dayRow("2027-01-02", 40), dayRow("2020-01-01", 9)],
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

test("a day twenty times as high as the others is cut off, named with its value, and all others fit", () => {
  const usual = Array.from({ length: 29 }, (_, at) => 1000 + at * 30)
  const { top, isCutOff } = barsTop([...usual, 40_000])
  expect([isCutOff, Math.max(...usual) <= top, top <= 4000]).toEqual([true, true, true])
  const rows = ["2026-12-29", "2026-12-30", "2026-12-31"].map((day) => dayRow(day, 1000))
  expect(awardsSentence(awardDays([...rows, dayRow("2027-01-02", 40_000)], "2027-01-02"))).toBe(
    "43,000 points in 30 days, most on 2 Jan with 40,000; 40,000 today. Cut off in the chart: 2 Jan.",
  )
})

test.each([
  [[4000, 1000, 900]],
  [[700]],
  [[0, 0]],
  [[40_000, 10, 10]],
  [Array.from({ length: 30 }, (_, at) => 2 ** at)],
])("%j are drawn whole", (values) => {
  const { top, isCutOff } = barsTop(values)
  expect([isCutOff, top >= Math.max(...values)]).toEqual([false, true])
})

test("up to three high days are cut off, four are not", () => {
  expect(barsTop([50_000, 60_000, 70_000, 1000, 900, 800]).isCutOff).toBe(true)
  expect(barsTop([50_000, 60_000, 70_000, 80_000, 1000, 900, 800]).isCutOff).toBe(false)
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
