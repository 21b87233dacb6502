import { describe, expect, it } from "vitest"
import type { Order } from "../../../contract/program/order.ts"
import type { Transaction } from "../../../contract/program/points.ts"
import { redeemTraces, type RedeemSearch } from "./redeem-traces.ts"

const search: RedeemSearch = {
  orders: ["ord_old"],
  cost: 500,
  rewardId: "rwd_1",
  others: new Set(["ord_other"]),
  window: { since: 1000, until: 9000 },
}
const at = (ms: number) => new Date(ms).toISOString()

function order(order_id: string, fields: Partial<Order> = {}): Order {
  return { order_id, reward_id: "rwd_1", points_spent: 500, created_at: at(5000), ...fields }
}

function redemption(id: string, fields: Partial<Transaction> = {}): Transaction {
  return { transaction_id: id, type: "redeem", points: -500, created_at: at(5000), ...fields }
}

const ids = (orders: readonly Order[]) => orders.map(({ order_id }) => order_id)

describe("traces of a redemption", () => {
  it("is one new order of the same reward, points and time, with its own redemption", () => {
    const traces = redeemTraces(search, [order("ord_1")], [redemption("txn_1")])
    expect([ids(traces.fitting), traces.told]).toEqual([["ord_1"], true])
  })

  it("leaves out orders from before, of other rows and of other rewards", () => {
    const orders = [
      order("ord_old", { created_at: at(10) }),
      order("ord_other", { points_spent: 70 }),
      order("ord_2", { reward_id: "rwd_2", points_spent: 90 }),
    ]
    expect(redeemTraces(search, orders, [])).toMatchObject({ possible: [], fitting: [], told: true })
  })

  it.each([
    ["an order without its redemption", [order("ord_1")], []],
    ["a redemption without its order", [], [redemption("txn_1")]],
    ["one order and two redemptions", [order("ord_1")], [redemption("txn_1"), redemption("txn_2")]],
    [
      "an order that does not say its points",
      [order("ord_1", { points_spent: null })],
      [redemption("txn_1")],
    ],
    ["an order that does not say its reward", [order("ord_1", { reward_id: null })], [redemption("txn_1")]],
    ["a redemption that does not say its points", [], [redemption("txn_1", { points: null })]],
  ])("is not told for certain: %s", (_, orders, ledger) => {
    expect(redeemTraces(search, orders, ledger).told).toBe(false)
  })

  it.each([
    ["came too late", order("ord_1", { created_at: at(20_000) })],
    ["cost another number of points", order("ord_1", { points_spent: 450 })],
  ])("may still be its own: an order of the same reward that %s", (_, late) => {
    const { possible, fitting } = redeemTraces(search, [late], [])
    expect([ids(possible), ids(fitting)]).toEqual([["ord_1"], []])
  })

  it("does not count what another row of the same size did at the same time", () => {
    const orders = [order("ord_1"), order("ord_other")]
    const { fitting, told } = redeemTraces(search, orders, [redemption("txn_1"), redemption("txn_2")])
    expect([ids(fitting), told]).toEqual([["ord_1"], true])
  })

  it("tells nothing where the reward did not say what it costs", () => {
    expect(redeemTraces({ ...search, cost: null }, [order("ord_1")], []).told).toBe(false)
  })
})
