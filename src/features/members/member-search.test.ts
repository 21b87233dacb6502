import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memberListQuery, memberStatuses } from "../../../contract/program/member.ts"
import { pageSizes } from "../../lists/list-params.ts"
import { toMemberFilter, membersSearch, toPageQuery } from "./member-search.ts"

const keys = ["search", "status", "tier", "page", "per_page", "sort", "all"]
const anything = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())

describe("members search params", () => {
  it("are valid for any URL", () => {
    fc.assert(
      fc.property(anything, (params) => {
        const search = membersSearch.parse(params)
        expect(search.page).toBeGreaterThanOrEqual(1)
        expect(pageSizes).toContain(search.per_page)
        expect([undefined, ...memberStatuses]).toContain(search.status)
        expect(memberListQuery.safeParse(toPageQuery(search, true)).success).toBe(true)
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
  ])("fall back: %s=%s", (key, value, expected) => {
    expect(Object.entries(membersSearch.parse({ [key]: value }))).toContainEqual([key, expected])
  })

  it("preserve a search that looks like a number or a JSON keyword", () => {
    expect(membersSearch.parse({ search: 12480 }).search).toBe("12480")
    expect(membersSearch.parse({ search: true }).search).toBe("true")
  })

  it("are not sent for a role without member search", () => {
    const search = membersSearch.parse({ search: "ana", tier: "Gold", page: 2 })
    expect(toMemberFilter(search, false)).toEqual({})
    expect(toPageQuery(search, false)).toEqual({ page: 2, per_page: 25 })
  })
})
