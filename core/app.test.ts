import { describe, expect, it } from "vitest"
import { budgetHeader, readBudget } from "../contract/response.ts"
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

describe("an update of what a page shows", () => {
  const headers = { "x-laurel-update": "1" }
  const pageOf = (at: number) => `GET /program/orders?status=pending&page=${at}`
  /** Twelve requests a minute, two of them for those who see nothing yet; eleven people update a page each. */
  const kit = async () => {
    const app = createTestKit({ rateLimit: 12 })
    app.upstream.serve(() => page([]))
    const updates = Array.from({ length: 11 }, (_, at) =>
      app.ask(pageOf(at + 1), { name: `reader ${at}`, headers }),
    )
    await app.clock.settle()
    expect(app.upstream.lines()).toHaveLength(10)
    return { ...app, updates }
  }

  it("leaves room for those who see nothing yet, and is no wait of a person", async () => {
    const { ask, app, clock, store, updates, upstream } = await kit()
    const first = await ask("GET /program/members", { name: "ana" })
    expect(readBudget(first.headers[budgetHeader] ?? null)?.[0]).toMatchObject({ left: 1, waiting: 0 })
    expect(upstream.lines().at(-1)).toContain("/members")
    const own = await ask("GET /audit", { name: "reader 10" })
    expect(readBudget(own.headers[budgetHeader] ?? null)?.[0]).toMatchObject({ next_in_ms: 0 })
    await clock.advance(20_000)
    expect((await Promise.all(updates)).map(({ status }) => status)).toEqual([
      ...Array<number>(10).fill(200),
      503,
    ])
    await app.stop()
    expect(Math.max(...(await store.usage.since(0)).map(({ longestWaitMs }) => longestWaitMs))).toBe(0)
  })

  it("is sent immediately once a person waits for the same, and only once", async () => {
    const { ask, app, updates, upstream } = await kit()
    expect(await ask(pageOf(11), { name: "ana" })).toMatchObject({ status: 200 })
    expect((await Promise.all(updates)).map(({ status }) => status)).toEqual(Array<number>(11).fill(200))
    expect(upstream.lines()).toHaveLength(11)
    await app.stop()
  })
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
