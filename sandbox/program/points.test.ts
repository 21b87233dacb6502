import { describe, expect, it } from "vitest"
import { ana, testClient } from "../../tests/support/sandbox/client.ts"

const award = { member_id: ana, points: 500, reason: "Q4 bonus" }

describe("award", () => {
  it("adds points to the balance, the history and the lifetime", async () => {
    const { program, sandbox } = testClient()
    const before = (await program("GET", `/members/${ana}/balance`)).record
    const answer = await program("POST", "/points/award", {
      ...award,
      reference: "INV-1",
      metadata: { po: 7 },
    })
    expect(answer.status).toBe(200)
    expect(answer.record).toMatchObject({
      member_id: ana,
      type: "award",
      points: 500,
      reference: "INV-1",
      metadata: { po: 7 },
    })
    const after = (await program("GET", `/members/${ana}/balance`)).record
    expect(after["balance"]).toBe(Number(before["balance"]) + 500)
    expect(after["lifetime_earned"]).toBe(Number(before["lifetime_earned"]) + 500)
    const [newest] = (await program("GET", `/members/${ana}/transactions?per_page=1`)).rows
    expect(newest).toMatchObject({
      transaction_id: answer.record["transaction_id"],
      balance_after: after["balance"],
    })
    expect(sandbox.store.ledger).toMatchObject([
      { kind: "award", points: 500, reference: "INV-1", bulk: false },
    ])
  })

  it("names the balance new_balance in the answer, balance_after in the history", async () => {
    const { program } = testClient()
    const { record } = await program("POST", "/points/award", award)
    expect(Object.keys(record).filter((key) => key.includes("balance"))).toEqual(["new_balance"])
    const { rows } = await program("GET", `/members/${ana}/transactions?per_page=1`)
    expect(rows[0]).toHaveProperty("balance_after")
    expect(rows[0]).not.toHaveProperty("new_balance")
  })

  it.each([
    [{ points: 5, reason: "x" }, "member_id is required"],
    [{ member_id: ana, reason: "x" }, "points is required"],
    [{ member_id: ana, points: 5 }, "reason is required"],
    [{ ...award, points: 0 }, "points must be at least 1"],
    [{ ...award, points: 1.5 }, "points must be an integer"],
    [{ ...award, points: "5" }, "points must be an integer"],
    [{ ...award, metadata: [] }, "metadata must be an object"],
  ])("refuses %j", async (body, message) => {
    const { program, sandbox } = testClient()
    const answer = await program("POST", "/points/award", body)
    expect(answer.status).toBe(400)
    expect(answer.body["error"]).toEqual({ code: "invalid_request", message })
    expect(sandbox.store.ledger).toEqual([])
  })

  it("answers 404 for a member that does not exist", async () => {
    const { program } = testClient()
    expect((await program("POST", "/points/award", { ...award, member_id: "mem_none" })).status).toBe(404)
  })

  it("refuses a reason that is too long, or cuts it, as the setting says", async () => {
    const { program, sandbox } = testClient({ settings: { reasonMax: 5 } })
    expect((await program("POST", "/points/award", award)).status).toBe(400)
    sandbox.settings.reasonTooLong = "cut"
    expect((await program("POST", "/points/award", award)).record["reason"]).toBe("Q4 bo")
  })

  it("lets large awards wait: pending grows, balance and history follow on approval, under the same id", async () => {
    const { program, sandbox } = testClient({ control: true, settings: { awardsPendingFrom: 500 } })
    const before = (await program("GET", `/members/${ana}/balance`)).record
    const waiting = await program("POST", "/points/award", award)
    const during = (await program("GET", `/members/${ana}/balance`)).record
    expect(during).toEqual({ ...before, pending: Number(before["pending"]) + 500 })
    const approval = `http://sandbox.test/__sandbox/waiting/${String(waiting.record["transaction_id"])}/approve`
    expect((await sandbox.fetch(new Request(approval, { method: "POST" }))).status).toBe(200)
    const after = (await program("GET", `/members/${ana}/balance`)).record
    expect(after).toMatchObject({ balance: Number(before["balance"]) + 500, pending: before["pending"] })
    const [newest] = (await program("GET", `/members/${ana}/transactions?per_page=1`)).rows
    expect(newest?.["transaction_id"]).toBe(waiting.record["transaction_id"])
    expect(sandbox.store.ledger.map((effect) => effect.kind)).toEqual(["award", "approve"])
  })
})

describe("bulk award", () => {
  const other = "mem_none"

  it("counts what it booked and what not, and names what it booked", async () => {
    const { program, sandbox } = testClient()
    const answer = await program("POST", "/points/award/bulk", {
      awards: [award, { ...award, member_id: other }, award],
    })
    expect(answer.status).toBe(200)
    const booked = sandbox.store.ledger.map((effect) => ({ member_id: ana, transaction_id: effect.id }))
    expect(answer.record).toEqual({ processed: 2, failed: 1, transactions: booked })
  })

  it("refuses more than 100 items, none, and an item that is not complete", async () => {
    const { program, sandbox } = testClient()
    for (const awards of [
      Array.from({ length: 101 }, () => award),
      [],
      [award, { member_id: ana, points: 5 }],
      undefined,
    ]) {
      expect((await program("POST", "/points/award/bulk", { awards })).status).toBe(400)
    }
    const missing = await program("POST", "/points/award/bulk", {
      awards: [award, { member_id: ana, points: 5 }],
    })
    expect(missing.body["error"]).toMatchObject({ message: "awards.1.reason is required" })
    expect(sandbox.store.ledger).toEqual([])
  })
})

describe("deduct", () => {
  it("takes points, shown negative in the history", async () => {
    const { program } = testClient()
    const answer = await program("POST", "/points/deduct", {
      member_id: ana,
      points: 300,
      reason: "Returned unit",
    })
    expect(answer.record).toMatchObject({ type: "deduct", points: -300 })
    expect(
      (await program("GET", `/members/${ana}/transactions?type=deduct&per_page=1`)).rows[0],
    ).toMatchObject({
      points: -300,
      reason: "Returned unit",
    })
  })

  it("refuses more than the balance", async () => {
    const { program, sandbox } = testClient({ settings: { insufficientPointsCode: "insufficient_points" } })
    const { record } = await program("GET", `/members/${ana}/balance`)
    const balance = Number(record["balance"])
    const body = { member_id: ana, points: balance + 5, reason: "x" }
    const refused = await program("POST", "/points/deduct", body)
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ error: { code: "insufficient_points" } })
    expect(sandbox.store.ledger).toEqual([])
  })
})
