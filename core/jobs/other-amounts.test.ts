import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { firstAmountLimits } from "../../contract/amount-limits.ts"
import { type Job, job as jobSchema } from "../../contract/job.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import {
  award,
  compared,
  effectsOf,
  has,
  invoice,
  outcomes,
  reason,
  reference,
} from "../../tests/support/invoice-awards.ts"
import { createPointsApp, type PointsApp } from "../../tests/support/points-app.ts"

beforeEach(digestAtOnce)

const file = { name: "q3.csv", fingerprint: "f".repeat(64) }
const jobData = z.object({ data: jobSchema })

async function awardFile(app: PointsApp, rows: readonly object[], repeats = 0): Promise<Job> {
  const { id } = await app.make({ kind: "award", rows: [], options: { draft: true, file, mode: "single" } })
  const added = jobData.parse((await app.post(`/jobs/${id}/rows`, { rows, first_row: 1 })).body).data
  const started = await app.post(`/jobs/${id}/start`, { total: added.total, repeats })
  expect(started.status).toBe(200)
  return app.until(id, "done")
}

async function reverse(app: PointsApp, { id }: Job): Promise<string> {
  return jobData.parse((await app.post(`/jobs/${id}/reverse`, {})).body).data.id
}

describe("another amount for an awarded reference", () => {
  it("is excluded unless the row says otherwise, in files and API requests", async () => {
    const app = createPointsApp()
    const first = await award(app, [invoice(100)])
    expect(await compared(app, [invoice(150)])).toMatchObject([
      { at: 0, count: 0, awarded: { net: 100, sure: true, amounts: [100], job: first.id, row: 1 } },
    ])
    for (const make of [award, awardFile]) {
      const { id } = await make(app, [invoice(150), invoice(150, { member_id: "mem_2", reference: "INV-2" })])
      expect(await app.rows(id)).toMatchObject([
        {
          state: "excluded",
          outcome: {
            code: "other_amount",
            message: `100 awarded in ${first.id} for INV-90001. Nothing was sent for this row.`,
          },
        },
        { state: "confirmed" },
      ])
      await app.until(await reverse(app, await app.read(id)), "done")
    }
    expect(has(app)).toBe(100)
  })

  it("is excluded in a single row too, like the same amount", async () => {
    const app = createPointsApp()
    await award(app, [invoice(100)])
    expect(await outcomes(app, (await award(app, [invoice(150)])).id)).toEqual([["excluded", "other_amount"]])
    expect(await outcomes(app, (await award(app, [invoice(100)])).id)).toEqual([["excluded", "repeated_row"]])
    expect(has(app)).toBe(100)
  })

  it.each([
    ["the API", award],
    ["a file", awardFile],
  ])(
    "awards the difference to the net amount, so that the same file awards nothing more (%s)",
    async (_, make) => {
      const app = createPointsApp()
      await award(app, [invoice(100)])
      const corrected = await make(app, [invoice(150, { correction: "difference" })])
      expect(await app.rows(corrected.id)).toMatchObject([
        { state: "confirmed", input: { points: 50, reference } },
      ])
      expect(has(app)).toBe(150)
      expect(app.bodies("/points/award").at(-1)).toMatchObject({ points: 50, reference })
      expect(JSON.stringify(app.bodies("/points/award"))).not.toContain("correction")
      for (const correction of ["difference", undefined]) {
        const again = await make(
          app,
          [invoice(150, { correction })],
          correction === undefined && make === awardFile ? 1 : 0,
        )
        expect(has(app)).toBe(correction === undefined && make === awardFile ? 300 : 150)
        expect(again.counts.excluded).toBe(correction === undefined && make === awardFile ? 0 : 1)
      }
    },
  )

  it("is awarded in addition when the row requests it", async () => {
    const app = createPointsApp()
    await award(app, [invoice(100)])
    await awardFile(app, [invoice(150, { correction: "as_well" })])
    expect(has(app)).toBe(250)
    expect((await compared(app, [invoice(250)]))[0]?.awarded?.net).toBe(250)
  })

  it.each([
    ["the API", award],
    ["a file", awardFile],
  ])("that is smaller creates a linked job of deductions (%s)", async (_, make) => {
    const app = createPointsApp()
    await award(app, [invoice(100), invoice(40, { member_id: "mem_2" })])
    const made = await make(app, [
      invoice(80, { correction: "difference" }),
      invoice(60, { member_id: "mem_2", correction: "difference" }),
    ])
    expect(await outcomes(app, made.id)).toEqual([
      ["excluded", "corrected"],
      ["confirmed", null],
    ])
    const linked = await app.until(made.linked ?? "", "done")
    expect(linked).toMatchObject({ kind: "deduct", linked: made.id, total: 1, points: { total: -20 } })
    expect([has(app), has(app, "mem_2")]).toEqual([80, 60])
    expect(app.bodies("/points/deduct")).toMatchObject([
      { member_id: "mem_1", points: 20, reason: `Correction: ${reason} · batch ${linked.batch_code}` },
    ])
    // The net amount includes the deduction, although the service has no reference for it.
    expect((await compared(app, [invoice(100)]))[0]?.awarded).toMatchObject({ net: 80, amounts: [] })
    expect(await outcomes(app, (await award(app, [invoice(80)])).id)).toEqual([["excluded", "repeated_row"]])
  })

  it("that is smaller in a single row creates a job without awards, which ends immediately", async () => {
    const app = createPointsApp()
    await award(app, [invoice(100)])
    const made = await awardFile(app, [invoice(80, { correction: "difference" })])
    expect(made).toMatchObject({ state: "done", total: 0, counts: { excluded: 1 } })
    await app.until(made.linked ?? "", "done")
    expect(has(app)).toBe(80)
  })

  it("is matched by e-mail, by id and with another spelling of the reference", async () => {
    const app = createPointsApp()
    await award(app, [{ email: "mem_1@dealer.test", points: 100, reason, reference }])
    const byId = invoice(150, { reference: " inv-90001 " })
    expect(await outcomes(app, (await award(app, [byId])).id)).toEqual([["excluded", "other_amount"]])
    await award(app, [invoice(100, { member_id: "mem_2" })])
    // The e-mail is not resolved yet: that happens before sending.
    const byEmail = { email: "mem_2@dealer.test", points: 150, reason, reference }
    for (const correction of [undefined, "difference"]) {
      const made = await award(app, [{ ...byEmail, correction }, invoice(1, { member_id: "mem_3" })])
      expect((await outcomes(app, made.id))[0]).toEqual(
        correction === undefined ? ["excluded", "other_amount"] : ["confirmed", null],
      )
    }
    expect([has(app), has(app, "mem_2")]).toEqual([100, 150])
  })

  it("cannot correct an unconfirmed award, whose difference is unknown", async () => {
    const app = createPointsApp()
    app.service.fateOf = () => ({ ...goodFate, commit: null, answer: "none" })
    const { id } = await app.make({ kind: "award", rows: [invoice(100)] })
    await app.until(id, ({ counts }) => counts.unknown > 0)
    app.service.fateOf = () => goodFate
    const made = await app.make({ kind: "award", rows: [invoice(150, { correction: "difference" })] })
    await app.until(made.id, "done")
    expect((await app.rows(made.id))[0]).toMatchObject({
      state: "excluded",
      outcome: { code: "other_amount", message: expect.stringContaining("not confirmed yet") },
    })
  })

  it("is corrected once by two concurrent requests", async () => {
    const app = createPointsApp()
    await award(app, [invoice(100)])
    for (const points of [150, 120]) {
      const rows = [invoice(points, { correction: "difference" })]
      const made = await Promise.all([app.make({ kind: "award", rows }), app.make({ kind: "award", rows })])
      for (const { id } of made) await app.until(id, "done")
      const linked = await Promise.all(made.map(async ({ id }) => (await app.read(id)).linked))
      for (const id of linked) if (id !== undefined) await app.until(id, "done")
      expect(has(app)).toBe(points)
    }
  })

  it("counts its deductions towards the limits of its maker", async () => {
    const app = createPointsApp()
    await award(app, [invoice(100)])
    await app.ask("PUT /settings/limits", {
      role: "admin",
      body: { ...firstAmountLimits, points_row: 100, points_job: 100, points_day: 115 },
    })
    const refused = await app.post("/jobs", {
      kind: "award",
      rows: [invoice(80, { correction: "difference" })],
    })
    expect(refused.status).toBe(422)
    expect(has(app)).toBe(100)
  })

  it("awards the difference when its row is retried, and is refused when less is due", async () => {
    for (const make of [award, awardFile]) {
      const app = createPointsApp()
      const first = await award(app, [invoice(100)])
      const { id } = await make(app, [invoice(150), invoice(1, { member_id: "mem_2" })])
      expect((await outcomes(app, id))[0]).toEqual(["excluded", "other_amount"])
      const retry = (points: number, correction = "difference") =>
        app.post(`/jobs/${id}/retry`, { rows: [{ row: 1, input: invoice(points, { correction }) }] })
      for (const [points, message] of [
        [
          80,
          `100 awarded in ${first.id} for INV-90001. The difference of 20 can’t be deducted from this job.`,
        ],
        [100, `100 awarded in ${first.id} for INV-90001, so nothing is left to award.`],
      ] as const) {
        expect(await retry(points)).toMatchObject({
          status: 422,
          body: {
            error: {
              details: {
                fields: [{ field: "rows.0.input.points", message: expect.stringContaining(message) }],
              },
            },
          },
        })
      }
      expect((await retry(150)).status).toBe(200)
      const done = await app.until(id, "done")
      expect(done.counts).toMatchObject({ confirmed: 2, excluded: 0 })
      expect(done.points).toMatchObject({ total: 51, confirmed: 51 })
      expect((await app.rows(id))[0]).toMatchObject({ state: "confirmed", input: { points: 50, reference } })
      expect(has(app)).toBe(150)
    }
  })

  it("is not corrected twice by rows of one job", async () => {
    const app = createPointsApp()
    await award(app, [invoice(100)])
    const { id } = await award(app, [invoice(150, { correction: "difference" }), invoice(170)])
    const input = invoice(170, { correction: "difference" })
    const found = (await app.rows(id)).find(({ state }) => state === "excluded")?.row ?? 0
    const sent = await app.post(`/jobs/${id}/retry`, { rows: [{ row: found, input }] })
    expect(sent.status).toBe(422)
    expect(JSON.stringify(sent.body)).toContain("of this job is for the same reference")
  })

  it("keeps the amount of the file when the difference is not sent", async () => {
    const app = createPointsApp()
    await award(app, [invoice(100)])
    const rows = [invoice(150, { correction: "difference" })]
    const made = await Promise.all([app.make({ kind: "award", rows }), app.make({ kind: "award", rows })])
    for (const { id } of made) await app.until(id, "done")
    const all = await Promise.all(made.map(async ({ id }) => (await app.rows(id))[0]))
    expect(all.find((row) => row?.state === "excluded")).toMatchObject({ input: { points: 150 } })
    expect(has(app)).toBe(150)
  })

  it("creates one pair of jobs for one key, even when repeated", async () => {
    const app = createPointsApp()
    await award(app, [invoice(100)])
    const body = { kind: "award", rows: [invoice(80, { correction: "difference" })] }
    const once = () => app.ask("POST /jobs", { body, headers: { "idempotency-key": "same" } })
    const answers = [...(await Promise.all([once(), once()])), await once()]
    const jobs = answers.map((answer) => jobData.parse(answer.body).data)
    expect(new Set(jobs.map(({ id, linked }) => `${id} ${linked}`)).size).toBe(1)
    await app.until(jobs[0]?.linked ?? "", "done")
    expect(has(app)).toBe(80)
  })
})

