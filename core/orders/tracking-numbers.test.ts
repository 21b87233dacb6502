import { beforeEach, describe, expect, it } from "vitest"
import { shippedToday, usedNumbers } from "../../contract/orders.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { dataOf } from "../../tests/faults/orders/data-of.ts"
import type { Process } from "../../tests/faults/in-process.ts"
import { createSandboxWorld } from "../../tests/faults/orders/sandbox-world.ts"

beforeEach(digestAtOnce)

const look = async (app: Process, numbers: readonly string[], except?: string) =>
  dataOf(await app.ask("POST /orders/used-numbers", { body: { numbers, except } }), 200, usedNumbers)

describe("numbers that are used already", () => {
  it("are found in our own rows, however they are spelled, and not for the order itself", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const [one, other] = world.sandbox.store.orders.all.slice(-2).map(({ id }) => id)
    const ship = (order_id: string | undefined, tracking_number: string, carrier = "StarTrack") =>
      world.carryOut(app, { kind: "order-update", rows: [{ order_id, tracking_number, carrier }] })
    const { job } = await ship(one, "00ab 1234")
    await ship(other, "99")
    const before = world.sandbox.requests.count
    const { used, looked } = await look(app, ["00AB-1234", "77"])
    expect(used).toMatchObject([
      { number: "00AB-1234", order_id: one, carrier: "StarTrack", where: "job", job: job.id },
    ])
    expect(looked).toMatchObject({ rows: 2, since: expect.stringMatching(/^2026-/) })
    expect((await look(app, ["00ab1234"], one)).used).toEqual([])
    // The order has another number now.
    await ship(one, "55")
    expect((await look(app, ["00ab1234"])).used).toEqual([])
    expect((await look(app, ["55"])).used).toHaveLength(1)
    // The change alone: what the order had was in the response to the one before.
    expect(world.sandbox.requests.count - before).toBe(1)
  })

  it("are found whether the number or its label's barcode was saved, and whichever is looked for", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const [one, other] = world.sandbox.store.orders.all.slice(-2)
    if (one === undefined || other === undefined) throw new Error("The seed has no orders.")
    const label = (article: string) => `]C1019931265099999891${article}`
    const rows = [{ order_id: one.id, tracking_number: label("KXT012345001000930908") }]
    await world.carryOut(app, { kind: "order-update", rows })
    expect(world.sandbox.store.orders.get(one.id)?.tracking).toBe("KXT012345001000930908")
    world.sandbox.store.orders.put({ ...other, tracking: label("KXT012345801000930904") })
    await app.ask("GET /program/orders?per_page=10")
    for (const [article, id] of [
      ["KXT012345001000930908", one.id],
      ["KXT012345801000930904", other.id],
    ] as const)
      for (const number of [article, label(article)])
        expect((await look(app, [number])).used).toMatchObject([{ number, order_id: id }])
  })

  it("are found where they are the note of another parcel's row, which sends nothing for them", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const id = world.sandbox.store.orders.all.at(-1)?.id ?? ""
    const row = { order_id: id, tracking_number: "33QK12345678", also: ["33QK12345679"] }
    const { rows } = await world.carryOut(app, { kind: "order-update", rows: [row] })
    expect(rows[0]).toMatchObject({ state: "confirmed", input: { also: ["33QK12345679"] } })
    expect(world.sandbox.store.orders.get(id)?.tracking).toBe("33QK12345678")
    expect((await look(app, ["33QK12345679"])).used).toMatchObject([{ order_id: id }])
  })

  it("are found on recently read orders, with the age of the oldest", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const order = world.sandbox.store.orders.all.at(-1)
    if (order === undefined) throw new Error("The seed has no order.")
    world.sandbox.store.orders.put({ ...order, tracking: "TRK 1", carrier: "Aramex" })
    expect((await look(app, ["TRK1"])).looked).toEqual({
      rows: 0,
      since: null,
      orders: 0,
      oldest_order_copy: null,
    })
    await app.ask("GET /program/orders?per_page=10")
    const { used, looked } = await look(app, ["TRK1"])
    expect(used).toMatchObject([{ order_id: order.id, carrier: "Aramex", where: "order", job: null }])
    expect(looked.orders).toBe(10)
    // The nine others have no number.
    expect((await look(app, ["-"])).used).toEqual([])
    expect(looked.oldest_order_copy).not.toBeNull()
  })
})

describe("what was shipped today", () => {
  it("is each order that a confirmed row shipped and none set back, by whom and with what", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const [one, other] = world.sandbox.store.orders.all.slice(-2).map(({ id }) => id)
    const update = (order_id: string | undefined, change: object) =>
      world.carryOut(app, { kind: "order-update", rows: [{ order_id, ...change }] })
    const shipped = async () =>
      dataOf(await app.ask("GET /orders/shipped-today"), 200, shippedToday).orders.map(
        ({ order_id: id, tracking_number: number, carrier }) => [id, number, carrier],
      )
    expect(await shipped()).toEqual([])
    await update(one, { status: "shipped", tracking_number: "RB123456785AU", carrier: "Australia Post" })
    await update(other, { tracking_number: "77" })
    expect(await shipped()).toEqual([[one, "RB123456785AU", "Australia Post"]])
    const before = { status: "shipped", tracking_number: "RB123456785AU", carrier: "Australia Post" }
    await update(one, { tracking_number: "RIGHT-2", carrier: "Aramex", expected: before })
    expect(await shipped()).toEqual([[one, "RIGHT-2", "Aramex"]])
    await update(one, { status: "pending", tracking_number: "", carrier: "" })
    expect(await shipped()).toEqual([])
  })
})
