import { describe, expect, it } from "vitest"
import { createTestKit, type TestKit, type KitOptions } from "../../tests/support/test-kit.ts"
import type { FakeEnd } from "../../tests/support/fake-upstream.ts"
import { createMemberService } from "../../tests/support/member-service.ts"
import { madeUpMember, page, record } from "../../tests/support/made-up-members.ts"

const rows = [madeUpMember("mem_1"), madeUpMember("mem_2")]
const members = (): FakeEnd => page(rows)

function kitWithMembers(options: KitOptions = {}): TestKit {
  const kit = createTestKit(options)
  kit.upstream.serve((call) => {
    if (call.path === "/members") return members()
    const found = rows.find((row) => call.path === `/members/${row.id}`)
    return found === undefined ? undefined : record(found)
  })
  return kit
}

/** A member whose metadata is nested `levels` deep. */
function nested(levels: number) {
  let metadata: Record<string, unknown> = {}
  for (let level = 0; level < levels; level += 1) metadata = { metadata }
  return { ...madeUpMember("mem_1"), metadata }
}

/** An outcome that the test releases. */
function gatedEnd() {
  const { promise, resolve } = Promise.withResolvers<FakeEnd>()
  return { promise, resolve }
}

describe("a spent budget", () => {
  it("serves an older response after 250 ms, marked with its age, and has a younger one soon", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    await kit.clock.advance(61_000)
    await kit.ask("GET /program/members/mem_9")
    await kit.clock.advance(45_000)
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(250)
    const stale = await waiting
    expect(stale.status).toBe(200)
    expect(stale.headers).toMatchObject({
      "X-Laurel-Stale": "1",
      "X-Laurel-Stale-Reason": "budget_spent",
      Age: "106",
    })
    // The request continues after its reader left.
    await kit.clock.advance(20_000)
    expect(kit.upstream.lines()).toHaveLength(3)
    const young = await kit.ask("GET /program/members")
    expect(young.headers).not.toHaveProperty("X-Laurel-Stale")
  })

  it("serves a response younger than a minute as it is, and sends nothing for it", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    await kit.clock.advance(45_000)
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(250)
    const current = await waiting
    expect(current).toMatchObject({ status: 200, headers: { Age: "45" } })
    expect(current.headers).not.toHaveProperty("X-Laurel-Stale")
    await kit.clock.advance(60_000)
    expect(kit.upstream.lines()).toHaveLength(1)
  })

  it("is answered when Laurel stops: with an older response, else refused", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    await kit.clock.advance(61_000)
    await kit.ask("GET /program/members/mem_9")
    await kit.clock.advance(1_000)
    const [older, none] = [kit.ask("GET /program/members"), kit.ask("GET /program/members/mem_7")]
    await kit.clock.advance(0)
    void kit.app.windDown()
    expect((await older).headers).toMatchObject({ "X-Laurel-Stale-Reason": "budget_spent", Age: "62" })
    expect(await none).toMatchObject({ status: 503, headers: { "Retry-After": "1" } })
    expect(await kit.ask("GET /program/rewards")).toMatchObject({ status: 503 })
    expect(kit.upstream.lines()).toHaveLength(2)
  })

  it("reads again what a write has changed, however young the response is", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    await kit.clock.advance(45_000)
    kit.publish({ topic: "members", id: "mem_1" })
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(250)
    expect((await waiting).headers).toMatchObject({ "X-Laurel-Stale-Reason": "budget_spent" })
    await kit.clock.advance(20_000)
    expect(kit.upstream.lines()).toHaveLength(2)
  })

  it("an older response without rows is never served: the read waits for a younger one", async () => {
    let found: typeof rows = []
    const kit = createTestKit({ rateLimit: 1 })
    kit.upstream.serve((call) => (call.path === "/members" ? page(found) : undefined))
    await kit.ask("GET /program/members?search=ana")
    found = rows
    await kit.clock.advance(45_000)
    const waiting = kit.ask("GET /program/members?search=ana")
    await kit.clock.advance(16_000)
    const answered = await waiting
    expect(answered.headers).not.toHaveProperty("X-Laurel-Stale")
    expect(answered.body).toMatchObject({ data: [{ id: "mem_1" }, { id: "mem_2" }] })
  })

  it("waits up to 20 s without a response, then says when to ask again, and then it works", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    const waiting = kit.ask("GET /program/members/mem_9")
    await kit.clock.advance(19_999)
    let answered = false
    void waiting.then(() => (answered = true))
    await kit.clock.settle()
    expect(answered).toBe(false)
    await kit.clock.advance(1)
    const spent = await waiting
    expect(spent).toMatchObject({
      status: 503,
      headers: { "Retry-After": "41" },
      body: { error: { code: "budget_spent" } },
    })
    await kit.clock.advance(41_000)
    expect((await kit.ask("GET /program/members/mem_9")).status).toBe(404)
  })

  it("has no older response after an hour", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    await kit.clock.advance(3_600_001)
    await kit.ask("GET /program/members/mem_9")
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(20_000)
    expect((await waiting).status).toBe(503)
  })

  it("never answers no-cache with an older response", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    const waiting = kit.ask("GET /program/members", { headers: { "cache-control": "no-cache" } })
    await kit.clock.advance(20_000)
    expect((await waiting).status).toBe(503)
  })
})

