import { describe, expect, it } from "vitest"
import { appStatus, keyTest } from "../../contract/status.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { page } from "../../tests/support/made-up-members.ts"

describe("the status", () => {
  it("shows addresses and key ends to administrators only", async () => {
    const { ask } = createTestKit()
    const full = await ask("GET /status")
    expect(full.body).toMatchObject({ data: { connections: [{ key_end: "1234" }, { key_end: "5678" }] } })
    const short = await ask("GET /status", { role: "viewer" })
    expect(short.body).toMatchObject({
      data: { connections: [{ base_url: null, key_end: null, rate_limit: 60 }, { key_end: null }] },
    })
  })

  it("says how a service does from Laurel's own calls", async () => {
    const { ask, upstream } = createTestKit()
    const program = async () => {
      const status = appStatus.parse(Reflect.get((await ask("GET /status")).body as object, "data"))
      return status.connections.find(({ api }) => api === "program")
    }
    expect(await program()).toMatchObject({
      state: "untried",
      half_within_ms: null,
      seen: { read: "unseen" },
    })
    upstream.serve(() => page([]))
    await ask("GET /program/members")
    expect(await program()).toMatchObject({ state: "answering", seen: { read: "working", write: "unseen" } })
    upstream.serve(() => ({ kind: "no_answer", what: "no response in time" }))
    await ask("GET /program/rewards")
    const silent = await program()
    expect(silent).toMatchObject({
      state: "not_answering",
      last_trouble: { what: "didn’t respond: no response in time" },
    })
    expect(silent?.day).toHaveLength(48)
    expect(silent?.day.at(-1)).toMatchObject({ calls: 3, trouble: 2 })
    upstream.serve(() => ({ status: 403, body: {} }))
    await ask("GET /program/orders")
    expect(await program()).toMatchObject({ seen: { read: "refused" }, state: "answering" })
  })

  it("says after a start how a service did when it was last called", async () => {
    const { ask, store, clock } = createTestKit()
    const states = async () => {
      const { connections } = appStatus.parse(Reflect.get((await ask("GET /status")).body as object, "data"))
      return connections.map(({ state }) => state)
    }
    const minute = Math.floor(clock.now() / 60_000) * 60_000
    const call = { api: "program", lane: "people", who: "usr_ana", refused: 0, longestWaitMs: 0 } as const
    const record = { ...call, requests: 2, slow: 0, trouble: 0 }
    await store.usage.add([{ ...record, minute: minute - 60_000, trouble: 2 }])
    expect(await states()).toEqual(["failing", "untried"])
    await store.usage.add([{ ...record, minute, trouble: 1 }])
    expect(await states()).toEqual(["answering", "untried"])
    await store.usage.add([{ ...record, minute, slow: 4, requests: 4 }])
    expect(await states()).toEqual(["slow", "untried"])
    // Calls that the service left unanswered for so long that they ended in the next minute.
    await store.usage.add([{ ...record, minute: minute + 60_000, requests: 0, trouble: 5 }])
    expect(await states()).toEqual(["failing", "untried"])
  })

  it("tests a key by one read past the cache, for administrators", async () => {
    const { ask, upstream } = createTestKit()
    upstream.serve(() => page([]))
    await ask("GET /program/members?page=1&per_page=1")
    expect(await ask("POST /status/program/test")).toMatchObject({
      status: 200,
      body: { data: { problem: null } },
    })
    expect(upstream.calls).toHaveLength(2)
    // No card has the requested id: only a working key gets this response.
    upstream.serve(() => ({ status: 404, body: { success: false, error: { message: "Card not found" } } }))
    expect((await ask("POST /status/giftcard/test")).body).toMatchObject({ data: { problem: null } })
    upstream.serve(() => ({
      status: 401,
      body: { error: { code: "unauthorized", message: "Invalid API key" } },
    }))
    expect((await ask("POST /status/program/test")).body).toMatchObject({
      data: { problem: "The key was refused (401). Invalid API key" },
    })
    expect((await ask("POST /status/program/test", { role: "manager" })).status).toBe(403)
    expect((await ask("POST /status/other/test")).status).toBe(404)
  })

  it("tests the gift-card service by a card that was issued, and counts any answer but 401 and 403", async () => {
    const { ask, store, upstream } = createTestKit()
    await store.cards.add({
      id: "GC-77",
      origin: "issued",
      status: "issued",
      template: "card_tradevisa",
      amount_cents: 500,
      reference: null,
      own_reference: null,
      message: null,
      member: { id: null, email: null, name: null, created: null },
      is_test: null,
      replayed: null,
      issued_at: "2026-11-21T00:00:00.000Z",
      expires_at: null,
      looked_up_at: null,
      job: null,
      by: { id: "usr_ana", name: "Ana" },
    })
    const problemAfter = async (status: number) => {
      upstream.serve(() => ({ status, body: { error: { message: "No" } } }))
      const { body } = await ask("POST /status/giftcard/test")
      return keyTest.parse(Reflect.get(body as object, "data")).problem
    }
    expect(await problemAfter(410)).toBeNull()
    expect(upstream.lines()).toEqual(["GET /giftcard/cards/GC-77"])
    expect(await problemAfter(400)).toBeNull()
    expect(await problemAfter(403)).toMatch(/^The key was refused \(403\)/)
    expect(await problemAfter(503)).not.toBeNull()
  })

  it("shows the budget: what is left, who used it, who waits", async () => {
    const { ask, clock, upstream } = createTestKit({ rateLimit: 2 })
    upstream.serve(() => page([]))
    await ask("GET /program/members", { name: "ana" })
    await ask("GET /program/rewards", { name: "ben" })
    const waiting = ask("GET /program/members?page=2", { name: "ana" })
    await clock.advance(5000)
    expect((await ask("GET /status/budget", { role: "viewer" })).body).toMatchObject({
      data: [
        {
          api: "program",
          limit: 2,
          left: 0,
          left_for_jobs: 0,
          next_in_ms: 56_000,
          waiting: 1,
          used_by: [
            { name: "ana", requests: 1 },
            { name: "ben", requests: 1 },
          ],
        },
        { api: "giftcard", left: 2, left_for_jobs: 1, used_by: [] },
      ],
    })
    await clock.advance(15_000)
    await waiting
    const after = await ask("GET /status/budget")
    expect(after.body).toMatchObject({ data: [{ waiting: 0, longest_wait_ms: 20_000 }, {}] })
  })

  it("publishes the budget at most once a second", async () => {
    const { ask, clock, events, upstream } = createTestKit()
    upstream.serve(() => page([]))
    for (let number = 1; number <= 10; number += 1) await ask(`GET /program/members?page=${number}`)
    await clock.advance(5000)
    expect(events.filter(({ topic, id }) => topic === "budget" && id === "program")).toHaveLength(2)
  })
})
