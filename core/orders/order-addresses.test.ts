import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { orderAddress, previousAddress } from "../../contract/orders.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { dataOf } from "../../tests/faults/orders/data-of.ts"
import { createSandboxWorld } from "../../tests/faults/orders/sandbox-world.ts"

beforeEach(digestAtOnce)

const dayMs = 86_400_000
const address = {
  name: "Ana Silva",
  line1: "1 Reef Street",
  city: "Cairns",
  postal_code: "4870",
  country: "AU",
}

/** Three pieces of a physical reward, redeemed here. */
async function redeemed() {
  const world = createSandboxWorld()
  const { rewards, members } = world.sandbox.store
  const reward = [...rewards.values()].find(({ type, status }) => type === "physical" && status === "active")
  const member = members.get(members.idAt(0))
  if (reward === undefined || member === undefined) throw new Error("The seed has nothing to redeem.")
  members.put({ ...member, status: "active", balance: 9_000_000 })
  world.sandbox.store.setReward({ ...reward, stock: null })
  const app = world.start()
  const row = { member_id: member.id, reward_id: reward.id, quantity: 3, shipping_address: address }
  const { job, rows } = await world.carryOut(app, { kind: "redeem", rows: [row] })
  return { world, app, reward, member, job, id: rows[0]?.upstream_id ?? "" }
}

