import { describe, expect, test } from "vitest"
import type { JobStore } from "../../core/jobs/job-store.ts"
import type { InstanceStore } from "../../core/jobs/process-store.ts"
import { make, numbersOf, sampleRow, sampleRows, setRow } from "./job-samples.ts"

interface Instance {
  readonly jobs: JobStore
  readonly instances: InstanceStore
}

/** Due times and leases, on two instances of one store. */
export function describeJobTimes(stores: () => { readonly one: Instance; readonly other: Instance }): void {
  describe("times of jobs", () => {
    test("due rows are returned in order, the longest waiting first", async () => {
      const { one, other } = stores()
      const { id } = await make(one.jobs, sampleRows(6))
      expect(await one.jobs.nextDue(id)).toBeNull()
      const unknown = { state: "unknown", request: "r1" } as const
      await setRow(one.jobs, id, 1, { ...unknown, nextAt: 300 })
      await setRow(one.jobs, id, 2, { ...unknown, nextAt: 100.4 })
      await setRow(one.jobs, id, 3, { state: "confirmed", nextAt: 200 })
      await setRow(one.jobs, id, 4, { state: "absent", nextAt: 50 })
      await setRow(one.jobs, id, 5, { ...unknown, nextAt: null })
      await setRow(one.jobs, id, 6, { ...unknown, request: "r2", nextAt: 900 })
      expect(numbersOf(await other.jobs.due(id, 300, 10))).toEqual([2, 3, 1])
      expect(numbersOf(await other.jobs.due(id, 299.2, 10))).toEqual([2, 3])
      expect(numbersOf(await other.jobs.due(id, 300, 1))).toEqual([2])
      await other.jobs.hurry(id, "r1", 150)
      expect(numbersOf(await one.jobs.due(id, 150, 10))).toEqual([2, 1])
      expect(await one.jobs.nextDue(id)).toBeCloseTo(100, 0)
      expect(await one.jobs.get(id)).toMatchObject({ counts: { unknown: 4, confirmed: 1 } })
    })

    test("sent rows are overdue after their lease or without a living owner", async () => {
      const { one, other } = stores()
      const { id } = await make(one.jobs, sampleRows(4))
      await setRow(one.jobs, id, 1, { state: "sent", owner: "a", leaseUntil: 100 })
      await setRow(one.jobs, id, 2, { state: "sent", owner: "b", leaseUntil: 200 })
      await setRow(one.jobs, id, 3, { state: "unknown", owner: "a", leaseUntil: 100 })
      expect(numbersOf(await other.jobs.overdue(id, 150, []))).toEqual([1])
      expect(numbersOf(await other.jobs.overdue(id, 100, ["b", "c"]))).toEqual([2])
      expect(numbersOf(await other.jobs.overdue(id, 201, ["b"]))).toEqual([1, 2])
    })

    test("rows count as ended from their end time until retried", async () => {
      const { one, other } = stores()
      const { id } = await make(one.jobs, sampleRows(3))
      const before = await one.jobs.now()
      await setRow(one.jobs, id, 1, { state: "confirmed", confirmedAt: before - 5_000 })
      await setRow(one.jobs, id, 2, { state: "failed" })
      await setRow(one.jobs, id, 3, { state: "unknown" })
      expect(await other.jobs.endedSince(id, before - 5_000)).toBe(2)
      expect(await other.jobs.endedSince(id, before - 4_999)).toBe(1)
      await setRow(one.jobs, id, 2, { state: "planned" })
      expect(await other.jobs.endedSince(id, 0)).toBe(1)
    })

    test("confirmed rows with an effect become canaries, the latest first", async () => {
      const { one, other } = stores()
      const at = 5_000_000_000_000
      const { id } = await make(one.jobs, sampleRows(5))
      for (const row of [1, 2, 3])
        await setRow(one.jobs, id, row, { state: "confirmed", confirmedAt: at + row, upstreamId: `tx${row}` })
      await setRow(one.jobs, id, 4, { state: "confirmed", confirmedAt: at + 4 })
      await setRow(one.jobs, id, 5, { state: "unknown", confirmedAt: at + 5, upstreamId: "tx5" })
      const { id: deductions } = await make(one.jobs, sampleRows(1), { kind: "deduct" })
      await setRow(one.jobs, deductions, 1, { state: "confirmed", confirmedAt: at + 9, upstreamId: "tx9" })
      const awards = (after: number, limit: number) =>
        other.jobs.confirmedAfter({ kind: "award" }, after, limit)
      expect(numbersOf(await awards(at + 1, 10))).toEqual([3, 2])
      expect(numbersOf(await awards(at, 1))).toEqual([3])
      const [deduction] = await other.jobs.confirmedAfter({ kind: "deduct" }, at, 10)
      expect(deduction?.jobId).toBe(deductions)
      const answered = { state: "confirmed", endedHow: "answered" } as const
      const { id: later } = await make(one.jobs, sampleRows(2))
      await setRow(one.jobs, later, 1, { ...answered, endedAt: at, confirmedAt: at + 6, upstreamId: "tx6" })
      await setRow(one.jobs, later, 2, {
        ...answered,
        endedAt: at + 7,
        confirmedAt: at + 7,
        upstreamId: "tx7",
      })
      const ofJob = (job: string, only: { answered?: boolean } = {}) =>
        other.jobs.confirmedAfter({ job, ...only }, at, 10)
      expect(numbersOf(await ofJob(id))).toEqual([3, 2, 1])
      expect(numbersOf(await ofJob(later))).toEqual([2, 1])
      // Found by a lookup, or by a response to a call that ended before.
      expect(await ofJob(id, { answered: true })).toEqual([])
      expect(numbersOf(await ofJob(later, { answered: true }))).toEqual([2])
    })

    test("canaries are due until they are found", async () => {
      const { one, other } = stores()
      const { id } = await make(one.jobs, sampleRows(3))
      const canary = (row: number) => ({
        jobId: id,
        row,
        type: `type ${id}`,
        memberId: "m",
        upstreamId: "t",
      })
      await one.jobs.watch(
        [1, 2, 3].map((row) => ({ ...canary(row), answeredAt: row * 10, nextAt: row * 100 })),
      )
      await other.jobs.watch([{ ...canary(1), answeredAt: 77, nextAt: 7 }])
      expect((await other.jobs.dueCanaries(id, 200, 10)).map(({ row }) => row)).toEqual([1, 2])
      expect((await other.jobs.dueCanaries(id, 200, 1)).map(({ row }) => row)).toEqual([1])
      expect(await other.jobs.nextDue(id)).toBe(100)
      await one.jobs.updateCanary(canary(1), { seenAt: 150, lookups: 1 })
      await one.jobs.updateCanary(canary(2), { void: true })
      await one.jobs.updateCanary({ jobId: id, row: 99 }, { lookups: 4 })
      expect((await other.jobs.dueCanaries(id, 1_000, 10)).map(({ row }) => row)).toEqual([3])
      expect(await other.jobs.nextDue(id)).toBe(300)
      for (const row of [1, 2, 3]) await one.jobs.updateCanary(canary(row), { missing: true })
      // Without canaries that were found or are void.
      expect(await other.jobs.missingCanaries(id)).toEqual([3])
      await one.jobs.updateCanary(canary(3), { missing: false })
      await one.jobs.updateCanary(canary(1), { missing: false })
      expect(await other.jobs.missingCanaries(id)).toEqual([])
      expect(await other.jobs.canaries(`type ${id}`, 10)).toEqual([
        { ...canary(3), answeredAt: 30, nextAt: 300, seenAt: null, lookups: 0, void: false, missing: false },
        { ...canary(1), answeredAt: 10, nextAt: 100, seenAt: 150, lookups: 1, void: false, missing: false },
      ])
      expect(await other.jobs.canaries(`type ${id}`, 31)).toEqual([])
    })

    test("a job is leased to one instance until the lease ends", async () => {
      const { one, other } = stores()
      const { id } = await make(one.jobs, sampleRows(1))
      const rivals = ["a", "b", "c", "d"].map((owner, at) =>
        (at % 2 === 0 ? one : other).jobs.lease(id, owner, 60_000),
      )
      const won = await Promise.all(rivals)
      expect(won.filter(Boolean)).toEqual([true])
      const holder = "abcd".charAt(won.indexOf(true))
      await other.jobs.release(id, "nobody")
      expect(await other.jobs.lease(id, "e", 1)).toBe(false)
      expect(await other.jobs.lease(id, holder, 1)).toBe(true)
      await expect.poll(() => other.jobs.lease(id, "e", 60_000), { interval: 1 }).toBe(true)
      expect(await one.jobs.lease(id, holder, 1)).toBe(false)
      await one.jobs.release(id, "e")
      expect(await one.jobs.lease(id, holder, 1)).toBe(true)
      expect(await one.jobs.lease("J-999999", holder, 1)).toBe(false)
    })

    test("instances are forgotten after a time, unless they have open rows", async () => {
      const { one, other } = stores()
      const { id } = await make(one.jobs, sampleRows(2))
      const process = { host: "app-1", pid: "17" }
      for (const name of ["alive", "ended", "owner"]) await one.instances.beat(name, process)
      await one.instances.stopped("ended")
      const listed = await other.instances.list()
      expect(listed.map((instance) => instance.id).toSorted()).toEqual(["alive", "ended", "owner"])
      const found = await other.instances.get("ended")
      expect(found).toMatchObject({ id: "ended", process, stoppedAt: expect.any(Number) })
      await setRow(one.jobs, id, 1, { state: "unknown", owner: "owner" })
      await other.instances.forget((await one.jobs.now()) + 60_000)
      expect((await other.instances.list()).map((instance) => instance.id)).toEqual(["owner"])
      expect(await one.instances.get("ended")).toBeUndefined()
      await setRow(one.jobs, id, 1, { state: "confirmed" })
      await other.instances.forget(0)
      expect(await one.instances.get("owner")).toBeDefined()
      await other.instances.forget((await one.jobs.now()) + 60_000)
      expect(await one.instances.get("owner")).toBeUndefined()
    })

    test("a heartbeat withdraws a recorded stop", async () => {
      const { one, other } = stores()
      await one.instances.beat("thawed", {})
      await other.instances.stopped("thawed")
      expect((await one.instances.get("thawed"))?.stoppedAt).not.toBeNull()
      await one.instances.beat("thawed", {})
      expect((await other.instances.get("thawed"))?.stoppedAt).toBeNull()
    })

    test("of one INSTANCE_ID, one process has a heartbeat; a silent one is stopped by the next", async () => {
      const { one, other } = stores()
      const claim = (by: Instance, id: string, silentMs: number) =>
        by.instances.claim(id, { instance: "laurel-7", pid: id }, silentMs)
      await one.instances.beat("elsewhere", { instance: "laurel-8" })
      await one.instances.beat("unnamed", {})
      const claims = await Promise.all([claim(one, "first", 60_000), claim(other, "second", 60_000)])
      const living = claims.find((found) => found !== undefined)
      expect(claims).toContain(undefined)
      expect(living?.process).toMatchObject({ instance: "laurel-7" })
      expect(await claim(one, "third", 60_000)).toEqual(living)
      expect(await one.instances.get("third")).toBeUndefined()
      expect(await claim(one, "third", 0)).toBeUndefined()
      expect(await one.instances.get(living?.id ?? "")).toMatchObject({ stoppedAt: expect.any(Number) })
      const running = (await other.instances.list()).flatMap(({ id, stoppedAt }) =>
        stoppedAt === null ? [id] : [],
      )
      expect(running).toEqual(expect.arrayContaining(["elsewhere", "third", "unnamed"]))
      expect(await other.instances.claim("plain", {}, 60_000)).toBeUndefined()
    })

    test("only a silent server is ended, and its rows without a known end are counted", async () => {
      const { one, other } = stores()
      const { id } = await make(one.jobs, sampleRows(4))
      await one.instances.beat("silent", {})
      await setRow(one.jobs, id, 1, { state: "unknown", owner: "silent" })
      await setRow(one.jobs, id, 2, { state: "sent", owner: "silent" })
      await setRow(one.jobs, id, 3, { state: "unknown", owner: "silent", endedAt: 5 })
      expect(await other.instances.openRows("silent")).toBe(2)
      expect(await other.instances.openRows("another")).toBe(0)
      expect(await other.instances.end("silent", 60_000, undefined)).toBe(false)
      expect(await other.instances.end("silent", 0, undefined)).toBe(true)
      expect(await other.instances.end("silent", 0, undefined)).toBe(false)
      expect((await one.instances.get("silent"))?.stoppedAt).toEqual(expect.any(Number))
    })

    test("points are summed by reason, user, and month and day in the time zone", async () => {
      const { one, other } = stores()
      const range = { from: "2031-01-01T00:00:00Z", to: "2031-12-31T23:59:59Z" }
      const confirm = async (points: number, at: string, reason: string | null, name: string) => {
        const createdBy = { id: name, name, role: "manager" }
        const kind = points < 0 ? "deduct" : "award"
        const { id } = await make(one.jobs, [sampleRow({ points, reason })], { kind, createdBy })
        await setRow(one.jobs, id, 1, { state: "confirmed", confirmedAt: Date.parse(at) })
      }
      await confirm(10, "2031-09-30T13:59:59Z", "Spring", "Ana")
      // 00:30 in Sydney on 1 October, standard time.
      await confirm(20, "2031-09-30T14:00:00Z", "Spring", "Tom")
      // 23:00 on 31 October, daylight saving time.
      await confirm(40, "2031-10-31T12:59:59Z", "Launch", "Ana")
      await confirm(80, "2031-10-31T13:00:00Z", null, "Ana")
      await confirm(-5, "2031-10-31T13:14:00Z", "Spring", "Tom")
      await confirm(160, "2032-02-01T00:00:00Z", "Later", "Ana")
      const report = (by: "reason" | "person" | "month" | "day", zone = "Australia/Sydney") =>
        other.jobs.pointsReport({ ...range, by }, zone)
      expect(await report("month")).toEqual([
        line("2031-09", 10, 0, 1, 0),
        line("2031-10", 60, 0, 2, 0),
        line("2031-11", 80, 5, 1, 1),
      ])
      expect(await report("month", "Asia/Kathmandu")).toEqual([
        line("2031-09", 30, 0, 2, 0),
        line("2031-10", 120, 5, 2, 1),
      ])
      expect(await report("day")).toEqual([
        line("2031-09-30", 10, 0, 1, 0),
        line("2031-10-01", 20, 0, 1, 0),
        line("2031-10-31", 40, 0, 1, 0),
        line("2031-11-01", 80, 5, 1, 1),
      ])
      expect(await report("reason")).toEqual([
        line("", 80, 0, 1, 0),
        line("Launch", 40, 0, 1, 0),
        line("Spring", 30, 5, 2, 1),
      ])
      expect(await report("person")).toEqual([line("Ana", 130, 0, 3, 0), line("Tom", 20, 5, 1, 1)])
      expect(await other.jobs.pointsReport(range, "UTC")).toEqual(await report("reason"))
      const split = { ...range, split: "reason" } as const
      // The top four reasons have their own lines; the two below 5 points share one.
      await confirm(4, "2031-10-31T12:59:59Z", "Small", "Ana")
      await confirm(3, "2031-10-31T12:59:59Z", "Smaller", "Ana")
      await confirm(7, "2031-10-31T12:59:59Z", "Fourth", "Ana")
      const byDay = await other.jobs.pointsReport({ ...split, by: "day" }, "Australia/Sydney")
      expect(byDay.filter(({ group }) => group >= "2031-10-31")).toEqual([
        { ...line("2031-10-31", 40, 0, 1, 0), reason: "Launch" },
        { ...line("2031-10-31", 7, 0, 1, 0), reason: "Fourth" },
        { ...line("2031-10-31", 7, 0, 2, 0), reason: null },
        { ...line("2031-11-01", 80, 0, 1, 0), reason: "" },
        { ...line("2031-11-01", 0, 5, 0, 1), reason: "Spring" },
      ])
    })
  })
}

function line(group: string, awarded: number, deducted: number, awards: number, deductions: number) {
  return { group, awarded, deducted, awards, deductions }
}
