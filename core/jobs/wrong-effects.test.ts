import { beforeEach, describe, expect, it } from "vitest"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { awardsFor, createPointsApp, refusal, type PointsApp } from "../../tests/support/points-app.ts"

const single = { mode: "single" } as const
const hourMs = 3_600_000
/** Processed, but without a response. */
const lost = { ...goodFate, answer: "none" } as const

beforeEach(digestAtOnce)

const awardsOf = (app: PointsApp, member: string) =>
  app.service.truth.filter((effect) => effect.kind === "award" && effect.memberId === member).length
const doubled = (app: PointsApp) => {
  const members = app.service.truth.flatMap((effect) => (effect.kind === "award" ? [effect.memberId] : []))
  return members.length - new Set(members).size
}
/** Two awards confirmed now: canaries for the history. */
const later = async (app: PointsApp) => {
  const rows = awardsFor(52).slice(50)
  const made = await app.make({ kind: "award", rows, options: single })
  await app.pass(1000)
  return made
}

describe("this machine's clock", () => {
  it("set forward does not age an unknown award: one that is booked late is not resent", async () => {
    const app = createPointsApp({ rateLimit: 600 })
    app.service.fateOf = (_, nth) => (nth === 5 ? { ...lost, commit: 200_000 } : goodFate)
    const made = await app.make({ kind: "award", rows: awardsFor(40), options: single })
    await app.pass(15_000)
    app.clock.shiftWall(hourMs)
    await later(app)
    await app.pass(4 * hourMs)
    await app.until(made.id, "done")
    app.service.settleAll()
    expect(awardsOf(app, "mem_5")).toBe(1)
  })

  it("set back does not hide an award of the history", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? { ...lost, lagMs: 5000 } : goodFate)
    const made = await app.make({ kind: "award", rows: awardsFor(1) })
    await app.pass(4000)
    app.clock.shiftWall(-hourMs)
    for (let times = 0; times < 4; times += 1) {
      await app.pass(hourMs / 2)
      await later(app)
    }
    await app.until(made.id, "done")
    expect(awardsOf(app, "mem_1")).toBe(1)
  })
})

describe("the service's clocks", () => {
  it("may differ between its servers", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth <= 10 ? { ...lost, lagMs: 150_000 } : goodFate)
    const { upstream } = app.service
    const send = upstream.send.bind(upstream)
    let sent = 0
    upstream.send = async (call) => {
      const outcome = await send(call)
      sent += 1
      if (outcome.kind !== "answer" || outcome.serviceTime === undefined || sent % 3 === 0) return outcome
      return { ...outcome, serviceTime: outcome.serviceTime + hourMs }
    }
    const rows = awardsFor(50)
    const made = await app.make({ kind: "award", rows, options: single })
    await app.pass(hourMs)
    await app.until(made.id, "done")
    expect(doubled(app)).toBe(0)
  })
})

describe("a bulk request refused half-way", () => {
  it.each([402, 403])("is looked up before a resend: %i", async (status) => {
    const app = createPointsApp()
    let refused = false
    app.instead((call) => {
      if (refused || app.service.writes.length === 0 || call.path !== "/points/award/bulk") return undefined
      refused = true
      const { awards } = call.body as { readonly awards: readonly unknown[] }
      void app.service.upstream.send({ ...call, body: { awards: awards.slice(0, 20) } })
      return refusal(status, "limit_reached")
    })
    const made = await app.make({ kind: "award", rows: awardsFor(60), options: { mode: "bulk" } })
    await app.pass(30_000)
    expect(await app.read(made.id)).toMatchObject({ state: "paused", pause: { code: "limit_reached" } })
    await app.post(`/jobs/${made.id}/resume`, {})
    await app.until(made.id, "done")
    expect([app.service.truth.length, doubled(app)]).toEqual([60, 0])
  })
})

describe("a row of a reversal", () => {
  it("is retried unchanged, not with another member", async () => {
    const app = createPointsApp()
    const made = await app.make({ kind: "award", rows: awardsFor(2), options: single })
    await app.until(made.id, "done")
    app.instead(({ path }) => (path === "/points/deduct" ? refusal(400, "insufficient_points") : undefined))
    await app.meanwhile(app.post(`/jobs/${made.id}/reverse`, {}))
    const [reversal = ""] = (await app.read(made.id)).reversed_by
    await app.until(reversal, "done")
    const input = { member_id: "mem_40", points: 9999, reason: "Mended" }
    const answer = await app.post(`/jobs/${reversal}/retry`, { rows: [{ row: 1, input }] })
    expect(answer).toMatchObject({ status: 422 })
    app.instead(() => undefined)
    expect((await app.post(`/jobs/${reversal}/retry`, {})).status).toBe(200)
    await app.until(reversal, "done")
    expect(app.service.truth.filter(({ kind }) => kind === "deduct")).toMatchObject([
      { memberId: "mem_1", points: -100 },
      { memberId: "mem_2", points: -100 },
    ])
  })
})

describe("new members", () => {
  it("are created with the corrected input, not with the one read before", async () => {
    const app = createPointsApp({ rateLimit: 10 })
    const person = (email: string) => ({ email, first_name: "Ana", last_name: "Silva" })
    app.service.fateOf = (_, nth) => (nth === 3 ? { ...goodFate, answer: "refused" } : goodFate)
    const rows = Array.from({ length: 60 }, (_, at) => person(`new${at + 1}@dealer.test`))
    const made = await app.make({ kind: "member-create", rows })
    await app.until(made.id, ({ counts }) => counts.failed === 1)
    // Someone else creates the member of row 58 meanwhile; the retry of row 3 looks it up again.
    const elsewhere = app.service.upstream.send({
      api: "program",
      method: "POST",
      path: "/members",
      query: new URLSearchParams(),
      body: person("new58@dealer.test"),
    })
    await app.meanwhile(elsewhere)
    await app.post(`/jobs/${made.id}/retry`, { rows: [{ row: 3, input: person("mended3@dealer.test") }] })
    await app.until(made.id, ({ counts }) => counts.failed === 1)
    expect((await app.rows(made.id))[57]).toMatchObject({
      state: "failed",
      outcome: { code: "already_member" },
    })
    await app.post(`/jobs/${made.id}/retry`, { rows: [{ row: 58, input: person("mended58@dealer.test") }] })
    await app.until(made.id, "done")
    const created = app.service.truth.flatMap((one) => (one.kind === "member-create" ? [one.email] : []))
    expect(created.filter((email) => email === "new58@dealer.test")).toHaveLength(1)
    expect(created).toContain("mended58@dealer.test")
  })
})
