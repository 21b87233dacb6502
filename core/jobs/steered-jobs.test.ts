import { beforeEach, describe, expect, it } from "vitest"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { awardsFor, createPointsApp, refusal, type PointsApp } from "../../tests/support/points-app.ts"

const single = { mode: "single" } as const
/** Not processed, and without a response. */
const vanished = { ...goodFate, commit: null, answer: "none" } as const

beforeEach(digestAtOnce)

const deducted = (app: PointsApp) =>
  app.service.truth.flatMap((effect) => (effect.kind === "deduct" ? [effect.memberId] : [])).toSorted()

/** A finished job of awards for this number of members. */
async function awarded(app: PointsApp, count: number): Promise<string> {
  const { id } = await app.make({ kind: "award", rows: awardsFor(count), options: single })
  await app.until(id, "done")
  return id
}

it("a preparation that keeps failing with the same error pauses the job and stops its requests", async () => {
  const app = createPointsApp()
  const { jobs } = app.store
  const changeRows = jobs.changeRows.bind(jobs)
  jobs.changeRows = () => Promise.reject(new Error("invalid input syntax for type json"))
  const { id } = await app.make({
    kind: "award",
    rows: awardsFor(2).map(({ points, reason }, at) => ({
      points,
      reason,
      email: madeUpMember(`mem_${at + 1}`).email,
    })),
  })
  const { pause } = await app.until(id, "paused")
  expect(pause).toMatchObject({
    code: "not_prepared",
    message: expect.stringMatching(/None of these rows was sent/) as unknown,
  })
  const spent = app.calls.length
  await app.pass(600_000)
  expect(app.calls).toHaveLength(spent)
  jobs.changeRows = changeRows
  await app.post(`/jobs/${id}/resume`, {})
  expect((await app.until(id, "done")).counts.confirmed).toBe(2)
})

it("a person's action and its audit entry are stored in one transaction", async () => {
  const app = createPointsApp({ rateLimit: 10 })
  // Later writes are lost, as if the process ended in between.
  app.store.audit.append = () => new Promise(() => {})
  app.service.fateOf = (_, nth) => (nth === 1 ? { ...goodFate, answer: "refused" } : goodFate)
  const { id } = await app.make({ kind: "award", rows: awardsFor(3), options: single })
  await app.until(id, "done")
  await app.post(`/jobs/${id}/retry`, { reason: "Lifted" })
  await app.until(id, "done")
  await app.meanwhile(app.post(`/jobs/${id}/reverse`, { reason: "Wrong list" }))
  const [by = ""] = (await app.read(id)).reversed_by
  await app.post(`/jobs/${by}/pause`, { reason: "Wait" })
  await app.post(`/jobs/${by}/resume`, {})
  await app.post(`/jobs/${by}/cancel`, { reason: "Enough" })
  const entries = await app.store.audit.list({ per_page: 100 }, {})
  const acts = entries.filter(({ action }) => action !== "job.finish")
  expect(acts.map(({ action, on, note }) => [action, on.id, note]).toReversed()).toEqual([
    ["job.create", id, "3 rows."],
    ["job.retry", id, "Lifted"],
    ["job.reverse", id, `By ${by}, 3 rows. Wrong list`],
    ["job.pause", by, "Wait"],
    ["job.resume", by, null],
    ["job.cancel", by, "Enough"],
  ])
})

