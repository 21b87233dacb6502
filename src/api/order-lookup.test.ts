import { expect, test, vi } from "vitest"
import type { Order } from "../../contract/program/order.ts"
import { ApiError } from "../lib/errors.ts"
import { OrderLookup } from "./order-lookup.ts"
import type { ApiResponse } from "./request.ts"

const answer = <T>(data: T): ApiResponse<T> => ({ data, age: 0, at: 1, stale: false })
const order = (id: string, status = "pending"): Order => ({ order_id: id, status })
const idsTo = (count: number) => Array.from({ length: count }, (_, at) => `ord_${at + 1}`)

/** A service with these orders, and the requests made to it. */
function service(orders: readonly Order[], cached: readonly string[] = []) {
  const requests: string[] = []
  const find = (id: string) => orders.find(({ order_id }) => order_id === id)
  const lookup = new OrderLookup({
    async readPage({ status, page = 1, per_page: size = 25 }) {
      requests.push(`${status} ${page}`)
      return answer(orders.filter((each) => each.status === status).slice((page - 1) * size, page * size))
    },
    async readOne(id) {
      requests.push(id)
      const found = find(id)
      if (found === undefined) throw new ApiError({ status: 404, code: "not_found", message: "No." })
      return answer(found)
    },
    cached(id) {
      const found = cached.includes(id) ? find(id) : undefined
      return found && answer(found)
    },
    example: () => "ord_0",
  })
  const settled = () => vi.waitUntil(() => !lookup.state.getState().reading, { timeout: 80_000 })
  return { lookup, requests, settled }
}

test("cached orders need no request", async () => {
  const { lookup, requests, settled } = service([order("ord_1")], ["ord_1"])
  lookup.want(["ord_1"])
  await vi.waitUntil(() => lookup.state.getState().orders.has("ord_1"))
  await settled()
  expect(requests).toEqual([])
})

test("a few orders are read one by one, and an unknown id is reported as missing", async () => {
  const { lookup, requests, settled } = service([order("ord_1")])
  lookup.want(["ord_1", "ord_9", "ord_1"])
  await settled()
  expect(requests).toEqual(["ord_1", "ord_9"])
  expect([...lookup.state.getState().missing]).toEqual(["ord_9"])
})

test("300 waiting orders take four requests, which end once all are found", async () => {
  const ids = idsTo(300)
  const { lookup, requests, settled } = service(ids.map((id) => order(id)))
  lookup.want(ids)
  await settled()
  expect(lookup.state.getState().orders.size).toBe(300)
  expect(requests).toEqual(["processing 1", "pending 1", "pending 2", "pending 3"])
})

test("of the orders that are not waiting, twenty are read automatically and the others on request", async () => {
  const ids = idsTo(40)
  const { lookup, requests, settled } = service(ids.map((id) => order(id, "completed")))
  lookup.want(ids)
  await settled()
  expect(lookup.state.getState().orders.size).toBe(20)
  expect(requests).toEqual(["processing 1", "pending 1", ...ids.slice(0, 20)])
  lookup.wantAll(ids)
  await expect.poll(() => lookup.state.getState().orders.size).toBe(40)
  expect(requests).toHaveLength(42)
})

test("a requested read completes although fewer orders are wanted meanwhile", async () => {
  const ids = idsTo(40)
  const { lookup, requests, settled } = service(ids.map((id) => order(id, "completed")))
  lookup.wantAll(ids)
  await expect.poll(() => requests).toContain("ord_5")
  lookup.want(ids.slice(10))
  await settled()
  expect(ids.slice(10).every((id) => lookup.state.getState().orders.has(id))).toBe(true)
})

test.each(["#20411", "ORD-20411", "Order #20411", "20411"])(
  "%s matches the only order that fits",
  async (text) => {
    const { lookup, requests, settled } = service([order("ord_20411"), order("ord_120411")])
    lookup.want([text])
    await settled()
    expect(lookup.state.getState().orders.get(text)?.data.order_id).toBe("ord_20411")
    expect(requests).toEqual(["processing 1", "pending 1"])
  },
)

test("a short form of an order that is not waiting is read by its full id", async () => {
  const { lookup, requests, settled } = service([order("ord_20411", "shipped")])
  lookup.want(["#20411", "#20499"])
  await settled()
  expect(lookup.state.getState().orders.get("#20411")?.data.order_id).toBe("ord_20411")
  expect([...lookup.state.getState().missing]).toEqual(["#20499"])
  expect(requests.slice(2)).toEqual(["ord_20411", "ord_20499"])
})

test("a short form that fits several orders matches none", async () => {
  const { lookup, settled } = service([order("ord_20411"), order("ret_20411")])
  lookup.want(["#20411", "ret_20411"])
  await settled()
  const { orders, several } = lookup.state.getState()
  expect([...orders.keys()]).toEqual(["ret_20411"])
  expect([...several]).toEqual([["#20411", ["ord_20411", "ret_20411"]]])
})

test("at most eight pages are read, however many orders wait", async () => {
  const all = idsTo(2000).map((id) => order(id))
  const { lookup, requests, settled } = service(all)
  lookup.want(idsTo(2000).slice(1500))
  await settled()
  expect(requests.filter((line) => !line.startsWith("ord_"))).toHaveLength(8)
  expect(requests).toHaveLength(28)
})

test("a failed read is reported, keeps the orders read so far and can be retried", async () => {
  let broken = true
  const lookup = new OrderLookup({
    readPage: async () => answer([]),
    async readOne(id) {
      if (broken && id === "ord_2") throw new Error("No network.")
      return answer(order(id))
    },
    cached: () => undefined,
    example: () => "ord_0",
  })
  lookup.want(["ord_1", "ord_2"])
  await expect.poll(() => lookup.state.getState().error?.message).toBe("No network.")
  expect([...lookup.state.getState().orders.keys()]).toEqual(["ord_1"])
  broken = false
  lookup.want(["ord_1", "ord_2"])
  await expect.poll(() => lookup.state.getState().orders.size).toBe(2)
  expect(lookup.state.getState().error).toBeNull()
})
