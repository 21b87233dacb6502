import { beforeEach, describe, expect, it } from "vitest"
import { type AmountLimits, firstAmountLimits } from "../../contract/amount-limits.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { awardsFor, createPointsApp, refusal, type PointsApp } from "../../tests/support/points-app.ts"

beforeEach(digestAtOnce)

const award = (points: number, member = 1) => ({ member_id: `mem_${member}`, points, reason: "Q3 bonus" })
const post = (app: PointsApp, rows: readonly unknown[], kind = "award", options = {}) =>
  app.post("/jobs", { kind, rows, options })
const limit = (app: PointsApp, limits: Partial<AmountLimits>) =>
  app.ask("PUT /settings/limits", { body: { ...firstAmountLimits, ...limits } })
const used = async (app: PointsApp) => (await app.ask("GET /limits")).body
const refusedAs = (text: RegExp) => ({
  status: 422,
  body: { error: { code: "over_limit", message: expect.stringMatching(text) } },
})

describe("amount limits", () => {
  it("refuse a row with the field, the limit and who can change it, and store nothing", async () => {
    const app = createPointsApp()
    const refused = await post(app, [award(100_000), award(1_000_000_000, 2)])
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: {
          code: "validation",
          details: {
            fields: [
              {
                field: "rows.1.points",
                message:
                  "At most 100,000 points for one award. An administrator can change this limit under Settings, Program.",
              },
            ],
          },
        },
      },
    })
    expect(await post(app, [award(100_001)], "deduct")).toMatchObject({ status: 422 })
    expect((await app.ask("GET /jobs")).body).toMatchObject({ data: [] })
  })

  it("refuse a job by its total", async () => {
    const app = createPointsApp()
    const rows = awardsFor(11).map((row) => ({ ...row, points: 100_000 }))
    expect(await post(app, rows)).toMatchObject(
      refusedAs(
        /comes to 1,100,000 points; the limit is 1,000,000 points a job.*administrator.*Nothing was done/,
      ),
    )
    expect((await post(app, rows.slice(1))).status).toBe(201)
  })

  it("hold for 50 concurrent requests of one person's day", async () => {
    const app = createPointsApp()
    await limit(app, { points_day: 1000 })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        post(app, [award(90, at + 1)], at % 2 === 0 ? "award" : "deduct"),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(39)
    expect(refused[0]).toMatchObject(
      refusedAs(
        /comes to 90 points; 10 points are left of the 1,000 points that one person may start in a day/,
      ),
    )
    expect(await used(app)).toMatchObject({ data: { used: { points: 990, card_cents: 0 } } })
    const other = {
      name: "Tom",
      body: { kind: "award", rows: [award(90)] },
      headers: { "idempotency-key": "t" },
    }
    expect((await app.ask("POST /jobs", other)).status).toBe(201)
  })

  it("reset at midnight of the program's time zone", async () => {
    const app = createPointsApp()
    await limit(app, { points_day: 100 })
    expect((await post(app, [award(100)])).status).toBe(201)
    expect((await post(app, [award(1)])).status).toBe(422)
    const offset = 10 * 3_600_000
    const dayMs = 86_400_000
    const toMidnight = dayMs - ((app.clock.now() + offset) % dayMs)
    await app.clock.advance(toMidnight - 1000)
    expect((await post(app, [award(1)])).status).toBe(422)
    await app.clock.advance(1000)
    expect((await post(app, [award(1)])).status).toBe(201)
  })

  it("reset by the store’s clock, even after it was set", async () => {
    const app = createPointsApp()
    await limit(app, { points_day: 100 })
    const made = await app.make({ kind: "award", rows: [award(100)] })
    await app.until(made.id, "done")
    app.clock.shiftWall(86_400_000)
    await app.pass(60_000)
    expect(await used(app)).toMatchObject({ data: { used: { points: 0 } } })
    expect((await post(app, [award(100)])).status).toBe(201)
  })

  it("apply to a draft when rows are added and when it is started", async () => {
    const app = createPointsApp()
    await limit(app, { points_row: 300, points_job: 500, points_day: 700 })
    const draft = await app.make({ kind: "award", rows: [], options: { draft: true } })
    const add = (rows: readonly unknown[]) => app.post(`/jobs/${draft.id}/rows`, { rows })
    expect(await add([award(301)])).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.points" }] } } },
    })
    expect((await add([award(300)])).status).toBe(200)
    expect(await add([award(201, 2)])).toMatchObject(
      refusedAs(/comes to 501 points; the limit is 500 points a job.*Nothing was added/),
    )
    expect((await post(app, [award(201, 3), award(200, 4)])).status).toBe(201)
    expect(await app.post(`/jobs/${draft.id}/start`, {})).toMatchObject(
      refusedAs(/299 points are left of the 700 points.*Nothing was started/),
    )
    await limit(app, { points_row: 200, points_job: 200, points_day: 800 })
    expect(await app.post(`/jobs/${draft.id}/start`, {})).toMatchObject(
      refusedAs(/comes to 300 points; the limit is 200 points a job/),
    )
    await limit(app, { points_day: 701 })
    expect((await app.post(`/jobs/${draft.id}/start`, {})).status).toBe(200)
    expect(await app.until(draft.id, "done")).toMatchObject({ counts: { confirmed: 1 } })
  })

  it("apply to retried rows, unchanged or corrected", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth <= 2 ? { ...goodFate, answer: "refused" } : goodFate)
    const made = await app.make({ kind: "award", rows: awardsFor(2), options: { mode: "single" } })
    await app.until(made.id, "done")
    await limit(app, { points_row: 500, points_job: 600, points_day: 700 })
    const retry = (body: unknown) => app.post(`/jobs/${made.id}/retry`, body)
    expect(await retry({ rows: [{ row: 1, input: award(501) }] })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.input.points" }] } } },
    })
    const both = {
      rows: [
        { row: 1, input: award(500) },
        { row: 2, input: award(101, 2) },
      ],
    }
    expect(await retry(both)).toMatchObject(
      refusedAs(/comes to 601 points.*600 points a job.*Nothing was done/),
    )
    expect((await post(app, [award(450, 5)])).status).toBe(201)
    expect(await retry({ rows: [{ row: 1, input: award(251) }] })).toMatchObject(
      refusedAs(/251 points; 250 points are left/),
    )
    expect((await retry({})).status).toBe(200)
    expect((await app.until(made.id, "done")).counts).toMatchObject({ confirmed: 2 })
    expect(await used(app)).toMatchObject({ data: { used: { points: 650 } } })
  })

  it("count retried rows of a larger job on the day of its start", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth <= 2 ? { ...goodFate, answer: "refused" } : goodFate)
    const made = await app.make({ kind: "award", rows: awardsFor(2), options: { mode: "single" } })
    await app.until(made.id, "done")
    await limit(app, { points_day: 200 })
    app.clock.shiftWall(86_400_000)
    expect((await post(app, [award(200, 3)])).status).toBe(201)
    const rows = [
      { row: 1, input: award(101) },
      { row: 2, input: award(100, 2) },
    ]
    expect(await app.post(`/jobs/${made.id}/retry`, { rows })).toMatchObject(
      refusedAs(/201 points; 200 points/),
    )
    expect((await app.post(`/jobs/${made.id}/retry`, {})).status).toBe(200)
    expect(await app.until(made.id, "done")).toMatchObject({ counts: { confirmed: 2 } })
    expect(await used(app)).toMatchObject({ data: { used: { points: 200 } } })
  })

  it("apply to edited rows of a paused job, and allow every reduction", async () => {
    const app = createPointsApp({ rateLimit: 1 })
    const made = await app.make({ kind: "award", rows: awardsFor(9), options: { mode: "single" } })
    await app.post(`/jobs/${made.id}/pause`, {})
    await limit(app, { points_row: 500, points_job: 1000, points_day: 1050 })
    const edit = (points: number) =>
      app.ask(`PATCH /jobs/${made.id}/rows`, { body: { rows: [{ row: 9, input: award(points, 9) }] } })
    expect(await edit(501)).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.input.points" }] } } },
    })
    expect(await edit(201)).toMatchObject(
      refusedAs(/comes to 1,001 points; the limit is 1,000 points a job.*Nothing was saved/),
    )
    expect((await edit(200)).status).toBe(200)
    await limit(app, { points_row: 500, points_job: 1100, points_day: 1050 })
    expect(await edit(260)).toMatchObject(refusedAs(/60 points; 50 points are left/))
    await limit(app, { points_row: 100, points_job: 100, points_day: 1 })
    expect((await edit(100)).status).toBe(200)
    expect(await used(app)).toMatchObject({ data: { used: { points: 900 } } })
  })

  it("count a single row on the day it is resumed, and only once per day", async () => {
    const app = createPointsApp()
    app.instead(() => refusal(401, "UNAUTHORIZED"))
    const [first, second] = [
      await app.make({ kind: "award", rows: [award(60)] }),
      await app.make({ kind: "award", rows: [award(60, 2)] }),
    ]
    for (const { id } of [first, second]) await app.until(id, "paused")
    app.instead(() => undefined)
    await limit(app, { points_row: 1, points_job: 1, points_day: 1 })
    expect((await app.post(`/jobs/${first.id}/resume`, {})).status).toBe(200)
    await app.until(first.id, "done")

    await app.clock.advance(86_400_000, 600_000)
    await limit(app, { points_day: 100 })
    expect((await post(app, [award(50, 3)])).status).toBe(201)
    const resume = () => app.post(`/jobs/${second.id}/resume`, {})
    expect(await resume()).toMatchObject(
      refusedAs(/60 points; 50 points are left of the 100 points.*It was not resumed. Nothing was sent/),
    )
    expect(await app.read(second.id)).toMatchObject({ state: "paused", counts: { planned: 1 } })
    await limit(app, { points_day: 110 })
    expect((await resume()).status).toBe(200)
    expect(await app.until(second.id, "done")).toMatchObject({ counts: { confirmed: 1 } })
    expect(await used(app)).toMatchObject({ data: { used: { points: 110 } } })
  })

  it("apply to a single row that is resent on a later day", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? { ...goodFate, commit: null, answer: "none" } : goodFate)
    const lost = await app.make({ kind: "award", rows: [award(60)] })
    await app.until(lost.id, ({ attention }) => attention === 1)
    await app.clock.advance(86_400_000, 600_000)
    await limit(app, { points_day: 100 })
    expect((await post(app, [award(50, 2)])).status).toBe(201)
    const resend = () => app.meanwhile(app.post(`/jobs/${lost.id}/rows/1/decision`, { decision: "resend" }))
    expect(await resend()).toMatchObject(
      refusedAs(/60 points; 50 points are left of the 100 points.*Nothing was decided/),
    )
    expect((await app.read(lost.id)).attention).toBe(1)
    await limit(app, { points_day: 110 })
    expect((await resend()).status).toBe(200)
    expect(await app.until(lost.id, "done")).toMatchObject({ counts: { confirmed: 1 } })
    expect(await used(app)).toMatchObject({ data: { used: { points: 110 } } })
  })

  it("do not apply to reversals, which count for nothing", async () => {
    const app = createPointsApp()
    const made = await app.make({ kind: "award", rows: awardsFor(3), options: { mode: "single" } })
    await app.until(made.id, "done")
    await limit(app, { points_row: 1, points_job: 1, points_day: 1 })
    const reversed = await app.post(`/jobs/${made.id}/reverse`, {})
    expect(reversed.status).toBe(201)
    expect(await used(app)).toMatchObject({ data: { used: { points: 300 } } })
  })

  it("return the same job to a repeated request after they were lowered", async () => {
    const app = createPointsApp()
    const request = { body: { kind: "award", rows: [award(100)] }, headers: { "idempotency-key": "again" } }
    expect((await app.ask("POST /jobs", request)).status).toBe(201)
    await limit(app, { points_row: 1 })
    expect((await app.ask("POST /jobs", request)).status).toBe(201)
    expect((await app.ask("GET /jobs")).body).toMatchObject({ data: [expect.anything()] })
  })

  it("are in cents of the program's currency for gift cards", async () => {
    const app = createPointsApp({ config: { defaultCard: "tpl_1" } })
    const card = (denomination: number, at = 1) => ({
      member: { firstname: "Ana", lastname: "Silva", email: `ana${at}@dealer.test` },
      denomination,
    })
    expect(await post(app, [card(1000.01)], "giftcard")).toMatchObject({
      status: 422,
      body: {
        error: {
          details: {
            fields: [
              {
                field: "rows.0.denomination",
                message: expect.stringMatching(/^At most AUD 1,000 for one gift card/),
              },
            ],
          },
        },
      },
    })
    const cards = Array.from({ length: 26 }, (_, at) => card(1000, at))
    expect(await post(app, cards, "giftcard")).toMatchObject(
      refusedAs(/comes to AUD 26,000; the limit is AUD 25,000 a job/),
    )
    const draft = await app.make({ kind: "giftcard", rows: [card(999.99)], options: { draft: true } })
    expect(draft.total).toBe(1)
  })

  it("are changed by administrators only, with old and new values in the audit log", async () => {
    const app = createPointsApp()
    const body = { ...firstAmountLimits, points_row: 5 }
    for (const role of ["manager", "fulfilment", "viewer"] as const) {
      expect(await app.ask("PUT /settings/limits", { role, body })).toMatchObject({
        status: 403,
        body: {
          error: { message: "This requires the Administrator role. Nothing was saved." },
        },
      })
    }
    expect((await app.ask("PUT /settings/limits", { body: { ...body, points_row: 0 } })).status).toBe(422)
    const inverted = { ...body, card_row_cents: body.card_job_cents + 1 }
    expect(await app.ask("PUT /settings/limits", { body: inverted })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "card_row_cents" }] } } },
    })
    expect((await limit(app, body)).status).toBe(200)
    expect((await app.ask("GET /audit")).body).toMatchObject({
      data: [{ action: "settings.save", changes: [{ field: "points_row", from: "100000", to: "5" }] }],
    })
    expect((await app.ask("GET /limits", { role: "viewer" })).body).toMatchObject({
      data: { limits: { points_row: 5 }, used: { points: 0, card_cents: 0 } },
    })
  })
})
