import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dayAt } from "../../../../contract/zoned-days.ts"
import { ledgerQueryOf } from "./ledger-query.ts"

/** Zones whose clocks change at midnight, by half an hour, never, and at the ends of the world. */
const zone = fc.constantFrom(
  "Australia/Brisbane",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "America/Santiago",
  "America/Havana",
  "America/St_Johns",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Atlantic/Azores",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "UTC",
)
const firstDay = Date.UTC(2015, 0, 1) / 86_400_000
const day = fc
  .integer({ min: firstDay, max: firstDay + 7300 })
  .map((number) => new Date(number * 86_400_000).toISOString().slice(0, 10))

describe("a day of the ledger's filter", () => {
  it("reaches from its first ms to its last in the program's time zone, on the nights the clocks change too", () => {
    fc.assert(
      fc.property(day, zone, (date, timeZone) => {
        const { from, to } = ledgerQueryOf({ page: 1, per_page: 25, from: date, to: date }, timeZone)
        const [start, end] = [Date.parse(from ?? ""), Date.parse(to ?? "")]
        expect([dayAt(start, timeZone), dayAt(end, timeZone)]).toEqual([date, date])
        expect(dayAt(start - 1, timeZone) < date).toBe(true)
        expect(dayAt(end + 1, timeZone) > date).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it("is sent as times, both ends included, and not at all the wrong way round", () => {
    const asked = { page: 2, per_page: 50, type: "award", from: "2026-11-01", to: "2026-11-01" } as const
    expect(ledgerQueryOf(asked, "Australia/Brisbane")).toEqual({
      page: 2,
      per_page: 50,
      type: "award",
      from: "2026-10-31T14:00:00.000Z",
      to: "2026-11-01T13:59:59.999Z",
    })
    expect(ledgerQueryOf({ page: 1, per_page: 25, from: "2026-11-02", to: "2026-11-01" }, "UTC")).toEqual({
      page: 1,
      per_page: 25,
    })
  })
})
