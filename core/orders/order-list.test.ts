import { describe, expect, it } from "vitest"
import type { Order } from "../../contract/program/order.ts"
import type { Role } from "../../contract/roles.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpMember, page } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { noOrderProgress } from "../copy/copy-store.ts"

const order = (id: string, fields: Partial<Order> = {}): Order => ({
  order_id: id,
  member_id: "mem_1",
  reward_id: "rew_1",
  reward_name: "Drill",
  points_spent: 100,
  status: "pending",
  created_at: "2026-11-18T14:30:00Z",
  ...fields,
})

const orders = [
  order("ord_1", { tracking_number: "RB 123 456" }),
  order("ord_2", { status: "shipped", reward_id: "rew_2", reward_name: "Card" }),
]

async function kit({ complete = true } = {}) {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  await copy.members.put([{ record: madeUpMember("mem_1"), asOf: 1 }])
  await copy.orders.put(
    orders.map((record) => ({ record, asOf: 1 })),
    "list",
  )
  const syncedAt = complete ? clock.now() - 60_000 : null
  await copy.orders.setProgress({ ...noOrderProgress, complete, syncedAt })
  const test = createTestKit({ clock, copy })
  test.upstream.serve(({ path, query }) => {
    if (path === "/rewards") return page([{ id: "rew_2", type: "digital" }])
    const status = query.get("status")
    const rows = orders.filter((one) => status === null || one.status === status)
    return path === "/orders" ? { status: 200, body: { success: true, data: rows } } : undefined
  })
  const list = (query: string, role: Role = "manager") => test.ask(`GET /orders?${query}`, { role })
  return { ...test, clock, list }
}

describe("the list of orders from the local copy", () => {
  it("makes no request to the service, and says of when it is", async () => {
    const { list, upstream, clock } = await kit()
    const synced_at = new Date(clock.now() - 60_000).toISOString()
    expect((await list("")).body).toMatchObject({
      data: [{ order_id: "ord_1" }, { order_id: "ord_2" }],
      meta: { page: 1, per_page: 25, total: 2, complete: true, synced_at, synced: null },
    })
    expect(upstream.calls).toEqual([])
  })

  it.each<[string, Role, string, string[]]>([
    ["the member’s name", "fulfilment", "search=silva+ana", ["ord_1", "ord_2"]],
    ["the member’s e-mail", "viewer", "search=mem_1@dealer.test", ["ord_1", "ord_2"]],
    ["no e-mail in a role that does not see it", "fulfilment", "search=mem_1@dealer.test", []],
    ["part of a tracking number", "fulfilment", "search=b123456", ["ord_1"]],
    ["the reward", "viewer", "search=card", ["ord_2"]],
    ["status", "viewer", "status=to-ship", ["ord_1"]],
    // 14:30 UTC is the next day in Brisbane.
    ["days of the program’s zone", "viewer", "from=2026-11-19&to=2026-11-19", ["ord_1", "ord_2"]],
    ["days before", "viewer", "to=2026-11-18", []],
  ])("is found by %s", async (_, role, query, ids) => {
    const { list } = await kit()
    const { status, body } = await list(query, role)
    expect(status).toBe(200)
    expect((body as { data: Order[] }).data.map(({ order_id }) => order_id)).toEqual(ids)
  })

  it("knows the types of rewards that were read", async () => {
    const { ask, list } = await kit()
    await ask("GET /program/rewards")
    expect((await list("type=digital")).body).toMatchObject({ data: [{ order_id: "ord_2" }] })
  })

  it("is counted by status and reward", async () => {
    const { ask } = await kit()
    expect((await ask("GET /orders/facets?status=shipped")).body).toMatchObject({
      data: {
        statuses: [
          { value: "pending", count: 1 },
          { value: "shipped", count: 1 },
        ],
        to_ship: 1,
        rewards: [{ id: "rew_2", name: "Card", count: 1 }],
      },
      meta: { complete: true },
    })
  })

  it.each<[Role, string, number]>([
    ["manager", "sort=fulfillment", 400],
    ["fulfilment", "per_page=101", 403],
    ["manager", "per_page=1000", 200],
  ])("answers %s %s with %i", async (role, query, status) => {
    const { list } = await kit()
    expect((await list(query, role)).status).toBe(status)
  })
})

describe("the list of orders before the local copy is complete", () => {
  it("is one request to the service, with a day added at both ends", async () => {
    const { list, upstream } = await kit({ complete: false })
    const { body } = await list("status=pending&sort=-created_at&from=2026-11-02&to=2026-11-03&per_page=1000")
    expect(body).toMatchObject({
      data: [{ order_id: "ord_1" }],
      meta: { complete: false, synced: { live: 2 } },
    })
    expect(upstream.lines()).toEqual([
      "GET /orders?from=2026-11-01&per_page=100&status=pending&to=2026-11-04",
    ])
  })

  it("has every open order for the ship desk", async () => {
    const { list, upstream } = await kit({ complete: false })
    expect((await list("status=to-ship")).body).toMatchObject({
      data: [{ order_id: "ord_1" }],
      meta: { total: 1, complete: false },
    })
    expect(upstream.lines()).toEqual([
      "GET /orders?page=1&per_page=100&status=pending",
      "GET /orders?page=1&per_page=100&status=processing",
    ])
  })

  it.each(["search=ana", "reward_id=rew_1", "type=digital"])("is refused with %s", async (query) => {
    const { list, upstream } = await kit({ complete: false })
    expect((await list(query)).status).toBe(409)
    expect(upstream.calls).toEqual([])
  })
})
