import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { earlierRows } from "../../contract/earlier-awards.ts"
import { type AddRowsBody, type Job, job as jobSchema } from "../../contract/job.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { createPointsApp, type PointsApp } from "../../tests/support/points-app.ts"

beforeEach(digestAtOnce)

const reason = "Q3 installer bonus"
const row = (member: number, changes: object = {}) => ({
  member_id: `mem_${member}`,
  points: 100,
  reason,
  ...changes,
})
const file = { name: "q3.csv", fingerprint: "f".repeat(64) }
const jobData = z.object({ data: jobSchema })

const dayMs = 86_400_000
const single = { mode: "single" }

/** Starts a draft and pauses it as soon as this number of rows is confirmed. */
async function pausedAfter(app: PointsApp, draft: Job, confirmed: number, repeats = 0): Promise<Job> {
  expect((await start(app, draft, repeats)).status).toBe(200)
  await app.until(draft.id, ({ counts }) => counts.confirmed >= confirmed)
  expect((await app.post(`/jobs/${draft.id}/pause`, {})).status).toBe(200)
  const paused = await app.until(draft.id, ({ counts }) => counts.sent + counts.unknown === 0)
  expect(paused).toMatchObject({ state: "paused" })
  expect(paused.counts.planned).toBeGreaterThan(0)
  return paused
}

/** Creates a draft from a file's rows, like the page. */
async function draftOf(app: PointsApp, body: AddRowsBody, options: object = {}): Promise<Job> {
  const { id } = await app.make({ kind: "award", rows: [], options: { draft: true, file, ...options } })
  const answer = await app.post(`/jobs/${id}/rows`, { ...body, first_row: 1 })
  return jobData.parse(answer.body).data
}

const start = (app: PointsApp, { id, total }: Job, repeats?: number) =>
  app.post(`/jobs/${id}/start`, { total, ...(repeats === undefined ? {} : { repeats }) })

async function repeatsOf(app: PointsApp, rows: readonly unknown[], kind = "award") {
  const answer = await app.post("/jobs/repeats", { kind, rows })
  return z.object({ data: z.array(earlierRows) }).parse(answer.body).data
}

/** Awards in each member's ledger. */
function paid(app: PointsApp): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const effect of app.service.truth)
    if (effect.kind === "award") counts[effect.memberId] = (counts[effect.memberId] ?? 0) + 1
  return counts
}

async function award(app: PointsApp, rows: readonly object[], options: object = {}): Promise<Job> {
  const draft = await draftOf(app, { rows: [...rows] }, options)
  expect((await start(app, draft)).status).toBe(200)
  return app.until(draft.id, "done")
}

