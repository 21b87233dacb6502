import { beforeEach, describe, expect, it } from "vitest"
import type { CreateJobBody } from "../../contract/job.ts"
import { earlierUnknown } from "../../contract/row-outcomes.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { createPointsApp, refusal, type PointsApp } from "../../tests/support/points-app.ts"

const award = { member_id: "mem_1", points: 100, reason: "Q3 bonus" }
const form: CreateJobBody = { kind: "award", rows: [award] }
/** Processed, but without a response. */
const lost = { ...goodFate, answer: "none" } as const
/** Not processed, and without a response. */
const vanished = { ...lost, commit: null }

beforeEach(digestAtOnce)

const onlyRow = async (app: PointsApp, id: string) => (await app.rows(id))[0]
const effectsOn = (app: PointsApp, member: string) =>
  app.service.truth.filter((effect) => effect.kind === "award" && effect.memberId === member)

describe("an award from a form", () => {
  it("is sent once with its tag as reference and the unchanged reason, and confirmed by its response", async () => {
    const app = createPointsApp()
    const made = await app.make(form)
    const job = await app.until(made.id, "done")
    expect(await onlyRow(app, made.id)).toMatchObject({ state: "confirmed", upstream_id: "txn_1" })
    expect(app.bodies("/points/award")).toEqual([{ ...award, reference: `${job.batch_code}.1` }])
    expect(app.calls).toHaveLength(1)
  })

  it("fails with the service's code when refused, without a lookup", async () => {
    const app = createPointsApp()
    app.service.fateOf = () => ({ ...goodFate, answer: "refused" })
    const made = await app.make(form)
    await app.until(made.id, "done")
    expect(await onlyRow(app, made.id)).toMatchObject({
      state: "failed",
      outcome: { code: "invalid_request" },
    })
    expect(app.calls).toHaveLength(1)
  })

  it("without a response is found within seconds and not resent", async () => {
    const app = createPointsApp()
    app.service.fateOf = () => lost
    const made = await app.make(form)
    await app.pass(5000)
    expect(await onlyRow(app, made.id)).toMatchObject({ state: "confirmed", known_by: "look" })
    await app.pass(3_600_000)
    expect(effectsOn(app, "mem_1")).toHaveLength(1)
    expect(app.bodies("/points/award")).toHaveLength(1)
  })

  it("without a response or canary goes to a person, who may resend it once", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await app.make(form)
    const job = await app.until(made.id, "done")
    expect(job.attention).toBe(1)
    expect(await onlyRow(app, made.id)).toMatchObject({
      state: "conflict",
      outcome: { code: "no_canary" },
      attempts: 1,
    })
    const decide = () => app.post(`/jobs/${made.id}/rows/1/decision`, { decision: "resend" })
    const answers = await Promise.all([decide(), decide()])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    await app.until(made.id, "done")
    expect((await app.ask("GET /audit?action=job.decide")).body).toMatchObject({
      data: [
        {
          on: { kind: "job", id: made.id, label: "Row 1, mem_1" },
          changes: [
            { field: "decision", to: "resend" },
            { field: "member_id", to: "mem_1" },
            { field: "points", to: "100" },
          ],
        },
      ],
    })
    expect(await onlyRow(app, made.id)).toMatchObject({ state: "confirmed", attempts: 2 })
    expect(effectsOn(app, "mem_1")).toHaveLength(1)
  })

  it("is linked only with an entry that the service shows for this member, kind and amount", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await app.make(form)
    await app.until(made.id, "done")
    const other = await app.make({ kind: "award", rows: [{ ...award, points: 100, reason: "Q2 bonus" }] })
    await app.until(other.id, "done")
    const owned = (await onlyRow(app, other.id))?.upstream_id ?? ""
    const happened = (upstream_id: string) =>
      app.meanwhile(app.post(`/jobs/${made.id}/rows/1/decision`, { decision: "happened", upstream_id }))
    for (const [id, said] of [
      ["txn_nobody", /doesn’t show txn_nobody as something this row could have made/],
      [app.service.bookForeign("mem_2", 100, "By hand"), /doesn’t show/],
      [app.service.bookForeign("mem_1", 250, "By hand"), /is of another amount than this row/],
      [owned, /already belongs to another row/],
    ] as const) {
      expect(await happened(id)).toMatchObject({
        status: 409,
        body: { error: { code: "conflict", message: expect.stringMatching(said) as unknown } },
      })
    }
    app.instead(({ path }) => (path.endsWith("/transactions") ? refusal(500, "server_error") : undefined))
    const byHand = app.service.bookForeign("mem_1", 100, "By hand")
    const unread = await happened(byHand)
    expect(unread.status).toBe(502)
    expect(unread.body).toMatchObject({
      error: { message: expect.stringMatching(/couldn’t be looked up.* nothing was decided/) as unknown },
    })
    app.instead(() => undefined)
    expect(await onlyRow(app, made.id)).toMatchObject({ state: "conflict", upstream_id: null })
    expect((await onlyRow(app, made.id))?.decision).toBeUndefined()
    expect((await happened(byHand)).status).toBe(200)
    expect(await onlyRow(app, made.id)).toMatchObject({
      upstream_id: byHand,
      decision: { decision: "happened", upstream_id: byHand },
    })
  })

  it("that ends unknown again after a person's resend needs another decision", async () => {
    const app = createPointsApp()
    app.service.fateOf = () => vanished
    const made = await app.make(form)
    await app.until(made.id, "done")
    await app.post(`/jobs/${made.id}/rows/1/decision`, { decision: "resend" })
    expect((await app.read(made.id)).attention).toBe(0)
    expect((await app.until(made.id, "done")).attention).toBe(1)
  })

  it("that appears twice after a person's resend needs a decision", async () => {
    const app = createPointsApp()
    const lateMs = 1_000_000
    app.service.fateOf = (_, nth) => (nth === 1 ? { ...lost, commit: lateMs } : goodFate)
    const made = await app.make(form)
    await app.until(made.id, "done")
    await app.post(`/jobs/${made.id}/rows/1/decision`, { decision: "resend" })
    await app.until(made.id, "done")
    await app.pass(2 * lateMs)
    expect(effectsOn(app, "mem_1")).toHaveLength(2)
    expect(await onlyRow(app, made.id)).toMatchObject({
      state: "conflict",
      outcome: { code: "awarded_twice" },
    })
    expect((await app.read(made.id)).attention).toBe(1)
  })

  it.each([
    ["reference", 4711],
    ["points", "100"],
    ["transaction_id", null],
    ["metadata", []],
  ])("is not resent automatically while an entry of the history has %s as %j", async (field, came) => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? lost : goodFate)
    const entry = {
      transaction_id: "txn_odd",
      member_id: "mem_1",
      type: "award",
      points: award.points,
      reason: award.reason,
      reference: "other",
      balance_after: 100,
      created_at: "2026-11-21T00:00:00Z",
      [field]: came,
    }
    app.instead((call) =>
      call.path === "/members/mem_1/transactions"
        ? { status: 200, body: { success: true, data: [entry], meta: { page: 1, per_page: 100, total: 1 } } }
        : undefined,
    )
    const made = await app.make(form)
    await app.pass(30_000)
    // A canary: without one nothing is resent.
    await app.make({ kind: "award", rows: [{ ...award, member_id: "mem_2" }] })
    await app.pass(1_200_000)
    expect(await onlyRow(app, made.id)).not.toMatchObject({ state: "confirmed" })
    expect(app.bodies("/points/award")).toHaveLength(2)
    expect(effectsOn(app, "mem_1")).toHaveLength(1)
    // The row is still visible to people.
    const shown = await app.meanwhile(app.ask("GET /program/members/mem_1/transactions"))
    expect(shown.body).toMatchObject({ data: [{ reason: award.reason }] })
  })

  it("whose tag the ledger shows with another amount goes to a person and is not resent", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await app.make(form)
    const code = (await app.read(made.id)).batch_code
    const entry = {
      transaction_id: "txn_other",
      member_id: "mem_1",
      type: "award",
      points: 200,
      reason: award.reason,
      reference: `${code}.1`,
      balance_after: 200,
      created_at: "2026-11-20T00:00:05Z",
    }
    app.instead((call) =>
      call.path === "/members/mem_1/transactions"
        ? { status: 200, body: { success: true, data: [entry], meta: { page: 1, per_page: 100, total: 1 } } }
        : undefined,
    )
    await app.pass(30_000)
    // A canary: without one nothing is resent.
    await app.make({ kind: "award", rows: [{ ...award, member_id: "mem_2" }] })
    await app.pass(1_200_000)
    expect(await onlyRow(app, made.id)).toMatchObject({
      state: "conflict",
      outcome: { code: "ledger_other_amount" },
      attempts: 1,
    })
    expect(app.bodies("/points/award")).toHaveLength(2)
    const shown = await app.meanwhile(app.ask(`GET /jobs/${made.id}/rows/1/candidates`))
    expect(shown.body).toMatchObject({
      data: { candidates: [{ upstream_id: "txn_other", points: 200 }], resend: { allowed: false } },
    })
  })

  it("has only ledger entries since its send as candidates", async () => {
    const app = createPointsApp()
    app.service.fateOf = () => vanished
    const made = await app.make(form)
    const entry = (transaction_id: string, created_at: string) => ({
      transaction_id,
      member_id: "mem_1",
      type: "award",
      points: award.points,
      reason: "At the dashboard",
      reference: null,
      balance_after: 200,
      created_at,
    })
    const data = [entry("txn_after", "2026-11-20T00:00:05Z"), entry("txn_before", "2025-03-27T00:00:00Z")]
    app.instead((call) =>
      call.path === "/members/mem_1/transactions"
        ? { status: 200, body: { success: true, data, meta: { page: 1, per_page: 100, total: 2 } } }
        : undefined,
    )
    await app.pass(1_200_000)
    const shown = await app.meanwhile(app.ask(`GET /jobs/${made.id}/rows/1/candidates`))
    expect(shown.body).toHaveProperty("data.candidates", [
      expect.objectContaining({ upstream_id: "txn_after" }),
    ])
  })

  it.each([
    ["cancel", "cancelled", "locked"],
    ["resume", "done", "limited"],
  ] as const)(
    "that is booked long after a refused resend by a person is looked up first on %s",
    async (then, end, answer) => {
      const app = createPointsApp()
      const late = { ...lost, commit: 900_000 }
      app.service.fateOf = (_, nth) => (nth === 1 ? late : { ...goodFate, answer })
      const { id } = await app.make(form)
      await app.until(id, "done")
      await app.post(`/jobs/${id}/rows/1/decision`, { decision: "resend" })
      const { pause } = await app.until(id, "paused")
      expect(pause?.message).toContain(earlierUnknown)
      await app.pass(900_000)
      app.service.fateOf = () => goodFate
      await app.post(`/jobs/${id}/${then}`, {})
      await app.until(id, end)
      await app.pass(3_600_000)
      expect(await onlyRow(app, id)).toMatchObject({ state: "confirmed", known_by: "look" })
      expect(effectsOn(app, "mem_1")).toHaveLength(1)
    },
  )

  it("is resent automatically when a later own award proves its absence", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await app.make(form)
    await app.pass(30_000)
    const later = await app.make({ kind: "award", rows: [{ ...award, member_id: "mem_2" }] })
    await app.until(later.id, "done")
    await app.until(made.id, "done")
    expect(await onlyRow(app, made.id)).toMatchObject({ state: "confirmed", attempts: 2 })
    expect(effectsOn(app, "mem_1")).toHaveLength(1)
  })
})

