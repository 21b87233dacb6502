import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { type Job, job as jobSchema } from "../../contract/job.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { award, compared, has, invoice, outcomes } from "../../tests/support/invoice-awards.ts"
import { createPointsApp, type PointsApp } from "../../tests/support/points-app.ts"

beforeEach(digestAtOnce)

const jobData = z.object({ data: jobSchema })

describe("a reversal of awards that were corrected downwards", () => {
  const corrected = (points: number, changes: object = {}) =>
    invoice(points, { correction: "difference", ...changes })
  const reversal = (app: PointsApp, { id }: Job, body: object = {}) => app.post(`/jobs/${id}/reverse`, body)
  const points = async (app: PointsApp, { id }: Job) => (await app.rows(id)).map((row) => row.input["points"])

  it("takes back the rest of each award: of a job, one row or one ledger entry", async () => {
    for (const body of [{}, { rows: [1] }]) {
      const app = createPointsApp()
      const first = await award(app, [invoice(100), invoice(40, { member_id: "mem_2" })])
      const made = await award(app, [corrected(80)])
      await app.until(made.linked ?? "", "done")
      const entry = (await app.rows(first.id))[0]?.upstream_id
      const origins = await app.ask("POST /ledger/origins", { body: { ids: [entry] } })
      expect(origins.body).toMatchObject({ data: [{ can_reverse: true, reversible_points: 80 }] })
      const preview = await app.ask(`GET /jobs/${first.id}/reversal`)
      expect(preview.body).toMatchObject({ data: { rows: 2, points: 120, open: true } })
      const { id } = jobData.parse((await reversal(app, first, body)).body).data
      const back = await app.until(id, "done")
      expect(await points(app, back)).toEqual("rows" in body ? [80] : [80, 40])
      expect([has(app), has(app, "mem_2")]).toEqual([0, "rows" in body ? 40 : 0])
      // Fully reversed: the next award with this reference is a new one.
      expect(await compared(app, [invoice(150)])).toEqual([])
      await award(app, [corrected(150)])
      expect(has(app)).toBe(150)
    }
  })

  it("subtracts a correction from the newest award before it, and at most the total of all awards", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const app = createPointsApp()
      const jobs = [
        await award(app, [invoice(100)]),
        await award(app, [invoice(50, { correction: "as_well" })]),
      ]
      const made = await award(app, [corrected(90)])
      await app.until(made.linked ?? "", "done")
      expect(has(app)).toBe(90)
      const found: unknown[] = []
      for (const at of order) {
        const job = jobs[at] ?? made
        const answer = await reversal(app, job)
        if (answer.status !== 200 && answer.status !== 201) found.push([at, answer.status])
        else found.push([at, await points(app, await app.until(jobData.parse(answer.body).data.id, "done"))])
      }
      expect(found).toEqual(order.map((at) => (at === 0 ? [0, [90]] : [1, 409])))
      expect(has(app)).toBe(0)
    }
  })

  it("waits for a planned correction, and includes one that may have been carried out", async () => {
    const app = createPointsApp()
    const first = await award(app, [invoice(100)])
    app.service.fateOf = () => ({ ...goodFate, answer: "none" })
    const made = await app.make({ kind: "award", rows: [corrected(80)] })
    const { linked = "" } = await app.read(made.id)
    const refused = await reversal(app, first)
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining(linked) } },
    })
    await app.until(linked, ({ counts }) => counts.unknown > 0)
    app.service.fateOf = () => goodFate
    const { id } = jobData.parse((await reversal(app, first)).body).data
    await app.until(id, "done")
    await app.until(linked, "done")
    expect(has(app)).toBe(0)
  })

  it("is not resent for an award that was corrected after the row was left", async () => {
    const app = createPointsApp()
    const first = await award(app, [invoice(100)])
    app.service.fateOf = () => ({ ...goodFate, commit: null, answer: "none" })
    const { id } = jobData.parse((await reversal(app, first)).body).data
    await app.until(id, ({ attention }) => attention > 0)
    app.service.fateOf = () => goodFate
    const decide = (decision: string) => app.meanwhile(app.post(`/jobs/${id}/rows/1/decision`, { decision }))
    expect((await decide("leave")).status).toBe(200)
    const made = await award(app, [corrected(80)])
    await app.until(made.linked ?? "", "done")
    expect(has(app)).toBe(80)
    expect(await decide("resend")).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining("deduct too much") } },
    })
    expect(has(app)).toBe(80)
  })

  it("is reported together with its correction", async () => {
    const app = createPointsApp()
    const first = await award(app, [invoice(100), invoice(40, { member_id: "mem_2" })])
    const made = await award(app, [corrected(80)])
    await app.until(made.linked ?? "", "done")
    const { id } = jobData.parse((await reversal(app, first)).body).data
    await app.until(id, "done")
    const { body } = await app.ask("GET /reports/points")
    expect(body).toMatchObject({ data: { total: { awarded: 20, deducted: 20 } } })
  })

  it("excludes a failed row whose award was corrected before the retry", async () => {
    const app = createPointsApp()
    const first = await award(app, [invoice(100)])
    app.service.fateOf = () => ({ ...goodFate, answer: "refused", commit: null })
    const { id } = jobData.parse((await reversal(app, first)).body).data
    expect((await app.until(id, "done")).counts.failed).toBe(1)
    app.service.fateOf = () => goodFate
    const made = await award(app, [corrected(80)])
    await app.until(made.linked ?? "", "done")
    await app.meanwhile(app.post(`/jobs/${id}/retry`, {}))
    await app.until(id, "done")
    expect(await outcomes(app, id)).toEqual([["excluded", "award_corrected"]])
    expect(has(app)).toBe(80)
    const again = jobData.parse((await reversal(app, first)).body).data
    await app.until(again.id, "done")
    expect(has(app)).toBe(0)
  })
})
