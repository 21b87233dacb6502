import { describe, expect, it } from "vitest"
import type { Reward } from "../../contract/program/reward.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpMember, page } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { noProgress } from "../copy/copy-store.ts"

const minute = 60_000
const reward = (number: number, fields: Partial<Reward> = {}): Reward => ({
  id: `rew_${number}`,
  name: `Reward ${number}`,
  points_cost: number,
  category: number % 2 === 0 ? "Tools" : "Travel",
  type: "physical",
  status: "active",
  stock: number,
  ...fields,
})

/** Laurel with a copy of a catalogue that changes at the service. */
async function kit(count: number, { complete = false } = {}) {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  const rewards = new Map(Array.from({ length: count }, (_, at) => [`rew_${at}`, reward(at)]))
  if (complete) {
    await copy.rewards.put([...rewards.values()].map((record) => ({ record, asOf: 1 })))
    await copy.rewards.setProgress({ ...noProgress, complete, syncedAt: clock.now() - minute })
  }
  const test = createTestKit({ clock, copy })
  test.upstream.serve(({ path, query }) => {
    if (path === "/members") return page([madeUpMember("mem_1", { points_balance: 0 })])
    if (path === "/orders" || path.endsWith("/transactions")) return page([])
    const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 25)]
    if (path !== "/rewards") {
      const one = rewards.get(path.split("/")[2] ?? "")
      return one && { status: 200, body: { success: true, data: one } }
    }
    const rows = [...rewards.values()].slice((number - 1) * size, number * size)
    return page(rows, rewards.size, number, size)
  })
  const list = (query: string) => test.ask(`GET /rewards?${query}`, { role: "viewer" })
  const idsOf = async (query: string) => {
    const { body } = await list(query)
    return (body as { data: Reward[] }).data.map(({ id }) => id)
  }
  const reads = (from = 0) =>
    test.upstream
      .lines()
      .slice(from)
      .filter((line) => line.includes("/rewards"))
  return { ...test, clock, copy, rewards, list, idsOf, reads }
}

describe("the list of rewards from the local copy", () => {
  it("makes no request to the service, and says of when it is", async () => {
    const { list, upstream, clock } = await kit(3, { complete: true })
    expect((await list("sort=-points_cost")).body).toMatchObject({
      data: [{ id: "rew_2" }, { id: "rew_1" }, { id: "rew_0" }],
      meta: { total: 3, complete: true, synced_at: new Date(clock.now() - minute).toISOString() },
    })
    expect(upstream.calls).toEqual([])
  })

  it("is searched and filtered over every page", async () => {
    const { idsOf } = await kit(60, { complete: true })
    expect(await idsOf("search=reward+travel&min_points=50&max_points=54&per_page=1")).toEqual(["rew_51"])
    expect(await idsOf("category=tools&min_points=56")).toEqual(["rew_56", "rew_58"])
  })

  it("counts categories, low and missing stock", async () => {
    const { ask } = await kit(20, { complete: true })
    expect((await ask("GET /rewards/facets")).body).toMatchObject({
      data: { categories: [{ value: "Tools", count: 10 }, { value: "Travel" }], low: 10, out: 1 },
      meta: { complete: true },
    })
  })

  it("is one request to the service until it is complete, and cannot be searched", async () => {
    const { list, upstream } = await kit(3)
    expect((await list("category=Tools&sort=-stock")).body).toMatchObject({ meta: { complete: false } })
    expect(upstream.lines()).toEqual(["GET /rewards?category=Tools"])
    expect(await list("search=drill")).toMatchObject({ status: 409 })
  })
})

it("a reward that is low on stock is a notice without a request to the service", async () => {
  const { ask, upstream } = await kit(12, { complete: true })
  expect((await ask("GET /notices")).body).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ kind: "stock", count: 11 })]),
  })
  expect(upstream.calls).toEqual([])
})

describe("the sync of rewards", () => {
  it("reads all pages every five minutes, and again after orders were made", async () => {
    const { app, clock, copy, reads, publish, rewards, upstream } = await kit(130)
    app.start()
    await clock.advance(minute)
    expect(reads()).toEqual(["GET /rewards?page=1&per_page=100", "GET /rewards?page=2&per_page=100"])
    expect(await copy.rewards.progress()).toMatchObject({ complete: true, total: 130 })
    rewards.set("rew_7", reward(7, { stock: 1 }))
    const before = upstream.lines().length
    publish({ topic: "orders", id: "all" })
    await clock.advance(20_000)
    expect(reads(before)).toHaveLength(2)
    const sort = { field: "stock", descending: false } as const
    expect((await copy.rewards.list({ sort, page: 1, perPage: 3 })).rows.map(({ id }) => id)).toContain(
      "rew_7",
    )
    await clock.advance(6 * minute)
    expect(reads(before)).toHaveLength(4)
    await app.stop()
  })

  it("drops a reward only after reading it alone, and holds when many are missing", async () => {
    const { app, ask, clock, copy, reads, rewards } = await kit(130)
    app.start()
    await clock.advance(minute)
    rewards.delete("rew_7")
    await clock.advance(6 * minute)
    expect(reads()).toContain("GET /rewards/rew_7")
    expect(await copy.rewards.count()).toBe(129)
    rewards.clear()
    await clock.advance(6 * minute)
    expect(await copy.rewards.count()).toBe(129)
    const { body } = await ask("GET /status")
    expect(body).toMatchObject({ data: { copy: { rewards: { held: { reason: "missing", missing: 129 } } } } })
    const decision = { kind: "rewards", decision: "accept" }
    expect(await ask("POST /status/copy/held", { body: decision, role: "admin" })).toMatchObject({
      status: 200,
    })
    await clock.advance(minute)
    expect(await copy.rewards.count()).toBe(0)
    await app.stop()
  })
})
