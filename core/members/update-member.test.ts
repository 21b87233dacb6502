import { describe, expect, it } from "vitest"
import type { AuditEntry } from "../../contract/audit.ts"
import { parseExact } from "../../contract/exact-json.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import type { FakeEnd } from "../../tests/support/fake-upstream.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemberService } from "../../tests/support/member-service.ts"

const hung: FakeEnd = { kind: "no_answer", what: "no response in time" }
const seen = madeUpMember("mem_1").updated_at
const ifMatch = { "if-match": `"${seen}"` }

function kit() {
  const service = createMemberService([madeUpMember("mem_1"), madeUpMember("mem_2")])
  const app = createTestKit()
  app.upstream.serve(service.serve)
  const logOf = (): Promise<AuditEntry[]> => app.store.audit.list({ per_page: 10 }, {})
  const edit = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    app.ask("PATCH /program/members/mem_1", { role: "manager", body, headers })
  return { ...app, service, edit, logOf }
}

/** A value nested `levels` deep. */
function deep(levels: number): unknown {
  return JSON.parse(`${"[".repeat(levels)}1${"]".repeat(levels)}`)
}

describe("editing a member", () => {
  it("sends the given fields only, and tells the log, the cache and who is looking", async () => {
    const { ask, edit, upstream, events, logOf } = kit()
    await ask("GET /program/members")
    const answer = await edit({ company: "New Solar" }, { "x-laurel-tab": "tab_1" })
    expect(answer).toMatchObject({ status: 200, body: { data: { id: "mem_1", company: "New Solar" } } })
    expect(upstream.calls.at(-1)).toMatchObject({ method: "PATCH", body: { company: "New Solar" } })
    expect(await logOf()).toMatchObject([
      {
        action: "member.update",
        area: "program",
        actor: { role: "manager" },
        on: { kind: "member", id: "mem_1", label: "Ana Silva mem_1" },
        outcome: "done",
        changes: [{ field: "company", from: "Silva Solar", to: "New Solar" }],
        request_id: "req_2",
      },
    ])
    expect(events).toContainEqual({ topic: "members", id: "mem_1", by: "tab_1" })
    const before = upstream.calls.length
    expect((await ask("GET /program/members/mem_1")).body).toMatchObject({ data: { company: "New Solar" } })
    expect((await ask("GET /program/members")).body).toMatchObject({ data: [{ company: "New Solar" }, {}] })
    expect(upstream.calls).toHaveLength(before)
  })

  it("reads a list again that is narrowed by what was changed, and no other", async () => {
    const { ask, edit, upstream } = kit()
    const paths = ["", "?search=ana", "?status=active"]
    const readAll = async () => {
      const before = upstream.calls.length
      for (const path of paths) await ask(`GET /program/members${path}`)
      return upstream.lines().slice(before)
    }
    await readAll()
    await edit({ phone: "1" })
    expect(await readAll()).toEqual([])
    await edit({ first_name: "Anna" })
    expect(await readAll()).toEqual(["GET /members?search=ana"])
    await edit({ status: "inactive" })
    expect(await readAll()).toEqual(["GET /members?status=active"])
  })

  it.each([
    [{}, "body"],
    [{ email: "other@dealer.test" }, "email"],
    [{ status: "pending" }, "status"],
    [{ first_name: " " }, "first_name"],
    [undefined, "body"],
  ])("refuses %j, naming the field", async (body, field) => {
    const { edit, upstream } = kit()
    expect(await edit(body)).toMatchObject({
      status: 422,
      body: { error: { code: "validation", details: { fields: [{ field }] } } },
    })
    expect(upstream.calls).toEqual([])
  })

  it("names deactivating and activating in the log", async () => {
    const { edit, logOf } = kit()
    await edit({ status: "inactive" })
    await edit({ status: "active" })
    expect((await logOf()).map(({ action }) => action)).toEqual(["member.activate", "member.deactivate"])
  })

  it("hands on what the service refuses, and logs it", async () => {
    const { edit, service, logOf } = kit()
    const refusal = { success: false, error: { code: "invalid_request", message: "phone is odd" } }
    service.trouble = { end: { status: 400, body: refusal }, carriedOut: false }
    expect(await edit({ phone: "1" })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: "refused_by_service",
          message: "phone is odd",
          details: { api: "program", upstream_status: 400, upstream_code: "invalid_request" },
        },
      },
    })
    expect(await logOf()).toMatchObject([{ outcome: "refused", note: "phone is odd" }])
  })
})

