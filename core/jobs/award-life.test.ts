import { beforeEach, describe, expect, it } from "vitest"
import type { CreateJobBody } from "../../contract/job.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { createPointsApp, refusal, type PointsApp } from "../../tests/support/points-app.ts"

const award = { member_id: "mem_1", points: 100, reason: "Q3 bonus" }
const form: CreateJobBody = { kind: "award", rows: [award] }
/** Carried out, but no answer comes. */
const lost = { ...goodFate, answer: "none" } as const
/** Never carried out, and no answer comes. */
const vanished = { ...lost, commit: null }

beforeEach(digestAtOnce)

const onlyRow = async (desk: PointsApp, id: string) => (await desk.rows(id))[0]
const effectsOn = (desk: PointsApp, member: string) =>
  desk.service.truth.filter((effect) => effect.kind === "award" && effect.memberId === member)

describe("an award from a form", () => {
  it("is sent once, carries our reference and the reason as written, and is confirmed by its answer", async () => {
    const desk = createPointsApp()
    const made = await desk.make(form)
    const job = await desk.until(made.id, "done")
    expect(await onlyRow(desk, made.id)).toMatchObject({ state: "confirmed", upstream_id: "txn_1" })
    expect(desk.bodies("/points/award")).toEqual([{ ...award, reference: `${job.batch_code}.1` }])
    expect(desk.calls).toHaveLength(1)
  })

  it("that the service refuses is failed with the service's code, and nothing is looked up", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = () => ({ ...goodFate, answer: "refused" })
    const made = await desk.make(form)
    await desk.until(made.id, "done")
    expect(await onlyRow(desk, made.id)).toMatchObject({
      state: "failed",
      outcome: { code: "invalid_request" },
    })
    expect(desk.calls).toHaveLength(1)
  })

  it("without an answer is found within seconds and never sent again", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = () => lost
    const made = await desk.make(form)
    await desk.pass(5000)
    expect(await onlyRow(desk, made.id)).toMatchObject({ state: "confirmed", known_by: "look" })
    await desk.pass(3_600_000)
    expect(effectsOn(desk, "mem_1")).toHaveLength(1)
    expect(desk.bodies("/points/award")).toHaveLength(1)
  })

  it("without an answer and without anything to compare with goes to a person, who may send it again once", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await desk.make(form)
    const job = await desk.until(made.id, "done")
    expect(job.attention).toBe(1)
    expect(await onlyRow(desk, made.id)).toMatchObject({
      state: "conflict",
      outcome: { code: "no_control" },
      attempts: 1,
    })
    const decide = () => desk.post(`/jobs/${made.id}/rows/1/decision`, { decision: "resend" })
    const answers = await Promise.all([decide(), decide()])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    await desk.until(made.id, "done")
    expect(await onlyRow(desk, made.id)).toMatchObject({ state: "confirmed", attempts: 2 })
    expect(effectsOn(desk, "mem_1")).toHaveLength(1)
  })

  it("is linked with what a person names only if the service shows it for this member, kind and amount", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await desk.make(form)
    await desk.until(made.id, "done")
    const other = await desk.make({ kind: "award", rows: [{ ...award, points: 100, reason: "Q2 bonus" }] })
    await desk.until(other.id, "done")
    const owned = (await onlyRow(desk, other.id))?.upstream_id ?? ""
    const happened = (upstream_id: string) =>
      desk.meanwhile(desk.post(`/jobs/${made.id}/rows/1/decision`, { decision: "happened", upstream_id }))
    for (const [id, said] of [
      ["txn_nobody", /doesn’t show txn_nobody as something this row could have made/],
      [desk.service.bookForeign("mem_2", 100, "By hand"), /doesn’t show/],
      [desk.service.bookForeign("mem_1", 250, "By hand"), /is of another amount than this row/],
      [owned, /already belongs to another row/],
    ] as const) {
      expect(await happened(id)).toMatchObject({
        status: 409,
        body: { error: { code: "conflict", message: expect.stringMatching(said) as unknown } },
      })
    }
    desk.instead(({ path }) => (path.endsWith("/transactions") ? refusal(500, "server_error") : undefined))
    const byHand = desk.service.bookForeign("mem_1", 100, "By hand")
    const unread = await happened(byHand)
    expect(unread.status).toBe(502)
    expect(unread.body).toMatchObject({
      error: { message: expect.stringMatching(/couldn’t be looked up.* nothing was decided/) as unknown },
    })
    desk.instead(() => undefined)
    expect(await onlyRow(desk, made.id)).toMatchObject({ state: "conflict", upstream_id: null })
    expect((await onlyRow(desk, made.id))?.decision).toBeUndefined()
    expect((await happened(byHand)).status).toBe(200)
    expect(await onlyRow(desk, made.id)).toMatchObject({
      upstream_id: byHand,
      decision: { decision: "happened", upstream_id: byHand },
    })
  })

  it("that a person sent again and that is unclear again needs somebody again", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = () => vanished
    const made = await desk.make(form)
    await desk.until(made.id, "done")
    await desk.post(`/jobs/${made.id}/rows/1/decision`, { decision: "resend" })
    expect((await desk.read(made.id)).attention).toBe(0)
    expect((await desk.until(made.id, "done")).attention).toBe(1)
  })

  it("that turns up twice after a person sent it again needs somebody", async () => {
    const desk = createPointsApp()
    const lateMs = 1_000_000
    desk.service.fateOf = (_, nth) => (nth === 1 ? { ...lost, commit: lateMs } : goodFate)
    const made = await desk.make(form)
    await desk.until(made.id, "done")
    await desk.post(`/jobs/${made.id}/rows/1/decision`, { decision: "resend" })
    await desk.until(made.id, "done")
    await desk.pass(2 * lateMs)
    expect(effectsOn(desk, "mem_1")).toHaveLength(2)
    expect(await onlyRow(desk, made.id)).toMatchObject({
      state: "conflict",
      outcome: { code: "awarded_twice" },
    })
    expect((await desk.read(made.id)).attention).toBe(1)
  })

  it.each([
    ["reference", 4711],
    ["points", "100"],
    ["transaction_id", null],
    ["metadata", []],
  ])("is never sent again by itself while a row of the history has %s as %j", async (field, came) => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 1 ? lost : goodFate)
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
    desk.instead((call) =>
      call.path === "/members/mem_1/transactions"
        ? { status: 200, body: { success: true, data: [entry], meta: { page: 1, per_page: 100, total: 1 } } }
        : undefined,
    )
    const made = await desk.make(form)
    await desk.pass(30_000)
    // A control: without it nothing would be sent again anyway.
    await desk.make({ kind: "award", rows: [{ ...award, member_id: "mem_2" }] })
    await desk.pass(1_200_000)
    expect(await onlyRow(desk, made.id)).not.toMatchObject({ state: "confirmed" })
    expect(desk.bodies("/points/award")).toHaveLength(2)
    expect(effectsOn(desk, "mem_1")).toHaveLength(1)
    // People see the row all the same.
    const shown = await desk.meanwhile(desk.ask("GET /program/members/mem_1/transactions"))
    expect(shown.body).toMatchObject({ data: [{ reason: award.reason }] })
  })

  it("whose mark the ledger shows with another amount goes to a person, and is never sent again", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await desk.make(form)
    const code = (await desk.read(made.id)).batch_code
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
    desk.instead((call) =>
      call.path === "/members/mem_1/transactions"
        ? { status: 200, body: { success: true, data: [entry], meta: { page: 1, per_page: 100, total: 1 } } }
        : undefined,
    )
    await desk.pass(30_000)
    // A control: without it nothing would be sent again anyway.
    await desk.make({ kind: "award", rows: [{ ...award, member_id: "mem_2" }] })
    await desk.pass(1_200_000)
    expect(await onlyRow(desk, made.id)).toMatchObject({
      state: "conflict",
      outcome: { code: "other_amount" },
      attempts: 1,
    })
    expect(desk.bodies("/points/award")).toHaveLength(2)
    const shown = await desk.meanwhile(desk.ask(`GET /jobs/${made.id}/rows/1/candidates`))
    expect(shown.body).toMatchObject({
      data: { candidates: [{ upstream_id: "txn_other", points: 200 }], resend: { allowed: false } },
    })
  })

  it("whose absence a later award of ours proves is sent again by itself", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await desk.make(form)
    await desk.pass(30_000)
    const later = await desk.make({ kind: "award", rows: [{ ...award, member_id: "mem_2" }] })
    await desk.until(later.id, "done")
    await desk.until(made.id, "done")
    expect(await onlyRow(desk, made.id)).toMatchObject({ state: "confirmed", attempts: 2 })
    expect(effectsOn(desk, "mem_1")).toHaveLength(1)
  })
})

