import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Transaction } from "../../contract/program/points.ts"
import { dayAt, dayOfNumber, startOfDay, zoneOffsets } from "../../contract/zoned-days.ts"
import { fold } from "../../core/copy/member-columns.ts"
import type { EntriesQuery, EntriesSum } from "../../core/reports/report-store.ts"
import { createRandom } from "../faults/random.ts"
import { madeUpMember } from "../support/made-up-members.ts"
import type { CopiesUnderTest } from "./copy-suite.ts"

/** Clocks change on 5 April and 4 October 2026. */
const zone = "Australia/Sydney"
const span = { from: startOfDay("2026-03-20", zone), to: startOfDay("2026-04-20", zone) }
const all = { ...span, offsets: zoneOffsets(span.from, span.to, zone), corrections: [] } as const

interface BookedEntry {
  readonly member: { readonly id: string; readonly company: string; readonly tier: string | null }
  readonly entry: Transaction
}

/** Members and entries around the change of clocks, some without a time, a reason or points. */
function madeUpProgram(seed: number): { members: BookedEntry["member"][]; booked: BookedEntry[] } {
  const random = createRandom(seed)
  const companies = ["Acme", "ACME", "Café Nord", "", "Zeta"]
  const members = Array.from({ length: 30 }, (_, at) => ({
    id: `mem_${at}`,
    company: random.pick(companies),
    tier: random.pick(["Gold", "gold", "Silver", null]),
  }))
  const booked = Array.from({ length: 400 }, (_, at): BookedEntry => {
    const type = random.pick(["award", "redeem", "deduct", "expire", "adjust", "Award"])
    const at_ms = span.from + random.integer(-5, 36) * 86_400_000 + random.integer(0, 86_399_999)
    return {
      member: random.pick(members),
      entry: {
        transaction_id: `t${at}`,
        type,
        points: random.pick([random.integer(-500, 500), null]),
        reason: random.pick(["Sales", "sales", "Référence", null]),
        created_at: random.integer(0, 20) === 0 ? null : new Date(at_ms).toISOString(),
      },
    }
  })
  return { members, booked }
}

const groupOf: Readonly<Record<EntriesQuery["by"], (one: BookedEntry) => string>> = {
  day: ({ entry }) => dayAt(Date.parse(String(entry.created_at)), zone),
  type: ({ entry }) => fold(entry.type ?? ""),
  reason: ({ entry }) => fold(entry.reason ?? ""),
  company: ({ member }) => fold(member.company),
  tier: ({ member }) => fold(member.tier ?? ""),
}

/** The same sums, entry by entry. */
function naive(booked: readonly BookedEntry[], query: EntriesQuery): string[] {
  const added = Map.groupBy(query.corrections, ({ memberId, entryId }) => `${memberId} ${entryId}`)
  const sums = new Map<string, { points: number; entries: number }>()
  for (const one of booked) {
    const { member, entry } = one
    const at = Date.parse(String(entry.created_at))
    if (!(at >= query.from && at < query.to)) continue
    if (query.type !== undefined && fold(entry.type ?? "") !== fold(query.type)) continue
    if (query.reason !== undefined && fold(entry.reason ?? "") !== fold(query.reason)) continue
    if (query.tier !== undefined && fold(member.tier ?? "") !== fold(query.tier)) continue
    if (query.company !== undefined && !query.company.map(fold).includes(fold(member.company))) continue
    const corrections = added.get(`${member.id} ${entry.transaction_id}`)
    const more = corrections?.reduce((sum, { points }) => sum + points, 0)
    const points = typeof entry.points === "number" ? entry.points : null
    const key = `${groupOf[query.by](one)}|${fold(entry.type ?? "")}`
    const sum = sums.get(key) ?? { points: 0, entries: 0 }
    sum.points += points === null ? 0 : points + (more ?? 0)
    sum.entries += more !== undefined && (points === null || points + more === 0) ? 0 : 1
    sums.set(key, sum)
  }
  return [...sums].map(([key, { points, entries }]) => `${key}|${points}|${entries}`).toSorted()
}

const asText = (sums: readonly EntriesSum[], by: EntriesQuery["by"]) =>
  sums
    .map(({ group, type, points, entries }) =>
      [by === "day" ? dayOfNumber(Number(group)) : group, type, points, entries].join("|"),
    )
    .toSorted()

/** The tests of what reports read of every copy. */
export function describeReportCopy(name: string, open: () => Promise<CopiesUnderTest>): void {
  describe(`reports from the local copy in ${name}`, () => {
    let copies: CopiesUnderTest
    const { members, booked } = madeUpProgram(7)
    beforeAll(async () => {
      copies = await open()
      await copies.one.members.put(members.map((one) => ({ record: madeUpMember(one.id, one), asOf: 1 })))
      for (const [id, own] of Map.groupBy(booked, ({ member }) => member.id))
        await copies.one.ledgers.put(
          id,
          own.map(({ entry }) => ({ record: entry, asOf: 1 })),
        )
    })
    afterAll(() => copies.close())

    const groups = ["day", "type", "reason", "company", "tier"] as const
    const corrections = booked.slice(0, 40).map(({ member, entry }, at) => ({
      memberId: member.id,
      entryId: entry.transaction_id,
      points: at % 2 === 0 ? -(entry.points ?? 0) : 5,
    }))
    const filters = [
      {},
      { type: "AWARD" },
      { reason: "reference" },
      { company: ["acme", "Cafe Nord"] },
      { company: ["Zeta"], tier: "GOLD" },
      { corrections: [...corrections, ...corrections.slice(0, 3)] },
    ]
    test.each(groups.flatMap((by) => filters.map((filter) => [by, filter] as const)))(
      "entries by %s with %j are those that are added up one by one",
      async (by, filter) => {
        const query = { ...all, ...filter, by }
        expect(asText(await copies.other.reports.entries(query), by)).toEqual(naive(booked, query))
      },
    )

    test("groups are named as a record has them", async () => {
      const labels = (await copies.other.reports.entries({ ...all, by: "company" })).map(({ label }) => label)
      expect(new Set(labels)).toEqual(
        new Set(["", members.find((one) => fold(one.company) === "acme")?.company, "Café Nord", "Zeta"]),
      )
      const reasons = (await copies.other.reports.entries({ ...all, by: "reason" })).map(({ label }) => label)
      expect(reasons).toContain("Référence")
    })

    test("entries without a time are counted apart", async () => {
      const undated = booked.filter(({ entry }) => entry.created_at === null).length
      expect(await copies.other.reports.undatedEntries()).toBe(undated)
    })

    test("a ledger counts as read while it ends with the member’s balance", async () => {
      const state = { readFrom: 5, balance: 1200, memberBalance: 1200, misses: 0, dueAt: 9 }
      await copies.one.ledgers.setState("mem_0", 5, state)
      await copies.one.ledgers.setState("mem_1", 5, { ...state, balance: 7, memberBalance: 7 })
      expect(await copies.other.reports.ledgersRead()).toEqual({ read: 1, members: 30 })
    })
  })
}
