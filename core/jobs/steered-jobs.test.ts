import { beforeEach, describe, expect, it } from "vitest"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { awardsFor, createPointsApp, refusal, type PointsApp } from "../../tests/support/points-app.ts"

const single = { mode: "single" } as const
/** Never carried out, and no answer comes. */
const vanished = { ...goodFate, commit: null, answer: "none" } as const

beforeEach(digestAtOnce)

const deducted = (desk: PointsApp) =>
  desk.service.truth.flatMap((effect) => (effect.kind === "deduct" ? [effect.memberId] : [])).toSorted()

/** A job of awards for so many members, done. */
async function awarded(desk: PointsApp, count: number): Promise<string> {
  const { id } = await desk.make({ kind: "award", rows: awardsFor(count), options: single })
  await desk.until(id, "done")
  return id
}

describe("cancelling", () => {
  it("finishes what was sent and leaves the rest planned for good", async () => {
    const desk = createPointsApp({ rateLimit: 10 })
    const made = await desk.make({ kind: "award", rows: awardsFor(60), options: single })
    await desk.pass(5000)
    await desk.post(`/jobs/${made.id}/cancel`, {})
    const { counts } = await desk.until(made.id, "cancelled")
    expect(counts.confirmed + counts.planned).toBe(60)
    expect(counts.confirmed).toBe(desk.service.truth.length)
    await desk.pass(3_600_000)
    expect(desk.service.truth).toHaveLength(counts.confirmed)
    expect((await desk.post(`/jobs/${made.id}/retry`, {})).status).toBe(409)
  })

  it("does not drop a row that was sent before: a person says what becomes of it", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await desk.make({ kind: "award", rows: awardsFor(3), options: single })
    await desk.pass(10_000)
    await desk.post(`/jobs/${made.id}/cancel`, {})
    expect((await desk.read(made.id)).state).toBe("cancelling")
    const { attention } = await desk.until(made.id, "cancelled")
    expect(attention).toBe(1)
    expect(desk.bodies("/points/award")).toHaveLength(3)
  })
})

describe("trying failed rows again", () => {
  it("sends mended rows as they are now, and only those", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth <= 2 ? { ...goodFate, answer: "refused" } : goodFate)
    const made = await desk.make({ kind: "award", rows: awardsFor(5), options: single })
    expect((await desk.until(made.id, "done")).counts).toMatchObject({ confirmed: 3, failed: 2 })
    const mended = { member_id: "mem_40", points: 7, reason: "Mended" }
    const answer = await desk.post(`/jobs/${made.id}/retry`, { rows: [{ row: 1, input: mended }] })
    expect(answer.status).toBe(200)
    expect((await desk.until(made.id, "done")).counts).toMatchObject({ confirmed: 4, failed: 1 })
    expect(desk.bodies("/points/award").at(-1)).toMatchObject(mended)
  })

  it("plans nothing when one of the inputs cannot be sent", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = () => ({ ...goodFate, answer: "refused" })
    const made = await desk.make({ kind: "award", rows: awardsFor(2), options: single })
    await desk.until(made.id, "done")
    const rows = [{ row: 1 }, { row: 2, input: { member_id: "mem_2", points: 0, reason: "x" } }]
    expect(await desk.post(`/jobs/${made.id}/retry`, { rows })).toMatchObject({ status: 422 })
    expect((await desk.read(made.id)).counts).toMatchObject({ failed: 2, planned: 0 })
  })
})

describe("taking a batch back", () => {
  it("deducts once for each row, whoever asks however often", async () => {
    const desk = createPointsApp()
    const id = await awarded(desk, 10)
    const ask = () => desk.meanwhile(desk.post(`/jobs/${id}/reverse`, {}))
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409])
    await desk.pass(600_000)
    expect(deducted(desk)).toEqual(
      awardsFor(10)
        .map(({ member_id }) => member_id)
        .toSorted(),
    )
    expect((await ask()).status).toBe(409)
  })

  it("waits until nothing is on its way", async () => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const { id } = await desk.make({ kind: "award", rows: awardsFor(3), options: single })
    await desk.pass(10_000)
    expect((await desk.meanwhile(desk.post(`/jobs/${id}/reverse`, {}))).status).toBe(409)
  })

  it("never sends a deduction again by itself", async () => {
    const desk = createPointsApp()
    const id = await awarded(desk, 5)
    const before = desk.service.writes.length
    desk.service.fateOf = (_, nth) => (nth === before + 1 ? vanished : goodFate)
    const answer = await desk.meanwhile(desk.post(`/jobs/${id}/reverse`, {}))
    expect(answer.status).toBe(201)
    await desk.pass(3 * 3_600_000)
    expect(desk.bodies("/points/deduct")).toHaveLength(5)
    expect(deducted(desk)).toHaveLength(4)
  })

  it("gives back what a cancelled reversal had not sent", async () => {
    const desk = createPointsApp({ rateLimit: 10 })
    const id = await awarded(desk, 30)
    await desk.meanwhile(desk.post(`/jobs/${id}/reverse`, {}))
    const [reversal] = (await desk.read(id)).reversed_by
    await desk.pass(5000)
    await desk.post(`/jobs/${reversal}/cancel`, {})
    const { counts } = await desk.until(reversal ?? "", "cancelled")
    expect(counts.planned).toBeGreaterThan(0)
    expect((await desk.meanwhile(desk.post(`/jobs/${id}/reverse`, {}))).status).toBe(201)
    await desk.pass(1_200_000)
    expect(deducted(desk)).toEqual(
      awardsFor(30)
        .map(({ member_id }) => member_id)
        .toSorted(),
    )
  })
})

