import { QueryClient } from "@tanstack/react-query"
import { expect, it } from "vitest"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import { applyOrderChange, orderFacetsQuery, orderQuery, ordersQuery, ordersToShipQuery } from "./orders.ts"

const pending: Order = { order_id: "ord_1", status: "pending", member_id: "mem_1" }
const other: Order = { order_id: "ord_2", status: "pending" }
const response = <T>(data: T) => ({ data, age: 0, at: 1000, stale: false })
const read = { updatedAt: 1000 }

it("a change updates the order and every list without changing their age, and invalidates those that are filtered or sorted by it", () => {
  const client = new QueryClient()
  const keys = {
    one: orderQuery("ord_1").queryKey,
    all: ordersQuery({ page: 1 }).queryKey,
    waiting: ordersQuery({ page: 1, status: "pending" }).queryKey,
    found: ordersQuery({ page: 1, search: "ana" }).queryKey,
    counts: orderFacetsQuery({}).queryKey,
    toShip: ordersToShipQuery().queryKey,
  }
  client.setQueryData(keys.one, response({ ...pending, fulfillment: { type: "physical" } }), read)
  client.setQueryData(keys.all, response([other, pending]), read)
  client.setQueryData(keys.waiting, response([other, pending]), read)
  client.setQueryData(keys.found, response([other]), read)
  client.setQueryData(keys.counts, response({ statuses: [], to_ship: 0, rewards: [] }), read)
  client.setQueryData(keys.toShip, { orders: [other, pending], at: 1000 }, read)

  applyOrderChange(client, "ord_1", { status: "shipped", tracking_number: "0042", carrier: "DHL" })

  const one = client.getQueryData(keys.one)?.data
  expect(one).toMatchObject({ status: "shipped", fulfillment: { type: "physical", tracking_number: "0042" } })
  expect(one && shipmentOf(one)).toEqual({ tracking_number: "0042", carrier: "DHL" })
  expect(client.getQueryData(keys.all)?.data).toEqual([
    other,
    { ...pending, status: "shipped", tracking_number: "0042", carrier: "DHL" },
  ])
  expect(client.getQueryData(keys.toShip)?.orders).toEqual([other])
  expect(client.getQueryState(keys.all)).toMatchObject({ dataUpdatedAt: 1000, isInvalidated: false })
  for (const key of [keys.waiting, keys.found, keys.counts])
    expect(client.getQueryState(key)?.isInvalidated).toBe(true)
})