describe("cancelling", () => {
  it("finishes sent rows and leaves the rest planned", async () => {
    const app = createPointsApp({ rateLimit: 10 })
    const made = await app.make({ kind: "award", rows: awardsFor(60), options: single })
    await app.pass(5000)
    await app.post(`/jobs/${made.id}/cancel`, {})
    const { counts } = await app.until(made.id, "cancelled")
    expect(counts.confirmed + counts.planned).toBe(60)
    expect(counts.confirmed).toBe(app.service.truth.length)
    await app.pass(3_600_000)
    expect(app.service.truth).toHaveLength(counts.confirmed)
    expect((await app.post(`/jobs/${made.id}/retry`, {})).status).toBe(409)
  })

  it.each(["cancel", "pause"])(
    "sends no order after %s was answered, even if its precheck was waiting",
    async (action) => {
      const app = createPointsApp({ rateLimit: 4 })
      let patches = 0
      const of = { member_id: "mem_1", reward_id: "r1", reward_name: "Mug", points_spent: 5 }
      app.instead(({ method, path }) => {
        const order_id = /^\/orders\/(\w+)$/.exec(path)?.[1]
        if (order_id === undefined) return undefined
        if (method === "PATCH") patches += 1
        const data = { ...of, order_id, status: method === "PATCH" ? "shipped" : "processing" }
        return { status: 200, body: { success: true, data } }
      })
      const rows = Array.from({ length: 12 }, (_, at) => ({
        order_id: `ord_${at}`,
        status: "shipped",
        expected: { status: "processing" },
      }))
      const made = await app.make({ kind: "order-update", rows })
      await app.pass(90_000)
      expect((await app.meanwhile(app.post(`/jobs/${made.id}/${action}`, {}))).status).toBe(200)
      const sent = patches
      expect(sent).toBeGreaterThan(0)
      await app.pass(240_000)
      expect(patches).toBe(sent)
      expect((await app.read(made.id)).counts).toMatchObject({ confirmed: sent, planned: 12 - sent })
    },
  )

  it("leaves a row that was sent before to a person", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const made = await app.make({ kind: "award", rows: awardsFor(3), options: single })
    await app.pass(10_000)
    await app.post(`/jobs/${made.id}/cancel`, {})
    expect((await app.read(made.id)).state).toBe("cancelling")
    const { attention } = await app.until(made.id, "cancelled")
    expect(attention).toBe(1)
    expect(app.bodies("/points/award")).toHaveLength(3)
  })
})

describe("retrying failed rows", () => {
  it("sends only the corrected rows, with their new input", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth <= 2 ? { ...goodFate, answer: "refused" } : goodFate)
    const made = await app.make({ kind: "award", rows: awardsFor(5), options: single })
    expect((await app.until(made.id, "done")).counts).toMatchObject({ confirmed: 3, failed: 2 })
    const mended = { member_id: "mem_40", points: 7, reason: "Mended" }
    const answer = await app.post(`/jobs/${made.id}/retry`, { rows: [{ row: 1, input: mended }] })
    expect(answer.status).toBe(200)
    expect((await app.until(made.id, "done")).counts).toMatchObject({ confirmed: 4, failed: 1 })
    expect(app.bodies("/points/award").at(-1)).toMatchObject(mended)
  })

  it("plans nothing when one of the chosen rows is missing or no longer failed", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth <= 2 ? { ...goodFate, answer: "refused" } : goodFate)
    const made = await app.make({ kind: "award", rows: awardsFor(3), options: single })
    await app.until(made.id, "done")
    const retry = (rows: readonly object[]) => app.post(`/jobs/${made.id}/retry`, { rows })
    expect((await retry([{ row: 1 }, { row: 9 }])).status).toBe(404)
    expect((await retry([{ row: 1 }])).status).toBe(200)
    await app.until(made.id, "done")
    const corrected = [1, 2].map((row) => ({ row, input: { ...awardsFor(row).at(-1), points: 7 } }))
    expect(await retry(corrected)).toMatchObject({
      status: 409,
      body: { error: { message: "Row 1 can’t be sent again, its state is “Done”. Nothing was done." } },
    })
    expect((await app.read(made.id)).counts).toMatchObject({ confirmed: 2, failed: 1 })
  })

  it("plans nothing when one of the inputs is invalid", async () => {
    const app = createPointsApp()
    app.service.fateOf = () => ({ ...goodFate, answer: "refused" })
    const made = await app.make({ kind: "award", rows: awardsFor(2), options: single })
    await app.until(made.id, "done")
    const rows = [{ row: 1 }, { row: 2, input: { member_id: "mem_2", points: 0, reason: "x" } }]
    expect(await app.post(`/jobs/${made.id}/retry`, { rows })).toMatchObject({ status: 422 })
    expect((await app.read(made.id)).counts).toMatchObject({ failed: 2, planned: 0 })
  })
})

