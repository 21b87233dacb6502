import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatBytes, formatMoney, formatPoints, formatSigned } from "./format.ts"

describe("points", () => {
  it("are grouped, and signed in a ledger with a true minus", () => {
    expect(formatPoints(12_480)).toBe("12,480")
    expect([1250, -300, 0].map(formatSigned)).toEqual(["+1,250", "−300", "0"])
  })

  it("read back as the same number, whatever it is", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (points) => {
        expect(Number(formatSigned(points).replaceAll(",", "").replace("−", "-"))).toBe(points)
      }),
    )
  })
})

describe("money", () => {
  it("always has two decimals and a narrow sign", () => {
    expect(formatMoney(10_000, "AUD")).toBe("$100.00")
    expect(formatMoney(-1, "USD")).toBe("−$0.01")
  })
})

describe("sizes", () => {
  it("are in powers of a thousand with at most one decimal", () => {
    expect([512, 1_400, 999_600, 12_000_000].map(formatBytes)).toEqual([
      "512 bytes",
      "1.4 KB",
      "1.0 MB",
      "12 MB",
    ])
  })
})
