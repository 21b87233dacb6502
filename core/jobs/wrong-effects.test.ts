import { beforeEach, describe, expect, it } from "vitest"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { awardsFor, createPointsApp, refusal, type PointsApp } from "../../tests/support/points-app.ts"

const single = { mode: "single" } as const
const hourMs = 3_600_000
/** Carried out, but no answer comes. */
const lost = { ...goodFate, answer: "none" } as const

beforeEach(digestAtOnce)

const awardsOf = (desk: PointsApp, member: string) =>
  desk.service.truth.filter((effect) => effect.kind === "award" && effect.memberId === member).length
const doubled = (desk: PointsApp) => {
  const members = desk.service.truth.flatMap((effect) => (effect.kind === "award" ? [effect.memberId] : []))
  return members.length - new Set(members).size
}
/** Two awards whose answers come now: what the history is compared with. */
const later = async (desk: PointsApp) => {
  const rows = awardsFor(52).slice(50)
  const made = await desk.make({ kind: "award", rows, options: single })
  await desk.pass(1000)
  return made
}

describe("this machine's clock", () => {
  it("set forward does not make an unknown award old: one that is booked late is not sent again", async () => {
    const desk = createPointsApp({ rateLimit: 600 })
    desk.service.fateOf = (_, nth) => (nth === 5 ? { ...lost, commit: 200_000 } : goodFate)
    const made = await desk.make({ kind: "award", rows: awardsFor(40), options: single })
    await desk.pass(15_000)
    desk.clock.shiftWall(hourMs)
    await later(desk)
    await desk.pass(4 * hourMs)
    await desk.until(made.id, "done")
    desk.service.settleAll()
    expect(awardsOf(desk, "mem_5")).toBe(1)
  })

  it("set back does not hide an award in the history", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 1 ? { ...lost, lagMs: 5000 } : goodFate)
    const made = await desk.make({ kind: "award", rows: awardsFor(1) })
    await desk.pass(4000)
    desk.clock.shiftWall(-hourMs)
    for (let times = 0; times < 4; times += 1) {
      await desk.pass(hourMs / 2)
      await later(desk)
    }
    await desk.until(made.id, "done")
    expect(awardsOf(desk, "mem_1")).toBe(1)
  })
})

describe("the service's clocks", () => {
  it("may differ from one of its servers to the next", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth <= 10 ? { ...lost, lagMs: 150_000 } : goodFate)
    const { upstream } = desk.service
    const send = upstream.send.bind(upstream)
    let sent = 0
    upstream.send = async (call) => {
      const outcome = await send(call)
      sent += 1
      if (outcome.kind !== "answer" || outcome.serviceTime === undefined || sent % 3 === 0) return outcome
      return { ...outcome, serviceTime: outcome.serviceTime + hourMs }
    }
    const rows = awardsFor(50)
    const made = await desk.make({ kind: "award", rows, options: single })
    await desk.pass(hourMs)
    await desk.until(made.id, "done")
    expect(doubled(desk)).toBe(0)
  })
})

describe("a bulk request that is refused half-way", () => {
  it.each([402, 403])("is looked up before it goes out again: %i", async (status) => {
    const desk = createPointsApp()
    let refused = false
    desk.instead((call) => {
      if (refused || desk.service.writes.length === 0 || call.path !== "/points/award/bulk") return undefined
      refused = true
      const { awards } = call.body as { readonly awards: readonly unknown[] }
      void desk.service.upstream.send({ ...call, body: { awards: awards.slice(0, 20) } })
      return refusal(status, "limit_reached")
    })
    const made = await desk.make({ kind: "award", rows: awardsFor(60), options: { mode: "bulk" } })
    await desk.pass(30_000)
    expect(await desk.read(made.id)).toMatchObject({ state: "paused", pause: { code: "limit_reached" } })
    await desk.post(`/jobs/${made.id}/resume`, {})
    await desk.until(made.id, "done")
    expect([desk.service.truth.length, doubled(desk)]).toEqual([60, 0])
  })
})

describe("a row of a reversal", () => {
  it("is tried again as it was, never with another member", async () => {
    const desk = createPointsApp()
    const made = await desk.make({ kind: "award", rows: awardsFor(2), options: single })
    await desk.until(made.id, "done")
    desk.instead(({ path }) => (path === "/points/deduct" ? refusal(400, "insufficient_points") : undefined))
    await desk.meanwhile(desk.post(`/jobs/${made.id}/reverse`, {}))
    const [reversal = ""] = (await desk.read(made.id)).reversed_by
    await desk.until(reversal, "done")
    const input = { member_id: "mem_40", points: 9999, reason: "Mended" }
    const answer = await desk.post(`/jobs/${reversal}/retry`, { rows: [{ row: 1, input }] })
    expect(answer).toMatchObject({ status: 422 })
    desk.instead(() => undefined)
    expect((await desk.post(`/jobs/${reversal}/retry`, {})).status).toBe(200)
    await desk.until(reversal, "done")
    expect(desk.service.truth.filter(({ kind }) => kind === "deduct")).toMatchObject([
      { memberId: "mem_1", points: -100 },
      { memberId: "mem_2", points: -100 },
    ])
  })
})

describe("new members", () => {
  it("are created with the input a person mended, not with the one that was read before", async () => {
    const desk = createPointsApp({ rateLimit: 10 })
    const person = (email: string) => ({ email, first_name: "Ana", last_name: "Silva" })
    desk.service.fateOf = (_, nth) => (nth === 3 ? { ...goodFate, answer: "refused" } : goodFate)
    const rows = Array.from({ length: 60 }, (_, at) => person(`new${at + 1}@dealer.test`))
    const made = await desk.make({ kind: "member-create", rows })
    await desk.until(made.id, ({ counts }) => counts.failed === 1)
    // Somebody else creates the one of row 58 meanwhile; a retry of row 3 makes the desk look again.
    const elsewhere = desk.service.upstream.send({
      api: "program",
      method: "POST",
      path: "/members",
      query: new URLSearchParams(),
      body: person("new58@dealer.test"),
    })
    await desk.meanwhile(elsewhere)
    await desk.post(`/jobs/${made.id}/retry`, { rows: [{ row: 3, input: person("mended3@dealer.test") }] })
    await desk.until(made.id, ({ counts }) => counts.failed === 1)
    expect((await desk.rows(made.id))[57]).toMatchObject({
      state: "failed",
      outcome: { code: "already_member" },
    })
    await desk.post(`/jobs/${made.id}/retry`, { rows: [{ row: 58, input: person("mended58@dealer.test") }] })
    await desk.until(made.id, "done")
    const created = desk.service.truth.flatMap((one) => (one.kind === "member-create" ? [one.email] : []))
    expect(created.filter((email) => email === "new58@dealer.test")).toHaveLength(1)
    expect(created).toContain("mended58@dealer.test")
  })
})
