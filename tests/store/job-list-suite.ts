import { describe, expect, test } from "vitest"
import type { JobQuery, JobStore } from "../../core/jobs/job-store.ts"
import { make, sampleJob, sampleRow, sampleRows, setRow } from "./job-samples.ts"

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
      expect(await list({ kinds: ["deduct"] })).toEqual([deduct.id])
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

    describe("open jobs of the ship desk", () => {
      const hour = 3_600_000
      const ship = (id: string, closesAt: number) => ({
        kind: "order-update" as const,
        mode: null,
        lane: "people" as const,
        createdBy: { id, name: id, role: "fulfilment" },
        closesAt,
      })
      const parcelRow = (order: string) =>
        sampleRow({ label: order, memberId: null, points: null, input: { order_id: order } })

      test("take the rows of one person, also of two instances simultaneously, and number them", async () => {
        const { one, other } = instances()
        const closesAt = (await one.now()) + hour
        const made = await Promise.all(
          [one, other, one, other].map((jobs, at) =>
            make(jobs, [parcelRow(`ord_${at}`)], ship("uma", closesAt)),
          ),
        )
        const theirs = await make(one, [parcelRow("ord_9")], ship("vic", closesAt))
        const [id = ""] = new Set(made.map((job) => job.id))
        expect(new Set(made.map((job) => job.id)).size).toBe(1)
        expect(theirs.id).not.toBe(id)
        expect(await other.get(id)).toMatchObject({ total: 4, closesAt, isOpen: true, state: "running" })
        const { rows } = await other.rows(id, { page: 1, perPage: 10 })
        expect(rows.map(({ row }) => row)).toEqual([1, 2, 3, 4])
      })

      test("add a request's row once, whichever job is open by then", async () => {
        const { one, other } = instances()
        const closesAt = (await one.now()) + hour
        const create = (jobs: JobStore, key: string, bodyHash = "a") => {
          const request = { key, bodyHash }
          return jobs.create(sampleJob({ ...ship("wes", closesAt), request }), [parcelRow("ord_1")])
        }
        const twins = await Promise.all([create(one, "k1"), create(other, "k1")])
        const first = await create(one, "k1")
        expect(first).toMatchObject({ made: false, row: 1, job: { total: 1 } })
        expect(
          twins
            .map((each) => typeof each === "object" && each.made)
            .toSorted((one, other) => Number(one) - Number(other)),
        ).toEqual([false, true])
        expect(await create(other, "k1", "b")).toBe("other_body")
        expect(await other.twinOf("wes", { key: "k1", bodyHash: "a" })).toMatchObject({ row: 1 })
        const closed = await one.closeOpen("wes")
        expect(await create(other, "k1")).toMatchObject({ made: false, row: 1, job: { id: closed } })
        const next = await create(one, "k2")
        expect(next).toMatchObject({ made: true, row: 1, job: { isOpen: true } })
        expect(next).not.toMatchObject({ job: { id: closed } })
      })

      test("close at their time, when they are cancelled, held or taken over, and never end while open", async () => {
        const { one } = instances()
        const now = await one.now()
        const late = await make(one, [parcelRow("ord_1")], ship("xia", now - 1))
        await setRow(one, late.id, 1, { state: "failed" })
        const end = { state: "done", finishedAt: 9 } as const
        expect(await one.change(late.id, ["running"], end)).toBeUndefined()
        const next = await make(one, [parcelRow("ord_2")], ship("xia", now + hour))
        expect(next.id).not.toBe(late.id)
        expect(await one.change(late.id, ["running"], end)).toMatchObject({ state: "done", isOpen: false })
        const hold = { at: 1, sign: "operator", since: null, confirmedBefore: 0, state: "looking" } as const
        for (const set of [{ state: "cancelling" } as const, { hold }, { createdBy: lena }]) {
          const { id, createdBy } = await make(one, [parcelRow("ord_2")], ship("xia", now + hour))
          expect(createdBy.id).toBe("xia")
          expect(await one.change(id, ["running"], set)).toMatchObject({ isOpen: false })
        }
        expect(await one.closeOpen("xia")).toBeUndefined()
      })

      test("count as active while a row is under way, and stay with the engine", async () => {
        const { one } = instances()
        const { id } = await make(one, [parcelRow("ord_1")], ship("yan", (await one.now()) + hour))
        const active = async () => (await one.list({ perPage: 9, createdBy: "yan", state: "active" })).length
        expect(await active()).toBe(1)
        await setRow(one, id, 1, { state: "confirmed", confirmedAt: 5 })
        expect(await active()).toBe(0)
        expect(await one.summary({ maker: "yan", kinds: [] })).toMatchObject({ active: 0, attention: 0 })
        expect((await one.busy()).map((job) => job.id)).toContain(id)
        await make(one, [parcelRow("ord_2")], ship("yan", (await one.now()) + hour))
        expect(await active()).toBe(1)
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
      const canary = { jobId: id, row: 1, type: "award", memberId: "mem_1", upstreamId: "t" }
      await one.watch([{ ...canary, answeredAt: 5, nextAt: 9 }])
      expect(await isBusy(id)).toBe(true)
      await one.updateCanary(canary, { seenAt: 10, nextAt: null })
      expect(await isBusy(id)).toBe(false)
    })
  })
}