describe("an edit that the service does not take", () => {
  it("names what the service said under a success status", async () => {
    const { edit, service } = kit()
    const body = { success: false, error: { code: 17, message: "Not on Sundays" } }
    service.trouble = { end: { status: 200, body }, carriedOut: false }
    expect(await edit({ phone: "1" })).toMatchObject({
      status: 502,
      body: { error: { message: expect.stringContaining("Not on Sundays") } },
    })
  })

  it.each([400, 422])("is refused by a %i that cannot be read", async (status) => {
    const { edit, service, logOf } = kit()
    service.trouble = { end: { kind: "unreadable", status, what: "a web page" }, carriedOut: false }
    expect(await edit({ phone: "1" })).toMatchObject({
      status,
      body: { error: { code: "refused_by_service" } },
    })
    expect(await logOf()).toMatchObject([{ outcome: "refused" }])
  })
})

describe("an edit of what the person saw", () => {
  it("goes out when nothing changed since", async () => {
    const { edit } = kit()
    expect((await edit({ company: "New" }, ifMatch)).status).toBe(200)
  })

  it("is sent when others changed another field since", async () => {
    const { ask, edit, service } = kit()
    await ask("GET /program/members/mem_1")
    service.members.set(
      "mem_1",
      madeUpMember("mem_1", { phone: "1", points_balance: 9, updated_at: "later" }),
    )
    expect((await edit({ company: "New" }, ifMatch)).status).toBe(200)
  })

  it("goes out although a younger copy was read in between", async () => {
    const { ask, edit, service, clock } = kit()
    await ask("GET /program/members/mem_1")
    service.members.set("mem_1", madeUpMember("mem_1", { phone: "1", updated_at: "later" }))
    await clock.advance(31_000)
    await ask("GET /program/members")
    expect((await edit({ company: "New" }, ifMatch)).status).toBe(200)
  })

  it("is refused with the current record when others changed the same field", async () => {
    const { ask, edit, service, upstream, clock } = kit()
    await ask("GET /program/members/mem_1")
    service.members.set("mem_1", madeUpMember("mem_1", { company: "Theirs", updated_at: "later" }))
    await clock.advance(2000)
    expect(await edit({ company: "Mine", phone: "1" }, ifMatch)).toMatchObject({
      status: 409,
      body: {
        error: {
          code: "conflict",
          details: { changed: ["company"], current: { id: "mem_1", company: "Theirs" } },
        },
      },
    })
    expect(upstream.calls.some(({ method }) => method === "PATCH")).toBe(false)
  })

  it("is sent without another read when the record was read less than two seconds before", async () => {
    const { ask, edit, upstream, clock } = kit()
    await ask("GET /program/members/mem_1")
    await clock.advance(1999)
    expect((await edit({ company: "New" }, ifMatch)).status).toBe(200)
    expect(upstream.lines()).toEqual(["GET /members/mem_1", "PATCH /members/mem_1"])
  })

  it("is refused when it cannot be told what changed", async () => {
    const { edit, service } = kit()
    service.members.set("mem_1", madeUpMember("mem_1", { phone: "1", updated_at: "later" }))
    expect(await edit({ company: "Mine" }, ifMatch)).toMatchObject({
      status: 409,
      body: { error: { details: { current: { updated_at: "later" } } } },
    })
  })
})

