import { describe, expect, it, onTestFinished } from "vitest"
import * as z from "zod/mini"
import { bookDifference, bookLine, bookStatement, matchReport } from "../../contract/books.ts"
import { bookKit, bookWorld } from "../../tests/support/book-program.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"

const hour = 3_600_000
const bodyOf = <T>(schema: z.ZodMiniType<T>, { body }: { readonly body: unknown }) =>
  z.object({ data: schema }).parse(body).data

/** Two members with entries of September and October, and one whose points were brought in. October runs. */
async function october() {
  const kit = bookKit(await bookWorld("2026-10-31T12:30:00Z"))
  onTestFinished(() => kit.app.stop())
  const { app, ask, program, settled } = kit
  const september = Date.parse("2026-09-10T00:00:00Z")
  program.add("mem_1")
  program.add("mem_2", { broughtIn: 30 })
  program.add("mem_3")
  program.book("mem_1", 100, { at: september })
  program.book("mem_2", 20, { at: september })
  await kit.award("mem_1", 50)
  program.book("mem_1", -40, { type: "redeem", reason: "Kettle" })
  program.book("mem_2", -5, { type: "expire" })
  app.start()
  await settled()
  const statement = async (month: string) => bodyOf(bookStatement, await ask(`GET /books/${month}`))
  const close = (month: string, not_read = 0) => ask(`POST /books/${month}/close`, { body: { not_read } })
  /** Until every ledger was read in November. */
  const november = async () => {
    await kit.clock.advance(Date.parse("2026-10-31T14:00:00Z") - kit.clock.now())
    await settled()
  }
  return { ...kit, statement, close, november }
}

