import { describe, expect, test } from "vitest"
import { rowEffect, rowPurpose } from "../../core/jobs/job-record.ts"
import type { ComparedRow, JobStore, NewRow } from "../../core/jobs/job-store.ts"
import { make, sampleRow, setRow } from "./job-samples.ts"

const past = 90 * 86_400_000
let made = 0

/** A member of this test only. */
function newMember(): { readonly id: string; readonly email: string } {
  made += 1
  return { id: `same_${made}`, email: `same${made}@example.com` }
}

const effect = rowEffect("award", 50, "reason Spring bonus")
const byId = (memberId: string, changes: Partial<NewRow> = {}) => sampleRow({ memberId, effect, ...changes })
const byEmail = (email: string, changes: Partial<NewRow> = {}) =>
  sampleRow({ memberId: null, email, effect, ...changes })
const compared = ({ memberId, email, ...row }: NewRow): ComparedRow => ({
  memberId,
  email,
  effect: row.effect ?? null,
  effectWithoutReference: row.effectWithoutReference ?? null,
  purpose: row.purpose ?? null,
})

/** Earlier identical rows, on two instances of one store. */
export function describeSameRows(
  instances: () => { readonly one: JobStore; readonly other: JobStore },
): void {
  const sameAs = async (row: NewRow, own?: Parameters<JobStore["sameRows"]>[2]) => {
    const { other } = instances()
    const [same] = await other.sameRows([compared(row)], (await other.now()) - past, own)
    return same
  }
  const countOf = async (...of: Parameters<typeof sameAs>) => (await sameAs(...of))?.count

  describe("the same rows", () => {
    test("are those of the same member and effect that were or may be done", async () => {
      const { one } = instances()
      const { id } = newMember()
      const now = await one.now()
      const job = await make(
        one,
        Array.from({ length: 9 }, () => byId(id)),
      )
      const states = ["confirmed", "sent", "unknown", "absent", "conflict", "failed", "excluded"] as const
      for (const [at, state] of states.entries()) await setRow(one, job.id, at + 1, { state, sentAt: now })
      // A conflict before sending had no effect.
      await setRow(one, job.id, 8, { state: "conflict" })
      expect(await countOf(byId(id))).toBe(6)
      expect(await countOf(byId(id, { effect: rowEffect("award", 51, "reason Spring bonus") }))).toBe(0)
      expect(await countOf(byId(newMember().id))).toBe(0)
      expect(await countOf(byId(id, { effect: null }))).toBe(0)
      expect(await countOf(byId(id), { id: job.id, startedAt: null })).toBe(0)
    })

    test("include planned rows of a started job, not of a draft or a cancelled job", async () => {
      const { one } = instances()
      const { id } = newMember()
      for (const state of ["running", "draft"] as const) await make(one, [byId(id)], { state })
      expect(await countOf(byId(id))).toBe(1)
      const cancelled = await make(one, [byId(id)])
      const paused = await make(one, [byId(id)])
      await one.change(paused.id, ["running"], { state: "paused" })
      expect(await countOf(byId(id))).toBe(3)
      await one.change(cancelled.id, ["running"], { state: "cancelling" })
      expect(await countOf(byId(id))).toBe(2)
    })

    test("are ignored after 90 days and once reversed", async () => {
      const { one } = instances()
      const { id } = newMember()
      const now = await one.now()
      const job = await make(one, [byId(id), byId(id)])
      const old = { state: "confirmed", sentAt: now - past - 1000, confirmedAt: now - past - 1000 } as const
      await setRow(one, job.id, 1, old)
      await setRow(one, job.id, 2, { state: "confirmed", sentAt: now, confirmedAt: now })
      expect(await countOf(byId(id))).toBe(1)
      const reversal = await make(one, [sampleRow({ memberId: id, reverses: { job: job.id, row: 2 } })], {
        kind: "deduct",
        reverses: job.id,
      })
      // A row being reversed counts as reversed and names the reversing job.
      expect(await sameAs(byId(id))).toMatchObject({ count: 0, latest: null, reversal: reversal.id })
      await setRow(one, reversal.id, 1, { state: "failed" })
      expect(await sameAs(byId(id))).toMatchObject({ count: 1, reversal: null })
      await setRow(one, reversal.id, 1, { state: "confirmed", confirmedAt: now })
      expect(await sameAs(byId(id))).toMatchObject({ count: 0, reversal: null })
    })

    test("are found by id and by e-mail once the e-mail is resolved", async () => {
      const { one, other } = instances()
      const { id, email } = newMember()
      const job = await make(one, [byEmail(email)])
      expect([await countOf(byEmail(email)), await countOf(byId(id))]).toEqual([1, 0])
      await setRow(one, job.id, 1, { memberId: id })
      await make(one, [byId(id)])
      await make(one, [byEmail(email)])
      const since = (await one.now()) - past
      const same = await other.sameRows([compared(byEmail(email)), compared(byId(id))], since)
      expect(same.map(({ count }) => count)).toEqual([3, 3])
      expect(same[0]?.key).toBe(same[1]?.key)
    })

    test("are compared by reference only if both have one", async () => {
      const { one } = instances()
      for (const names of [byId, byEmail]) {
        const { id } = newMember()
        const withReference = (reference: string) =>
          names(id, {
            effect: rowEffect("award", 50, `reference ${reference}`),
            effectWithoutReference: effect,
          })
        const job = await make(one, [withReference("INV-1"), withReference("INV-2")])
        expect([
          await countOf(withReference("INV-1")),
          await countOf(withReference("INV-3")),
          await countOf(names(id)),
          await countOf(names(id, { effect: rowEffect("award", 51, "reason Spring bonus") })),
        ]).toEqual([1, 0, 2, 0])
        await make(one, [names(id)])
        expect([await countOf(withReference("INV-1")), await countOf(withReference("INV-3"))]).toEqual([2, 1])
        await one.change(job.id, ["running"], { state: "cancelled" })
        expect([await countOf(names(id)), await countOf(withReference("INV-2"))]).toEqual([1, 1])
      }
    })

    test("of another amount are found by purpose, including corrections and reversals", async () => {
      const { one } = instances()
      for (const names of [byId, byEmail]) {
        const { id } = newMember()
        const now = await one.now()
        const purpose = rowPurpose({ reference: "INV-1", reason: "Spring bonus" })
        const forInvoice = (points: number, changes: Partial<NewRow> = {}) =>
          names(id, { points, purpose, effect: rowEffect("award", points, "reference INV-1"), ...changes })
        const job = await make(one, [forInvoice(100), forInvoice(30), names(id, { points: 7 })])
        for (const row of [1, 2, 3])
          await setRow(one, job.id, row, { state: "confirmed", sentAt: now, confirmedAt: now })
        const correction = { reference: "INV-1", net: 130, points: 120, job: job.id }
        const taken = await make(one, [forInvoice(-10, { correction })], { kind: "deduct" })
        const back = await make(
          one,
          [sampleRow({ memberId: "mem_1", points: -30, reverses: { job: job.id, row: 2 } })],
          {
            kind: "deduct",
            reverses: job.id,
          },
        )
        const same = await sameAs(forInvoice(150))
        expect(same?.count).toBe(0)
        expect(same?.related).toMatchObject([
          { job: job.id, row: 1, points: 100, isCorrection: false, state: "confirmed", reversal: null },
          { job: job.id, row: 2, points: 30, reversal: { job: back.id, isUnderWay: true, state: "planned" } },
          { job: taken.id, row: 1, points: -10, isCorrection: true, state: "planned" },
        ])
        expect((await sameAs(forInvoice(150), { id: taken.id, startedAt: null }))?.related).toHaveLength(2)
        await setRow(one, back.id, 1, { state: "confirmed", confirmedAt: now })
        expect((await sameAs(forInvoice(150)))?.related).toHaveLength(2)
        // A corrected award is reversed by its remainder; the correction remains.
        await setRow(one, taken.id, 1, { state: "confirmed", sentAt: now, confirmedAt: now })
        const rest = await make(
          one,
          [sampleRow({ memberId: "mem_1", points: -90, reverses: { job: job.id, row: 1 } })],
          { kind: "deduct", reverses: job.id },
        )
        for (const state of ["planned", "confirmed"] as const) {
          await setRow(one, rest.id, 1, { state, confirmedAt: now })
          expect((await sameAs(forInvoice(150)))?.related).toMatchObject([
            { job: job.id, row: 1, points: 100, taken: 90, reversal: { job: rest.id } },
            { job: taken.id, row: 1, points: -10, taken: 0 },
          ])
        }
        await setRow(one, rest.id, 1, { state: "failed" })
        expect((await sameAs(forInvoice(150)))?.related[0]).toMatchObject({ points: 100, taken: 0 })
      }
    })

    test("of another amount and the same reason are found for 30 days", async () => {
      const { one } = instances()
      const { id } = newMember()
      const now = await one.now()
      const purpose = rowPurpose({ reason: "Weekly bonus" })
      const job = await make(one, [byId(id, { purpose }), byId(id, { purpose })])
      for (const [at, days] of [29, 31].entries()) {
        const confirmedAt = now - days * 86_400_000
        await setRow(one, job.id, at + 1, { state: "confirmed", sentAt: confirmedAt, confirmedAt })
      }
      expect((await sameAs(byId(id, { purpose })))?.related.map(({ row }) => row)).toEqual([1])
    })

    test("name the newest one with its line in the file", async () => {
      const { one, other } = instances()
      const { id } = newMember()
      await make(one, [byId(id)])
      const job = await make(one, [sampleRow(), byId(id, { line: 12 })])
      const [same] = await other.sameRows([compared(byId(id))], 0)
      expect(same).toMatchObject({ count: 2, latest: { job: job.id, row: { row: 2, line: 12 } } })
    })

    test("of two concurrently started jobs count for the later one only", async () => {
      const { one } = instances()
      const { id } = newMember()
      const first = await make(one, [byId(id)])
      const second = await make(one, [byId(id)])
      const startedAt = first.startedAt
      expect(await countOf(byId(id), { id: second.id, startedAt })).toBe(1)
      expect(await countOf(byId(id), { id: first.id, startedAt: (startedAt ?? 0) - 1 })).toBe(0)
      await one.change(second.id, ["running"], { prepared: true })
      expect(await countOf(byId(id), { id: first.id, startedAt: (startedAt ?? 0) - 1 })).toBe(1)
    })

    test("that are excluded do not count in the job's total", async () => {
      const { one, other } = instances()
      const { id } = await make(one, [], { state: "draft" })
      const excluded = { code: "problem_in_file", message: "Not a whole number" }
      const rows = [byId("mem_1", { line: 2 }), sampleRow({ line: 3, excluded }), byId("mem_2", { line: 5 })]
      expect(await one.append(id, rows, 1, 100)).toMatchObject({ total: 2 })
      const again = await other.append(id, rows, 1, 100)
      expect(again).toMatchObject({ total: 2, counts: { planned: 2, excluded: 1 }, points: { total: 100 } })
      expect(await other.append(id, [byId("mem_3")], 4, 100)).toMatchObject({ total: 3 })
      const all = await other.rows(id, { page: 1, perPage: 10 })
      expect(all.total).toBe(4)
      expect(all.rows[1]).toMatchObject({ row: 2, line: 3, state: "excluded", outcome: excluded })
      expect((await other.rows(id, { state: "excluded", page: 1, perPage: 10 })).total).toBe(1)
      expect((await other.rows(id, { search: "5", page: 1, perPage: 10 })).rows).toMatchObject([{ row: 3 }])
      await one.change(id, ["draft"], { state: "running", repeats: 3 })
      expect(await other.get(id)).toMatchObject({ repeats: 3 })
      const undone = await one.change(id, ["running"], { state: "done" })
      expect(undone).toBeUndefined()
    })

    test("are found for a large file in parts", async () => {
      const { one, other } = instances()
      const rows = Array.from({ length: 3000 }, (_, at) => byId(`many_${at}`))
      await make(one, rows)
      const requested = rows.slice(0, 1000).map(compared)
      const same = await other.sameRows(requested, 0)
      expect(same.filter(({ count, latest }) => count === 1 && latest !== null)).toHaveLength(1000)
    })
  })
}
