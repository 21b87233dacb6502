import fc from "fast-check"
import { expect, test } from "vitest"
import { lineAxis } from "./chart-axis.ts"
import { shortPoints } from "./format.ts"

test.each([
  [[]],
  [[0]],
  [[3]],
  [[13_631_900, 13_628_400]],
  [[999_999, 1_000_000]],
  [[-120, 40]],
  [[0.4, 0.9]],
])("the axis of lines at %j has a few ticks with different labels, around all values", (values) => {
  const { domain, ticks } = lineAxis(values)
  const labels = ticks.map(shortPoints)
  expect(new Set(labels).size).toBe(labels.length)
  expect(labels.length).toBeGreaterThanOrEqual(2)
  expect(labels.length).toBeLessThanOrEqual(7)
  for (const value of values) expect(value >= domain[0] && value <= domain[1]).toBe(true)
})

test("labels of an axis of lines differ for any points", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), { maxLength: 5 }),
      (values) => {
        const labels = lineAxis(values).ticks.map(shortPoints)
        expect(new Set(labels).size).toBe(labels.length)
      },
    ),
  )
})
