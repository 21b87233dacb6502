import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { BookStatement } from "../../contract/books.ts"
import type { BookDay, DifferenceRecord } from "../../core/books/book-store.ts"
import { make, sampleRow, setRow } from "./job-samples.ts"
import type { StoreUnderTest } from "./store-suite.ts"

const day: BookDay = {
  day: "2026-11-29",
  at: 5,
  members: 3,
  points: 700.5,
  withoutBalance: 1,
  ledgersRead: 2,
}

const none = { points: 0, entries: 0 }
const statement: BookStatement = {
  month: "2026-10",
  from: "2026-09-30T14:00:00.000Z",
  to: "2026-10-31T14:00:00.000Z",
  time_zone: "Australia/Brisbane",
  state: "ready",
  as_of: "2026-11-01T00:00:00.000Z",
  closed_by: null,
  coverage: { read: 2, members: 2, from: null, to: null },
  opening: 5,
  closing: 7.5,
  flows: [{ type: "award", ours: none, foreign: { points: 2.5, entries: 1 } }],
  brought_in: none,
  late: none,
  deleted: none,
  awaiting: none,
  missing: none,
  unexplained: none,
}
const difference: DifferenceRecord = {
  id: "missing:J-1001.1",
  class: "missing",
  member: "mem_1",
  points: 50,
  month: "2026-10",
  firstAt: 10,
  secondAt: null,
  resolvedAt: null,
  detail: { transaction: "txn_1", row: { job: "J-1001", row: 1 } },
}

/** The tests of every store of the books. */
export function describeBookStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the books in ${name}`, () => {
    let stores: StoreUnderTest
    beforeAll(async () => {
      stores = await open()
    })
    afterAll(() => stores.close())

    test("keep the first row of each day, in order", async () => {
      const [one, other] = [stores.one.books, stores.other.books]
      await one.addDay({ ...day, day: "2026-11-30" })
      await one.addDay(day)
      await other.addDay({ ...day, points: 1 })
      expect(await other.days("2026-11-29", "2026-11-29")).toEqual([day])
      expect(await one.days("2026-11-01", "2026-11-30")).toEqual([day, { ...day, day: "2026-11-30" }])
    })

    test("keep a month's last statement until it is closed, and never another one", async () => {
      const [one, other] = [stores.one.books, stores.other.books]
      const open = { month: "2026-10", statement, calculatedAt: 1 }
      await one.keep(open)
      await other.keep({ ...open, calculatedAt: 2 })
      const by = { id: "usr_1", name: "Helen Park" }
      const closed = { ...open, calculatedAt: 3, closedAt: 3, closedBy: by }
      const basis = new Map([["constructor", [7.5, 2] as const]])
      const results = await Promise.all([one, other].map((books) => books.close(closed, basis, undefined)))
      expect(results.filter(Boolean)).toEqual([true])
      await one.keep({ ...open, calculatedAt: 4 })
      expect(await other.months()).toEqual([closed])
      expect(await one.basis("2026-10")).toEqual(basis)
      expect(await one.basis("2026-09")).toBeUndefined()
    })

    test("keep differences until they are resolved, and forget deleted members", async () => {
      const { books } = stores.one
      const departed: DifferenceRecord = {
        ...difference,
        id: "deleted:mem_2",
        class: "deleted",
        secondAt: 10,
        detail: {
          entries: [{ id: "t", n: 1, type: "award", points: 5, balance_after: null, created_at: null }],
        },
      }
      await books.put([departed, difference])
      await stores.other.books.put([{ ...difference, secondAt: 20 }])
      expect(await books.differences()).toEqual([departed, { ...difference, secondAt: 20 }])
      expect(await books.differences(["missing", "unexplained"])).toEqual([{ ...difference, secondAt: 20 }])
      await books.put([{ ...difference, resolvedAt: 30 }])
      expect(await books.differences()).toEqual([departed])
      await books.forgetDeparted(100, 10)
      expect(await books.differences()).toEqual([departed])
      await books.forgetDeparted(100, 11)
      expect(await books.differences()).toEqual([])
    })

    test("read confirmed rows of ours in the order of their times, page by page", async () => {
      const { books, jobs } = stores.one
      const [first, second] = [
        await make(jobs, [sampleRow(), sampleRow({ points: 7 }), sampleRow()]),
        await make(jobs, [sampleRow({ points: -5 })], { kind: "deduct" }),
      ]
      const confirm = async (job: string, row: number, at: number, upstreamId: string | null) => {
        await setRow(jobs, job, row, { state: "sent" })
        await setRow(jobs, job, row, { state: "confirmed", confirmedAt: at, upstreamId })
      }
      const now = await jobs.now()
      await confirm(first.id, 1, now, "txn_1")
      await confirm(first.id, 2, now, null)
      await confirm(second.id, 1, now + 5, "txn_2")
      const all = await books.booked(now - 1000, undefined, 10)
      expect(
        all.map(({ job, row, memberId, points, transaction }) => [job, row, memberId, points, transaction]),
      ).toEqual([
        [first.id, 1, "mem_1", 50, "txn_1"],
        [second.id, 1, "mem_1", -5, "txn_2"],
      ])
      expect(await books.booked(now - 1000, all[0], 10)).toEqual(all.slice(1))
      expect(await books.booked(now - 1000, undefined, 1)).toEqual(all.slice(0, 1))
      const tag = { batchCode: first.batchCode, row: 2, ordinal: null, memberId: "mem_1", points: 7 }
      const others = [
        { ...tag, row: 1, points: 50 },
        { ...tag, points: 8 },
        { ...tag, memberId: "mem_2" },
      ]
      expect(await books.tagged([...others, tag])).toEqual([tag])
    })

    test("read confirmed redemptions with what is known of their points", async () => {
      const { books, jobs } = stores.one
      const { id } = await make(jobs, [sampleRow({ points: null }), sampleRow({ points: null })], {
        kind: "redeem",
      })
      const now = await jobs.now()
      for (const [row, notes] of [
        [1, { cost: 40, points_spent: null }],
        [2, null],
      ] as const) {
        await setRow(jobs, id, row, { state: "sent", firstSentAt: now - 9 })
        await setRow(jobs, id, row, { state: "confirmed", confirmedAt: now, upstreamId: `ord_${row}`, notes })
      }
      const known = { job: id, memberId: "mem_1", from: now - 9, to: expect.any(Number) }
      expect(await books.redemptions(now - 1000)).toEqual([
        { ...known, row: 1, order: "ord_1", points: 40 },
        { ...known, row: 2, order: "ord_2", points: null },
      ])
    })
  })
}
