import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { ledgerOrigin } from "../../contract/job-rows.ts"
import { job as jobSchema, type Job, pointsReport, reversalState } from "../../contract/job.ts"
import { notices } from "../../contract/notices.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { jobView } from "../../tests/support/job-views.ts"
import { awardsFor, createPointsApp, type PointsApp } from "../../tests/support/points-app.ts"

beforeEach(digestAtOnce)

const dataOf = <T>(body: unknown, schema: z.ZodMiniType<T>): T => z.object({ data: schema }).parse(body).data

/** A job of awards of 100 points, the last one refused. */
async function awarded(app: PointsApp, count: number): Promise<Job> {
  app.service.fateOf = ({ path, body }) =>
    path === "/points/award" && JSON.stringify(body).includes(`"mem_${count}"`)
      ? { ...goodFate, answer: "refused" }
      : goodFate
  const made = await app.make({ kind: "award", rows: awardsFor(count), options: { mode: "single" } })
  const done = await app.until(made.id, "done")
  app.service.fateOf = () => goodFate
  return done
}

async function reverse(app: PointsApp, id: string, body: object = {}): Promise<Job> {
  const made = await app.meanwhile(app.post(`/jobs/${id}/reverse`, body))
  return app.until(dataOf(made.body, jobSchema).id, "done")
}

const total = async (app: PointsApp) =>
  dataOf((await app.ask("GET /reports/points")).body, pointsReport).total

describe("a reversed job", () => {
  it("shows how much was reversed, and links its rows with their reversals", async () => {
    const app = createPointsApp()
    const { id } = await awarded(app, 5)
    const back = await reverse(app, id, { leave_out: [2] })
    const job = await app.read(id)
    expect(job.reversed).toEqual({ rows: 3, points: 300, open: 0 })
    expect(reversalState(job)).toEqual({ rows: 3, of: 4, left: 1, isUnderWay: false })
    const rows = await app.rows(id)
    expect(rows.map(({ reversed_by: by }) => by && [by.job, by.row, by.state])).toEqual([
      [back.id, 1, "confirmed"],
      undefined,
      [back.id, 2, "confirmed"],
      [back.id, 3, "confirmed"],
      undefined,
    ])
    expect((await app.rows(back.id)).map(({ reverses }) => reverses)).toEqual(
      [1, 3, 4].map((row) => ({ job: id, row })),
    )
    const one = await app.ask(`GET /jobs/${id}/rows/3`)
    expect(one.body).toMatchObject({ data: { reversed_by: { job: back.id, row: 2 } } })
  })

  it("does not retry its failed rows, which need no attention", async () => {
    const app = createPointsApp()
    const { id } = await awarded(app, 5)
    const kinds = async () =>
      dataOf((await app.ask("GET /notices")).body, notices).flatMap((each) =>
        "job" in each && each.job.id === id ? [each.kind] : [],
      )
    const failed = async () =>
      dataOf((await app.ask("GET /jobs?state=failed")).body, z.array(jobSchema)).map((each) => each.id)
    expect([await kinds(), await failed()]).toEqual([["failed"], [id]])
    const back = await reverse(app, id)
    expect([await kinds(), await failed()]).toEqual([[], []])
    const retried = await app.post(`/jobs/${id}/retry`, {})
    expect(retried.status).toBe(409)
    expect(retried.body).toMatchObject({
      error: { message: expect.stringContaining(`This job was reversed by ${back.id}`) },
    })
    expect((await app.read(id)).counts.planned).toBe(0)
  })

  it("is not counted in reports, like its reversal", async () => {
    const app = createPointsApp()
    const { id } = await awarded(app, 5)
    expect(await total(app)).toMatchObject({ awarded: 400, awards: 4, deducted: 0 })
    await reverse(app, id, { leave_out: [1] })
    expect(await total(app)).toMatchObject({ awarded: 100, awards: 1, deducted: 0, deductions: 0 })
  })

  it("is shown as reversed only when most of it is", () => {
    const done = (confirmed: number, reversed: Job["reversed"]) =>
      reversalState(jobView({ counts: { confirmed }, ...(reversed && { reversed }) }))
    expect(done(762, undefined)).toBe(undefined)
    expect(done(762, { rows: 1, points: 5, open: 0 })).toBe(undefined)
    expect(done(762, { rows: 381, points: 5, open: 0 })).toBe(undefined)
    expect(done(762, { rows: 1, points: 5, open: 761 })).toMatchObject({ left: 761, isUnderWay: true })
    expect(done(762, { rows: 759, points: 5, open: 0 })).toMatchObject({ left: 3, of: 762 })
  })
})

describe("a ledger entry", () => {
  const originsOf = async (app: PointsApp, ids: readonly string[]) =>
    dataOf((await app.ask("POST /ledger/origins", { body: { ids } })).body, z.array(ledgerOrigin))

  it("shows its row and person, and can be reversed alone", async () => {
    const app = createPointsApp()
    const { id } = await awarded(app, 5)
    const [, second] = await app.rows(id)
    const entry = second?.upstream_id ?? ""
    const foreign = app.service.bookForeign("mem_1", 5, "Elsewhere")
    const [origin, ...others] = await originsOf(app, [entry, foreign])
    expect(others).toEqual([])
    expect(origin).toMatchObject({ transaction_id: entry, job: { id }, row: 2, can_reverse: true })
    const back = await reverse(app, id, { rows: [2] })
    expect(back).toMatchObject({ total: 1, reverses: id, points: { confirmed: -100 } })
    expect(await originsOf(app, [entry])).toMatchObject([
      { can_reverse: false, reversed_by: { job: back.id, row: 1, state: "confirmed" } },
    ])
    // A second click finds nothing to reverse.
    expect((await app.post(`/jobs/${id}/reverse`, { rows: [2] })).status).toBe(409)
    const job = await app.read(id)
    expect([job.reversed, reversalState(job)]).toEqual([{ rows: 1, points: 100, open: 0 }, undefined])
    expect((await app.meanwhile(app.post(`/jobs/${id}/retry`, {}))).status).toBe(200)
  })
})
