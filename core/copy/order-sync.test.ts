import { expect, it, onTestFinished } from "vitest"
import type { UpstreamCall } from "../ports.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import type { FakeEnd } from "../../tests/support/fake-upstream.ts"
import { madeUpMember, page, record } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"

const minute = 60_000

interface MadeUpOrder {
  order_id: string
  member_id: string
  reward_id: string
  reward_name: string
  points_spent: number
  status: string
  created_at: string
}

function madeUpOrder(number: number, status = "completed"): MadeUpOrder {
  const created_at = new Date(Date.UTC(2026, 0, 1) + number * 3_600_000).toISOString()
  const reward = { reward_id: "rew_1", reward_name: "Drill", points_spent: 100 }
  return { order_id: `ord_${number}`, member_id: "mem_1", ...reward, status, created_at }
}

/** Laurel with a copy of one member and their orders. */
async function kit(count: number, order: "newest" | "oldest" = "newest") {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  const orders = new Map(Array.from({ length: count }, (_, at) => [`ord_${at}`, madeUpOrder(at)]))
  const test = createTestKit({ clock, copy })
  const listOf = ({ query }: UpstreamCall): FakeEnd => {
    const status = query.get("status")
    const listed = [...orders.values()].filter((one) => status === null || one.status === status)
    const sorted = order === "newest" ? listed.toReversed() : listed
    const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 25)]
    return { status: 200, body: { success: true, data: sorted.slice((number - 1) * size, number * size) } }
  }
  test.upstream.serve((call) => {
    if (call.path === "/members") return page([madeUpMember("mem_1")])
    if (call.path === "/orders") return listOf(call)
    const found = orders.get(call.path.split("/")[2] ?? "")
    return found && record(found)
  })
  onTestFinished(() => test.app.stop())
  test.app.start()
  const statusOf = async (id: string) => {
    const { rows } = await copy.orders.list({
      search: id,
      scope: "name",
      rewardTypes: [],
      sort: { field: "id", descending: false },
      page: 1,
      perPage: 1,
    })
    return rows[0]?.status
  }
  const sent = (from = 0) =>
    test.upstream
      .lines()
      .filter((line) => line.includes("/orders"))
      .slice(from)
  return { ...test, clock, copy, orders, statusOf, sent }
}

it("reads the open orders first, then all pages up to the one after the last", async () => {
  const { clock, copy, sent } = await kit(250)
  await clock.advance(2 * minute)
  expect(sent().slice(0, 6)).toEqual([
    "GET /orders?page=1&per_page=100&status=pending",
    "GET /orders?page=1&per_page=100&status=processing",
    "GET /orders?page=1&per_page=100",
    "GET /orders?page=2&per_page=100",
    "GET /orders?page=3&per_page=100",
    "GET /orders?page=4&per_page=100",
  ])
  expect(await copy.orders.count()).toBe(250)
  expect(await copy.orders.progress()).toMatchObject({ complete: true, newestFirst: true })
})

it("reads an order alone that left the open ones", async () => {
  const { clock, orders, statusOf, sent } = await kit(150)
  orders.set("ord_1", madeUpOrder(1, "pending"))
  await clock.advance(2 * minute)
  expect(await statusOf("ord_1")).toBe("pending")
  orders.set("ord_1", madeUpOrder(1, "cancelled"))
  await clock.advance(6 * minute)
  expect(await statusOf("ord_1")).toBe("cancelled")
  expect(sent()).toContain("GET /orders/ord_1")
})

it("reads all pages when more orders left the open ones than there are pages", async () => {
  const { clock, orders, statusOf, sent } = await kit(150)
  for (const number of [1, 2, 3]) orders.set(`ord_${number}`, madeUpOrder(number, "processing"))
  await clock.advance(2 * minute)
  for (const number of [1, 2, 3]) orders.set(`ord_${number}`, madeUpOrder(number, "shipped"))
  const before = sent().length
  await clock.advance(6 * minute)
  expect(await statusOf("ord_3")).toBe("shipped")
  expect(sent(before)).toContain("GET /orders?page=2&per_page=100")
  expect(sent(before).some((line) => line.startsWith("GET /orders/"))).toBe(false)
})

it("keeps an order that the service lists no more until it says that there is none", async () => {
  const { clock, copy, orders } = await kit(3)
  orders.set("ord_1", madeUpOrder(1, "pending"))
  await clock.advance(2 * minute)
  orders.delete("ord_0")
  orders.delete("ord_1")
  await clock.advance(6 * minute)
  // An order that was open is read alone; the others are kept.
  expect(await copy.orders.count()).toBe(2)
})

it("finds new orders on page 1 each minute where the newest come first", async () => {
  const { clock, orders, copy } = await kit(120)
  await clock.advance(2 * minute)
  orders.set("ord_500", madeUpOrder(500))
  await clock.advance(1.5 * minute)
  expect(await copy.orders.count()).toBe(121)
})

it("does not read page 1 in between where the oldest come first", async () => {
  const { clock, copy, sent } = await kit(120, "oldest")
  await clock.advance(2 * minute)
  expect(await copy.orders.progress()).toMatchObject({ complete: true, newestFirst: false })
  const before = sent().length
  await clock.advance(3 * minute)
  expect(sent(before).filter((line) => !line.includes("status="))).toEqual([])
})

it("reads an order whose write has no known outcome, and open ones after many writes", async () => {
  const { clock, orders, publish, statusOf, sent } = await kit(3)
  await clock.advance(2 * minute)
  orders.set("ord_2", madeUpOrder(2, "shipped"))
  publish({ topic: "orders", id: "ord_2" })
  await clock.advance(5000)
  expect(await statusOf("ord_2")).toBe("shipped")
  const before = sent().length
  publish({ topic: "orders", id: "all" })
  await clock.advance(10_000)
  expect(sent(before)).toContain("GET /orders?page=1&per_page=100&status=pending")
})

it("puts what people read", async () => {
  const { ask, clock, orders, statusOf } = await kit(3)
  await clock.advance(2 * minute)
  orders.set("ord_2", madeUpOrder(2, "shipped"))
  await ask("GET /program/orders/ord_2", { headers: { "cache-control": "no-cache" } })
  await clock.settle()
  expect(await statusOf("ord_2")).toBe("shipped")
})
