import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import { showTimesIn } from "../../../lib/time.ts"
import { tickLabel, timeTicks } from "../../../ui/chart.tsx"
import { pointsDomain, pointsTicks } from "./balance-chart.tsx"

const now = Date.UTC(2026, 10, 21, 3)

describe("balance chart axes", () => {
  it("include every balance, with at most four labels including 0", () => {
    fc.assert(
      fc.property(fc.integer({ min: -50_000, max: 5_000_000 }), fc.nat(5_000_000), (lowest, above) => {
        const highest = lowest + above
        const [from, to] = pointsDomain(lowest, highest)
        expect(from <= Math.min(0, lowest) && to >= Math.max(0, highest)).toBe(true)
        const ticks = pointsTicks(lowest, highest)
        expect(ticks.some((tick) => tick === 0)).toBe(true)
        expect(ticks.every((tick) => tick >= from && tick <= to)).toBe(true)
        expect(ticks.length).toBeLessThanOrEqual(4)
      }),
    )
  })

  it("have at most six time labels, in order and inside the range", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), (days) => {
        const from = now - days * 86_400_000
        const ticks = timeTicks(from, now)
        expect(ticks.length).toBeLessThanOrEqual(7)
        expect(
          ticks.every(
            (tick, index) =>
              tick > from && tick < now && (index === 0 || tick > (ticks.at(index - 1) ?? NaN)),
          ),
        ).toBe(true)
      }),
    )
  })

  it("label days and months of the program's calendar, in any browser time zone", () => {
    onTestFinished(() => showTimesIn(Intl.DateTimeFormat().resolvedOptions().timeZone))
    showTimesIn("Pacific/Auckland")
    const [week, year] = [7, 300].map((days) => timeTicks(now - days * 86_400_000, now))
    // Midnight in Auckland in November is 11:00 UTC, in winter 12:00.
    expect(week?.every((tick) => new Date(tick).toISOString().endsWith("T11:00:00.000Z"))).toBe(true)
    expect(year?.every((tick) => /T1[12]:00:00\.000Z$/.test(new Date(tick).toISOString()))).toBe(true)
    expect(year?.map((tick) => tickLabel(tick, now - 300 * 86_400_000, now))).toEqual(
      expect.arrayContaining(["Feb", "Apr"]),
    )
  })
})
