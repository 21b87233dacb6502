import { describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { exportTicket } from "../../contract/response.ts"
import type { BudgetView } from "../../contract/status.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpMember, page } from "../../tests/support/made-up-members.ts"

function kit(options: Parameters<typeof createTestKit>[0] = {}) {
  const app = createTestKit(options)
  app.upstream.serve(() => page([madeUpMember("mem_1")]))
  const begin = async (body: unknown, name = "ana") => {
    const answer = await app.ask("POST /exports", { role: "manager", name, body })
    return z.object({ data: exportTicket }).parse(answer.body).data.id
  }
  const read = (line: string, ticket: string, name = "ana") =>
    app.ask(line, { role: "manager", name, headers: { "x-laurel-export": ticket } })
  const budget = async () => {
    const { body } = await app.ask("GET /status/budget")
    return (body as { data: BudgetView[] }).data.find(({ api }) => api === "program")
  }
  return { ...app, begin, read, budget }
}

describe("an export", () => {
  it("is in the log with whose data and which filters before anything is read", async () => {
    const { begin, ask } = kit()
    await begin({ kind: "members", filter: { search: "bo@dealer.test" } })
    await begin({ kind: "ledger", member_id: "mem_1" })
    expect((await ask("GET /audit")).body).toMatchObject({
      data: [
        { action: "export.create", on: { label: "Ledger of mem_1" } },
        {
          action: "export.create",
          changes: [{ field: "kind" }, { field: "filter.search", to: "bo@dealer.test" }],
        },
      ],
    })
    const later = await ask("GET /audit", { role: "fulfilment", name: "ana" })
    expect(JSON.stringify(later.body)).not.toContain("bo@dealer.test")
  })

  it.each(["fulfilment", "viewer"] as const)("is not for %s", async (role) => {
    const { ask, read, begin } = kit()
    expect((await ask("POST /exports", { role, body: { kind: "members" } })).status).toBe(403)
    const ticket = await begin({ kind: "members" })
    const headers = { "x-laurel-export": ticket }
    expect((await ask("GET /program/members", { role, name: "ana", headers })).status).toBe(403)
    expect((await read("GET /program/members", ticket)).status).toBe(200)
  })

  it.each([
    [{ kind: "ledger" }, "member_id"],
    [{ kind: "members", member_id: "mem_1" }, "member_id"],
    [{ kind: "everything" }, "kind"],
    [{ kind: "members", everything: true }, "everything"],
  ])("%j is refused by field", async (body, field) => {
    const { ask } = kit()
    const answer = await ask("POST /exports", { body })
    expect(answer).toMatchObject({ status: 422, body: { error: { details: { fields: [{ field }] } } } })
  })

  it("is not begun when it cannot be written down", async () => {
    const { ask, store } = kit()
    store.audit.append = () => Promise.reject(new Error("disk is full"))
    expect((await ask("POST /exports", { body: { kind: "members" } })).status).toBe(503)
  })
})

describe("a page of an export", () => {
  it("comes from the service each time, behind people, and does not count as a person's activity", async () => {
    const { begin, read, upstream, budget } = kit()
    const ticket = await begin({ kind: "members" })
    const first = await read("GET /program/members?page=1&per_page=100", ticket)
    expect(first).toMatchObject({ status: 200, body: { data: [{ id: "mem_1" }], meta: { total: 1 } } })
    await read("GET /program/members?page=1&per_page=100", ticket)
    expect(upstream.calls).toHaveLength(2)
    const view = await budget()
    expect(view).toMatchObject({
      left: 58,
      left_for_jobs: 58,
      used_by: [{ name: "Export by ana", requests: 2 }],
    })
  })

  it("leaves the copies that people look at alone", async () => {
    const { begin, read, ask, upstream } = kit()
    await read("GET /program/members", await begin({ kind: "members" }))
    await ask("GET /program/members")
    await ask("GET /program/members")
    expect(upstream.calls).toHaveLength(2)
  })

  it("needs a ticket of the same person, of this hour, for this data", async () => {
    const { begin, read, upstream, clock } = kit()
    const [members, ledger, gold] = [
      await begin({ kind: "members" }),
      await begin({ kind: "ledger", member_id: "mem_1" }),
      await begin({ kind: "members", filter: { tier: "gold" } }),
    ]
    const refused = [
      await read("GET /program/members", crypto.randomUUID()),
      await read("GET /program/members", ""),
      await read("GET /program/members", members, "ben"),
      await read("GET /program/members", ledger),
      await read("GET /program/members?page=1", gold),
      await read("GET /program/members?tier=silver", gold),
      await read("GET /program/members/mem_1", members),
      await read("GET /program/members/mem_2/transactions", ledger),
      await read("DELETE /program/members/mem_1", members),
    ]
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    expect(upstream.calls).toEqual([])
    expect((await read("GET /program/members/mem_1/transactions?type=award", ledger)).status).not.toBe(403)
    expect((await read("GET /program/members?tier=gold&page=2", gold)).status).not.toBe(403)
    await clock.advance(3_600_001)
    expect((await read("GET /program/members", members)).status).toBe(403)
  })

  it("is known to every instance on the same store", async () => {
    const { begin, store, clock } = kit()
    const headers = { "x-laurel-export": await begin({ kind: "members" }) }
    const other = createTestKit({ store, clock })
    other.upstream.serve(() => page([madeUpMember("mem_1")]))
    expect((await other.ask("GET /program/members", { role: "manager", name: "ana", headers })).status).toBe(
      200,
    )
  })

  it("says when the minute is used up, and that it comes again", async () => {
    const { begin, read, clock } = kit({ rateLimit: 1 })
    const ticket = await begin({ kind: "members" })
    await read("GET /program/members", ticket)
    const waiting = read("GET /program/members", ticket)
    await clock.advance(20_000)
    expect(await waiting).toMatchObject({ status: 503, headers: { "Retry-After": expect.any(String) } })
  })
})