describe("an award that was not sent within a minute", () => {
  const unreachable = async () => {
    const app = createPointsApp()
    app.service.fateOf = () => ({ ...goodFate, answer: "unsent" })
    const made = await app.make(form)
    await app.pass(90_000)
    return { app, id: made.id }
  }

  it("pauses for a decision and is not sent hours later", async () => {
    const { app, id } = await unreachable()
    expect(await app.read(id)).toMatchObject({
      state: "paused",
      pause: { code: "not_sent_in_time" },
      counts: { planned: 1 },
    })
    app.service.fateOf = () => goodFate
    await app.pass(4 * 3_600_000)
    expect(app.service.truth).toEqual([])
  })

  it.each(["before", "since"])(
    "pauses for a decision when the store’s clock was set %s the job was created",
    async (when) => {
      for (const hours of [8, -8]) {
        const app = createPointsApp()
        app.service.fateOf = () => ({ ...goodFate, answer: "unsent" })
        await app.pass(30_000)
        if (when === "before") app.clock.shiftWall(hours * 3_600_000)
        const made = await app.make(form)
        await app.pass(30_000)
        expect((await app.read(made.id)).state).toBe("running")
        if (when === "since") app.clock.shiftWall(hours * 3_600_000)
        await app.pass(90_000)
        expect(await app.read(made.id)).toMatchObject({
          state: "paused",
          pause: { code: "not_sent_in_time" },
        })
      }
    },
  )

  it("is sent on Send now, whatever the store’s clock says", async () => {
    const { app, id } = await unreachable()
    app.clock.shiftWall(-90_000)
    app.service.fateOf = () => goodFate
    await app.post(`/jobs/${id}/resume`, {})
    await app.until(id, "done")
    expect(effectsOn(app, "mem_1")).toHaveLength(1)
  })

  it("is not sent after Cancel", async () => {
    const { app, id } = await unreachable()
    app.service.fateOf = () => goodFate
    await app.post(`/jobs/${id}/cancel`, {})
    expect(await app.until(id, "cancelled")).toMatchObject({ counts: { planned: 1 } })
    await app.pass(3_600_000)
    expect(app.service.truth).toEqual([])
  })
})