describe("another amount for a recent reason", () => {
  const weekly = (points: number, changes: object = {}) => ({
    member_id: "mem_1",
    points,
    reason: "Weekly bonus",
    ...changes,
  })

  it("is excluded from a file unless a person says that it is new", async () => {
    const app = createPointsApp()
    await awardFile(app, [weekly(100)])
    expect(await compared(app, [weekly(120)])).toMatchObject([{ count: 0, recent: { points: 100 } }])
    expect(await outcomes(app, (await awardFile(app, [weekly(120)])).id)).toEqual([
      ["excluded", "other_amount"],
    ])
    await awardFile(app, [weekly(120, { correction: "as_well" })])
    expect(has(app)).toBe(220)
  })

  it("does not block forms or API requests", async () => {
    const app = createPointsApp()
    await award(app, [weekly(100)])
    await award(app, [weekly(120), weekly(100, { member_id: "mem_2" })])
    expect(has(app)).toBe(220)
  })
})

describe("rows that replace awards under reversal", () => {
  const rows = [1, 2, 3].map((member) => invoice(100, { member_id: `mem_${member}` }))
  const corrected = rows.map((row) => ({ ...row, points: 150 }))

  async function draft(app: PointsApp, given: readonly object[]) {
    const { id } = await app.make({ kind: "award", rows: [], options: { draft: true, file, mode: "single" } })
    await app.post(`/jobs/${id}/rows`, { rows: given, first_row: 1 })
    expect((await app.post(`/jobs/${id}/start`, { total: given.length, repeats: 0 })).status).toBe(200)
    return id
  }

  it.each([
    ["another amount", corrected, 150],
    ["the same amount", rows, 100],
  ])("are not sent before the reversal is done (%s)", async (_, given, points) => {
    const app = createPointsApp()
    const first = await award(app, rows)
    app.service.fateOf = () => ({ ...goodFate, commit: 2900, answerMs: 3000 })
    const reversal = await reverse(app, first)
    expect(await compared(app, given)).toMatchObject([{ count: 0, reversal }, { reversal }, { reversal }])
    const id = await draft(app, given)
    const waiting = await app.until(id, ({ waits_for: waits = [] }) => waits.length > 0)
    expect(waiting.waits_for).toMatchObject([{ job: reversal, reverses: first.id, total: 3 }])
    await app.until(id, "done")
    expect(await outcomes(app, id)).toEqual(rows.map(() => ["confirmed", null]))
    for (const member of ["mem_1", "mem_2", "mem_3"]) {
      const order = effectsOf(app, member).map(({ kind }) => kind)
      expect(order).toEqual(["award", "deduct", "award"])
      expect(has(app, member)).toBe(points)
    }
  })

  it("are excluded when the reversal is not carried out", async () => {
    const app = createPointsApp()
    const first = await award(app, rows)
    app.instead(({ path, body }) =>
      path === "/points/deduct" && JSON.stringify(body).includes("mem_2")
        ? { status: 422, body: { success: false, error: { code: "INSUFFICIENT_POINTS", message: "No." } } }
        : undefined,
    )
    await reverse(app, first)
    const id = await draft(app, corrected)
    await app.until(id, "done")
    expect(await outcomes(app, id)).toEqual([
      ["confirmed", null],
      ["excluded", "not_reversed"],
      ["confirmed", null],
    ])
    expect([has(app), has(app, "mem_2")]).toEqual([150, 100])
  })

  it("wait while the reversal is paused, and can be excluded", async () => {
    const app = createPointsApp()
    const first = await award(app, rows)
    app.service.fateOf = () => ({ ...goodFate, commit: 2900, answerMs: 3000 })
    const reversal = await reverse(app, first)
    expect((await app.post(`/jobs/${reversal}/pause`, {})).status).toBe(200)
    const id = await draft(app, corrected)
    await app.until(id, ({ waits_for: waits = [] }) => waits[0]?.state === "paused")
    await app.pass(600_000)
    expect((await app.read(id)).counts.planned).toBeGreaterThan(0)
    const left = await app.post(`/jobs/${id}/leave-waiting`, {})
    expect(left.status).toBe(200)
    const done = await app.until(id, "done")
    expect(done.waits_for).toBeUndefined()
    expect((await outcomes(app, id)).filter(([, code]) => code === "not_reversed")).not.toEqual([])
    expect(await app.post(`/jobs/${id}/leave-waiting`, {})).toMatchObject({ status: 409 })
    expect((await app.ask("GET /audit?action=job.leave_out")).body).toMatchObject({ data: [{}] })
  })
})