describe("reversing a job", () => {
  it("deducts each row once, for any number of requests and people", async () => {
    const app = createPointsApp()
    const id = await awarded(app, 10)
    const ask = () => app.meanwhile(app.post(`/jobs/${id}/reverse`, {}))
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409])
    await app.pass(600_000)
    expect(deducted(app)).toEqual(
      awardsFor(10)
        .map(({ member_id }) => member_id)
        .toSorted(),
    )
    expect((await ask()).status).toBe(409)
  })

  it("waits until no row is sent or unknown", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 1 ? vanished : goodFate)
    const { id } = await app.make({ kind: "award", rows: awardsFor(3), options: single })
    await app.pass(10_000)
    expect((await app.meanwhile(app.post(`/jobs/${id}/reverse`, {}))).status).toBe(409)
  })

  it("does not resend a deduction automatically", async () => {
    const app = createPointsApp()
    const id = await awarded(app, 5)
    const before = app.service.writes.length
    app.service.fateOf = (_, nth) => (nth === before + 1 ? vanished : goodFate)
    const answer = await app.meanwhile(app.post(`/jobs/${id}/reverse`, {}))
    expect(answer.status).toBe(201)
    await app.pass(3 * 3_600_000)
    expect(app.bodies("/points/deduct")).toHaveLength(5)
    expect(deducted(app)).toHaveLength(4)
  })

  it("releases the awards that a cancelled reversal did not send", async () => {
    const app = createPointsApp({ rateLimit: 10 })
    const id = await awarded(app, 30)
    await app.meanwhile(app.post(`/jobs/${id}/reverse`, {}))
    const [reversal] = (await app.read(id)).reversed_by
    await app.pass(5000)
    await app.post(`/jobs/${reversal}/cancel`, {})
    const { counts } = await app.until(reversal ?? "", "cancelled")
    expect(counts.planned).toBeGreaterThan(0)
    expect((await app.meanwhile(app.post(`/jobs/${id}/reverse`, {}))).status).toBe(201)
    await app.pass(1_200_000)
    expect(deducted(app)).toEqual(
      awardsFor(30)
        .map(({ member_id }) => member_id)
        .toSorted(),
    )
  })

  it("releases the award of a cancelled reversal's absent row when a person leaves it", async () => {
    const app = createPointsApp({ rateLimit: 10 })
    const id = await awarded(app, 20)
    const before = app.service.writes.length
    app.service.fateOf = (_, nth) => (nth === before + 1 ? vanished : goodFate)
    const ask = () => app.meanwhile(app.post(`/jobs/${id}/reverse`, {}))
    expect((await ask()).status).toBe(201)
    const [reversal = ""] = (await app.read(id)).reversed_by
    await app.pass(20_000)
    const isRefused = (text: string) => ({
      status: 409,
      body: { error: { message: expect.stringContaining(text) } },
    })
    expect(await ask()).toMatchObject(isRefused(`${reversal} isn’t finished: wait, or resume it.`))
    await app.post(`/jobs/${reversal}/cancel`, {})
    await app.until(reversal, "cancelled")
    const lost = (await app.rows(reversal)).find(({ state }) => state === "absent")
    const decide = (decision: string) =>
      app.meanwhile(app.post(`/jobs/${reversal}/rows/${lost?.row}/decision`, { decision }))
    expect(await decide("resend")).toMatchObject(isRefused(`leave this row, then reverse ${id} again`))
    expect((await ask()).status).toBe(201)
    await app.pass(1_200_000)
    expect(deducted(app)).toHaveLength(19)
    expect(await ask()).toMatchObject(isRefused(`Some rows of ${reversal} need a decision`))
    expect((await decide("leave")).status).toBe(200)
    expect((await ask()).status).toBe(201)
    await app.pass(1_200_000)
    expect(new Set(deducted(app)).size).toBe(20)
    expect(deducted(app)).toHaveLength(20)
    expect(await ask()).toMatchObject(isRefused("There’s nothing left to reverse"))
  })

  it("shows where refused deductions are retried", async () => {
    const app = createPointsApp()
    const id = await awarded(app, 2)
    app.service.fateOf = () => ({ ...goodFate, answer: "refused" })
    const ask = () => app.meanwhile(app.post(`/jobs/${id}/reverse`, {}))
    expect((await ask()).status).toBe(201)
    const [reversal = ""] = (await app.read(id)).reversed_by
    await app.until(reversal, "done")
    expect(await ask()).toMatchObject({
      status: 409,
      body: {
        error: {
          message: expect.stringContaining(`deductions of ${reversal} were not done: send them again`),
        },
      },
    })
  })
})

