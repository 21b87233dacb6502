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

test("the active are the rest, as long as the documented statuses are all there is", () => {
  expect(counts(page([{ status: "active" }, { status: "Pending" }], 100), 6, 14)).toEqual([80, 14, 6])
  expect(counts(page([{ status: "frozen" }], 100), 6, 14)).toEqual([null, 14, 6])
})

test("what was not answered is not known, and nothing is made of it", () => {
  expect(counts(page([{ status: "active" }], 100), undefined, 14)).toEqual([null, 14, null])
  expect(counts(page([{ status: "active" }]), 6, 14)).toEqual([null, 14, 6])
  // Read at different moments, the parts may be more than the whole.
  expect(counts(page([], 10), 6, 14)).toEqual([0, 14, 6])
})

test("tiers of a page that is everybody are those of the program, the largest first", () => {
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

test("tiers of a page that is not are said to be of that page, until they were counted", () => {
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