describe("editing rows that were not sent", () => {
  const fixed = { member_id: "mem_40", points: 7, reason: "Fixed" }

  it("sends them as they are then, once, and leaves what was sent alone", async () => {
    const desk = createPointsApp({ rateLimit: 10 })
    const made = await desk.make({ kind: "award", rows: awardsFor(40), options: single })
    await desk.pass(5000)
    const edit = (row: number) =>
      desk.ask(`PATCH /jobs/${made.id}/rows`, { body: { rows: [{ row, input: fixed }] } })
    expect((await edit(40)).status).toBe(409)
    await desk.post(`/jobs/${made.id}/pause`, {})
    await desk.pass(30_000)
    expect((await desk.rows(made.id)).filter(({ can_edit }) => can_edit === true)).toHaveLength(
      (await desk.read(made.id)).counts.planned,
    )
    expect((await edit(1)).body).toMatchObject({
      error: { code: "conflict", message: "Row 1 is confirmed, so it cannot be edited. Nothing was saved." },
    })
    expect((await edit(40)).status).toBe(200)
    expect((await edit(41)).status).toBe(404)
    expect((await desk.post(`/jobs/${made.id}/resume`, {})).status).toBe(200)
    expect((await desk.until(made.id, "done")).counts.confirmed).toBe(40)
    expect(desk.service.truth).toHaveLength(40)
    const sent = desk.bodies("/points/award")
    expect(sent.filter((body) => (body as typeof fixed).points === 7)).toMatchObject([fixed])
    // The 40th member has it instead of the award that stood there; the points of the job say so.
    expect((await desk.read(made.id)).points).toEqual({ total: 3907, confirmed: 3907 })
  })

  it("never edits a row that may have been carried out", async () => {
    const desk = createPointsApp()
    const made = await desk.make({ kind: "award", rows: awardsFor(2), options: { ...single, draft: true } })
    await desk.store.jobs.changeRows(made.id, [
      { row: 1, from: ["planned"], set: { attempts: 1, doubtful: true } },
    ])
    await desk.store.jobs.change(made.id, ["draft"], { state: "paused" })
    expect((await desk.rows(made.id)).map(({ can_edit }) => can_edit ?? false)).toEqual([false, true])
    const rows = [2, 1].map((row) => ({ row, input: fixed }))
    const answer = await desk.ask(`PATCH /jobs/${made.id}/rows`, { body: { rows } })
    expect(answer).toMatchObject({ status: 409 })
    expect((await desk.rows(made.id)).map(({ input }) => input["reason"])).toEqual(["Q3 bonus", "Q3 bonus"])
  })

  it("is never undone by what was read of the row before", async () => {
    const desk = createPointsApp()
    const rows = [1, 2].map((at) => ({ email: `mem_${at}@dealer.test`, points: 5, reason: "Bonus" }))
    const made = await desk.make({ kind: "award", rows, options: { ...single, draft: true } })
    let steered: Promise<unknown> | undefined
    // While the old address is being looked up: paused, edited and resumed at once.
    desk.instead(({ path, query }) => {
      if (path === "/members" && query.get("search") === "mem_1@dealer.test") {
        steered ??= (async () => {
          await desk.post(`/jobs/${made.id}/pause`, {})
          const input = { email: "mem_3@dealer.test", points: 9, reason: "Fixed" }
          await desk.ask(`PATCH /jobs/${made.id}/rows`, { body: { rows: [{ row: 1, input }] } })
          await desk.post(`/jobs/${made.id}/resume`, {})
        })()
      }
      return undefined
    })
    await desk.post(`/jobs/${made.id}/start`, {})
    expect((await desk.until(made.id, "done")).counts.confirmed).toBe(2)
    await steered
    const sent = desk.bodies("/points/award").map((body) => body as { member_id: string; points: number })
    expect(new Map(sent.map(({ member_id, points }) => [member_id, points]))).toEqual(
      new Map([
        ["mem_2", 5],
        ["mem_3", 9],
      ]),
    )
    expect(sent).toHaveLength(2)
  })
})

