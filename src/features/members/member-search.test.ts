import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memberListQuery, memberStatuses } from "../../../contract/program/member.ts"
import { dayAt } from "../../../contract/zoned-days.ts"
import { pageSizes } from "../../lists/list-params.ts"
import { toMemberFilter, toLedgerQuery, ledgerSearch, membersSearch, toPageQuery } from "./member-search.ts"

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

/** Zones whose clocks change at midnight or by half an hour, without changes, and with extreme offsets. */
const zone = fc.constantFrom(
  "Australia/Brisbane",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "America/Santiago",
  "America/Havana",
  "America/St_Johns",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Atlantic/Azores",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "UTC",
)
const firstDay = Date.UTC(2015, 0, 1) / 86_400_000
const day = fc
  .integer({ min: firstDay, max: firstDay + 7300 })
  .map((number) => new Date(number * 86_400_000).toISOString().slice(0, 10))

describe("a day of the ledger's filter", () => {
  it("spans its first to last ms in the program's time zone, also when the clocks change", () => {
    fc.assert(
      fc.property(day, zone, (date, timeZone) => {
        const { from, to } = toLedgerQuery({ page: 1, per_page: 25, from: date, to: date }, timeZone)
        const [start, end] = [Date.parse(from ?? ""), Date.parse(to ?? "")]
        expect([dayAt(start, timeZone), dayAt(end, timeZone)]).toEqual([date, date])
        expect(dayAt(start - 1, timeZone) < date).toBe(true)
        expect(dayAt(end + 1, timeZone) > date).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it("is sent as times, both ends inclusive, and not at all when reversed", () => {
    const search = { page: 2, per_page: 50, type: "award", from: "2026-11-01", to: "2026-11-01" } as const
    expect(toLedgerQuery(search, "Australia/Brisbane")).toEqual({
      page: 2,
      per_page: 50,
      type: "award",
      from: "2026-10-31T14:00:00.000Z",
      to: "2026-11-01T13:59:59.999Z",
    })
    const { from, to } = ledgerSearch.parse({ from: "2026-11-02", to: "2026-11-01" })
    expect([from, to]).toEqual([undefined, undefined])
  })
})
