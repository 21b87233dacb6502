import { describe, expect, it } from "vitest"
import { ana, testClient } from "../../tests/support/sandbox/client.ts"

const digital = { member_id: ana, reward_id: "rew_WowGift50" }
const address = { name: "Ana Silva", line1: "1 Beach Rd", city: "Noosa", postal_code: "4567", country: "AU" }
const physical = { member_id: ana, reward_id: "rew_VacFlask1", shipping_address: address }

describe("catalogue", () => {
  it("is paged and filtered by category, status, type and points", async () => {
    const { program } = testClient()
    expect((await program("GET", "/rewards?per_page=10")).meta).toEqual({ page: 1, per_page: 10, total: 24 })
    const tools = await program(
      "GET",
      "/rewards?category=tools&type=physical&min_points=5000&max_points=7000",
    )
    expect(tools.rows.map((row) => row["id"])).toEqual(["rew_Fluke323A", "rew_Knipex3pc"])
    expect((await program("GET", "/rewards?status=inactive")).rows).toHaveLength(1)
    expect((await program("GET", "/rewards?type=cash")).status).toBe(400)
  })

  it("carries pictures as data, and stock that is unlimited, low and none", async () => {
    const { program } = testClient()
    const { rows } = await program("GET", "/rewards?per_page=100")
    expect(rows.every((row) => String(row["image_url"]).startsWith("data:image/"))).toBe(true)
    // Two gift cards of shops look alike.
    expect(new Set(rows.map((row) => row["image_url"])).size).toBe(23)
    const stock = rows.map((row) => row["stock"])
    expect(stock).toEqual(expect.arrayContaining([null, 0, 2]))
  })

  it("reads one, and answers 404 for none", async () => {
    const { program } = testClient()
    expect((await program("GET", "/rewards/rew_Mk18Drill")).record).toMatchObject({ points_cost: 9500 })
    expect((await program("GET", "/rewards/rew_none")).status).toBe(404)
  })
})

describe("redeem", () => {
  it("completes a digital reward with its code, and takes the points", async () => {
    const { program, sandbox } = testClient()
    const before = Number((await program("GET", `/members/${ana}`)).record["points_balance"])
    const { status, record } = await program("POST", "/rewards/redeem", digital)
    expect(status).toBe(200)
    expect(record).toMatchObject({
      status: "completed",
      points_spent: 5000,
      new_balance: before - 5000,
      fulfillment: { type: "digital", code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/) },
    })
    const [row] = (await program("GET", `/members/${ana}/transactions?type=redeem&per_page=1`)).rows
    expect(row).toMatchObject({ points: -5000, balance_after: before - 5000, reference: record["order_id"] })
    expect(sandbox.store.ledger).toMatchObject([
      { kind: "redeem", id: record["order_id"], transactionId: row?.["transaction_id"] },
    ])
  })

  it("opens an order for a physical reward and lowers its stock by the quantity", async () => {
    const { program, sandbox } = testClient()
    const { record } = await program("POST", "/rewards/redeem", { ...physical, quantity: 2 })
    expect(record).toMatchObject({ status: "pending", points_spent: 3600 })
    expect(sandbox.store.rewards.get("rew_VacFlask1")?.stock).toBe(208)
    expect(sandbox.store.orders.get(String(record["order_id"]))?.address).toEqual(address)
  })

  it.each([
    [
      "a physical reward without an address",
      { ...physical, shipping_address: undefined },
      "shipping_address is required",
    ],
    [
      "an address without a town",
      { ...physical, shipping_address: { ...address, city: undefined } },
      "shipping_address.city is required",
    ],
    [
      "a country that is no code",
      { ...physical, shipping_address: { ...address, country: "Australia" } },
      "alpha-2",
    ],
    ["a quantity of none", { ...digital, quantity: 0 }, "at least 1"],
    ["a missing member", { reward_id: "rew_WowGift50" }, "member_id is required"],
    ["a reward that is not active", { ...physical, reward_id: "rew_GPSWatch1" }, "not active"],
    ["a reward out of stock", { ...physical, reward_id: "rew_YetiTun45" }, "out of stock"],
    ["more points than there are", { ...digital, quantity: 99 }, "Insufficient points"],
  ])("refuses %s", async (_, body, message) => {
    const { program, sandbox } = testClient()
    const answer = await program("POST", "/rewards/redeem", body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      success: false,
      error: { code: "invalid_request", message: expect.stringContaining(message) },
    })
    expect(sandbox.store.ledger).toEqual([])
  })

  it("answers 404 for a member or a reward that does not exist", async () => {
    const { program } = testClient()
    expect((await program("POST", "/rewards/redeem", { ...digital, member_id: "mem_none" })).status).toBe(404)
    expect((await program("POST", "/rewards/redeem", { ...digital, reward_id: "rew_none" })).status).toBe(404)
  })
})
