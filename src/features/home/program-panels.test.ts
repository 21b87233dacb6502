import { expect, test } from "vitest"
import { tierShares } from "./program-panels.tsx"

const tiers = [
  { value: "Silver", count: 2 },
  { value: "Gold", count: 1 },
]

test("members of no tier, and of tiers beyond the largest, are one share", () => {
  expect(tierShares({ total: 5, tiers })).toEqual([...tiers, { value: "", count: 2 }])
  expect(tierShares({ total: 3, tiers })).toEqual(tiers)
})