describe("an edit of metadata", () => {
  it("is read back and says nothing when the service has what was sent", async () => {
    const { edit, upstream } = kit()
    const answer = await edit({ metadata: { region: "NSW" } })
    expect(answer.body).toEqual({ success: true, data: expect.objectContaining({ id: "mem_1" }) })
    expect(upstream.lines()).toEqual(["GET /members/mem_1", "PATCH /members/mem_1", "GET /members/mem_1"])
  })

  it("names the keys that were left out and are still there", async () => {
    const { edit, service } = kit()
    service.metadata = "merge"
    expect((await edit({ metadata: { depot: "4" } })).body).toMatchObject({
      data: { metadata: { region: "QLD", depot: "4" } },
      meta: { metadata_missing: [], metadata_kept: ["region"] },
    })
  })

  it("names the keys that were sent and are not there", async () => {
    const { edit, service } = kit()
    service.metadata = "ignore"
    expect((await edit({ metadata: { region: "NSW", depot: "4" } })).body).toMatchObject({
      meta: { metadata_missing: ["region", "depot"], metadata_kept: [] },
    })
  })

  it("takes a key by whatever name, and logs it", async () => {
    const { edit, logOf } = kit()
    const metadata = JSON.parse('{"constructor":"Bec","toString":"x","region":"Perth"}')
    expect(await edit({ metadata })).toMatchObject({ status: 200, body: { data: { metadata } } })
    expect((await logOf())[0]?.changes).toContainEqual({
      field: "metadata.constructor",
      from: null,
      to: "Bec",
    })
    expect(await edit({ metadata: { region: "Perth" } })).toMatchObject({ status: 200 })
    expect((await logOf())[0]?.changes).toContainEqual({ field: "metadata.toString", from: "x", to: null })
  })

  it("is refused before anything is sent when it is nested beyond reason", async () => {
    const { edit, upstream } = kit()
    expect((await edit({ metadata: { plan: deep(20) } })).status).toBe(200)
    const sent = upstream.calls.length
    expect(await edit({ metadata: { plan: deep(50_000) } })).toMatchObject({ status: 400 })
    for (const plan of [deep(21), { a: "half a pair: \ud800" }, ["\u0000"]]) {
      expect(await edit({ metadata: { plan } })).toMatchObject({
        status: 422,
        body: { error: { code: "validation", message: expect.stringContaining("nested deeper than 20") } },
      })
    }
    expect(upstream.calls).toHaveLength(sent)
  })

  it("logs it key by key", async () => {
    const { edit, logOf } = kit()
    await edit({ metadata: { depot: "4" } })
    expect((await logOf())[0]?.changes).toEqual([
      { field: "metadata.region", from: "QLD", to: null },
      { field: "metadata.depot", from: null, to: "4" },
    ])
  })
})

describe("an edit without a usable answer", () => {
  it.each<[string, FakeEnd]>([
    ["no answer", hung],
    ["a fault", { status: 500, body: {} }],
    ["a web page", { kind: "unreadable", status: 200, what: "a web page" }],
    ["another member", { status: 200, body: { success: true, data: madeUpMember("mem_2") } }],
  ])("is done when the record reads so: %s", async (_, end) => {
    const { edit, service, logOf } = kit()
    service.trouble = { end, carriedOut: true }
    expect(await edit({ company: "New" })).toMatchObject({ status: 200, body: { data: { company: "New" } } })
    expect(await logOf()).toMatchObject([{ outcome: "done", note: expect.stringContaining("A check shows") }])
  })

  it("says that it was not made when the record reads as before", async () => {
    const { edit, service, logOf } = kit()
    service.trouble = { end: { status: 503, body: {} }, carriedOut: false }
    expect(await edit({ company: "New" })).toMatchObject({
      status: 502,
      body: {
        error: {
          code: "refused_by_service",
          message: expect.stringContaining("The change wasn’t saved as of 10:00:00"),
          details: { api: "program", upstream_status: 503 },
        },
      },
    })
    expect(await logOf()).toMatchObject([{ outcome: "failed" }])
  })

  it("reports the same when it only removed a key, which is still there", async () => {
    const { edit, service, logOf } = kit()
    service.trouble = { end: hung, carriedOut: false }
    expect((await edit({ metadata: {} })).status).not.toBe(200)
    expect(await logOf()).not.toMatchObject([{ outcome: "done" }])
  })

  it("says that it is not known when the record cannot be read", async () => {
    const { ask, edit, service, logOf } = kit()
    await ask("GET /program/members/mem_1")
    service.trouble = { end: hung, carriedOut: true }
    service.readTrouble = hung
    expect(await edit({ company: "New" })).toMatchObject({
      status: 504,
      body: { error: { code: "outcome_unknown" } },
    })
    expect(await logOf()).toMatchObject([{ outcome: "unknown" }])
  })

  it("says that nothing was sent when nothing was", async () => {
    const { edit, service, logOf } = kit()
    service.trouble = { end: { kind: "not_sent", what: "the connection was refused" }, carriedOut: false }
    expect(await edit({ company: "New" })).toMatchObject({
      status: 502,
      body: { error: { code: "upstream_unreachable", message: expect.stringContaining("Nothing was sent") } },
    })
    expect(await logOf()).toMatchObject([{ outcome: "failed" }])
  })

  it("waits out a 429 and is sent once", async () => {
    const { edit, service, clock, upstream } = kit()
    service.trouble = { end: { status: 429, body: {} }, carriedOut: false }
    const editing = edit({ company: "New" })
    await clock.advance(3000)
    expect((await editing).status).toBe(200)
    expect(upstream.lines().filter((line) => line.startsWith("PATCH"))).toHaveLength(2)
  })
})

