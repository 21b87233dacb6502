import { describe, expect, it } from "vitest"
import { createDeskKit, type DeskKit, type KitOptions } from "../../../tests/support/desk-kit.ts"
import type { FakeEnd } from "../../../tests/support/fake-upstream.ts"
import { madeUpMember, page, record } from "../../../tests/support/made-up-members.ts"

const rows = [madeUpMember("mem_1"), madeUpMember("mem_2")]
const members = (): FakeEnd => page(rows)

function kitWithMembers(options: KitOptions = {}): DeskKit {
  const kit = createDeskKit(options)
  kit.upstream.serve((call) => {
    if (call.path === "/members") return members()
    const found = rows.find((row) => call.path === `/members/${row.id}`)
    return found === undefined ? undefined : record(found)
  })
  return kit
}

/** Something that happens when the test says so. */
function gatedEnd() {
  const { promise, resolve } = Promise.withResolvers<FakeEnd>()
  return { promise, resolve }
}

describe("reading through the cache", () => {
  it("asks once within the time, then again", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members")
    await kit.clock.advance(29_000)
    const cached = await kit.ask("GET /program/members")
    expect(cached.headers.Age).toBe("29")
    expect(cached.headers["X-Laurel-At"]).toBe(String(kit.clock.now() - 29_000))
    expect(kit.upstream.lines()).toEqual(["GET /members"])

    await kit.clock.advance(1000)
    await kit.ask("GET /program/members")
    expect(kit.upstream.lines()).toHaveLength(2)
  })

  it("seeds single records from a list", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members")
    const one = await kit.ask("GET /program/members/mem_2")
    expect(one.body).toEqual({ success: true, data: rows[1] })
    expect(kit.upstream.lines()).toEqual(["GET /members"])
  })

  it("takes equal questions in another order for one", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members?status=active&page=1")
    await kit.ask("GET /program/members?page=1&status=active&search=")
    expect(kit.upstream.lines()).toEqual(["GET /members?page=1&status=active"])
  })

  it("asks once for everybody who asks at the same time, and one who leaves does not stop the others", async () => {
    const kit = kitWithMembers()
    const gate = gatedEnd()
    kit.upstream.serve(() => gate.promise)
    const leaving = new AbortController()
    const first = kit.ask("GET /program/members", { name: "ana", signal: leaving.signal })
    const second = kit.ask("GET /program/members", { name: "ben" })
    await kit.clock.settle()
    leaving.abort()
    gate.resolve(members())
    expect((await first).status).toBe(499)
    expect((await second).status).toBe(200)
    expect(kit.upstream.lines()).toHaveLength(1)
  })

  it("does not send what nobody waits for any more", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    const leaving = new AbortController()
    const waiting = kit.ask("GET /program/members/mem_9", { signal: leaving.signal })
    await kit.clock.settle()
    leaving.abort()
    await waiting
    await kit.clock.advance(120_000)
    expect(kit.upstream.lines()).toEqual(["GET /members"])
  })

  it("asks the service itself when the request says no-cache", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members/mem_1")
    await kit.ask("GET /program/members/mem_1", { headers: { "cache-control": "no-cache" } })
    expect(kit.upstream.lines()).toHaveLength(2)
  })

  it("never answers no-cache with a question that had left before", async () => {
    const kit = kitWithMembers()
    const gates = [gatedEnd(), gatedEnd()]
    let asked = 0
    kit.upstream.serve(() => gates[asked++]?.promise)
    const early = kit.ask("GET /program/members/mem_1")
    await kit.clock.settle()
    const fresh = kit.ask("GET /program/members/mem_1", { headers: { "cache-control": "no-cache" } })
    await kit.clock.settle()
    gates[1]?.resolve(record({ ...rows[0], company: "Now" }))
    expect((await fresh).body).toMatchObject({ data: { company: "Now" } })
    gates[0]?.resolve(record({ ...rows[0], company: "Before" }))
    await early
    const after = await kit.ask("GET /program/members/mem_1")
    expect(asked).toBe(2)
    expect(after.status).toBe(200)
  })

  it("obeys new cache times at once", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members")
    await kit.clock.advance(5000)
    const body = { members: 5, rewards: 300, leaderboards: 60, orders: 15 }
    expect((await kit.ask("PUT /settings/cache", { body })).status).toBe(200)
    await kit.ask("GET /program/members")
    expect(kit.upstream.lines()).toHaveLength(2)
  })

  it("reads again what another instance wrote", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members")
    kit.publish({ topic: "member", id: "mem_1" })
    await kit.ask("GET /program/members/mem_1")
    await kit.ask("GET /program/members/mem_2")
    await kit.ask("GET /program/members")
    expect(kit.upstream.lines()).toEqual(["GET /members", "GET /members/mem_1", "GET /members"])
  })

  it("does not keep an answer that was on its way while somebody wrote", async () => {
    const kit = kitWithMembers()
    const gate = gatedEnd()
    kit.upstream.serve(() => gate.promise)
    const early = kit.ask("GET /program/members/mem_1")
    await kit.clock.settle()
    kit.publish({ topic: "member", id: "mem_1" })
    gate.resolve(record(rows[0]))
    await early
    await kit.ask("GET /program/members/mem_1")
    expect(kit.upstream.lines()).toHaveLength(2)
  })
})

