import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memberListQuery, memberStatuses } from "../../../contract/program/member.ts"
import { pageSizes } from "../../lists/list-params.ts"
import { filterOf, membersSearch, pageQueryOf, withFilter } from "./search.ts"

const keys = ["search", "status", "tier", "page", "per_page", "sort", "all"]
const anything = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())

describe("the list's state in the address", () => {
  it("is valid whatever the address says", () => {
    fc.assert(
      fc.property(anything, (params) => {
        const search = membersSearch.parse(params)
        expect(search.page).toBeGreaterThanOrEqual(1)
        expect(pageSizes).toContain(search.per_page)
        expect([undefined, ...memberStatuses]).toContain(search.status)
        expect(memberListQuery.safeParse(pageQueryOf(search, true)).success).toBe(true)
      }),
    )
  })

  it.each([
    ["page", "banana", 1],
    ["page", 0, 1],
    ["page", 2.5, 1],
    ["per_page", 7, 25],
    ["status", "x", undefined],
    ["status", "Active", undefined],
    ["all", "yes", false],
    ["search", "   ", undefined],
    ["tier", { a: 1 }, undefined],
  ])("falls back: %s=%s", (key, value, expected) => {
    expect(Object.entries(membersSearch.parse({ [key]: value }))).toContainEqual([key, expected])
  })

  it("keeps a search that looks like a number or a word of JSON", () => {
    expect(membersSearch.parse({ search: 12480 }).search).toBe("12480")
    expect(membersSearch.parse({ search: true }).search).toBe("true")
  })

  it("starts again at the first page when a filter changes, and keeps the rest", () => {
    const before = membersSearch.parse({ search: "ana", page: 7, per_page: 50, all: true, sort: "-points" })
    expect(withFilter(before, { status: "inactive" })).toEqual({
      search: "ana",
      status: "inactive",
      page: 1,
      per_page: 50,
      all: false,
    })
  })

  it("is not asked of the service for somebody who may not search", () => {
    const search = membersSearch.parse({ search: "ana", tier: "Gold", page: 2 })
    expect(filterOf(search, false)).toEqual({})
    expect(pageQueryOf(search, false)).toEqual({ page: 2, per_page: 25 })
  })
})
