import { beforeEach, describe, expect, it } from "vitest"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { awardsFor, createPointsApp, type PointsApp } from "../../tests/support/points-app.ts"

beforeEach(digestAtOnce)

const single = { mode: "single" } as const
const award = { member_id: "mem_1", points: 250, reason: "Q3 bonus" }
const lost = { ...goodFate, answer: "none" } as const
const vanished = { ...lost, commit: null } as const
/** Signed points in the ledger. */
const booked = (app: PointsApp) =>
  app.service.truth.flatMap((effect) =>
    effect.kind === "award" || effect.kind === "deduct" ? [[effect.memberId, effect.points] as const] : [],
  )
const unsent = { ...goodFate, answer: "unsent" } as const

describe("a row that a person corrects", () => {
  it("is sent with its new input, although it waited for its permit with the old one", async () => {
    const app = createPointsApp({ rateLimit: 10 })
    const { id } = await app.make({ kind: "award", rows: awardsFor(40), options: single })
    await app.pass(5000)
    await app.post(`/jobs/${id}/pause`, {})
    const waiting = (await app.rows(id)).find(({ state }) => state === "planned")?.row ?? 0
    await app.post(`/jobs/${id}/rows/${waiting}/decision`, { decision: "leave" })
    const input = { member_id: "mem_50", points: 7, reason: "Mended" }
    expect((await app.post(`/jobs/${id}/retry`, { rows: [{ row: waiting, input }] })).status).toBe(200)
    await app.post(`/jobs/${id}/resume`, {})
    await app.until(id, "done")
    expect(booked(app)).toHaveLength(40)
    expect(booked(app)).toContainEqual(["mem_50", 7])
    expect(booked(app).map(([member]) => member)).not.toContain(`mem_${waiting}`)
    expect((await app.rows(id))[waiting - 1]).toMatchObject({ state: "confirmed", input })
  })

  it("in a paused job waits with the other rows until the job is resumed", async () => {
    const app = createPointsApp({ rateLimit: 10 })
    app.service.fateOf = (_, nth) => (nth === 1 ? { ...goodFate, answer: "refused" } : goodFate)
    const { id } = await app.make({ kind: "award", rows: awardsFor(40), options: single })
    await app.until(id, ({ counts }) => counts.failed > 0)
    await app.post(`/jobs/${id}/pause`, {})
    const { counts } = await app.until(id, (job) => job.counts.sent + job.counts.unknown === 0)
    expect((await app.post(`/jobs/${id}/retry`, { rows: [{ row: 1 }] })).status).toBe(200)
    await app.pass(600_000)
    expect(await app.read(id)).toMatchObject({
      state: "paused",
      counts: { confirmed: counts.confirmed, failed: 0, planned: counts.planned + 1 },
    })
    await app.post(`/jobs/${id}/resume`, {})
    expect((await app.until(id, "done")).counts.confirmed).toBe(40)
  })
})

describe("a row that a person decides", () => {
  it("is decided once: a later decision is refused with 409", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const { id } = await app.make({ kind: "award", rows: [award] })
    await app.until(id, "done")
    const byHand = app.service.bookForeign("mem_1", 250, "By hand")
    const decide = (body: object) => app.meanwhile(app.post(`/jobs/${id}/rows/1/decision`, body))
    expect((await decide({ decision: "leave" })).status).toBe(200)
    expect((await decide({ decision: "happened", upstream_id: byHand })).status).toBe(200)
    for (const decision of ["resend", "leave", "happened"])
      expect((await decide({ decision })).status).toBe(409)
    await app.pass(600_000)
    expect(app.service.truth).toHaveLength(1)
  })

  it("of a form is not resent hours after the click", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? vanished : unsent)
    const { id } = await app.make({ kind: "award", rows: [award] })
    await app.until(id, "done")
    await app.post(`/jobs/${id}/rows/1/decision`, { decision: "resend" })
    const { pause } = await app.until(id, "paused")
    expect(pause?.code).toBe("not_sent_in_time")
    app.service.fateOf = () => goodFate
    await app.pass(3_600_000)
    expect(app.service.truth).toEqual([])
  })

  it("that was booked twice is reversed with its job", async () => {
    const app = createPointsApp()
    const late = 1_000_000
    app.service.fateOf = (_, nth) => (nth === 1 ? { ...lost, commit: late } : goodFate)
    const { id } = await app.make({ kind: "award", rows: [award] })
    await app.until(id, "done")
    await app.post(`/jobs/${id}/rows/1/decision`, { decision: "resend" })
    await app.until(id, "done")
    await app.pass(2 * late)
    expect((await app.rows(id))[0]?.outcome?.code).toBe("awarded_twice")
    const byHand = await app.make({ kind: "deduct", rows: [{ ...award, reason: "Second one back" }] })
    await app.until(byHand.id, "done")
    await app.post(`/jobs/${id}/rows/1/decision`, { decision: "leave" })
    expect((await app.meanwhile(app.post(`/jobs/${id}/reverse`, {}))).status).toBe(201)
    await app.pass(60_000)
    expect(booked(app).map(([, points]) => points)).toEqual([250, 250, -250, -250])
  })
})