describe("a month", () => {
  it("adds up from opening to closing, with what Laurel made apart", async () => {
    const { ask, statement } = await october()
    const lines = bodyOf(z.array(bookLine), await ask("GET /books"))
    expect(lines.map(({ month, state, closing }) => [month, state, closing])).toEqual([
      ["2026-10", "running", 155],
      ["2026-09", "ready", 150],
    ])
    expect(await statement("2026-10")).toMatchObject({
      from: "2026-09-30T14:00:00.000Z",
      to: "2026-10-31T14:00:00.000Z",
      state: "running",
      coverage: { read: 3, members: 3 },
      opening: 150,
      closing: 155,
      flows: [
        { type: "award", ours: { points: 50, entries: 1 }, foreign: { points: 0, entries: 0 } },
        { type: "redeem", ours: { points: 0, entries: 0 }, foreign: { points: -40, entries: 1 } },
        { type: "expire", foreign: { points: -5, entries: 1 } },
      ],
    })
    expect(await statement("2026-09")).toMatchObject({
      opening: 0,
      brought_in: { points: 30, entries: 1 },
      closing: 150,
    })
    expect((await ask("GET /books/2026-08")).status).toBe(404)
  })

  it("appears when its ledgers are read after the books were first opened", async () => {
    const { app, ask, clock, program, upstream, settled } = bookKit(await bookWorld("2026-10-31T12:30:00Z"))
    onTestFinished(() => app.stop())
    program.add("mem_1")
    program.book("mem_1", 100, { at: Date.parse("2026-09-10T00:00:00Z") })
    upstream.serve((call) => (call.path.endsWith("/transactions") ? { status: 500 } : program.serve(call)))
    app.start()
    await clock.advance(60_000)
    const months = async () => bodyOf(z.array(bookLine), await ask("GET /books")).map(({ month }) => month)
    expect(await months()).toEqual(["2026-10"])
    upstream.serve(program.serve)
    await settled()
    await clock.advance(hour)
    expect(await months()).toEqual(["2026-10", "2026-09"])
  })

  it("waits until every ledger was read after its end, and is ready then", async () => {
    const { clock, statement, november, upstream, program } = await october()
    upstream.serve((call) => (call.path.endsWith("/transactions") ? { status: 500 } : program.serve(call)))
    await clock.advance(Date.parse("2026-10-31T14:02:01Z") - clock.now())
    expect(await statement("2026-10")).toMatchObject({ state: "waiting", coverage: { read: 0, members: 3 } })
    upstream.serve(program.serve)
    await november()
    await clock.advance(hour)
    expect(await statement("2026-10")).toMatchObject({ state: "ready", closing: 155, coverage: { read: 3 } })
  })

  it("is closed once, in order, with the number of unread ledgers that was shown", async () => {
    const { ask, close, november, statement, store } = await october()
    expect((await close("2026-10")).body).toMatchObject({
      error: {
        code: "conflict",
        message: expect.stringMatching(
          /^October 2026 isn’t over yet\. Nothing was closed\. Close it from 1 November 2026 on/,
        ),
      },
    })
    await november()
    expect((await close("2026-10", 2)).status).toBe(409)
    expect((await ask("POST /books/2026-10/close", { body: { not_read: 0 }, role: "manager" })).status).toBe(
      403,
    )
    expect(await close("2026-10")).toMatchObject({ status: 200 })
    expect((await close("2026-10")).status).toBe(409)
    expect(await statement("2026-10")).toMatchObject({
      state: "closed",
      closed_by: { name: "admin" },
      closing: 155,
    })
    const [entry] = await store.audit.list({ per_page: 5, action: "books.close" }, {})
    expect(entry).toMatchObject({ on: { id: "2026-10" }, changes: [{ field: "closing", to: "155" }] })
  })

  it("is before the books began where a later one was closed first, and stays as it was calculated", async () => {
    const { ask, close, november, statement } = await october()
    await november()
    await statement("2026-10")
    expect(await close("2026-10")).toMatchObject({ status: 200 })
    const lines = bodyOf(z.array(bookLine), await ask("GET /books"))
    expect(lines.map(({ month, state, closing }) => [month, state, closing])).toEqual([
      ["2026-11", "running", 155],
      ["2026-10", "closed", 155],
      ["2026-09", "before", 150],
    ])
    expect(await statement("2026-09")).toMatchObject({ state: "before", closing: 150, closed_by: null })
    expect(await close("2026-09")).toMatchObject({
      status: 409,
      body: {
        error: { message: expect.stringMatching(/^September 2026 is before the books began\. Nothing/) },
      },
    })
  })

  it("never changes once it is closed: a late entry is of the next one", async () => {
    const { ask, clock, close, november, program, settled, statement } = await october()
    await november()
    await close("2026-10")
    program.book("mem_1", 7, { at: Date.parse("2026-10-15T00:00:00Z"), reason: "Late" })
    await settled()
    await clock.advance(hour)
    expect(await statement("2026-10")).toMatchObject({ closing: 155, late: { entries: 0 } })
    expect(await statement("2026-11")).toMatchObject({
      opening: 155,
      late: { points: 7, entries: 1 },
      closing: 162,
    })
    const differences = await ask("GET /books/2026-11/differences?class=late")
    expect(bodyOf(z.array(bookDifference), differences)).toMatchObject([
      { class: "late", points: 7, reason: "Late", member: { id: "mem_1" } },
    ])
  })

  it("is not calculated again while the copy is filled again", async () => {
    const { clock, close, copy, november, settled, statement, upstream, program } = await october()
    await november()
    await close("2026-10")
    await settled()
    await statement("2026-11")
    upstream.serve(() => ({ status: 503 }))
    await copy.clear()
    await clock.advance(hour / 4)
    expect(await statement("2026-11")).toMatchObject({ opening: 155, deleted: { entries: 0 }, closing: 155 })
    upstream.serve(program.serve)
    await settled()
    await clock.advance(hour / 4)
    expect(await statement("2026-11")).toMatchObject({
      opening: 155,
      late: { entries: 0 },
      deleted: { entries: 0 },
      closing: 155,
    })
  })

  it("lets the last balance of a deleted member leave", async () => {
    const { clock, close, november, program, settled, statement } = await october()
    await november()
    await close("2026-10")
    program.book("mem_1", 9)
    await settled()
    program.remove("mem_1")
    await settled()
    await clock.advance(hour)
    expect(await statement("2026-11")).toMatchObject({
      opening: 155,
      flows: [{ type: "award", foreign: { points: 9, entries: 1 } }],
      deleted: { points: 119, entries: 1 },
      closing: 45,
    })
  })

  it("has no differences of people for viewers, and is not for fulfilment", async () => {
    const { ask } = await october()
    const seen = await ask("GET /books/2026-10/differences", { role: "viewer" })
    expect(bodyOf(z.array(bookDifference), seen)).toMatchObject([
      { class: "foreign", points: -40, member: null },
      { class: "foreign", points: -5, member: null },
    ])
    expect(JSON.stringify(seen.body)).not.toMatch(/mem_|Silva/)
    expect((await ask("GET /books", { role: "fulfilment" })).status).toBe(403)
    expect((await ask("POST /books/check", { role: "viewer" })).status).toBe(403)
  })

  it("is matched with a finance file row by row", async () => {
    const { ask, clock, program, settled } = await october()
    program.book("mem_2", 8, { reference: "INV-7" })
    await settled()
    await clock.advance(hour)
    const day = "2026-10-31"
    const rows = [
      { member: "MEM_1@dealer.test", points: 50, day },
      { reference: "inv-7", points: 8, day },
      { member: "mem_2", points: -6, day },
      { reference: "INV-9", points: 8, day },
    ]
    const report = bodyOf(matchReport, await ask("POST /books/2026-10/match", { body: { rows } }))
    expect(report.rows.map(({ result, entry }) => [result, entry?.points])).toEqual([
      ["matched", 50],
      ["matched", 8],
      ["near", -5],
      ["not-in-ledgers", undefined],
    ])
    expect(report.not_in_file).toEqual({ points: -40, entries: 1 })
    expect((await ask("POST /books/2026-10/match", { body: { rows }, role: "viewer" })).status).toBe(403)
  })
})

describe("an unexplained difference", () => {
  it("counts once two looks half an hour apart show it, and goes when it is explained", async () => {
    const { ask, clock, program, settled, statement } = await october()
    program.drift("mem_1", 11)
    await settled()
    await ask("POST /books/check")
    await clock.advance(hour / 4)
    expect(await statement("2026-10")).toMatchObject({ unexplained: { entries: 0 } })
    await clock.advance(hour)
    expect(await statement("2026-10")).toMatchObject({
      unexplained: { points: 11, entries: 1 },
      closing: 166,
    })
    const notice = { kind: "books", count: 1, month: "2026-10" }
    expect((await ask("GET /notices")).body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining(notice)]),
    })
    expect(JSON.stringify((await ask("GET /notices", { role: "viewer" })).body)).not.toContain("books")
    program.drift("mem_1", -11)
    await settled()
    await ask("POST /books/check")
    await clock.advance(hour)
    expect(await statement("2026-10")).toMatchObject({ unexplained: { points: 0, entries: 0 }, closing: 155 })
  })
})

describe("without books", () => {
  it("each request has its sentence, with the copy off and in memory", async () => {
    const off = createTestKit()
    const memory = bookKit(await bookWorld("2026-10-30T00:00:00Z", "memory"))
    for (const line of ["GET /books", "GET /books/2026-10", "POST /books/check"]) {
      expect((await off.ask(line)).body).toMatchObject({
        error: { message: expect.stringMatching(/copy is off/) },
      })
      expect((await memory.ask(line)).body).toMatchObject({
        error: { message: expect.stringMatching(/only in memory/) },
      })
    }
  })
})
