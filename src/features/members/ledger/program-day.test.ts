import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dayAt, daysToTimes, endOfDay, nextDay, startOfDay } from "./program-day.ts"

const zones = [
  "Australia/Brisbane",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "America/St_Johns",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Europe/London",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "UTC",
]
const zone = fc.constantFrom(...zones)
const day = fc
  .integer({ min: Date.UTC(2015, 0, 1) / 86_400_000, max: Date.UTC(2035, 0, 1) / 86_400_000 })
  .map((number) => new Date(number * 86_400_000).toISOString().slice(0, 10))

function hours(date: string): number {
  return (endOfDay(date, "Australia/Sydney") + 1 - startOfDay(date, "Australia/Sydney")) / 3_600_000
}

describe("a day in the program's time zone", () => {
  it("begins at its first ms and ends at its last, in every zone, on the nights the clocks change too", () => {
    fc.assert(
      fc.property(day, zone, (date, timeZone) => {
        const start = startOfDay(date, timeZone)
        const end = endOfDay(date, timeZone)
        expect(dayAt(start, timeZone)).toBe(date)
        expect(dayAt(start - 1, timeZone) < date).toBe(true)
        expect(dayAt(end, timeZone)).toBe(date)
        expect(dayAt(end + 1, timeZone)).toBe(nextDay(date))
      }),
      { numRuns: 300 },
    )
  })

  it("is 23 or 25 hours long when the clocks change", () => {
    expect([hours("2026-10-04"), hours("2026-04-05"), hours("2026-11-21")]).toEqual([23, 25, 24])
  })

  it("becomes times with both ends included", () => {
    expect(daysToTimes({ from: "2026-11-01", to: "2026-11-01" }, "Australia/Brisbane")).toEqual({
      from: "2026-10-31T14:00:00.000Z",
      to: "2026-11-01T13:59:59.999Z",
    })
    expect(daysToTimes({}, "UTC")).toEqual({})
  })
})
