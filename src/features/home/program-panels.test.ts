import { expect, test } from "vitest"
import type { Member } from "../../../contract/program/member.ts"
import { statusShares, tierShares } from "./program-panels.tsx"

const page = (members: readonly Partial<Member>[], total?: number) => ({
  data: members.map((member, at) => ({ id: `mem_${at}`, ...member })),
  ...(total === undefined ? {} : { meta: { page: 1, per_page: 100, total } }),
  age: 0,
  at: 0,
  stale: false,
})
const counts = (...given: Parameters<typeof statusShares>) => statusShares(...given).map(({ count }) => count)

test("active members are the remainder, while only documented statuses occur", () => {
  expect(counts(page([{ status: "active" }, { status: "Pending" }], 100), 6, 14)).toEqual([80, 14, 6])
  expect(counts(page([{ status: "frozen" }], 100), 6, 14)).toEqual([null, 14, 6])
})

test("a missing count is unknown, and nothing is derived from it", () => {
  expect(counts(page([{ status: "active" }], 100), undefined, 14)).toEqual([null, 14, null])
  expect(counts(page([{ status: "active" }]), 6, 14)).toEqual([null, 14, 6])
  // Counts read at different times may exceed the total.
  expect(counts(page([], 10), 6, 14)).toEqual([0, 14, 6])
})

test("tiers of a page with all members are the program's, largest first", () => {
  const everybody = page([{ tier: "Gold" }, { tier: "Silver" }, { tier: "Silver" }, { tier: null }, {}], 5)
  expect(tierShares(everybody, undefined)).toEqual({
    shares: [
      { value: "Silver", count: 2 },
      { value: "Gold", count: 1 },
    ],
    others: 2,
    of: "all",
  })
})

test("tiers of a partial page are labelled as such until counted", () => {
  const some = page([{ tier: "Gold" }, { tier: "Silver" }], 1284)
  expect(tierShares(some, undefined)).toMatchObject({ of: 2, others: 0 })
  const counted = new Map([
    ["Gold", 300],
    ["Silver", 900],
  ])
  expect(tierShares(some, counted)).toEqual({
    shares: [
      { value: "Silver", count: 900 },
      { value: "Gold", count: 300 },
    ],
    others: 84,
    of: "all",
  })
})
