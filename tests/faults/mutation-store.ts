import { beforeEach, describe, expect, test } from "vitest"
import type { JobStore, MostMoved } from "../../core/jobs/job-store.ts"
import { describeJobList } from "../store/job-list-suite.ts"
import { describeJobMaking } from "../store/job-making-suite.ts"
import { describeJobRows } from "../store/job-rows-suite.ts"
import { make, rowIn, sampleRow, sampleRows, setRow } from "../store/job-samples.ts"
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts"
import { createMemoryStore } from "../support/memory-store.ts"

// Job and row suites over an in-memory store: fast enough for mutation testing. `bff/store/job-store.test.ts` runs
// those of `tests/store` over a file and PostgreSQL.

describe("jobs in memory", () => {
  const { jobs } = createMemoryStore(createFakeClock())
  const instances = () => ({ one: jobs, other: jobs })
  describeJobMaking(instances)
  describeJobList(instances)
  describeJobRows(instances)
})

describe("rows in memory", () => {
  let clock: FakeClock
  let jobs: JobStore
  beforeEach(() => {
    clock = createFakeClock()
    ;({ jobs } = createMemoryStore(clock))
  })

  describe("end time of a row", () => {
    let id: string
    beforeEach(async () => {
      ;({ id } = await make(jobs, sampleRows(1)))
    })
    /** Whether the row's end time is exactly `at`. */
    const endedAt = async (at: number): Promise<boolean> =>
      (await jobs.endedSince(id, at)) === 1 && (await jobs.endedSince(id, at + 1)) === 0

    test("is the response's time, or the change's time without a response", async () => {
      const at = clock.now()
      await setRow(jobs, id, 1, { state: "confirmed", confirmedAt: at - 5_000 })
      expect(await endedAt(at - 5_000)).toBe(true)
      await setRow(jobs, id, 1, { state: "planned", confirmedAt: null })
      expect(await jobs.endedSince(id, 0)).toBe(0)
      await setRow(jobs, id, 1, { state: "confirmed" })
      expect(await endedAt(at)).toBe(true)
    })

    test("changes only with the row's state", async () => {
      const at = clock.now()
      await setRow(jobs, id, 1, { state: "failed" })
      await clock.advance(1_000)
      await setRow(jobs, id, 1, { label: "Ana Silva" })
      expect(await endedAt(at)).toBe(true)
      await setRow(jobs, id, 1, { state: "confirmed" })
      expect(await endedAt(at + 1_000)).toBe(true)
      await clock.advance(1_000)
      await setRow(jobs, id, 1, { label: "Ana" })
      expect(await endedAt(at + 1_000)).toBe(true)
      await setRow(jobs, id, 1, { state: "failed" })
      expect(await endedAt(at + 2_000)).toBe(true)
    })

    test("is unset while the outcome is unknown", async () => {
      await setRow(jobs, id, 1, { state: "unknown" })
      expect(await jobs.endedSince(id, 0)).toBe(0)
    })
  })

  test("`hurry` moves the next lookup of a bulk request's unknown rows forward, never back, and no other row's", async () => {
    const { id } = await make(jobs, sampleRows(5))
    const { id: other } = await make(jobs, sampleRows(1))
    const unknown = { state: "unknown", request: "r1", nextAt: 900 } as const
    await setRow(jobs, id, 1, unknown)
    await setRow(jobs, id, 2, { ...unknown, nextAt: 100 })
    await setRow(jobs, id, 3, { ...unknown, request: "r2" })
    await setRow(jobs, id, 4, { ...unknown, state: "confirmed" })
    await setRow(jobs, other, 1, unknown)
    await jobs.hurry(id, "r1", 150)
    const { rows } = await jobs.rows(id, { page: 1, perPage: 10 })
    expect(rows.map(({ nextAt }) => nextAt)).toEqual([150, 100, 900, 900, null])
    expect(await rowIn(jobs, other, 1)).toMatchObject({ nextAt: 900 })
  })

  test("search matches within one text of a row, not across texts", async () => {
    const rows = [sampleRow({ memberId: "mem_1", label: "Ana Silva" }), sampleRow({ memberId: "mem_2" })]
    const { id } = await make(jobs, rows)
    const found = async (search: string) =>
      (await jobs.rows(id, { page: 1, perPage: 10, search })).rows.map(({ row }) => row)
    expect(await found("SILVA")).toEqual([1])
    expect(await found("mem_1ana")).toEqual([])
    expect(await found("mem_1\n\nana")).toEqual([1])
  })

  test("excluded rows keep the reason and are never planned", async () => {
    const excluded = { code: "excluded", message: "Left out." }
    const { id } = await make(jobs, [sampleRow({ excluded }), sampleRow({ memberId: "mem_2" })])
    const { rows } = await jobs.rows(id, { page: 1, perPage: 10 })
    expect(rows.map(({ state, outcome }) => [state, outcome])).toEqual([
      ["excluded", excluded],
      ["planned", null],
    ])
  })

  test("rows keep their ordinal while their member is unchanged", async () => {
    const { id } = await make(jobs, sampleRows(1))
    await jobs.assignOrdinals(id)
    await setRow(jobs, id, 1, { label: "Ana Silva" })
    expect(await rowIn(jobs, id, 1)).toMatchObject({ label: "Ana Silva", ordinal: 1 })
  })

  test("a change may move less above a lowered limit, and more up to exactly the limit", async () => {
    const { id } = await make(jobs, sampleRows(3))
    const kinds = ["award"] as const
    const most = (most: number): MostMoved => ({ job: most, day: { kinds, from: 0, most } })
    const change = (row: number, from: "planned" | "failed", limit: number) => {
      const state = from === "planned" ? "failed" : "planned"
      return jobs.changeRows(id, [{ row, from: [from], set: { state } }], undefined, most(limit))
    }
    expect(await change(1, "planned", 10)).toEqual(["changed"])
    expect(
      await jobs.changeRows(id, [{ row: 2, from: ["planned"], set: { label: "B" } }], undefined, most(10)),
    ).toEqual(["changed"])
    expect(await change(1, "failed", 149)).toEqual(["over_job"])
    expect(await change(1, "failed", 150)).toEqual(["changed"])
  })

  test("a released effect can be claimed by another job's row", async () => {
    const claim = { scope: "program:transaction", key: "tx1" }
    const [one, two] = [await make(jobs, sampleRows(2)), await make(jobs, sampleRows(1))]
    const from = ["planned"] as const
    expect(await jobs.changeRows(one.id, [{ row: 1, from, set: {}, claim }])).toEqual(["changed"])
    expect(await jobs.changeRows(two.id, [{ row: 1, from, set: {}, claim }])).toEqual(["claimed"])
    expect(await jobs.changeRows(two.id, [{ row: 1, from, set: {}, release: claim }])).toEqual(["changed"])
    expect(await jobs.claims(claim.scope, [claim.key])).toEqual(new Map([["tx1", { job: one.id, row: 1 }]]))
    expect(await jobs.changeRows(one.id, [{ row: 1, from, set: {}, release: claim }])).toEqual(["changed"])
    expect(await jobs.changeRows(two.id, [{ row: 1, from, set: {}, claim }])).toEqual(["changed"])
    expect(await jobs.claims(claim.scope, [claim.key])).toEqual(new Map([["tx1", { job: two.id, row: 1 }]]))
  })
})