describe("rows by e-mail", () => {
  const byEmail = (count: number) =>
    awardsFor(count).map(({ member_id, ...rest }) => ({ ...rest, email: madeUpMember(member_id).email }))
  const searches = (desk: PointsApp) => desk.calls.filter(({ query }) => query.has("search")).length
  const pages = (desk: PointsApp) =>
    desk.calls.filter(({ path, query }) => path === "/members" && !query.has("search")).length

  it("are found by one search each when they are few", async () => {
    const desk = createPointsApp({ members: 2000 })
    const made = await desk.make({ kind: "award", rows: byEmail(3) })
    expect((await desk.until(made.id, "done")).counts.confirmed).toBe(3)
    expect([searches(desk), pages(desk)]).toEqual([3, 0])
  })

  it("are found by reading every member when that costs less", async () => {
    const desk = createPointsApp({ members: 250, rateLimit: 600 })
    const made = await desk.make({ kind: "award", rows: byEmail(60) })
    expect((await desk.until(made.id, "done")).counts.confirmed).toBe(60)
    expect(searches(desk)).toBe(0)
    expect(pages(desk)).toBeLessThanOrEqual(4)
  })

  it("are looked up though they stand in the place of an id; an unusual id is left as it is", async () => {
    const desk = createPointsApp()
    const rows = ["Mem_1@dealer.test", "unusual id"].map((member_id) => ({
      member_id,
      points: 5,
      reason: "Bonus",
    }))
    const made = await desk.make({ kind: "award", rows, options: single })
    await desk.until(made.id, "done")
    const sent = desk.bodies("/points/award")
    expect(sent.map((body) => (body as { member_id: string }).member_id).toSorted()).toEqual([
      "mem_1",
      "unusual id",
    ])
  })

  it("fail unsent when nobody or several have the e-mail", async () => {
    const desk = createPointsApp()
    const twice = { ...madeUpMember("mem_90"), email: "two@dealer.test" }
    desk.instead(({ path, query }) =>
      path === "/members" && query.get("search") === "two@dealer.test"
        ? {
            status: 200,
            body: {
              success: true,
              data: [twice, { ...twice, id: "mem_91" }],
              meta: { page: 1, per_page: 100, total: 2 },
            },
          }
        : undefined,
    )
    const rows = ["two@dealer.test", "nobody@dealer.test"].map((email) => ({ email, points: 5, reason: "x" }))
    const made = await desk.make({ kind: "award", rows })
    await desk.until(made.id, "done")
    expect((await desk.rows(made.id)).map(({ outcome }) => outcome?.code)).toEqual([
      "member_ambiguous",
      "member_not_found",
    ])
    expect(desk.service.writes).toEqual([])
  })
})

describe("what cannot be read", () => {
  it.each(["/transactions", "/balance"])("does not keep a row unknown for ever: %s", async (end) => {
    const desk = createPointsApp()
    desk.service.fateOf = (_, nth) => (nth === 3 ? vanished : goodFate)
    desk.instead(({ path }) => (path === `/members/mem_3${end}` ? refusal(500, "server_error") : undefined))
    const made = await desk.make({ kind: "award", rows: awardsFor(10), options: single })
    const { attention } = await desk.until(made.id, "done")
    expect(attention).toBe(1)
    const before = desk.calls.length
    await desk.pass(3_600_000)
    expect(desk.calls.length - before).toBeLessThanOrEqual(1)
    expect(desk.bodies("/points/award")).toHaveLength(10)
  })

  it("does not keep the desk from stopping while looks wait for a place", async () => {
    const desk = createPointsApp({ rateLimit: 10 })
    desk.service.fateOf = (_, nth) => (nth < 8 ? { ...goodFate, answer: "none" } : goodFate)
    await desk.make({ kind: "award", rows: awardsFor(60), options: single })
    await desk.pass(130_000)
    const before = desk.clock.monotonic()
    await desk.meanwhile(desk.desk.stop())
    expect(desk.clock.monotonic() - before).toBeLessThanOrEqual(15_000)
  })
})