describe("editing planned rows", () => {
  const fixed = { member_id: "mem_40", points: 7, reason: "Fixed" }

  it("sends each with its new input once, and leaves sent rows unchanged", async () => {
    const app = createPointsApp({ rateLimit: 10 })
    const made = await app.make({ kind: "award", rows: awardsFor(40), options: single })
    await app.pass(5000)
    const edit = (row: number) =>
      app.ask(`PATCH /jobs/${made.id}/rows`, { body: { rows: [{ row, input: fixed }] } })
    expect((await edit(40)).status).toBe(409)
    await app.post(`/jobs/${made.id}/pause`, {})
    await app.pass(30_000)
    expect((await app.rows(made.id)).filter(({ can_edit }) => can_edit === true)).toHaveLength(
      (await app.read(made.id)).counts.planned,
    )
    expect((await edit(1)).body).toMatchObject({
      error: { code: "conflict", message: "Row 1 can’t be edited, its state is “Done”. Nothing was saved." },
    })
    expect((await edit(40)).status).toBe(200)
    expect((await edit(41)).status).toBe(404)
    expect((await app.post(`/jobs/${made.id}/resume`, {})).status).toBe(200)
    expect((await app.until(made.id, "done")).counts.confirmed).toBe(40)
    expect(app.service.truth).toHaveLength(40)
    const sent = app.bodies("/points/award")
    expect(sent.filter((body) => (body as typeof fixed).points === 7)).toMatchObject([fixed])
    // The 40th member has the edited award, and the points of the job include it.
    expect((await app.read(made.id)).points).toEqual({ total: 3907, confirmed: 3907 })
  })

  it("refuses rows that may have been carried out", async () => {
    const app = createPointsApp()
    const made = await app.make({ kind: "award", rows: awardsFor(2), options: { ...single, draft: true } })
    await app.store.jobs.changeRows(made.id, [
      { row: 1, from: ["planned"], set: { attempts: 1, hadUnknownAttempt: true } },
    ])
    await app.store.jobs.change(made.id, ["draft"], { state: "paused" })
    expect((await app.rows(made.id)).map(({ can_edit }) => can_edit ?? false)).toEqual([false, true])
    const rows = [2, 1].map((row) => ({ row, input: fixed }))
    const answer = await app.ask(`PATCH /jobs/${made.id}/rows`, { body: { rows } })
    expect(answer).toMatchObject({ status: 409 })
    expect((await app.rows(made.id)).map(({ input }) => input["reason"])).toEqual(["Q3 bonus", "Q3 bonus"])
  })

  it("is not undone by an earlier read of the row", async () => {
    const app = createPointsApp()
    const rows = [1, 2].map((at) => ({ email: `mem_${at}@dealer.test`, points: 5, reason: "Bonus" }))
    const made = await app.make({ kind: "award", rows, options: { ...single, draft: true } })
    let steered: Promise<unknown> | undefined
    // Paused, edited and resumed during the lookup of the old address.
    app.instead(({ path, query }) => {
      if (path === "/members" && query.get("search") === "mem_1@dealer.test") {
        steered ??= (async () => {
          await app.post(`/jobs/${made.id}/pause`, {})
          const input = { email: "mem_3@dealer.test", points: 9, reason: "Fixed" }
          await app.ask(`PATCH /jobs/${made.id}/rows`, { body: { rows: [{ row: 1, input }] } })
          await app.post(`/jobs/${made.id}/resume`, {})
        })()
      }
      return undefined
    })
    await app.post(`/jobs/${made.id}/start`, {})
    expect((await app.until(made.id, "done")).counts.confirmed).toBe(2)
    await steered
    const sent = app.bodies("/points/award").map((body) => body as { member_id: string; points: number })
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
  const searches = (app: PointsApp) => app.calls.filter(({ query }) => query.has("search")).length
  const pages = (app: PointsApp) =>
    app.calls.filter(({ path, query }) => path === "/members" && !query.has("search")).length

  it("are found by one search each when there are few", async () => {
    const app = createPointsApp({ members: 2000 })
    const made = await app.make({ kind: "award", rows: byEmail(3) })
    expect((await app.until(made.id, "done")).counts.confirmed).toBe(3)
    expect([searches(app), pages(app)]).toEqual([3, 0])
  })

  it("are found by reading all members when that is cheaper", async () => {
    const app = createPointsApp({ members: 250, rateLimit: 600 })
    const made = await app.make({ kind: "award", rows: byEmail(60) })
    expect((await app.until(made.id, "done")).counts.confirmed).toBe(60)
    expect(searches(app)).toBe(0)
    expect(pages(app)).toBeLessThanOrEqual(4)
  })

  it("are recognised in place of an id, and an unusual id stays unchanged", async () => {
    const app = createPointsApp()
    const rows = ["Mem_1@dealer.test", "unusual id"].map((member_id) => ({
      member_id,
      points: 5,
      reason: "Bonus",
    }))
    const made = await app.make({ kind: "award", rows, options: single })
    await app.until(made.id, "done")
    const sent = app.bodies("/points/award")
    expect(sent.map((body) => (body as { member_id: string }).member_id).toSorted()).toEqual([
      "mem_1",
      "unusual id",
    ])
  })

  it("fail without being sent when no member or several members have the e-mail", async () => {
    const app = createPointsApp()
    const twice = { ...madeUpMember("mem_90"), email: "two@dealer.test" }
    app.instead(({ path, query }) =>
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
    const made = await app.make({ kind: "award", rows })
    await app.until(made.id, "done")
    expect((await app.rows(made.id)).map(({ outcome }) => outcome?.code)).toEqual([
      "member_ambiguous",
      "member_not_found",
    ])
    expect(app.service.writes).toEqual([])
  })
})

describe("unreadable data", () => {
  it.each(["/transactions", "/balance"])("does not keep a row unknown without end: %s", async (end) => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 3 ? vanished : goodFate)
    app.instead(({ path }) => (path === `/members/mem_3${end}` ? refusal(500, "server_error") : undefined))
    const made = await app.make({ kind: "award", rows: awardsFor(10), options: single })
    const { attention } = await app.until(made.id, "done")
    expect(attention).toBe(1)
    const before = app.calls.length
    await app.pass(1_200_000)
    expect(app.calls.length - before).toBeLessThanOrEqual(1)
    expect(app.bodies("/points/award")).toHaveLength(10)
  })

  it("does not block a shutdown while lookups wait for a permit", async () => {
    const app = createPointsApp({ rateLimit: 10 })
    app.service.fateOf = (_, nth) => (nth < 8 ? { ...goodFate, answer: "none" } : goodFate)
    await app.make({ kind: "award", rows: awardsFor(60), options: single })
    await app.pass(130_000)
    const before = app.clock.monotonic()
    await app.meanwhile(app.app.stop())
    expect(app.clock.monotonic() - before).toBeLessThanOrEqual(15_000)
  })
})
