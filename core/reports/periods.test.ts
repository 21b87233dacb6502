import { describe, expect, it, test } from "vitest"
import { dayAt, dayNumber, dayOfNumber, startOfDay, zoneOffsets } from "../../contract/zoned-days.ts"
import { groupsIn, periodBefore, periodOf } from "./periods.ts"

const today = "2026-11-21"

describe("the period of a report", () => {
  it("is the last twelve months by default, and this month by day", () => {
    expect(periodOf({}, "month", today)).toEqual({ from: "2025-12-01", to: today })
    expect(periodOf({}, "day", today)).toEqual({ from: "2026-11-01", to: today })
    expect(periodOf({ to: "2024-03-31" }, "month", today)).toEqual({ from: "2023-04-01", to: "2024-03-31" })
    expect(periodOf({ from: "2026-11-20" }, "type", today)).toEqual({ from: "2026-11-20", to: today })
  })

  it("neither ends before it begins nor is too long", () => {
    expect(() => periodOf({ from: "2026-02-02", to: "2026-02-01" }, "month", today)).toThrow(
      /before it begins/,
    )
    expect(() => periodOf({ from: "2020-01-01" }, "day", today)).toThrow(/at most 366 days/)
    expect(() => periodOf({ from: "1990-01-01" }, "month", today)).toThrow(/at most 120 months/)
  })

  test.each([
    [
      { from: "2026-11-01", to: "2026-11-30" },
      { from: "2026-10-01", to: "2026-10-31" },
    ],
    [
      { from: "2026-01-01", to: "2026-03-31" },
      { from: "2025-10-01", to: "2025-12-31" },
    ],
    [
      { from: "2026-11-01", to: "2026-11-21" },
      { from: "2026-10-11", to: "2026-10-31" },
    ],
    [
      { from: "2026-03-01", to: "2026-03-01" },
      { from: "2026-02-28", to: "2026-02-28" },
    ],
  ])("%j follows one that is as long", (period, before) => {
    expect(periodBefore(period)).toEqual(before)
  })

  it("has every month and day, also across a leap day", () => {
    expect(groupsIn({ from: "2023-12-15", to: "2024-02-01" }, "month")).toEqual([
      "2023-12",
      "2024-01",
      "2024-02",
    ])
    expect(groupsIn({ from: "2024-02-28", to: "2024-03-01" }, "day")).toHaveLength(3)
  })
})

describe("days counted by offsets", () => {
  test.each(["Australia/Sydney", "Australia/Lord_Howe", "UTC", "America/New_York", "Asia/Kathmandu"])(
    "are those of %s, also when clocks change",
    (zone) => {
      const [from, to] = [startOfDay("2026-01-01", zone), startOfDay("2027-01-01", zone)]
      const offsets = zoneOffsets(from, to, zone)
      for (let at = from; at < to; at += 3_599_000)
        expect(dayOfNumber(dayNumber(at, offsets))).toBe(dayAt(at, zone))
    },
  )
})