describe("a tag for an answer", () => {
  it("spares the body when the reader has it", async () => {
    const kit = kitWithMembers()
    const first = await kit.ask("GET /program/members")
    const again = await kit.ask("GET /program/members", {
      headers: { "if-none-match": first.headers.ETag ?? "" },
    })
    expect(again.status).toBe(304)
    expect(again.body).toBeUndefined()
    expect(again.headers).toMatchObject({ ETag: first.headers.ETag, Age: "0" })
  })

  it("is made after redaction", async () => {
    const kit = kitWithMembers()
    const whole = await kit.ask("GET /program/members")
    const short = await kit.ask("GET /program/members", { role: "fulfilment" })
    expect(short.headers.ETag).not.toBe(whole.headers.ETag)
    expect(short.body).toMatchObject({
      data: [
        { id: "mem_1", first_name: "Ana", last_name: "Silva mem_1" },
        { id: "mem_2", first_name: "Ana", last_name: "Silva mem_2" },
      ],
    })
    expect(short.text).not.toContain("dealer.test")
    expect(JSON.parse(short.text ?? "")).toEqual(short.body)
  })
})

describe("a spent budget", () => {
  it("serves an older copy after a second, marked with its age, and has a younger one soon", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    await kit.clock.advance(45_000)
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(1000)
    const stale = await waiting
    expect(stale.status).toBe(200)
    expect(stale.headers).toMatchObject({
      "X-Laurel-Stale": "1",
      "X-Laurel-Stale-Reason": "budget_spent",
      Age: "46",
    })
    // The question goes on without its asker.
    await kit.clock.advance(20_000)
    expect(kit.upstream.lines()).toHaveLength(2)
    const young = await kit.ask("GET /program/members")
    expect(young.headers).not.toHaveProperty("X-Laurel-Stale")
  })

  it("waits up to 20 s without a copy, then says when to ask again, and then it works", async () => {
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

  it("has no older copy after an hour", async () => {
    const kit = kitWithMembers({ rateLimit: 1 })
    await kit.ask("GET /program/members")
    await kit.clock.advance(3_600_001)
    await kit.ask("GET /program/members/mem_9")
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(20_000)
    expect((await waiting).status).toBe(503)
  })

  it("never answers no-cache with an older copy", async () => {
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

  it("closes the budget for as long as Retry-After asks", async () => {
    const kit = kitWithMembers()
    let refusals = 0
    kit.upstream.serve(() => (refusals++ < 1 ? { status: 429, body: {}, retryAfter: 9 } : members()))
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(8999)
    expect(kit.upstream.lines()).toHaveLength(1)
    await kit.clock.advance(1)
    expect((await waiting).status).toBe(200)
  })

  it("becomes budget_spent when it goes on for too long", async () => {
    const kit = kitWithMembers()
    kit.upstream.serve(() => ({ status: 429, body: {} }))
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(20_000)
    expect(await waiting).toMatchObject({ status: 503, body: { error: { code: "budget_spent" } } })
    expect(kit.upstream.lines().length).toBeLessThan(10)
  })
})

describe("a service in trouble", () => {
  it.each<[string, FakeEnd, number, string, number]>([
    ["gives no answer", { kind: "no_answer", what: "hung" }, 504, "upstream_unreachable", 2],
    ["cannot be reached", { kind: "not_sent", what: "refused" }, 502, "upstream_unreachable", 1],
    ["has a fault", { status: 503, body: { error: { code: "x" } } }, 502, "refused_by_service", 2],
    ["answers with a page", { kind: "unreadable", status: 200, what: "a web page" }, 502, "unreadable_answer", 1],
    ["answers in another shape", record({ email: "no id" }), 502, "unreadable_answer", 1],
    ["refuses the key", { status: 401, body: { error: { code: "unauthorized" } } }, 502, "refused_by_service", 1],
    ["refuses the input", { status: 422, body: { error: { code: "odd", message: "No." } } }, 422, "refused_by_service", 1],
  ])("that %s is a clear answer", async (_, end, status, code, calls) => {
    const kit = createDeskKit()
    kit.upstream.serve(() => end)
    expect(await kit.ask("GET /program/members/mem_1")).toMatchObject({
      status,
      body: { success: false, error: { code, requestId: "req_1", details: { api: "program" } } },
    })
    expect(kit.upstream.lines()).toHaveLength(calls)
  })

  it("asks once more after a fault that passes", async () => {
    const kit = kitWithMembers()
    let faults = 0
    kit.upstream.serve(() => (faults++ < 1 ? { kind: "no_answer", what: "reset" } : members()))
    expect((await kit.ask("GET /program/members")).status).toBe(200)
  })

  it.each<[string, FakeEnd]>([
    ["upstream_unreachable", { kind: "no_answer", what: "hung" }],
    ["refused_by_service", { status: 500, body: {} }],
    ["unreadable_answer", { kind: "unreadable", status: 200, what: "a web page" }],
  ])("serves an older copy and says why: %s", async (reason, end) => {
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

  it("serves an older copy while the service is slow", async () => {
    const kit = kitWithMembers()
    await kit.ask("GET /program/members")
    await kit.clock.advance(60_000)
    kit.upstream.serve(() => gatedEnd().promise)
    const waiting = kit.ask("GET /program/members")
    await kit.clock.advance(3000)
    expect((await waiting).headers).toMatchObject({ "X-Laurel-Stale-Reason": "slow", Age: "63" })
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
    const kit = createDeskKit()
    const odd = { ...madeUpMember("mem_1"), status: "Pending", shoe_size: 44, tier: null }
    kit.upstream.serve(() => ({ status: 200, body: { success: true, data: [odd] } }))
    const answer = await kit.ask("GET /program/members")
    expect(answer.body).toMatchObject({ data: [{ status: "Pending", shoe_size: 44 }] })
    const status = await kit.ask("GET /status")
    const seen = { api: "program", operation: "GET /members", seen: 1 }
    expect(status.body).toMatchObject({
      data: {
        drift: expect.arrayContaining([
          expect.objectContaining({ ...seen, field: "status", came: '"Pending"' }),
          expect.objectContaining({ ...seen, field: "shoe_size", came: "a further field" }),
          expect.objectContaining({ ...seen, field: "tier", came: "null" }),
          expect.objectContaining({ ...seen, field: "meta", came: "missing" }),
        ]),
      },
    })
  })
})