describe("a file with repeated rows", () => {
  it("is recognised row by row, and starts only with the confirmed number of repeats", async () => {
    const app = createPointsApp()
    const first = await award(app, [row(1), row(2), row(3)])
    const other = row(3, { points: 101, correction: "as_well" })
    const corrected = [row(1), row(2, { reason: "q3  Installer BONUS" }), other, row(4)]
    expect(await repeatsOf(app, corrected)).toMatchObject([
      { at: 0, count: 1, job: first.id, row: 1, state: "confirmed" },
      { at: 1, count: 1, job: first.id, row: 2 },
      { at: 2, count: 0, recent: { job: first.id, row: 3, points: 100 } },
    ])

    const draft = await draftOf(app, { rows: corrected })
    const refused = await start(app, draft)
    expect(refused).toMatchObject({ status: 409, body: { error: { details: { repeats: 2 } } } })
    expect(refused.body).toMatchObject({ error: { message: expect.stringMatching(/2 rows repeat earlier/) } })
    expect((await start(app, draft, 1)).status).toBe(409)
    expect(await app.read(draft.id)).toMatchObject({ state: "draft", counts: { planned: 4 } })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1, mem_3: 1 })

    expect((await start(app, draft, 2)).status).toBe(200)
    await app.until(draft.id, "done")
    expect(paid(app)).toEqual({ mem_1: 2, mem_2: 2, mem_3: 2, mem_4: 1 })
    expect((await app.ask("GET /audit?action=job.start")).body).toMatchObject({
      data: [{ note: "2 rows repeat earlier ones and were included on purpose." }, {}],
    })
  })

  it("is compared in requests of up to 2,500 rows, with the repeats by their index", async () => {
    const app = createPointsApp()
    await award(app, [row(1), row(2), row(3)])
    const others = Array.from({ length: 2500 }, (_, at) => row(at + 100))
    const rows = others.map((other, at) => ({ 999: row(1), 1000: row(2), 2499: row(3) })[at] ?? other)
    expect((await repeatsOf(app, rows)).map(({ at, row: earlier }) => [at, earlier])).toEqual([
      [999, 1],
      [1000, 2],
      [2499, 3],
    ])
    expect((await app.post("/jobs/repeats", { kind: "award", rows: [...rows, row(1)] })).status).toBe(422)
  })

  it("awards nothing twice by default, and keeps repeats as excluded rows", async () => {
    const app = createPointsApp()
    const first = await award(app, [row(1), row(2)])
    const message = `Already awarded today (${first.id})`
    const draft = await draftOf(app, {
      rows: [row(3), row(4)],
      lines: [4, 7],
      excluded: [
        { line: 2, input: row(1), code: "repeated_row", message },
        {
          line: 3,
          input: { member_id: "mem_9", points: "1000.5" },
          code: "problem_in_file",
          message: "Not whole",
        },
        { line: 6, input: row(2), code: "repeated_row", message },
      ],
    })
    expect(draft).toMatchObject({ total: 2, counts: { planned: 2, excluded: 3 }, points: { total: 200 } })
    expect((await start(app, draft, 0)).status).toBe(200)
    const done = await app.until(draft.id, "done")
    expect(done).toMatchObject({ total: 2, attention: 0, counts: { confirmed: 2, excluded: 3 } })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1, mem_3: 1, mem_4: 1 })
    const rows = await app.rows(draft.id)
    expect(rows.map(({ line, state }) => [line, state])).toEqual([
      [2, "excluded"],
      [3, "excluded"],
      [4, "confirmed"],
      [6, "excluded"],
      [7, "confirmed"],
    ])
    expect(rows[1]).toMatchObject({
      input: { member_id: "mem_9", points: "1000.5" },
      outcome: { code: "problem_in_file", message: "Not whole" },
    })
    // Correcting an excluded row compares it again.
    expect((await app.post(`/jobs/${draft.id}/retry`, { rows: [{ row: 1 }] })).status).toBe(200)
    await app.until(draft.id, "done")
    expect((await app.rows(draft.id))[0]).toMatchObject({
      state: "excluded",
      outcome: { code: "repeated_row" },
    })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1, mem_3: 1, mem_4: 1 })
  })

  it("matches a member by e-mail and by id, whichever the earlier file had", async () => {
    const app = createPointsApp()
    await award(app, [{ email: "Mem_1@Dealer.test", points: 100, reason }])
    expect(await repeatsOf(app, [row(1), { email: "MEM_1@dealer.test", points: 100, reason }])).toMatchObject(
      [
        { at: 0, count: 1 },
        { at: 1, count: 1 },
      ],
    )
    // In the other direction the e-mail is resolved first, before anything is sent.
    await award(app, [row(2)])
    const byEmail = { email: "mem_2@dealer.test", points: 100, reason }
    expect(await repeatsOf(app, [byEmail])).toEqual([])
    const second = await award(app, [byEmail, row(3)])
    expect(second).toMatchObject({ total: 1, counts: { confirmed: 1, excluded: 1 } })
    expect((await app.rows(second.id))[0]).toMatchObject({
      state: "excluded",
      outcome: { code: "repeated_row", message: expect.stringMatching(/^Already awarded/) },
    })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1, mem_3: 1 })
    // Now the e-mail is known, so a person can include the repeat.
    expect(await repeatsOf(app, [byEmail])).toMatchObject([{ at: 0, count: 1 }])
    const draft = await draftOf(app, { rows: [byEmail] })
    expect((await start(app, draft, 1)).status).toBe(200)
    await app.until(draft.id, "done")
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 2, mem_3: 1 })
  })

  it("started twice concurrently awards once", async () => {
    const app = createPointsApp()
    const rows = Array.from({ length: 5 }, (_, at) => row(at + 1))
    const drafts = [await draftOf(app, { rows }), await draftOf(app, { rows })]
    const answers = await Promise.all(drafts.map((draft) => start(app, draft, 0)))
    for (const [at, { status }] of answers.entries())
      if (status === 200) await app.until(drafts[at]?.id ?? "", "done")
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1, mem_3: 1, mem_4: 1, mem_5: 1 })
  })

  it("is compared at the start, even for an old draft", async () => {
    const app = createPointsApp()
    const early = await draftOf(app, { rows: [row(1), row(2), row(3)] })
    app.clock.shiftWall(dayMs)
    await award(app, [row(1), row(2)])
    app.clock.shiftWall(dayMs)
    expect(await start(app, early, 0)).toMatchObject({
      status: 409,
      body: { error: { details: { repeats: 2 } } },
    })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1 })
  })

  it("is compared again at a resume, and excludes rows sent meanwhile", async () => {
    const app = createPointsApp({ rateLimit: 2 })
    const rows = Array.from({ length: 5 }, (_, at) => row(at + 1))
    const job = await pausedAfter(app, await draftOf(app, { rows }, single), 2)
    const open = (await app.rows(job.id)).find(({ state }) => state === "planned")
    const by = await app.make({ kind: "award", rows: [open?.input] })
    await app.until(by.id, "done")
    expect((await app.post(`/jobs/${job.id}/resume`, {})).status).toBe(200)
    const done = await app.until(job.id, "done")
    expect(done.counts).toMatchObject({ confirmed: 4, excluded: 1 })
    expect((await app.rows(job.id)).find(({ state }) => state === "excluded")).toMatchObject({
      row: open?.row,
      outcome: { code: "repeated_row", message: `Already awarded (${by.id}). Nothing was sent for it here.` },
    })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1, mem_3: 1, mem_4: 1, mem_5: 1 })
  })

  it("sends the included repeats, also after a pause and resume", async () => {
    const app = createPointsApp({ rateLimit: 2 })
    await award(app, [row(1), row(2)])
    const draft = await draftOf(app, { rows: [row(1), row(1), row(2), row(2), row(3)] }, single)
    const job = await pausedAfter(app, draft, 1, 2)
    expect((await app.post(`/jobs/${job.id}/resume`, {})).status).toBe(200)
    expect((await app.until(job.id, "done")).counts).toMatchObject({ confirmed: 5, excluded: 0 })
    expect(paid(app)).toEqual({ mem_1: 3, mem_2: 3, mem_3: 1 })
  })

  it("is compared again when failed rows are retried", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth <= 3 ? { ...goodFate, answer: "refused" } : goodFate)
    const first = await award(app, [row(1), row(2), row(3)], single)
    expect(first.counts).toMatchObject({ failed: 3 })
    const second = await award(app, [row(1), row(3)], single)
    expect(second.counts).toMatchObject({ confirmed: 2 })
    expect((await app.post(`/jobs/${first.id}/retry`, {})).status).toBe(200)
    expect((await app.until(first.id, "done")).counts).toMatchObject({ confirmed: 1, excluded: 2 })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1, mem_3: 1 })
  })

  it("with an included repeat that is corrected no longer includes it", async () => {
    const app = createPointsApp()
    await award(app, [row(1), row(2)])
    const before = app.service.writes.length
    app.service.fateOf = (_, nth) => (nth === before + 1 ? { ...goodFate, answer: "refused" } : goodFate)
    const draft = await draftOf(app, { rows: [row(1)] }, single)
    expect((await start(app, draft, 1)).status).toBe(200)
    expect((await app.until(draft.id, "done")).counts).toMatchObject({ failed: 1 })
    await app.post(`/jobs/${draft.id}/retry`, { rows: [{ row: 1, input: row(2) }] })
    expect((await app.until(draft.id, "done")).counts).toMatchObject({ excluded: 1 })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1 })
  })

  it("is compared when it is corrected during preparation", async () => {
    const app = createPointsApp({ rateLimit: 10, members: 1500 })
    await award(app, [row(1), row(2)])
    const byEmail = (name: string) => ({ email: `${name}@dealer.test`, points: 100, reason })
    const rows = [byEmail("nobody"), ...Array.from({ length: 9 }, (_, at) => byEmail(`mem_${at + 20}`))]
    const draft = await draftOf(app, { rows }, single)
    expect((await start(app, draft, 0)).status).toBe(200)
    const preparing = await app.until(draft.id, ({ counts }) => counts.failed > 0)
    expect(preparing.phase).toBe("preparing")
    await app.post(`/jobs/${draft.id}/retry`, { rows: [{ row: 1, input: row(2) }] })
    expect((await app.until(draft.id, "done")).counts).toMatchObject({ confirmed: 9, excluded: 1 })
    expect(paid(app)).toMatchObject({ mem_1: 1, mem_2: 1, mem_20: 1 })
  })

  it("with one member by id and by e-mail awards once and reports the repeat", async () => {
    const app = createPointsApp()
    const byEmail = { email: "mem_1@dealer.test", points: 100, reason }
    const draft = await draftOf(app, { rows: [row(1), byEmail, row(2), row(2)], lines: [2, 3, 4, 5] }, single)
    expect((await start(app, draft, 0)).status).toBe(200)
    await app.until(draft.id, "done")
    expect((await app.rows(draft.id))[1]).toMatchObject({
      state: "excluded",
      outcome: { message: "Same as row 2 of this file. Nothing was sent for it here." },
    })
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 2 })
  })

  it("refuses a correction to the effect of another of its rows", async () => {
    const app = createPointsApp()
    app.service.fateOf = (_, nth) => (nth === 2 ? { ...goodFate, answer: "refused" } : goodFate)
    const { id } = await award(app, [row(1), row(7)], single)
    const retry = (input: object) => app.post(`/jobs/${id}/retry`, { rows: [{ row: 2, input }] })
    expect(await retry(row(1))).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.input.member_id" }] } } },
    })
    expect((await retry(row(1, { points: 50 }))).status).toBe(200)
    await app.until(id, "done")
    expect(app.service.truth).toMatchObject([{ points: 100 }, { points: 50 }])
  })

  it("with the same row twice, one of them awarded before, repeats one of them", async () => {
    const app = createPointsApp()
    await award(app, [row(1)])
    const draft = await draftOf(app, {
      rows: [row(1)],
      lines: [3],
      excluded: [{ line: 2, input: row(1), code: "repeated_row", message: "Same" }],
    })
    expect((await start(app, draft, 0)).status).toBe(200)
    await app.until(draft.id, "done")
    expect(paid(app)).toEqual({ mem_1: 2 })
  })

  it("is matched by the references of rows, but not after the first file was reversed", async () => {
    const app = createPointsApp()
    const options = { mode: "single" }
    const first = await award(app, [row(1, { reference: "INV-1" })], options)
    expect(await repeatsOf(app, [row(1, { reference: "INV-2" })])).toEqual([])
    expect(await repeatsOf(app, [row(1, { reference: "inv-1", reason: "Other words" })])).toHaveLength(1)
    const reversed = await app.post(`/jobs/${first.id}/reverse`, {})
    await app.until(jobData.parse(reversed.body).data.id, "done")
    expect(await repeatsOf(app, [row(1, { reference: "INV-1" })])).toEqual([])
  })

  it("is recognised although references were added or removed", async () => {
    const app = createPointsApp()
    const options = { mode: "single" }
    const rows = [row(1, { reference: "INV-1" }), row(2, { reference: "INV-2" })]
    const first = await award(app, rows, options)
    const without = [row(1), row(2), row(3)]
    expect(await repeatsOf(app, without)).toMatchObject([
      { at: 0, count: 1, job: first.id, row: 1 },
      { at: 1, count: 1, job: first.id, row: 2 },
    ])
    const draft = await draftOf(app, { rows: without })
    expect(await start(app, draft)).toMatchObject({
      status: 409,
      body: { error: { details: { repeats: 2 } } },
    })
    // In the other direction.
    await award(app, [row(4)])
    expect(await repeatsOf(app, [row(4, { reference: "INV-4" })])).toMatchObject([{ at: 0, count: 1 }])
    expect(paid(app)).toEqual({ mem_1: 1, mem_2: 1, mem_4: 1 })
  })

  it("does not block forms or API requests", async () => {
    const app = createPointsApp()
    for (let time = 1; time <= 2; time += 1) {
      const made = await app.make({ kind: "award", rows: [row(1)] })
      await app.until(made.id, "done")
    }
    const { id, total } = await draftOf(app, { rows: [row(1)] }, { file: undefined })
    expect((await app.post(`/jobs/${id}/start`, { total })).status).toBe(200)
    await app.until(id, "done")
    expect(paid(app)).toEqual({ mem_1: 3 })
  })
})

describe("repeats of other kinds", () => {
  it("are found for deductions and new members, but not for orders, which are compared themselves", async () => {
    const app = createPointsApp()
    const deduct = { member_id: "mem_1", points: 5, reason: "Correction" }
    const made = await app.make({ kind: "deduct", rows: [deduct] })
    await app.until(made.id, (job) => job.counts.planned === 0)
    expect(await repeatsOf(app, [deduct, { ...deduct, points: 6 }], "deduct")).toMatchObject([{ at: 0 }])
    expect(await repeatsOf(app, [row(1, { points: 5, reason: "Correction" })])).toEqual([])
    expect(await repeatsOf(app, [{ order_id: "ord_1", status: "shipped" }], "order-update")).toEqual([])
  })

  it("need valid rows and the permission to send them", async () => {
    const app = createPointsApp()
    expect(await repeatsOf(app, [{ member_id: "mem_1", points: "many", reason }])).toEqual([])
    const asViewer = await app.ask("POST /jobs/repeats", {
      body: { kind: "award", rows: [row(1)] },
      role: "viewer",
    })
    expect(asViewer.status).toBe(403)
  })
})