describe("a 429 of the service", () => {
  it("never reaches the browser: the read waits and asks again", async () => {
    const kit = kitWithMembers()
    let refusals = 0
    kit.upstream.serve(() => (refusals++ < 2 ? { status: 429, body: {} } : members()))
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(5000)
    expect((await waiting).status).toBe(200)
    expect(kit.upstream.lines()).toHaveLength(3)
  })

  it("closes the budget for the time that Retry-After requests", async () => {
    const kit = kitWithMembers()
    let refusals = 0
    kit.upstream.serve(() => (refusals++ < 1 ? { status: 429, body: {}, retryAfter: 9 } : members()))
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(8999)
    expect(kit.upstream.lines()).toHaveLength(1)
    await kit.clock.advance(1)
    expect((await waiting).status).toBe(200)
  })

  it("is reported as the service's own limit when it continues for too long, with the requested wait", async () => {
    const kit = kitWithMembers()
    kit.upstream.serve(() => ({ status: 429, body: {} }))
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(20_000)
    const answer = await waiting
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "upstream_limited" } } })
    expect(Number(answer.headers["Retry-After"])).toBeGreaterThanOrEqual(1)
    expect(kit.upstream.lines().length).toBeLessThan(10)
    const budget = await kit.ask("GET /status/budget")
    expect(budget.body).toMatchObject({
      data: [{ api: "program", refused: kit.upstream.lines().length }, {}],
    })
  })

  it("with a longer wait than a person's patience is reported immediately, with the service and the wait", async () => {
    const kit = kitWithMembers()
    kit.upstream.serve(() => ({ status: 429, body: {}, retryAfter: 100 }))
    const waiting = [kit.ask("GET /program/members"), kit.ask("GET /program/rewards")]
    await kit.clock.advance(20_000)
    for (const answer of await Promise.all(waiting)) {
      expect(answer).toMatchObject({
        status: 503,
        headers: { "Retry-After": "80" },
        body: { error: { code: "upstream_limited" } },
      })
    }
  })
})