describe("metadata", () => {
  const asText = '{"a":1,"a ":2,"order":9007199254740993,"deep":{"list":[0.12345678901234567890,{"x":null}]}}'
  const keeping = (text: string) => {
    const app = kit()
    app.service.members.set("mem_1", madeUpMember("mem_1", { metadata: parseExact(text) }))
    const sent = () => JSON.stringify(app.upstream.calls.find(({ method }) => method === "PATCH")?.body)
    // As a browser has it: rounded.
    const seenByBrowser: Record<string, unknown> = JSON.parse(text)
    return { ...app, sent, seenByBrowser }
  }

  it("reaches the browser with every digit", async () => {
    const { ask } = keeping(asText)
    expect(JSON.stringify((await ask("GET /program/members/mem_1")).body)).toContain(asText)
  })

  it("stays byte for byte where an edit of one key did not touch it", async () => {
    const { edit, sent, seenByBrowser } = keeping(asText)
    expect((await edit({ metadata: { ...seenByBrowser, a: 5 } })).status).toBe(200)
    expect(sent()).toBe(`{"metadata":${asText.replace('"a":1', '"a":5')}}`)
  })

  it("is not sent at all with another field, whatever it holds", async () => {
    const nested = `{"deep":${"[".repeat(40)}9007199254740993${"]".repeat(40)},"long":"${"x".repeat(5000)}"}`
    const { edit, sent } = keeping(nested)
    expect((await edit({ first_name: "Anna" })).status).toBe(200)
    expect(sent()).toBe('{"first_name":"Anna"}')
  })

  it("is refused with the reason where a number would be altered", async () => {
    const { edit, sent, seenByBrowser } = keeping(asText)
    expect(await edit({ metadata: { ...seenByBrowser, order: 9007199254741000 } })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "metadata.order" }] } } },
    })
    expect(sent()).toBeUndefined()
  })

  it("keeps a number beyond every range, and refuses what would empty it unseen", async () => {
    const { edit, sent, seenByBrowser } = keeping('{"a":1,"huge":1e400}')
    expect(await edit({ metadata: { ...seenByBrowser, a: 5, huge: null } })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "metadata.huge" }] } } },
    })
    expect(sent()).toBeUndefined()
    expect((await edit({ metadata: parseExact('{"a":5,"huge":1e400}') })).status).toBe(200)
    expect(sent()).toBe('{"metadata":{"a":5,"huge":1e400}}')
  })

  it("with a key that cannot be sent back is shown, and not edited", async () => {
    const { ask, edit, sent } = keeping('{"a":1,"__proto__":"kept"}')
    expect(JSON.stringify((await ask("GET /program/members/mem_1")).body)).toContain('"__proto__":"kept"')
    expect(await edit({ metadata: { a: 5 } })).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining("__proto__") } },
    })
    expect((await edit({ phone: "1" })).status).toBe(200)
    expect(sent()).toBe('{"phone":"1"}')
  })

  it("that came as something else is not replaced; an empty list is empty metadata", async () => {
    const { edit, sent, service } = keeping("{}")
    service.members.set("mem_1", madeUpMember("mem_1", { metadata: "depot 4" }))
    expect(await edit({ metadata: { a: 1 } })).toMatchObject({ status: 422 })
    expect((await edit({ company: "New" })).status).toBe(200)
    const again = keeping("{}")
    again.service.members.set("mem_1", madeUpMember("mem_1", { metadata: [] }))
    expect((await again.edit({ metadata: { a: 1 } })).status).toBe(200)
    expect([sent(), again.sent()]).toEqual(['{"company":"New"}', '{"metadata":{"a":1}}'])
  })
})
