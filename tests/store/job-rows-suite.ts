import { randomUUID } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { JobStore, RowChange, RowQuery } from "../../core/jobs/job-store.ts"
import { make, numbersOf, rowIn, sampleRow, sampleRows, setRow } from "./job-samples.ts"

const scope = "program:transaction"

/** Rows and their changes, on two instances of one store. */
export function describeJobRows(instances: () => { readonly one: JobStore; readonly other: JobStore }): void {
  describe("rows of jobs", () => {
    test("fifty concurrent claims win each planned row once", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(20))
      const results = await Promise.all(
        Array.from({ length: 50 }, async (_, at) => {
          const wanted = Array.from({ length: 20 }, (_, row): RowChange => {
            return { row: row + 1, from: ["planned"], attempt: 0, set: sentBy(`i${at}`) }
          })
          return (at % 2 === 0 ? one : other).changeRows(id, at % 3 === 0 ? wanted.toReversed() : wanted)
        }),
      )
      expect(results.flat().filter((result) => result === "changed")).toHaveLength(20)
      expect(results.flat().filter((result) => result === "stale")).toHaveLength(980)
      expect(await other.get(id)).toMatchObject({ counts: { planned: 0, sent: 20 } })
    })

    test("unresolved e-mails are counted once per member", async () => {
      const { one, other } = instances()
      const byEmail = (email: string) => sampleRow({ memberId: null, email })
      const rows = [byEmail("a@site.test"), byEmail("a@site.test"), byEmail("b@site.test"), sampleRow()]
      const { id } = await make(one, rows)
      expect(await other.unfoundMembers(id)).toBe(2)
    })

    test("are counted for the member who has most of those not sent, by id or e-mail", async () => {
      const { one, other } = instances()
      const byEmail = sampleRow({ memberId: null, email: "a@site.test" })
      const of = (memberId: string) => sampleRow({ memberId })
      const rows = [of("mem_a"), byEmail, of("mem_b"), byEmail, of("mem_a"), of("mem_a")]
      const { id } = await make(one, rows)
      expect(await other.mostRowsOfMember(id)).toBe(3)
      await setRow(one, id, 1, { state: "excluded" })
      await setRow(one, id, 5, { state: "excluded" })
      expect(await other.mostRowsOfMember(id)).toBe(2)
    })

    test("addresses are those of redemptions created and last sent before a time", async () => {
      const { one, other } = instances()
      const input = { member_id: "mem_addressed", shipping_address: { line1: "1 Reef Street" } }
      const row = sampleRow({ memberId: "mem_addressed", input, effect: null, effectWithoutReference: null })
      const { id, createdAt } = await make(one, [row, row, row], { kind: "redeem" })
      await setRow(one, id, 1, { sentAt: createdAt + 1000 })
      await setRow(one, id, 2, { sentAt: createdAt, input: {} })
      const found = async (of: Parameters<JobStore["addressed"]>[0]) =>
        (await other.addressed(of)).flatMap((each) => (each.jobId === id ? each.row : []))
      expect(await found({ memberId: "mem_addressed" })).toEqual([3, 1])
      expect(await found({ until: createdAt - 1 })).toEqual([])
      expect(await found({ until: createdAt })).toEqual([3])
      expect(await found({ until: createdAt + 1000 })).toEqual([3, 1])
    })

    test("rows of a kind about one order or member come newest first", async () => {
      const { one, other } = instances()
      const about = (label: string) => [sampleRow({ label, memberId: "mem_merged", points: null })]
      const first = await make(one, about("ord_about"), { kind: "order-return" })
      const second = await make(one, about("ord_about"), { kind: "order-return" })
      await make(one, about("ord_other"), { kind: "order-return" })
      const update = await make(one, about("ord_about"), { kind: "order-update" })
      const idsOf = (rows: readonly { readonly jobId: string }[]) => rows.map(({ jobId }) => jobId)
      const newest = [second.id, first.id]
      expect(idsOf(await other.rowsAbout("order-return", { label: "ord_about" }))).toEqual(newest)
      expect(idsOf(await other.rowsAbout("order-update", { memberId: "mem_merged" }))).toEqual([update.id])
    })

    test("unfinished rows of a kind are those that may still do something", async () => {
      const { one, other } = instances()
      const row = () => sampleRow({ points: null })
      const kind = "order-return"
      const before = (await other.unfinishedRows(kind)).length
      const { id } = await make(one, [row(), row(), row(), row(), row(), row()], { kind, state: "running" })
      await setRow(one, id, 2, { state: "confirmed", nextAt: 5 })
      await setRow(one, id, 3, { state: "confirmed", nextAt: null })
      await setRow(one, id, 4, { state: "conflict" })
      await setRow(one, id, 5, { state: "failed" })
      await setRow(one, id, 6, { state: "unknown" })
      await make(one, [row()], { kind, state: "draft" })
      const found = (await other.unfinishedRows(kind)).slice(before)
      expect(found.map(({ row: number }) => number)).toEqual([1, 2, 4, 6])
    })

    test("a change for an earlier attempt or another state has no effect", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(2))
      await setRow(one, id, 1, { ...sentBy("a"), attempts: 2 })
      const set = { state: "confirmed", upstreamId: "tx" } as const
      const results = await other.changeRows(id, [
        { row: 1, from: ["sent"], attempt: 1, set },
        { row: 1, from: ["unknown"], attempt: 2, set },
        { row: 7, from: ["planned"], set },
        { row: 2, from: ["planned"], set: { label: "Ana", lookupTimes: [1, 2], notes: { step: { at: 1 } } } },
        { row: 1, from: ["sent", "unknown"], attempt: 2, set: { endedAt: 7 } },
      ])
      expect(results).toEqual(["stale", "stale", "stale", "changed", "changed"])
      expect(await rowIn(one, id, 1)).toMatchObject({ state: "sent", owner: "a", endedAt: 7 })
      expect(await rowIn(one, id, 2)).toMatchObject({
        label: "Ana",
        lookupTimes: [1, 2],
        notes: { step: { at: 1 } },
      })
      expect(await other.changeRows("J-999999", [{ row: 1, from: ["planned"], set }])).toEqual(["stale"])
      expect(await other.changeRows(id, [])).toEqual([])
    })

    test("a change based on a version before an edit has no effect, and edits need the right job state", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(2))
      const set = { edits: 1, input: { member_id: "mem_9" }, memberId: "mem_9" } as const
      const edit = { row: 1, from: ["planned"], attempt: 0, edits: 0, set } as const
      const still = { from: ["paused"], only: true, set: { prepared: false } } as const
      expect(await other.changeRows(id, [edit], still)).toEqual(["stale"])
      await one.change(id, ["running"], { state: "paused", prepared: true })
      expect(await other.changeRows(id, [edit, { ...edit, row: 2, attempt: 1 }], still)).toEqual([
        "changed",
        "stale",
      ])
      expect(await one.get(id)).toMatchObject({ state: "paused", prepared: false })
      // A version read before the edit is neither sent nor edited.
      const claim = { row: 1, from: ["planned"], attempt: 0, edits: 0, set: sentBy("a") } as const
      expect(await one.changeRows(id, [claim, edit])).toEqual(["stale", "stale"])
      expect(await one.changeRows(id, [{ ...claim, edits: 1 }])).toEqual(["changed"])
      expect(await rowIn(other, id, 1)).toMatchObject({ state: "sent", edits: 1, memberId: "mem_9" })
      expect(await rowIn(other, id, 2)).toMatchObject({ edits: 0, memberId: "mem_2" })
    })

    test("an effect is claimed by one row of any job, and a lost claim affects no other change", async () => {
      const { one, other } = instances()
      const jobs = await Promise.all([make(one, sampleRows(30)), make(other, sampleRows(30))])
      const rivals = Array.from({ length: 10 }, (_, at) => {
        const { id } = jobs[at % 2 === 0 ? 0 : 1]
        const changes = Array.from({ length: 30 }, (_, row): RowChange => {
          const claim = { scope, key: `rival-${(row * (at % 2 === 0 ? 1 : 7)) % 30}` }
          return { row: row + 1, from: ["planned"], set: { state: "confirmed" }, claim }
        })
        return (at % 4 < 2 ? one : other).changeRows(id, changes)
      })
      const results = await Promise.all(rivals)
      expect(results.flat().filter((result) => result === "changed")).toHaveLength(30)
      const keys = Array.from({ length: 30 }, (_, at) => `rival-${at}`)
      const owners = await other.claims(scope, [...keys, "nobody's"])
      expect([...owners.keys()].toSorted()).toEqual(keys.toSorted())
      for (const { id } of jobs) {
        const confirmed = numbersOf(await one.rowsIn(id, ["confirmed"], 0, 100))
        const owned = [...owners.values()].filter(({ job }) => job === id).map(({ row }) => row)
        expect(owned.toSorted((a, b) => a - b)).toEqual(confirmed)
        expect(await one.get(id)).toMatchObject({ counts: { confirmed: confirmed.length } })
      }
    })

    test("changes of one call are applied in order, including claims", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(3))
      const claim = { scope: "program:new-member", key: `ana ${id}` }
      const hold = { from: ["planned"], set: {}, claim } as const
      expect(
        await one.changeRows(id, [
          { row: 1, ...hold },
          { row: 2, ...hold, set: { label: "never" } },
          { row: 1, ...hold, set: { state: "failed" } },
          { row: 3, from: ["planned"], set: {}, release: claim },
        ]),
      ).toEqual(["changed", "claimed", "changed", "changed"])
      expect(await other.claims(claim.scope, [claim.key])).toEqual(
        new Map([[claim.key, { job: id, row: 1 }]]),
      )
      expect(await rowIn(other, id, 2)).toMatchObject({ label: null })
      expect(
        await other.changeRows(id, [
          { row: 1, from: ["failed"], set: {}, release: claim },
          { row: 2, ...hold },
          { row: 3, from: ["sent"], set: {}, claim: { scope, key: `unused ${id}` } },
        ]),
      ).toEqual(["changed", "changed", "stale"])
      expect(await one.claims(claim.scope, [claim.key])).toEqual(new Map([[claim.key, { job: id, row: 2 }]]))
      expect(await one.claims(scope, [`unused ${id}`])).toEqual(new Map())
    })

    test("a change with several claims takes all of them or none", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(2))
      const [taken, free] = ["taken", "free"].map((name) => ({ scope, key: `${name} ${id}` }))
      if (taken === undefined || free === undefined) throw new Error("unreachable")
      const hold = { from: ["planned"], set: {} } as const
      expect(await one.changeRows(id, [{ row: 1, ...hold, claim: taken }])).toEqual(["changed"])
      expect(await other.changeRows(id, [{ row: 2, ...hold, claim: [free, taken] }])).toEqual(["claimed"])
      expect((await one.claims(scope, [free.key])).size).toBe(0)
      expect(await other.changeRows(id, [{ row: 1, ...hold, claim: [free, taken] }])).toEqual(["changed"])
      expect((await one.claims(scope, [free.key, taken.key])).size).toBe(2)
    })

    test("concurrent numbering gives a member's rows unique ordinals without gaps", async () => {
      const { one, other } = instances()
      const rows = Array.from({ length: 30 }, (_, at) =>
        sampleRow({ memberId: at % 5 === 4 ? null : `mem_${at % 3}` }),
      )
      const { id } = await make(one, rows)
      await Promise.all([one, other, one, other].map((jobs) => jobs.assignOrdinals(id)))
      const numbered = (await one.rows(id, { page: 1, perPage: 100 })).rows
      for (const member of ["mem_0", "mem_1", "mem_2"]) {
        const ordinals = numbered.filter(({ memberId }) => memberId === member).map(({ ordinal }) => ordinal)
        expect(ordinals).toEqual(ordinals.map((_, at) => at + 1))
      }
      expect(numbered.filter(({ memberId }) => memberId === null).map(({ ordinal }) => ordinal)).toEqual(
        Array.from({ length: 6 }, () => null),
      )
      await setRow(one, id, 5, { memberId: "mem_0" })
      await other.assignOrdinals(id)
      expect((await rowIn(one, id, 5)).ordinal).toBe(9)
    })

    test("a row with a new member is numbered among that member's rows", async () => {
      const { one } = instances()
      const { id } = await make(one, sampleRows(3))
      await one.assignOrdinals(id)
      await setRow(one, id, 3, { memberId: "mem_1" })
      expect((await rowIn(one, id, 3)).ordinal).toBeNull()
      await one.assignOrdinals(id)
      expect((await rowIn(one, id, 3)).ordinal).toBe(2)
    })

    test("of a restarted job count for the day of its restart, with all its amounts", async () => {
      const { one, other } = instances()
      const { id, createdAt } = await make(one, sampleRows(3), { createdBy: person() })
      const from = createdAt + 1000
      const again = (startedAt: number | undefined, most: number) =>
        other.changeRows(
          id,
          [{ row: 1, from: ["planned"], set: { label: `${startedAt} ${most}` } }],
          { from: ["running"], set: startedAt === undefined ? {} : { startedAt } },
          { job: 9000, day: { kinds: ["award"], from, most } },
        )
      expect(await again(undefined, 0)).toEqual(["changed"])
      expect(await again(from, 149)).toEqual(["over_day"])
      expect(await again(from, 150)).toEqual(["changed"])
      // It counts for that day now, and moves no more.
      expect(await again(from + 1, 0)).toEqual(["changed"])
    })

    test("of a job that another person continues count for them, with all its amounts", async () => {
      const { one, other } = instances()
      const { id } = await make(one, sampleRows(3), { createdBy: person() })
      const continued = (most: number) =>
        other.changeRows(
          id,
          [{ row: 1, from: ["planned"], set: { label: "theirs" } }],
          { from: ["running"], set: { createdBy: person() } },
          { job: 9000, day: { kinds: ["award"], from: 0, most } },
        )
      expect(await continued(149)).toEqual(["over_day"])
      expect(await continued(150)).toEqual(["changed"])
    })

    test("are changed together with their audit entries or not at all", async () => {
      const { one, other } = instances()
      const open = await make(one, sampleRows(4), { closesAt: 9_000_000_000_000 })
      const closed = await make(one, sampleRows(4))
      await setRow(one, open.id, 3, { state: "failed" })
      const changes: RowChange[] = [
        { row: 1, from: ["planned"], set: { state: "confirmed" } },
        { row: 2, from: ["sent"], set: { state: "confirmed" } },
        { row: 3, from: ["failed"], set: { label: "Ana" } },
        { row: 4, from: ["planned"], set: { state: "sent" } },
      ]
      const ended: number[] = []
      const failing = one.changeRows(open.id, changes, undefined, undefined, undefined, (job, { row }) => {
        ended.push(row)
        throw new Error(`killed with ${job.counts.confirmed} confirmed`)
      })
      await expect(failing).rejects.toThrow("killed with 1 confirmed")
      expect(ended).toEqual([1])
      const audited = one.changeRows(closed.id, changes.slice(0, 2), undefined, undefined, (job, results) => {
        throw new Error(`${job.counts.confirmed}: ${results.join(" ")}`)
      })
      await expect(audited).rejects.toThrow("1: changed stale")
      for (const { id } of [open, closed])
        expect(await other.get(id)).toMatchObject({ counts: { confirmed: 0, sent: 0 } })
      // Rows of a job that does not stay open are in its own entry.
      const none = () => {
        throw new Error("No entry is wanted.")
      }
      expect(
        await one.changeRows(closed.id, changes.slice(0, 1), undefined, undefined, undefined, none),
      ).toEqual(["changed"])
      expect(await one.changeRows(closed.id, changes.slice(0, 1), undefined, undefined, none)).toEqual([
        "stale",
      ])
    })

    test("are searched by state, number and part of a name, with wildcards escaped", async () => {
      const { one, other } = instances()
      const named = ["Ana Silva", "100%_sure", "ÅSA Öberg", String.raw`back\slash`, "Tom"].map((label, at) =>
        sampleRow({ label, memberId: `MEM_${at}`, email: `p${at}@Example.com` }),
      )
      const { id } = await make(one, [...named, ...sampleRows(7, { memberId: "x12" })])
      await setRow(one, id, 2, { state: "failed" })
      const find = async (query: Partial<RowQuery>) => {
        const { rows, total } = await other.rows(id, { page: 1, perPage: 100, ...query })
        expect(total).toBe(rows.length)
        return numbersOf(rows)
      }
      expect(await find({ search: "ana s" })).toEqual([1])
      expect(await find({ search: "%" })).toEqual([2])
      expect(await find({ search: "0%_S" })).toEqual([2])
      expect(await find({ search: "åsa ö" })).toEqual([3])
      expect(await find({ search: String.raw`K\S` })).toEqual([4])
      expect(await find({ search: "mem_4" })).toEqual([5])
      expect(await find({ search: "EXAMPLE" })).toEqual([1, 2, 3, 4, 5])
      expect(await find({ search: "12" })).toEqual([6, 7, 8, 9, 10, 11, 12])
      expect(await find({ search: "11" })).toEqual([11])
      expect(await find({ search: " 3 " })).toEqual([3, 4])
      expect(await find({ search: "p", state: "failed" })).toEqual([2])
      expect(await find({ state: "failed" })).toEqual([2])
      const second = await one.rows(id, { page: 2, perPage: 5 })
      expect([second.total, numbersOf(second.rows)]).toEqual([12, [6, 7, 8, 9, 10]])
      const planned = await one.rows(id, { page: 2, perPage: 5, state: "planned" })
      expect([planned.total, numbersOf(planned.rows)]).toEqual([11, [7, 8, 9, 10, 11]])
      expect(await other.rows("J-999999", { page: 1, perPage: 5 })).toEqual({ rows: [], total: 0 })
      expect(numbersOf(await other.rowsIn(id, ["failed", "planned"], 1, 3))).toEqual([2, 3, 4])
      expect(await other.rowsIn(id, [], 0, 3)).toEqual([])
    })
  })
}

function person() {
  const id = randomUUID()
  return { id, name: id, role: "manager" } as const
}

function sentBy(owner: string) {
  return { state: "sent", attempts: 1, owner, leaseUntil: 1_000, sentAt: 500 } as const
}
