import { expect, test, vi } from "vitest"
import type { Order } from "../../contract/program/order.ts"
import { ApiError } from "./errors.ts"
import { createOrderBook } from "./order-book.ts"
import type { Answer } from "./request.ts"

const answer = <T>(data: T): Answer<T> => ({ data, age: 0, at: 1, stale: false })
const order = (id: string, status = "pending"): Order => ({ order_id: id, status })
const idsTo = (count: number) => Array.from({ length: count }, (_, at) => `ord_${at + 1}`)

/** A service with these orders, and what was asked of it. */
function service(orders: readonly Order[], copies: readonly string[] = []) {
  const asked: string[] = []
  const find = (id: string) => orders.find(({ order_id }) => order_id === id)
  const book = createOrderBook({
    async readPage({ status, page = 1, per_page: size = 25 }) {
      asked.push(`${status} ${page}`)
      return answer(orders.filter((each) => each.status === status).slice((page - 1) * size, page * size))
    },
    async readOne(id) {
      asked.push(id)
      const found = find(id)
      if (found === undefined) throw new ApiError({ status: 404, code: "not_found", message: "No." })
      return answer(found)
    },
    copyOf(id) {
      const found = copies.includes(id) ? find(id) : undefined
      return found && answer(found)
    },
  })
  const settled = () => vi.waitFor(() => expect(book.state.get().reading).toBe(false))
  return { book, asked, settled }
}

test("copies cost nothing", async () => {
  const { book, asked, settled } = service([order("ord_1")], ["ord_1"])
  book.want(["ord_1"])
  await settled()
  expect([...book.state.get().orders.keys()]).toEqual(["ord_1"])
  expect(asked).toEqual([])
})

test("a few are read by themselves, and one that is not there is said to be missing", async () => {
  const { book, asked, settled } = service([order("ord_1")])
  book.want(["ord_1", "ord_9", "ord_1"])
  await settled()
  expect(asked).toEqual(["ord_1", "ord_9"])
  expect([...book.state.get().missing]).toEqual(["ord_9"])
})

test("300 waiting orders cost four requests: pages of a hundred, and no more once all are found", async () => {
  const ids = idsTo(300)
  const { book, asked, settled } = service(ids.map((id) => order(id)))
  book.want(ids)
  await settled()
  expect(book.state.get().orders.size).toBe(300)
  expect(asked).toEqual(["processing 1", "pending 1", "pending 2", "pending 3"])
})

test("orders that are not waiting stay unread until somebody says so: nothing dear is read unasked", async () => {
  const ids = idsTo(40)
  const { book, asked, settled } = service(ids.map((id) => order(id, "completed")))
  book.want(ids)
  await settled()
  expect(book.state.get().orders.size).toBe(0)
  expect(asked).toEqual(["processing 1", "pending 1"])
  book.wantAll(ids)
  await vi.waitFor(() => expect(book.state.get().orders.size).toBe(40))
  expect(asked).toHaveLength(42)
})

test("what a person asked to be read is read to its end, though fewer orders are wanted meanwhile", async () => {
  const ids = idsTo(40)
  const { book, asked, settled } = service(ids.map((id) => order(id, "completed")))
  book.wantAll(ids)
  await vi.waitFor(() => expect(asked).toContain("ord_5"))
  book.want(ids.slice(10))
  await settled()
  expect(ids.slice(10).every((id) => book.state.get().orders.has(id))).toBe(true)
})

test("pages end after eight, however many orders wait", async () => {
  const all = idsTo(2000).map((id) => order(id))
  const { book, asked, settled } = service(all)
  book.want(idsTo(2000).slice(1500))
  await settled()
  expect(asked).toHaveLength(8)
})

test("a failed read is said, keeps what was read, and can be tried again", async () => {
  let broken = true
  const book = createOrderBook({
    readPage: async () => answer([]),
    async readOne(id) {
      if (broken && id === "ord_2") throw new Error("No network.")
      return answer(order(id))
    },
    copyOf: () => undefined,
  })
  book.want(["ord_1", "ord_2"])
  await vi.waitFor(() => expect(book.state.get().error?.message).toBe("No network."))
  expect([...book.state.get().orders.keys()]).toEqual(["ord_1"])
  broken = false
  book.want(["ord_1", "ord_2"])
  await vi.waitFor(() => expect(book.state.get().orders.size).toBe(2))
  expect(book.state.get().error).toBeNull()
})