describe("an award that could not be sent for a minute", () => {
  const unreachable = async () => {
    const desk = createPointsApp()
    desk.service.fateOf = () => ({ ...goodFate, answer: "unsent" })
    const made = await desk.make(form)
    await desk.pass(90_000)
    return { desk, id: made.id }
  }

  it("waits and asks; nothing goes out hours later", async () => {
    const { desk, id } = await unreachable()
    expect(await desk.read(id)).toMatchObject({
      state: "paused",
      pause: { code: "not_sent_in_time" },
      counts: { planned: 1 },
    })
    desk.service.fateOf = () => goodFate
    await desk.pass(4 * 3_600_000)
    expect(desk.service.truth).toEqual([])
  })

  it("goes out on Send now", async () => {
    const { desk, id } = await unreachable()
    desk.service.fateOf = () => goodFate
    await desk.post(`/jobs/${id}/resume`, {})
    await desk.until(id, "done")
    expect(effectsOn(desk, "mem_1")).toHaveLength(1)
  })

  it("never goes out after Cancel", async () => {
    const { desk, id } = await unreachable()
    desk.service.fateOf = () => goodFate
    await desk.post(`/jobs/${id}/cancel`, {})
    expect(await desk.until(id, "cancelled")).toMatchObject({ counts: { planned: 1 } })
    await desk.pass(3_600_000)
    expect(desk.service.truth).toEqual([])
  })
})
