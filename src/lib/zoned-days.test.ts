import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dayAt, startOfDay } from "../../contract/zoned-days.ts"
import { isDay, isDayOrMinute, momentsOf } from "./time.ts"

/** Zones whose clocks change at midnight or by half an hour, without changes, and with extreme offsets. */
const zones =
  "Australia/Brisbane Australia/Sydney Australia/Lord_Howe America/Santiago America/Havana America/St_Johns Africa/Cairo Asia/Beirut Asia/Kathmandu Atlantic/Azores Pacific/Apia Pacific/Kiritimati Pacific/Pago_Pago UTC".split(
    " ",
  )
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
      { numRuns: 300 },
    )
  })

  it("are asked for as moments with both ends included", () => {
    expect(momentsOf({ from: "2026-11-01", to: "2026-11-02" }, "Australia/Brisbane")).toEqual({
      from: "2026-10-31T14:00:00.000Z",
      to: "2026-11-02T13:59:59.999Z",
    })
  })

  it.each([
    [
      "a minute, all of it",
      "Australia/Brisbane",
      "2026-11-01T14:05",
      "2026-11-01T04:05:00.000Z/04:05:59.999Z",
    ],
    ["in summer", "Australia/Sydney", "2026-12-01T14:05", "2026-12-01T03:05:00.000Z/03:05:59.999Z"],
    ["in winter", "Australia/Sydney", "2026-07-01T14:05", "2026-07-01T04:05:00.000Z/04:05:59.999Z"],
    // Clocks go from 3:00 back to 2:00 on 5 April, and from 2:00 on to 3:00 on 4 October.
    [
      "one that comes twice",
      "Australia/Sydney",
      "2026-04-05T02:30",
      "2026-04-04T15:30:00.000Z/16:30:59.999Z",
    ],
    [
      "one that is left out",
      "Australia/Sydney",
      "2026-10-04T02:30",
      "2026-10-03T16:00:00.000Z/15:59:59.999Z",
    ],
  ])("may carry a time of day: %s", (_, zone, minute, expected) => {
    const { from, to } = momentsOf({ from: minute, to: minute }, zone)
    expect(`${from}/${to?.slice(11)}`).toBe(expected)
  })

  it("with a time and without one make one range", () => {
    expect(momentsOf({ from: "2026-11-01T14:05", to: "2026-11-01" }, "UTC")).toEqual({
      from: "2026-11-01T14:05:00.000Z",
      to: "2026-11-01T23:59:59.999Z",
    })
    expect(momentsOf({ from: "2026-11-01", to: "2026-11-01T00:00" }, "UTC")).toEqual({
      from: "2026-11-01T00:00:00.000Z",
      to: "2026-11-01T00:00:59.999Z",
    })
    expect(momentsOf({ from: "2026-11-01T14:05", to: "2026-11-01T14:04" }, "UTC")).toEqual({})
  })

  it.each([
    ["2026-02-28T14:05", true],
    ["2026-02-28", true],
    ["2026-02-30T14:05", false],
    ["2026-02-28T24:00", false],
    ["2026-02-28T9:00", false],
    ["2026-02-28T14:05:00Z", false],
    ["2026-02-28T", false],
  ])("%s is a day or a minute of one: %s", (text, expected) => {
    expect(isDayOrMinute(text)).toBe(expected)
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
