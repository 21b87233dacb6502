import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hiddenMemberField, memberSearchQuery } from "../../../contract/members.ts"
import { memberStatuses } from "../../../contract/program/member.ts"
import { roles } from "../../../contract/roles.ts"
import { pageSizes } from "../../lists/list-params.ts"
import { toPageQuery } from "./list/members-page.tsx"
import { membersSearch } from "./member-search.ts"

const keys = ["search", "status", "tier", "company", "page", "per_page", "sort"]
const anything = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())

describe("members search params", () => {
  it("are valid for any URL", () => {
    fc.assert(
      fc.property(anything, (params) => {
        const search = membersSearch.parse(params)
        expect(search.page).toBeGreaterThanOrEqual(1)
        expect(pageSizes).toContain(search.per_page)
        expect([undefined, ...memberStatuses]).toContain(search.status)
        for (const role of roles) {
          const query = toPageQuery(search, role)
          expect(memberSearchQuery.safeParse(query).success).toBe(true)
          expect(hiddenMemberField(role, query)).toBeUndefined()
        }
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
    ["search", "   ", undefined],
    ["tier", { a: 1 }, undefined],
  ])("fall back: %s=%s", (key, value, expected) => {
    expect(Object.entries(membersSearch.parse({ [key]: value }))).toContainEqual([key, expected])
  })

  it("preserve a search that looks like a number or a JSON keyword", () => {
    expect(membersSearch.parse({ search: 12480 }).search).toBe("12480")
    expect(membersSearch.parse({ search: true }).search).toBe("true")
  })

  it("are sent as far as the role sees their fields", () => {
    const search = membersSearch.parse({
      search: "ana",
      tier: "Gold",
      company: "Air",
      sort: "-phone",
      page: 2,
    })
    const paged = { page: 2, per_page: 25 }
    expect(toPageQuery(search, "fulfilment")).toEqual({ search: "ana", ...paged })
    expect(toPageQuery(search, "viewer")).toEqual({ search: "ana", tier: "Gold", company: "Air", ...paged })
    expect(toPageQuery(search, "manager")).toMatchObject({ company: "Air", sort: "-phone" })
  })

  it.each([
    ["points", "points_balance"],
    ["-updated", "-updated_at"],
    ["-name", "-name"],
    ["constructor", undefined],
  ])("name the column that the list is sorted by: %s", (sort, expected) => {
    expect(toPageQuery(membersSearch.parse({ sort }), "admin").sort).toBe(expected)
  })
})
