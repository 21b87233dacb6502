import { describe, expect, test } from "vitest"
import type { RowState } from "../../contract/job.ts"
import type { JobQuery, JobStore } from "../../core/jobs/job-store.ts"
import { make, sampleRow, sampleRows, setRow } from "./job-samples.ts"

/** Job lists and states, on two instances of one store. */
export function describeJobList(instances: () => { readonly one: JobStore; readonly other: JobStore }): void {
  const lena = { id: "lena", name: "Lena Fox", role: "manager" }
  const omar = { id: "omar", name: "Omar Aziz", role: "manager" }

  describe("lists of jobs", () => {
    test("are newest first and paged, with one more row than requested", async () => {
      const { one, other } = instances()
      const ids: string[] = []
      for (let at = 0; at < 5; at += 1) ids.unshift((await make(one, [], { createdBy: lena })).id)
      const list = async (query: Partial<JobQuery>) =>
        (await other.list({ perPage: 2, createdBy: "lena", ...query })).map(({ id }) => id)
      expect(await list({})).toEqual(ids.slice(0, 3))
      expect(await list({ before: ids[1] })).toEqual(ids.slice(2, 5))
      expect(await list({ before: ids[4] })).toEqual([])
      expect(await list({ before: "nothing" })).toEqual([])
    })

    test("are filtered, and limited to what the reader may see", async () => {
      const { one } = instances()
      const file = { name: "a.csv", fingerprint: "1234567890abcdef" }
      const award = await make(one, sampleRows(1), { createdBy: omar, file })
      const deduct = await make(one, sampleRows(1), { createdBy: omar, kind: "deduct" })
      const draft = await make(one, [], { createdBy: omar, state: "draft" })
      const foreign = await make(one, [], { createdBy: lena, kind: "member-create" })
      const list = async (query: Partial<JobQuery>) =>
        (await one.list({ perPage: 100, createdBy: "omar", ...query })).map(({ id }) => id)
      expect(await list({ kind: "deduct" })).toEqual([deduct.id])
      expect(await list({ fingerprint: file.fingerprint })).toEqual([award.id])
      expect(await list({ state: "draft" })).toEqual([draft.id])
      expect(await list({ state: "active" })).toEqual([deduct.id, award.id])
      expect(await list({ from: deduct.createdAt, to: deduct.createdAt })).toContain(deduct.id)
      expect(await list({ to: award.createdAt - 1 })).toEqual([])
      expect(await list({ from: draft.createdAt + 1 })).toEqual([])
      const visible = await one.list({ perPage: 100, scope: { maker: "omar", kinds: ["member-create"] } })
      expect(visible.slice(0, 4).map(({ id }) => id)).toEqual([foreign.id, draft.id, deduct.id, award.id])
      expect(visible.slice(4).filter(({ kind }) => kind !== "member-create")).toEqual([])
      const own = await one.list({ perPage: 100, scope: { maker: "omar", kinds: [] } })
      expect(own.map(({ id }) => id)).toEqual([draft.id, deduct.id, award.id])
    })

    test("count active jobs and jobs that need attention", async () => {
      const { one, other } = instances()
      const ida = { id: "ida", name: "Ida Berg", role: "manager" }
      const scope = { maker: "ida", kinds: [] }
      const undecided = await make(one, sampleRows(2), { createdBy: ida })
      await setRow(one, undecided.id, 1, { state: "absent" })
      await setRow(one, undecided.id, 2, { state: "conflict" })
      await one.change(undecided.id, ["running"], { state: "done", finishedAt: 5 })
      const stopped = await make(one, sampleRows(1), { createdBy: ida })
      await one.change(stopped.id, ["running"], {
        state: "paused",
        pause: { code: "unauthorized", message: "The key was refused." },
      })
      const byHand = await make(one, sampleRows(1), { createdBy: ida })
      await one.change(byHand.id, ["running"], {
        state: "paused",
        pause: { code: "paused_by_person", message: "Ida paused it." },
      })
      expect(await other.summary(scope)).toEqual({ active: 2, attention: 2, held: 0, looking: 0 })
      const attention = await one.list({ perPage: 10, createdBy: "ida", state: "attention" })
      expect(attention.map(({ id }) => id)).toEqual([stopped.id, undecided.id])
      const by = { id: "ida", name: "Ida Berg" }
      const decision = { decision: "leave", upstream_id: null, at: "2026-11-20T00:00:00.000Z", by } as const
      await setRow(one, undecided.id, 1, { decision })
      expect(await one.get(undecided.id)).toMatchObject({ attention: 1 })
      const left = await one.rows(undecided.id, { state: "attention", page: 1, perPage: 10 })
      expect(left).toMatchObject({ total: 1, rows: [{ row: 2 }] })
      await setRow(one, undecided.id, 2, { state: "failed" })
      await one.change(stopped.id, ["paused"], { state: "running", pause: null })
      expect(await other.summary(scope)).toEqual({ active: 2, attention: 0, held: 0, looking: 0 })
    })

    describe("parcels of a ship desk sitting", () => {
      /** Creates a user's sitting with a parcel in each row state. */
      async function shipped(
        stores: ReturnType<typeof instances>,
        sitting: string,
        id: string,
        states: (RowState | "cancelled")[],
      ) {
        const createdBy = { id, name: id, role: "fulfilment" }
        const jobs = await Promise.all(
          states.map((_, at) => {
            const label = `ord_${at + 1}`
            const row = sampleRow({ label, memberId: null, points: null, input: { order_id: label } })
            const jobs = at % 2 === 0 ? stores.one : stores.other
            return make(jobs, [row], { kind: "order-update", mode: null, createdBy, sitting })
          }),
        )
        jobs.sort((one, other) => (one.id < other.id ? -1 : 1))
        for (const [at, state] of states.entries()) {
          const job = jobs[at]?.id ?? ""
          if (state === "planned") continue
          await setRow(stores.one, job, 1, { state: state === "cancelled" ? "planned" : state })
          const end = { state: state === "cancelled" ? "cancelled" : "done", finishedAt: 9 } as const
          expect(await stores.one.change(job, ["running"], end)).toBeDefined()
        }
        return jobs.map((job) => job.id)
      }
      const idsOf = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id)

      test("are listed as one entry, even if created concurrently, separate from another user's sitting of the same name", async () => {
        const stores = instances()
        const mine = await shipped(stores, "s1", "uma", ["confirmed", "failed", "absent", "planned"])
        const between = await make(stores.one, sampleRows(1), { createdBy: { ...lena, id: "uma" } })
        const theirs = await shipped(stores, "s1", "vic", ["confirmed"])
        const [first = "", ...others] = mine
        const list = (query: Partial<JobQuery>) =>
          stores.other.list({ perPage: 10, bySitting: true, ...query })
        const [one, entry] = await list({ createdBy: "uma" })
        expect(one).toEqual(between)
        expect(entry).toMatchObject({
          id: `S${first.slice(1)}`,
          parcels: 4,
          total: 4,
          state: "running",
          attention: 1,
          finishedAt: null,
          counts: { confirmed: 1, failed: 1, absent: 1, planned: 1 },
        })
        expect(await stores.one.sitting(entry?.id ?? "")).toEqual(entry)
        expect(idsOf(await list({ createdBy: "vic" }))).toEqual([`S${theirs[0]?.slice(1)}`])
        // Each remains its own job.
        expect(await Promise.all(others.map(async (id) => (await stores.one.get(id))?.partOf))).toEqual(
          others.map(() => first),
        )
        expect(idsOf(await stores.one.list({ perPage: 10, createdBy: "uma" }))).toEqual([
          between.id,
          ...mine.toReversed(),
        ])
        for (const id of ["S-999999", `S${between.id.slice(1)}`, `S${others[0]?.slice(1)}`, first])
          expect(await stores.one.sitting(id)).toBeUndefined()
      })

      test("are paged, filtered and counted as one entry by the state of each", async () => {
        const stores = instances()
        const entries = async (query: Partial<JobQuery>) =>
          idsOf(await stores.one.list({ perPage: 10, bySitting: true, createdBy: "wes", ...query }))
        const of = (ids: readonly string[]) => `S${ids[0]?.slice(1)}`
        const ended = await shipped(stores, "a", "wes", ["cancelled", "confirmed", "failed", "confirmed"])
        const asks = await shipped(stores, "b", "wes", ["confirmed", "absent", "conflict"])
        const open = await shipped(stores, "c", "wes", ["confirmed", "planned", "planned"])
        const off = await shipped(stores, "d", "wes", ["cancelled", "cancelled"])
        expect(await entries({})).toEqual([of(off), of(open), of(asks), of(ended)])
        expect(await entries({ perPage: 1, before: of(off) })).toEqual([of(open), of(asks)])
        expect(await entries({ perPage: 1, before: of(asks) })).toEqual([of(ended)])
        expect(await entries({ state: "active" })).toEqual([of(open)])
        expect(await entries({ state: "running" })).toEqual([of(open)])
        expect(await entries({ state: "attention" })).toEqual([of(asks)])
        expect(await entries({ state: "failed" })).toEqual([of(ended)])
        expect(await entries({ state: "done" })).toEqual([of(asks), of(ended)])
        expect(await entries({ state: "cancelled" })).toEqual([of(off)])
        expect(await entries({ kind: "award" })).toEqual([])
        const last = await stores.one.get(asks[2] ?? "")
        expect(await entries({ from: last?.createdAt ?? 0 })).toEqual([of(off), of(open), of(asks)])
        const scope = { maker: "wes", kinds: [] }
        expect(await stores.other.summary(scope)).toMatchObject({ active: 1, attention: 1, held: 0 })
        const hold = { at: 1, sign: "operator", since: null, confirmedBefore: 0, state: "looking" } as const
        for (const id of open) await stores.one.change(id, ["running"], { hold })
        expect(await stores.other.summary(scope)).toMatchObject({ active: 1, held: 1, looking: 1 })
      })

      test("have their rows in one list", async () => {
        const stores = instances()
        const jobs = await shipped(stores, "e", "xia", ["confirmed", "failed", "absent"])
        await shipped(stores, "f", "xia", ["confirmed"])
        const rows = async (query: object) => {
          const found = await stores.one.rows(`S${jobs[0]?.slice(1)}`, { page: 1, perPage: 2, ...query })
          return [found.total, ...found.rows.map(({ jobId, row }) => `${jobId}.${row}`)]
        }
        expect(await rows({})).toEqual([3, `${jobs[0]}.1`, `${jobs[1]}.1`])
        expect(await rows({ page: 2 })).toEqual([3, `${jobs[2]}.1`])
        expect(await rows({ state: "attention" })).toEqual([1, `${jobs[2]}.1`])
        expect(await rows({ search: "ORD_", page: 2 })).toEqual([3, `${jobs[2]}.1`])
        expect(await rows({ search: jobs[2]?.slice(2) })).toEqual([1, `${jobs[2]}.1`])
      })
    })

    test("a job change applies only from its given states", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(1))
      const rivals = await Promise.all(
        [one, other].map((jobs) => jobs.change(id, ["running"], { state: "cancelling", bulkSize: 12 })),
      )
      expect(rivals.filter((job) => job !== undefined)).toEqual([
        expect.objectContaining({ state: "cancelling", bulkSize: 12, prepared: false }),
      ])
      expect(await one.change(id, ["cancelling"], { prepared: true, lane: "people" })).toMatchObject({
        state: "cancelling",
        prepared: true,
        lane: "people",
        counts: { planned: 1 },
      })
      expect(await one.change("J-999999", ["running"], { prepared: true })).toBeUndefined()
    })

    test("a job does not end while rows are in progress", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(2))
      const end = (state: "done" | "cancelled") => other.change(id, ["running"], { state, finishedAt: 9 })
      expect(await end("done")).toBeUndefined()
      await setRow(one, id, 1, { state: "confirmed" })
      await setRow(one, id, 2, { state: "sent" })
      expect(await end("done")).toBeUndefined()
      expect(await end("cancelled")).toBeUndefined()
      await setRow(one, id, 2, { state: "unknown" })
      expect(await end("cancelled")).toBeUndefined()
      await setRow(one, id, 2, { state: "planned" })
      expect(await end("done")).toBeUndefined()
      expect(await end("cancelled")).toMatchObject({ state: "cancelled", finishedAt: 9 })
    })

    test("a job and its rows change together or not at all", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(2))
      const fail = { row: 1, from: ["planned"], set: { state: "failed" } } as const
      const pause = { code: "unauthorized", message: "The key was refused." }
      const stop = { from: ["running"], set: { state: "paused", pause } } as const
      expect(await one.changeRows(id, [fail], { from: ["draft"], set: { state: "running" } })).toEqual([
        "changed",
      ])
      expect(await one.changeRows(id, [fail], stop)).toEqual(["stale"])
      expect(await other.get(id)).toMatchObject({ state: "running", pause: null, counts: { failed: 1 } })
      const last = { ...fail, row: 2 }
      const finish = { from: ["running"], set: { state: "done", finishedAt: 5 } } as const
      expect(await one.changeRows(id, [last], finish)).toEqual(["changed"])
      expect(await other.get(id)).toMatchObject({ state: "done", finishedAt: 5, counts: { failed: 2 } })
      const again = { row: 2, from: ["failed"], set: { state: "planned" } } as const
      const resume = { from: ["done"], set: { state: "running", finishedAt: null } } as const
      await one.changeRows(id, [again], resume)
      expect(await other.get(id)).toMatchObject({
        state: "running",
        finishedAt: null,
        counts: { planned: 1 },
      })
      expect((await other.busy()).map((job) => job.id)).toContain(id)
      await one.changeRows(id, [{ ...again, from: ["planned"], set: { label: "Ana" } }], stop)
      expect(await other.get(id)).toMatchObject({ state: "paused", pause })
    })

    test("busy jobs are those with work to do", async () => {
      const { one, other } = instances()
      const isBusy = async (id: string) => (await other.busy()).some((job) => job.id === id)
      const { id } = await make(one, sampleRows(2), { state: "draft" })
      expect(await isBusy(id)).toBe(false)
      await one.change(id, ["draft"], { state: "running" })
      expect(await isBusy(id)).toBe(true)
      await one.change(id, ["running"], { state: "paused" })
      expect(await isBusy(id)).toBe(false)
      for (const state of ["sent", "unknown"] as const) {
        await setRow(one, id, 1, { state })
        expect(await isBusy(id)).toBe(true)
      }
      await setRow(one, id, 1, { state: "confirmed", nextAt: null })
      expect(await isBusy(id)).toBe(false)
      await setRow(one, id, 1, { nextAt: 700 })
      expect(await isBusy(id)).toBe(true)
      await setRow(one, id, 1, { nextAt: null })
      const control = { jobId: id, row: 1, type: "award", memberId: "mem_1", upstreamId: "t" }
      await one.watch([{ ...control, answeredAt: 5, nextAt: 9 }])
      expect(await isBusy(id)).toBe(true)
      await one.updateCanary(control, { seenAt: 10, nextAt: null })
      expect(await isBusy(id)).toBe(false)
    })
  })
}
