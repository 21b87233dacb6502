import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  addLedgerPage,
  nextLedgerPage,
  nextLedgerRead,
  hasEveryEntry,
  startLedger,
} from "./ledger-reading.ts"

const minute = 60_000
const entriesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ id: `txn_${from + at}`, at: (from + at) * 3_600_000 }))

/** Reads a ledger that the service lists newest first; `known`: entries that the copy has. */
function read(
  service: readonly { readonly id: string; readonly at: number }[],
  { known = [], complete = known.length > 0 }: { known?: readonly string[]; complete?: boolean } = {},
) {
  const newest = Math.max(...service.filter(({ id }) => known.includes(id)).map(({ at }) => at))
  const reading = startLedger("mem_1", 0, complete && Number.isFinite(newest) ? newest : undefined)
  const held = new Set(known)
  const requests: string[] = []
  for (let last = false; !last;) {
    const { page, from = -Infinity } = nextLedgerPage(reading)
    requests.push(from === -Infinity ? `page ${page}` : `page ${page} since ${from}`)
    const listed = service.filter(({ at }) => at >= from).toSorted((one, other) => other.at - one.at)
    const ids = listed.slice(100 * (page - 1), 100 * page).map(({ id }) => id)
    for (const id of ids) held.add(id)
    last = addLedgerPage(reading, { ids, rows: ids.length, total: listed.length }, held.size)
  }
  if (hasEveryEntry(reading)) for (const id of held) if (!reading.all.seen.has(id)) held.delete(id)
  return { held, requests }
}

describe("reading a ledger", () => {
  it("takes one request for 100 entries or fewer, and all pages of a longer one", () => {
    expect(read(entriesOf(0)).requests).toEqual(["page 1"])
    expect(read(entriesOf(100)).requests).toEqual(["page 1"])
    expect(read(entriesOf(250)).requests).toEqual(["page 1", "page 2", "page 3"])
  })

  it("of which the copy has the older entries takes one request when the first page has the new ones", () => {
    const known = entriesOf(250).map(({ id }) => id)
    expect(read(entriesOf(253), { known }).requests).toEqual(["page 1"])
  })

  it("asks for entries since 15 minutes before the newest one when the first page lacks some", () => {
    const known = entriesOf(250).map(({ id }) => id)
    const { requests, held } = read(entriesOf(400), { known })
    expect(requests).toEqual([
      "page 1",
      ...[1, 2].map((page) => `page ${page} since ${249 * 3_600_000 - 15 * minute}`),
    ])
    expect(held.size).toBe(400)
  })

  it("reads the other pages when an entry has an earlier time than that", () => {
    const known = entriesOf(250).map(({ id }) => id)
    const { requests, held } = read([...entriesOf(250), { id: "txn_dated_back", at: 5 }], { known })
    expect(requests.slice(-2)).toEqual(["page 2", "page 3"])
    expect(held).toContain("txn_dated_back")
  })

  it("leaves no difference, whatever the copy had", () => {
    const ledger = fc.array(fc.record({ id: fc.uuid(), at: fc.integer({ min: 0, max: 1e9 }) }), {
      maxLength: 330,
      minLength: 1,
    })
    fc.assert(
      fc.property(
        ledger,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (service, part, complete) => {
          const known = service.slice(0, Math.floor(part * service.length)).map(({ id }) => id)
          const { held } = read(service, { known, complete: complete && known.length > 0 })
          expect(held).toEqual(new Set(service.map(({ id }) => id)))
        },
      ),
      { numRuns: 50 },
    )
  })

  it("drops an entry that the service no longer has", () => {
    const known = [...entriesOf(120).map(({ id }) => id), "txn_removed"]
    expect(read(entriesOf(120), { known }).held).not.toContain("txn_removed")
  })

  it("keeps what it did not see when the list changed meanwhile", () => {
    const reading = startLedger("mem_1", 0, undefined)
    addLedgerPage(reading, { ids: entriesOf(100).map(({ id }) => id), rows: 100, total: 150 }, 100)
    addLedgerPage(reading, { ids: entriesOf(51, 99).map(({ id }) => id), rows: 51, total: 151 }, 150)
    expect(hasEveryEntry(reading)).toBe(false)
  })
})

describe("a ledger is read again", () => {
  const now = Date.parse("2026-11-18T03:00:00Z")
  const at = (misses: number, n = 0) => nextLedgerRead({ misses, n, now, timeZone: "Australia/Brisbane" })

  it("after 1, 10 and 60 minutes and then nightly while it does not end with the member's balance", () => {
    expect([1, 2, 3].map((misses) => at(misses) - now)).toEqual([minute, 10 * minute, 60 * minute])
    // Midnight of the program's time zone.
    expect(new Date(at(4)).toISOString()).toBe("2026-11-18T14:00:00.000Z")
    expect(at(9)).toBe(at(4))
  })

  it("in the first night of a month, which closes with ledgers that were read since", () => {
    const lastWeek = Date.parse("2026-11-26T03:00:00Z")
    const nights = Array.from({ length: 7 }, (_, n) =>
      nextLedgerRead({ misses: 0, n, now: lastWeek, timeZone: "Australia/Brisbane" }),
    )
    const monthEnd = Date.parse("2026-11-30T14:00:00Z")
    expect(Math.max(...nights)).toBe(monthEnd)
    expect(nights.filter((night) => night === monthEnd)).toHaveLength(3)
  })

  it("in one night of seven otherwise, as many members in each", () => {
    const nights = Array.from({ length: 70 }, (_, n) => at(0, n))
    const counts = [...Map.groupBy(nights, (night) => night).values()].map(({ length }) => length)
    expect(counts).toEqual(Array.from({ length: 7 }, () => 10))
    expect(Math.max(...nights) - now).toBeLessThanOrEqual(7 * 24 * 60 * minute)
    expect(Math.min(...nights)).toBeGreaterThan(now)
  })
})