describe("a service in trouble", () => {
  it.each<[string, FakeEnd, number, string, number]>([
    ["gives no answer", { kind: "no_answer", what: "hung" }, 504, "upstream_unreachable", 2],
    ["cannot be reached", { kind: "not_sent", what: "refused" }, 502, "upstream_unreachable", 1],
    ["has a fault", { status: 503, body: { error: { code: "x" } } }, 502, "refused_by_service", 2],
    [
      "answers with a page",
      { kind: "unreadable", status: 200, what: "a web page" },
      502,
      "unreadable_answer",
      1,
    ],
    ["answers in another shape", record({ email: "no id" }), 502, "unreadable_answer", 1],
    ["nests its answer far too deep", record(nested(500)), 502, "unreadable_answer", 1],
    [
      "refuses the key",
      { status: 401, body: { error: { code: "unauthorized" } } },
      502,
      "refused_by_service",
      1,
    ],
    [
      "refuses the input",
      { status: 422, body: { error: { code: "odd", message: "No." } } },
      422,
      "refused_by_service",
      1,
    ],
  ])("that %s is a clear answer", async (_, end, status, code, calls) => {
    const kit = createTestKit()
    kit.upstream.serve(() => end)
    expect(await kit.ask("GET /program/members/mem_1")).toMatchObject({
      status,
      body: { success: false, error: { code, requestId: "req_1", details: { api: "program" } } },
    })
    expect(kit.upstream.lines()).toHaveLength(calls)
  })

  it("repeats a read once after a temporary fault", async () => {
    const kit = kitWithMembers()
    let faults = 0
    kit.upstream.serve(() => (faults++ < 1 ? { kind: "no_answer", what: "reset" } : members()))
    expect((await kit.ask("GET /program/members")).status).toBe(200)
  })

  it.each<[string, FakeEnd]>([
    ["upstream_unreachable", { kind: "no_answer", what: "hung" }],
    ["refused_by_service", { status: 500, body: {} }],
    ["unreadable_answer", { kind: "unreadable", status: 200, what: "a web page" }],
  ])("serves an older response and says why: %s", async (reason, end) => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members")
    await kit.clock.advance(60_000)
    kit.upstream.serve(() => end)
    const stale = await kit.ask("GET /program/members")
    expect(stale).toMatchObject({
      status: 200,
      headers: { "X-Laurel-Stale": "1", "X-Laurel-Stale-Reason": reason, Age: "60" },
    })
  })

  it("an older response without rows is never served: the failure is", async () => {
    const kit = createTestKit()
    kit.upstream.serve(() => page([]))
    await kit.ask("GET /program/members?search=ana")
    await kit.clock.advance(45_000)
    kit.upstream.serve(() => ({ kind: "no_answer", what: "hung" }))
    expect((await kit.ask("GET /program/members?search=ana")).status).toBe(504)
  })

  it.each([
    [
      "an edit of a name",
      (kit: TestKit) => kit.ask("PATCH /program/members/mem_1", { body: { first_name: "Kim" } }),
    ],
    ["another instance", async (kit: TestKit) => kit.publish({ topic: "members", id: "mem_1" })],
  ])("serves no search from before %s, while other lists stay", async (_what, change) => {
    const kit = createTestKit()
    kit.upstream.serve(createMemberService(rows).serve)
    await kit.ask("GET /program/members")
    await kit.ask("GET /program/members?search=dealer")
    await change(kit)
    kit.upstream.serve(() => ({ kind: "no_answer", what: "hung" }))
    const reads = ["GET /program/members?search=dealer", "GET /program/members"] as const
    expect(await Promise.all(reads.map(async (read) => (await kit.ask(read)).status))).toEqual([504, 200])
  })

  it("serves an older response while the service is slow", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members")
    await kit.clock.advance(60_000)
    kit.upstream.serve(() => gatedEnd().promise)
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(3000)
    expect((await waiting).headers).toMatchObject({ "X-Laurel-Stale-Reason": "slow", Age: "63" })
  })

  it.each([
    ["edit", "PATCH /program/members/mem_1", { company: "New" }, ["New", "Company"]],
    ["deletion", "DELETE /program/members/mem_1", { email: madeUpMember("mem_1").email }, ["Company"]],
  ])("answers a slow list as it is since a meanwhile %s", async (_what, write, body, companies) => {
    const kit = createTestKit()
    const service = createMemberService([
      madeUpMember("mem_1", {}),
      madeUpMember("mem_2", { company: "Company" }),
    ])
    const gate = gatedEnd()
    let slow = false
    kit.upstream.serve((call) => (slow && call.path === "/members" ? gate.promise : service.serve(call)))
    await kit.ask("GET /program/members")
    await kit.clock.advance(60_000)
    slow = true
    const waiting = kit.ask("GET /program/members", { name: "ben" })
    await kit.clock.settle()
    expect((await kit.ask(write, { role: "admin", body })).status).toBeLessThan(300)
    slow = false
    await kit.clock.advance(3000)
    expect(await waiting).toMatchObject({ body: { data: companies.map((company) => ({ company })) } })
  })

  it("forgets a record that the service no longer has", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members/mem_1")
    await kit.clock.advance(60_000)
    kit.upstream.serve(() => undefined)
    expect((await kit.ask("GET /program/members/mem_1")).status).toBe(404)
    kit.upstream.serve(() => ({ kind: "not_sent", what: "refused" }))
    expect((await kit.ask("GET /program/members/mem_1")).status).toBe(502)
  })

  it("counts how answers differ from the documents, without what they carry", async () => {
    const kit = createTestKit()
    const odd = { ...madeUpMember("mem_1"), status: "Pending", shoe_size: 44, tier: null }
    kit.upstream.serve(() => ({ status: 200, body: { success: true, data: [odd] } }))
    const answer = await kit.ask("GET /program/members")
    expect(answer.body).toMatchObject({ data: [{ status: "Pending", shoe_size: 44 }] })
    const status = await kit.ask("GET /status")
    const seen = { api: "program", operation: "GET /members", seen: 1 }
    expect(status.body).toMatchObject({
      data: {
        drift: expect.arrayContaining([
          expect.objectContaining({ ...seen, field: "status", kind: "other" }),
          expect.objectContaining({ ...seen, field: "shoe_size", kind: "extra" }),
          expect.objectContaining({ ...seen, field: "tier", kind: "empty" }),
          expect.objectContaining({ ...seen, field: "meta", kind: "empty" }),
        ]),
      },
    })
  })
})

describe("an answer with something of another basic type", () => {
  it("keeps every row of a list, with what came, for those who see the whole record", async () => {
    const kit = createTestKit()
    kit.upstream.serve(() =>
      page([{ ...madeUpMember("mem_1"), points_balance: "12" }, madeUpMember("mem_2")]),
    )
    expect((await kit.ask("GET /program/members")).body).toMatchObject({
      data: [{ id: "mem_1", points_balance: undefined, as_sent: { points_balance: "12" } }, { id: "mem_2" }],
    })
    const seen = (await kit.ask("GET /program/members", { role: "fulfilment" })).body
    expect(seen).toMatchObject({ data: [{ id: "mem_1" }, { id: "mem_2" }] })
    expect(JSON.stringify(seen)).not.toContain("as_sent")
    expect((await kit.ask("GET /status")).body).toMatchObject({
      data: { drift: expect.arrayContaining([expect.objectContaining({ field: "points_balance" })]) },
    })
  })

  it("that says no with status 200 is a refusal with the service's words", async () => {
    const kit = createTestKit()
    const error = { code: "maintenance", message: "Closed until noon." }
    kit.upstream.serve(() => ({ status: 200, body: { success: false, error } }))
    expect(await kit.ask("GET /program/members")).toMatchObject({
      status: 502,
      body: {
        error: {
          code: "refused_by_service",
          message: "Closed until noon.",
          details: { upstream_status: 200, upstream_code: "maintenance" },
        },
      },
    })
  })
})
