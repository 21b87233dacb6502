import { describe, expect, it } from "vitest"
import { bulkRequests, resolveRequests } from "./send-cost.ts"

describe("bulkRequests", () => {
  it("begins with 25 and doubles up to 100", () => {
    expect([0, 1, 25, 26, 75, 76, 175, 176, 500, 10_000].map((rows) => bulkRequests(rows))).toEqual([
      0, 1, 1, 2, 2, 3, 3, 4, 7, 102,
    ])
  })

  it("takes as many requests as a member has rows, because each names a member once", () => {
    expect(bulkRequests(20, 7)).toBe(7)
  })
})

describe("resolveRequests", () => {
  it("is the cheaper of searching and reading every page", () => {
    expect(resolveRequests(40, 214)).toBe(3)
    expect(resolveRequests(2, 214)).toBe(2)
    expect(resolveRequests(40, undefined)).toBe(40)
    expect(resolveRequests(0, 214)).toBe(0)
  })
})
