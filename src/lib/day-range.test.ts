import { describe, expect, it } from "vitest"
import { presetRanges, rangeLabel } from "./time.ts"

it.each([
  [{ from: "2026-09-01", to: "2026-11-21" }, "1 Sep 2026 to 21 Nov 2026"],
  [{ from: "2026-06-05", to: "2026-06-05" }, "5 Jun 2026"],
  [{ from: "2026-11-01" }, "Since 1 Nov 2026"],
  [{ to: "2026-11-01" }, "Until 1 Nov 2026"],
  [{ from: "2026-11-01T14:05" }, "Since 1 Nov 2026, 14:05"],
  [{ from: "2026-11-01T09:00", to: "2026-11-21" }, "1 Nov 2026, 09:00 to 21 Nov 2026"],
  [{ from: "2026-11-01T09:00", to: "2026-11-01T14:05" }, "1 Nov 2026, 09:00 to 14:05"],
  [{}, undefined],
])("the days %o read %s", (range, words) => {
  expect(rangeLabel(range)).toBe(words)
})

describe("preset ranges", () => {
  const of = (today: string) =>
    Object.fromEntries(presetRanges(today).map(({ label, range }) => [label, `${range.from} ${range.to}`]))

  it("include today, and use calendar months", () => {
    expect(of("2026-03-05")).toEqual({
      Today: "2026-03-05 2026-03-05",
      Yesterday: "2026-03-04 2026-03-04",
      "Last 7 days": "2026-02-27 2026-03-05",
      "Last 30 days": "2026-02-04 2026-03-05",
      "This month": "2026-03-01 2026-03-05",
      "Last month": "2026-02-01 2026-02-28",
    })
  })

  it("can start in the previous year", () => {
    expect(of("2026-01-01")).toMatchObject({
      Yesterday: "2025-12-31 2025-12-31",
      "Last month": "2025-12-01 2025-12-31",
    })
  })
})
