import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dayAt, startOfDay } from "../../contract/zoned-days.ts"
import { isDay, momentsOf } from "./days.ts"

const zones = ["Australia/Brisbane", "Australia/Sydney", "America/Santiago", "Pacific/Apia", "UTC"]
const anyDay = fc
  .date({ min: new Date("2015-01-01"), max: new Date("2035-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe("days of a time zone", () => {
  it("begin at the first moment that belongs to them, whatever the clocks do that night", () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...zones), (day, zone) => {
        const start = startOfDay(day, zone)
        expect(dayAt(start, zone) >= day).toBe(true)
        expect(dayAt(start - 1, zone) < day).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it("are asked for as moments with both ends included", () => {
    expect(momentsOf({ from: "2026-11-01", to: "2026-11-02" }, "Australia/Brisbane")).toEqual({
      from: "2026-10-31T14:00:00.000Z",
      to: "2026-11-02T13:59:59.999Z",
    })
  })

  it("are no range the wrong way round", () => {
    expect(momentsOf({ from: "2026-11-03", to: "2026-11-02" }, "UTC")).toEqual({})
  })

  it.each([
    ["2026-02-28", true],
    ["2026-02-30", false],
    ["2026-2-3", false],
    ["banana", false],
  ])("%s is a day: %s", (text, expected) => {
    expect(isDay(text)).toBe(expected)
  })
})
