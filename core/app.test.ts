import { expect, it } from "vitest"
import { createTestKit } from "../tests/support/test-kit.ts"
import { page } from "../tests/support/made-up-members.ts"

it("hands counts over to the store every few seconds and when it stops", async () => {
  const { ask, app, clock, store, upstream } = createTestKit()
  upstream.serve(() => page([]))
  app.start()
  await ask("GET /program/members", { name: "ana" })
  await clock.advance(5000)
  expect(await store.usage.since(0)).toMatchObject([{ who: "ana", lane: "people", requests: 1 }])
  await ask("GET /program/members?page=2", { name: "ana" })
  await app.stop()
  expect(await store.usage.since(0)).toMatchObject([{ who: "ana", requests: 2 }])
})

it("reads the rest of a list behind people: a person's request for a queued page is sent immediately", async () => {
  const { ask, app, store, upstream, clock } = createTestKit({ rateLimit: 6 })
  upstream.serve(() => page([]))
  const headers = { "x-laurel-background": "1" }
  const pageOf = (at: number) => `GET /program/orders?status=pending&page=${at}`
  await ask(pageOf(1), { name: "ana" })
  const rest = [2, 3, 4, 5, 6, 7, 8, 9].map((at) => ask(pageOf(at), { name: "ana", headers }))
  // The clock does not advance: the last permit is left to who sees nothing yet.
  expect(await ask(pageOf(9), { name: "ben" })).toMatchObject({ status: 200 })
  const sent = upstream.lines()
  expect(sent.length).toBeLessThan(rest.length)
  expect(sent.at(-1)).toContain("page=9")
  await clock.advance(120_000)
  await Promise.all(rest)
  await app.stop()
  const used = (await store.usage.since(0)).map(({ who, lane }) => `${who} ${lane}`)
  expect(new Set(used)).toEqual(new Set(["ana people", "ben people"]))
})

it("tells a page what its person may do", async () => {
  const { app } = createTestKit()
  const session = await app.session({ id: "u", name: "Ana", email: "ana@laurel.test", role: "fulfilment" })
  expect(session).toMatchObject({
    environment: "sandbox",
    program: { currency: "AUD" },
    permissions: { "members.read": "redacted", "members.edit": "no", "orders.update": "yes" },
  })
})

it("answers an internal error with 500 and logs it without data", async () => {
  const kit = createTestKit()
  kit.upstream.serve(() => {
    throw new Error("a programming mistake")
  })
  expect(await kit.ask("GET /program/members?search=ana@dealer.test")).toMatchObject({
    status: 500,
    body: { error: { code: "internal", requestId: "req_1" } },
  })
  expect(kit.logged).toEqual([{ level: "error", text: "a request failed inside" }])
})

it("says when its own store does not answer, and sends nothing", async () => {
  const kit = createTestKit()
  kit.store.budget.take = async () => {
    throw new Error("disk full")
  }
  kit.store.notes.get = async () => {
    throw new Error("disk full")
  }
  for (const line of ["GET /program/members", "GET /notes/member/m1"]) {
    expect(await kit.ask(line)).toMatchObject({ status: 503, body: { error: { code: "store_unavailable" } } })
  }
  expect(kit.upstream.calls).toEqual([])
})