describe("addresses of orders", () => {
  it("come from the row that redeemed the order, with the quantity as it was asked", async () => {
    const { app, id } = await redeemed()
    const answer = await app.ask(`GET /orders/${id}/address`, { role: "fulfilment" })
    expect(dataOf(answer, 200, orderAddress)).toMatchObject({
      address,
      why_none: null,
      quantity: { pieces: 3, inferred: false },
    })
  })

  it("are unknown for an order from elsewhere, whose quantity is inferred and marked so", async () => {
    const { world, app, id, reward, member } = await redeemed()
    const orders = world.sandbox.store.orders
    const own = orders.get(id)
    if (own === undefined) throw new Error("The order is not there.")
    const make = (orderId: string, points: number) => orders.put({ ...own, id: orderId, points })
    make("ord_900001", 2 * reward.points_cost)
    make("ord_900002", 2 * reward.points_cost + 1)
    await app.ask(`GET /program/orders?member_id=${member.id}&per_page=100`)
    const before = world.sandbox.requests.count
    const ids = ["ord_900002", id, "ord_900001", "ord_none"]
    const found = dataOf(
      await app.ask("POST /orders/addresses", { body: { ids } }),
      200,
      z.array(orderAddress),
    )
    expect(
      found.map(({ order_id, quantity, why_none }) => [
        order_id,
        quantity.pieces,
        quantity.inferred,
        why_none,
      ]),
    ).toEqual([
      ["ord_900002", null, true, "not_redeemed_here"],
      [id, 3, false, null],
      ["ord_900001", 2, true, "not_redeemed_here"],
      ["ord_none", null, true, "not_redeemed_here"],
    ])
    expect(world.sandbox.requests.count - before).toBeLessThanOrEqual(1)
  })

  it("leave the rows for good when their time is over, and the answer says when", async () => {
    const { world, app, id, job } = await redeemed()
    const look = async () => dataOf(await app.ask(`GET /orders/${id}/address`), 200, orderAddress)
    await app.ask("PUT /settings/retention", { body: { address_days: 2 } })
    world.clock.shiftWall(2 * dayMs - 7_200_000)
    await world.clock.advance(3_600_000)
    expect((await look()).address).toEqual(address)
    world.clock.shiftWall(7_200_000)
    await world.clock.advance(3_600_000)
    expect(await look()).toMatchObject({
      address: null,
      why_none: "removed",
      removed_at: expect.stringMatching(/^2026-/),
      quantity: { pieces: 3, inferred: false },
    })
    expect(JSON.stringify(await world.rowsOf(job.id))).not.toContain("Reef Street")
  })

  it("stay with what still needs them", async () => {
    const { world, app, member, reward } = await redeemed()
    const row = { member_id: member.id, reward_id: reward.id, shipping_address: address }
    const body = { kind: "redeem", rows: [row], options: { draft: true } }
    const draft = dataOf(await app.ask("POST /jobs", { body }), 201, z.looseObject({ id: z.string() }))
    await app.ask("PUT /settings/retention", { body: { address_days: 1 } })
    world.clock.shiftWall(3 * dayMs)
    await world.clock.advance(3_600_000)
    expect(JSON.stringify(await world.rowsOf(draft.id))).toContain("Reef Street")
    await app.ask(`POST /jobs/${draft.id}/cancel`, { body: {} })
    await world.clock.advance(3_600_000)
    expect(JSON.stringify(await world.rowsOf(draft.id))).not.toContain("Reef Street")
  })

  it("leave a row that was tried again with another one, long after its job was made, once that one's time is over", async () => {
    const { world, app, member, reward } = await redeemed()
    world.sandbox.store.members.put({ ...member, balance: 0 })
    const row = { member_id: member.id, reward_id: reward.id, shipping_address: address }
    const { job, rows } = await world.carryOut(app, { kind: "redeem", rows: [row] })
    expect(rows[0]?.state).toBe("failed")
    await app.ask("PUT /settings/retention", { body: { address_days: 2 } })
    world.clock.shiftWall(3 * dayMs)
    await world.clock.advance(3_600_000)
    expect(JSON.stringify(await world.rowsOf(job.id))).not.toContain("Reef Street")
    world.sandbox.store.members.put({ ...member, balance: 9_000_000 })
    const input = { ...row, shipping_address: { ...address, line1: "2 Cove Lane" } }
    expect(
      (await app.ask(`POST /jobs/${job.id}/retry`, { body: { rows: [{ row: 1, input }] } })).status,
    ).toBe(200)
    await world.clock.advance(60_000)
    expect(JSON.stringify(await world.rowsOf(job.id))).toContain("Cove Lane")
    world.clock.shiftWall(2 * dayMs)
    await world.clock.advance(3_600_000)
    expect(JSON.stringify(await world.rowsOf(job.id))).not.toContain("Cove Lane")
  })

  it("leave rows that were excluded, too", async () => {
    const { world, app, member, reward } = await redeemed()
    const body = { kind: "redeem", rows: [], options: { draft: true } }
    const draft = dataOf(await app.ask("POST /jobs", { body }), 201, z.looseObject({ id: z.string() }))
    const input = { member_id: member.id, reward_id: reward.id, shipping_address: address }
    const excluded = [{ line: 2, input, code: "duplicate_in_file", message: "It stands twice in the file." }]
    const added = await app.ask(`POST /jobs/${draft.id}/rows`, { body: { rows: [], lines: [], excluded } })
    expect(added.status).toBe(200)
    await app.ask("PUT /settings/retention", { body: { address_days: 2 } })
    world.clock.shiftWall(3 * dayMs)
    await world.clock.advance(3_600_000)
    const saved = await world.store.jobs.rowsIn(draft.id, ["excluded"], 0, 10)
    expect(saved.map((each) => "shipping_address" in each.input)).toEqual([false])
  })

  it("offer the last one of a member, for who may redeem, until it is removed", async () => {
    const { world, app, member, reward } = await redeemed()
    const again = { ...address, line1: "2 Cove Lane" }
    const row = { member_id: member.id, reward_id: reward.id, shipping_address: again }
    await world.carryOut(app, { kind: "redeem", rows: [row] })
    const look = (role: "manager" | "fulfilment" = "manager", id = member.id) =>
      app.ask(`GET /members/${id}/address`, { role })
    const before = world.sandbox.requests.count
    expect(dataOf(await look(), 200, previousAddress)).toEqual({
      address: again,
      captured_at: expect.stringMatching(/^2026-/),
    })
    expect(dataOf(await look("manager", "mem_none"), 200, previousAddress)).toBeNull()
    expect((await look("fulfilment")).status).toBe(403)
    expect(world.sandbox.requests.count).toBe(before)
    await app.ask("PUT /settings/retention", { body: { address_days: 1 } })
    world.clock.shiftWall(2 * dayMs)
    await world.clock.advance(3_600_000)
    expect(dataOf(await look(), 200, previousAddress)).toBeNull()
  })

  it("are forgotten with their member, but not before the order is shipped", async () => {
    const { world, app, member, reward, job, id } = await redeemed()
    const { orders } = world.sandbox.store
    const setStatus = (orderId: string, status: "shipped" | "cancelled" | "processing") => {
      const order = orders.get(orderId)
      if (order === undefined) throw new Error("The order is not there.")
      orders.put({ ...order, status })
    }
    const again = { ...address, line1: "2 Cove Lane" }
    const row = { member_id: member.id, reward_id: reward.id, shipping_address: again }
    const other = await world.carryOut(app, { kind: "redeem", rows: [row] })
    setStatus(other.rows[0]?.upstream_id ?? "", "cancelled")
    setStatus(id, "processing")
    const body = { email: member.email }
    expect((await app.ask(`DELETE /program/members/${member.id}`, { role: "admin", body })).status).toBe(204)
    expect(JSON.stringify(await world.rowsOf(other.job.id))).not.toContain("Cove Lane")
    await world.clock.advance(3_600_000)
    expect(dataOf(await app.ask(`GET /orders/${id}/address`), 200, orderAddress)).toMatchObject({ address })
    setStatus(id, "shipped")
    await world.clock.advance(3_600_000)
    expect(JSON.stringify(await world.rowsOf(job.id))).not.toContain("Reef Street")
    const before = world.sandbox.requests.count
    await world.clock.advance(3_600_000)
    expect(world.sandbox.requests.count).toBe(before)
    const saved = dataOf(await app.ask(`GET /orders/${id}/address`), 200, orderAddress)
    expect(saved).toMatchObject({ address: null, why_none: "removed", quantity: { pieces: 3 } })
  })

  it.each([
    ["admin", 200],
    ["manager", 200],
    ["fulfilment", 200],
    ["viewer", 403],
  ] as const)("answer %s with %i", async (role, status) => {
    const { app, id } = await redeemed()
    expect((await app.ask(`GET /orders/${id}/address`, { role })).status).toBe(status)
    expect((await app.ask("POST /orders/addresses", { role, body: { ids: [id] } })).status).toBe(status)
  })

  it("are kept for the time that an administrator sets", async () => {
    const { app } = await redeemed()
    const save = (role: "admin" | "manager") =>
      app.ask("PUT /settings/retention", { role, body: { address_days: 30 } })
    expect([(await save("manager")).status, (await save("admin")).status]).toEqual([403, 200])
  })
})
