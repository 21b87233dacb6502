import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Transaction } from "../../contract/program/points.ts"
import type { LedgerQuery, LedgerState } from "../../core/copy/copy-store.ts"
import { madeUpMember } from "../support/made-up-members.ts"
import type { CopiesUnderTest } from "./copy-suite.ts"

const noon = Date.parse("2026-03-01T12:00:00Z")
/** Booked in the order of their ids; the last two at one time. */
const entries: readonly Transaction[] = [
  { transaction_id: "t1", type: "award", points: 100, balance_after: 100, reason: "Début" },
  {
    transaction_id: "t2",
    type: "award",
    points: 50,
    balance_after: 150,
    reason: "Q1",
    reference: "INV-7",
    metadata: { laurel: "7K2QX.3" },
  },
  { transaction_id: "t3", type: "redeem", points: -150, balance_after: 0, reason: null },
].map((entry, at) => ({ ...entry, created_at: new Date(noon + Math.min(at, 1) * 60_000).toISOString() }))
const state: LedgerState = { readFrom: 10, balance: 0, memberBalance: 0, misses: 0, dueAt: 1000 }
const inOrder = {
  memberId: "mem_1",
  sort: { field: "created_at", descending: false },
  page: 1,
  perPage: 25,
} as const

/** The tests of the ledgers of every copy. */
export function describeLedgerCopy(name: string, open: () => Promise<CopiesUnderTest>): void {
  describe(`the ledgers of the local copy in ${name}`, () => {
    let copies: CopiesUnderTest
    const put = (memberId: string, some = entries, asOf = 10) =>
      copies.one.ledgers.put(
        memberId,
        some.map((record) => ({ record, asOf })),
      )
    const member = (id: string, points_balance: number | null, asOf = 1) =>
      copies.one.members.put([{ record: madeUpMember(id, { points_balance }), asOf }])
    beforeAll(async () => {
      copies = await open()
    })
    beforeEach(async () => {
      await copies.one.clear()
      await member("mem_1", 0)
      await put("mem_1", entries.toReversed())
    })
    afterAll(() => copies.close())

    const idsOf = async (query: Partial<LedgerQuery>) => {
      const { rows, total } = await copies.other.ledgers.list({ ...inOrder, ...query })
      return [...rows.map(({ transaction_id }) => transaction_id), total]
    }

    test.each<[Partial<LedgerQuery>, (string | number)[]]>([
      [{}, ["t1", "t2", "t3", 3]],
      [{ sort: { field: "created_at", descending: true }, perPage: 2 }, ["t3", "t2", 3]],
      [{ page: 2, perPage: 2 }, ["t3", 3]],
      [{ page: 9 }, [3]],
      [{ search: "debut" }, ["t1", 1]],
      [{ search: "inv-7 q1" }, ["t2", 1]],
      [{ type: "Award" }, ["t1", "t2", 2]],
      [{ from: noon + 1 }, ["t2", "t3", 2]],
      [{ to: noon }, ["t1", 1]],
      [{ sort: { field: "points", descending: true } }, ["t1", "t2", "t3", 3]],
      [{ sort: { field: "reason", descending: true } }, ["t2", "t1", "t3", 3]],
      [{ sort: { field: "reason", descending: false } }, ["t1", "t2", "t3", 3]],
      [{ memberId: "mem_2" }, [0]],
    ])("finds %j", async (query, found) => {
      expect(await idsOf(query)).toEqual(found)
    })

    test("returns an entry as it was put, and writes nothing for an equal one", async () => {
      const { rows } = await copies.other.ledgers.list(inOrder)
      expect(rows).toEqual(entries)
      expect(await put("mem_1", entries, 30)).toBe(0)
    })

    test("keeps equal ids of two members apart", async () => {
      await member("mem_2", 0)
      await put("mem_2", entries.slice(0, 1))
      await copies.one.ledgers.drop("mem_2", ["t1"], 20)
      expect([await idsOf({}), await idsOf({ memberId: "mem_2" })]).toEqual([["t1", "t2", "t3", 3], [0]])
    })

    test("adds up the ledgers of a company’s members, under any of its names", async () => {
      const company = (id: string, company: string) =>
        copies.one.members.put([{ record: madeUpMember(id, { company }), asOf: 20 }])
      await company("mem_1", "Acme")
      await company("mem_2", "ACMÉ")
      await company("mem_3", "Acme Pty Ltd")
      await company("mem_4", "Other")
      for (const id of ["mem_2", "mem_4"]) await put(id, entries.slice(0, 1))
      await copies.one.ledgers.setState("mem_1", 10, state)
      expect(await copies.other.ledgers.ofCompany(["Acme", "acme pty ltd"])).toEqual({
        read: 1,
        awarded: 250,
        redeemed: 150,
        lastAt: noon + 60_000,
      })
      expect(await copies.other.ledgers.ofCompany(["acme pty ltd"])).toEqual({
        read: 0,
        awarded: 0,
        redeemed: 0,
        lastAt: null,
      })
    })

    test("has whole ledgers member by member, with entries as the books count them", async () => {
      await member("mem_2", null)
      await copies.one.ledgers.setState("mem_1", 10, state)
      const [first, second, ...more] = await copies.other.ledgers.ledgers(0, 9)
      expect(first).toMatchObject({ memberId: "mem_1", email: "mem_1@dealer.test", balance: 0, readFrom: 10 })
      expect(first?.createdAt).toBe(Date.parse("2025-01-01T00:00:00Z"))
      expect(first?.entries.find(({ id }) => id === "t2")).toEqual({
        id: "t2",
        n: expect.any(Number),
        type: "award",
        reason: "q1",
        reference: "inv-7",
        tag: "7k2qx.3",
        points: 50,
        balance_after: 150,
        created_at: noon + 60_000,
      })
      expect(first?.entries).toHaveLength(3)
      expect(second).toMatchObject({ memberId: "mem_2", balance: null, readFrom: null, entries: [] })
      expect(more).toEqual([])
      expect(await copies.one.ledgers.ledgers(first?.n ?? 0, 9)).toEqual([second])
      expect(await copies.one.ledgers.entries([{ memberId: "mem_1", id: "t1" }])).toEqual([
        { memberId: "mem_1", entry: entries[0] },
      ])
    })

    test("names entries that a ledger lacks although it was read since", async () => {
      await copies.one.ledgers.setState("mem_1", 10, state)
      await member("mem_2", 0)
      const key = { memberId: "mem_1", id: "t9", since: 9 }
      const others = [
        { ...key, id: "t1" },
        { ...key, since: 10 },
        { ...key, memberId: "mem_2" },
        { ...key, memberId: "mem_9" },
      ]
      expect(await copies.other.ledgers.lacking([...others, key])).toEqual([key])
      expect(await copies.other.ledgers.readSince(10)).toEqual({ read: 1, from: 10, to: 10 })
      expect(await copies.other.ledgers.readSince(11)).toEqual({ read: 0, from: null, to: null })
    })

    test("names ledgers to read: urgent ones, then unread ones, then those of the night", async () => {
      for (const id of ["mem_2", "mem_3", "mem_4", "mem_5"]) await member(id, 7)
      const read = (id: string, change: Partial<LedgerState> = {}) =>
        copies.one.ledgers.setState(id, 10, { ...state, balance: 7, memberBalance: 7, ...change })
      await read("mem_1", { balance: 0, memberBalance: 0, dueAt: 40 })
      await read("mem_2", { dueAt: 60 })
      await read("mem_3", { dueAt: 9000 })
      await read("mem_4", { misses: 1, balance: 6, dueAt: 45 })
      const due = async (now: number) =>
        (await copies.other.ledgers.due(now, 9)).map(({ memberId, isUrgent }) => `${memberId} ${isUrgent}`)
      expect(await due(50)).toEqual(["mem_4 true", "mem_5 false", "mem_1 false"])
      // Another balance than both: read now.
      await member("mem_3", 8, 2)
      expect(await due(30)).toEqual(["mem_3 true", "mem_5 false"])
      // The ledger has that balance already.
      await member("mem_4", 6, 2)
      expect(await due(30)).toEqual(["mem_3 true", "mem_5 false"])
    })

    test("a ledger that was written to is urgent, and a read that began before does not change that", async () => {
      await copies.one.ledgers.setState("mem_1", 10, state)
      expect((await copies.other.ledgers.owner("mem_1"))?.state).toEqual(state)
      expect(await copies.other.ledgers.progress()).toEqual({ read: 1, since: 10 })
      await copies.one.ledgers.outdate(["mem_1"], 20)
      await copies.one.ledgers.setState("mem_1", 15, { ...state, readFrom: 15 })
      expect(await copies.other.ledgers.due(21, 9)).toMatchObject([{ memberId: "mem_1", isUrgent: true }])
      await copies.one.ledgers.setState("mem_1", 21, { ...state, readFrom: 21 })
      expect(await copies.other.ledgers.due(22, 9)).toEqual([])
    })

    test("nothing stays of the ledger of a deleted member, and a late response brings nothing back", async () => {
      await copies.one.ledgers.setState("mem_1", 10, state)
      await copies.one.members.drop(["mem_1"], 20)
      await put("mem_1")
      expect(await idsOf({})).toEqual([0])
      expect(await copies.other.ledgers.owner("mem_1")).toBeUndefined()
      expect(await copies.other.ledgers.progress()).toEqual({ read: 0, since: null })
    })
  })
}
