import { describe, expect, it } from "vitest"
import { ana, testClient } from "../../tests/support/sandbox/client.ts"

const anasOrder = "/orders/ord_20398"

describe("order list", () => {
  it("carries data only, flat, newest first", async () => {
    const { program } = testClient({ members: 400 })
    const { body, rows } = await program("GET", "/orders?per_page=100")
    expect(Object.keys(body)).toEqual(["success", "data"])
    expect(rows).toHaveLength(100)
    const times = rows.map((row) => String(row["created_at"]))
    expect(times).toEqual(times.toSorted().toReversed())
    const shipped = rows.find((row) => row["status"] === "shipped")
    expect(shipped).toMatchObject({ tracking_number: expect.any(String), carrier: expect.any(String) })
    expect(shipped).not.toHaveProperty("fulfillment")
  })

  it("has seeded orders in every status", async () => {
    const { program } = testClient({ members: 2000 })
    for (const status of ["pending", "processing", "shipped", "completed", "cancelled"]) {
      const { rows } = await program("GET", `/orders?status=${status}`)
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.every((row) => row["status"] === status)).toBe(true)
    }
    expect((await program("GET", "/orders?status=lost")).status).toBe(400)
  })

  it("filters by member and by dates, the last day included", async () => {
    const { program } = testClient()
    const { rows } = await program("GET", `/orders?member_id=${ana}&per_page=100`)
    expect(rows.every((row) => row["member_id"] === ana)).toBe(true)
    const day = String(rows[1]?.["created_at"]).slice(0, 10)
    const ofDay = await program("GET", `/orders?member_id=${ana}&from=${day}&to=${day}`)
    expect(ofDay.rows.map((row) => row["order_id"])).toContain(rows[1]?.["order_id"])
    expect(ofDay.rows.every((row) => String(row["created_at"]).startsWith(day))).toBe(true)
    expect((await program("GET", "/orders?from=soon")).status).toBe(400)
  })
})

describe("order shapes", () => {
  it.each([
    ["documented", false, true],
    ["flat", false, false],
    ["nested", true, true],
    ["both", true, true],
  ] as const)("%s", async (orderShape, listNested, singleNested) => {
    const { program } = testClient({ settings: { orderShape } })
    const [row] = (await program("GET", "/orders")).rows
    const { record } = await program("GET", `/orders/${String(row?.["order_id"])}`)
    expect("fulfillment" in (row ?? {})).toBe(listNested)
    expect("fulfillment" in record).toBe(singleNested)
  })

  it("shows a digital code again, or never after the redemption", async () => {
    const { program, sandbox } = testClient()
    const made = await program("POST", "/rewards/redeem", { member_id: ana, reward_id: "rew_WowGift50" })
    const path = `/orders/${String(made.record["order_id"])}`
    expect((await program("GET", path)).record["fulfillment"]).toEqual(made.record["fulfillment"])
    sandbox.settings.orderCode = "once"
    expect((await program("GET", path)).record["fulfillment"]).not.toHaveProperty("code")
  })
})

describe("order update", () => {
  it("takes status, tracking number and carrier", async () => {
    const { program, sandbox, time } = testClient()
    const answer = await program("PATCH", anasOrder, {
      status: "shipped",
      tracking_number: "0091",
      carrier: "StarTrack",
    })
    expect(answer.record).toMatchObject({
      status: "shipped",
      fulfillment: { tracking_number: "0091", carrier: "StarTrack" },
      shipped_at: new Date(time.now()).toISOString(),
    })
    expect(sandbox.store.ledger).toMatchObject([
      {
        kind: "order-update",
        id: "ord_20398",
        after: { status: "shipped", tracking_number: "0091", carrier: "StarTrack" },
      },
    ])
  })

  it("answers 404 for no such order and 400 for no such status", async () => {
    const { program } = testClient()
    expect((await program("GET", "/orders/ord_1")).status).toBe(404)
    expect((await program("PATCH", "/orders/ord_1", { status: "shipped" })).status).toBe(404)
    expect((await program("PATCH", anasOrder, { status: "lost" })).status).toBe(400)
  })

  it("moves freely, or only along the way when restricted", async () => {
    const { program, sandbox } = testClient()
    expect((await program("PATCH", anasOrder, { status: "completed" })).status).toBe(200)
    expect((await program("PATCH", anasOrder, { status: "processing" })).status).toBe(200)
    sandbox.settings.orderTransitions = "restricted"
    expect((await program("PATCH", anasOrder, { status: "completed" })).status).toBe(400)
    expect((await program("PATCH", anasOrder, { status: "shipped" })).status).toBe(200)
  })

  it("clears, keeps or refuses an empty tracking number, as the setting says", async () => {
    const { program, sandbox } = testClient()
    await program("PATCH", anasOrder, { tracking_number: "1" })
    sandbox.settings.clearTracking = "refuse"
    expect((await program("PATCH", anasOrder, { tracking_number: "" })).status).toBe(400)
    sandbox.settings.clearTracking = "ignore"
    expect((await program("PATCH", anasOrder, { tracking_number: "" })).record["fulfillment"]).toMatchObject({
      tracking_number: "1",
    })
    sandbox.settings.clearTracking = "allow"
    expect(
      (await program("PATCH", anasOrder, { tracking_number: "" })).record["fulfillment"],
    ).not.toHaveProperty("tracking_number")
  })

  it("returns half of the points of a cancelled order later, with the settings", async () => {
    const settings = { cancelRefunds: "half", cancelRefundMs: 60_000, cancelRefundReference: false } as const
    const { program, sandbox, time } = testClient({ settings })
    await program("PATCH", anasOrder, { status: "cancelled" })
    const returned = () => sandbox.store.ledger.filter((effect) => effect.kind === "refund")
    time.advance(59_000)
    await sandbox.settle()
    expect(returned()).toEqual([])
    time.advance(1000)
    await sandbox.settle()
    expect(returned()).toMatchObject([{ points: 4750 }])
    expect(sandbox.store.transactions.of(ana).at(-1)).toMatchObject({ points: 4750, reference: null })
  })

  it("returns the points of a cancelled order with the setting", async () => {
    const { program, sandbox } = testClient({ settings: { cancelRefunds: "full" } })
    const before = Number((await program("GET", `/members/${ana}`)).record["points_balance"])
    await program("PATCH", anasOrder, { status: "cancelled" })
    await program("PATCH", anasOrder, { status: "cancelled" })
    expect((await program("GET", `/members/${ana}`)).record["points_balance"]).toBe(before + 9500)
    expect(sandbox.store.ledger.filter((effect) => effect.kind === "refund")).toHaveLength(1)
  })
})
