import { describe, expect, it } from "vitest"
import { createTestKit, type TestKit, type KitOptions } from "../../tests/support/test-kit.ts"
import type { FakeEnd } from "../../tests/support/fake-upstream.ts"
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

/** An outcome that the test releases. */
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

  it("seeds no record from a row that a list shows in part", async () => {
    const kit = kitWithMembers()
    const [full, part] = rows
    kit.upstream.serve(({ path }) =>
      path === "/members" ? page([full, { ...part, email: null }]) : record(path.endsWith("1") ? full : part),
    )
    await kit.ask("GET /program/members")
    expect((await kit.ask("GET /program/members/mem_2")).body).toMatchObject({ data: part })
    await kit.ask("GET /program/members/mem_1")
    expect(kit.upstream.lines()).toEqual(["GET /members", "GET /members/mem_2"])
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
    await first
    expect((await second).status).toBe(200)
    expect(kit.upstream.lines()).toHaveLength(1)
  })

  it("does not send a read without waiting readers", async () => {
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
    let requests = 0
    kit.upstream.serve(() => gates[requests++]?.promise)
    const early = kit.ask("GET /program/members/mem_1")
    await kit.clock.advance(10)
    const fresh = kit.ask("GET /program/members/mem_1", { headers: { "cache-control": "no-cache" } })
    await kit.clock.settle()
    gates[1]?.resolve(record({ ...rows[0], company: "Now" }))
    expect((await fresh).body).toMatchObject({ data: { company: "Now" } })
    gates[0]?.resolve(record({ ...rows[0], company: "Before" }))
    await early
    const after = await kit.ask("GET /program/members/mem_1")
    expect(requests).toBe(2)
    expect(after.body).toMatchObject({ data: { company: "Now" } })
  })

  it("applies new cache times immediately", async () => {
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

  it("does not cache a response that was in flight during a write", async () => {
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
    const full = await kit.ask("GET /program/members")
    const short = await kit.ask("GET /program/members", { role: "fulfilment" })
    expect(short.headers.ETag).not.toBe(full.headers.ETag)
    expect(short.body).toMatchObject({
      data: [
        { id: "mem_1", first_name: "Ana", last_name: "Silva mem_1" },
        { id: "mem_2", first_name: "Ana", last_name: "Silva mem_2" },
      ],
    })
    expect(JSON.stringify(short.body)).not.toContain("dealer.test")
  })
})
