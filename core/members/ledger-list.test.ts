import { describe, expect, it, onTestFinished } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpMember, page, record } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"

const minute = 60_000
const entry = (number: number, balance_after: number, fields = {}) => ({
  transaction_id: `txn_${number}`,
  member_id: "mem_1",
  type: "award",
  points: 10,
  reason: `Reason ${number}`,
  balance_after,
  created_at: `2026-03-01T00:00:0${number}Z`,
  ...fields,
})

/** Laurel with one member, whose ledger has three entries, newest first. */
async function kit({ synced = true } = {}) {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  const service = { balance: 30, entries: [entry(3, 30), entry(2, 20), entry(1, 10)] }
  const test = createTestKit({ clock, copy })
  test.upstream.serve(({ method, path }) => {
    const member = madeUpMember("mem_1", { points_balance: service.balance })
    if (path === "/points/award") {
      service.balance += 10
      const booked = entry(4, service.balance)
      service.entries.unshift(booked)
      return record(booked)
    }
    if (method !== "GET") return undefined
    if (path === "/members") return page([member])
    if (path === "/members/mem_1") return record(member)
    if (path === "/members/mem_1/transactions") return page(service.entries)
    if (path === "/members/mem_1/balance") return record({ member_id: "mem_1", balance: service.balance })
    return path === "/orders" || path === "/rewards" ? page([]) : undefined
  })
  onTestFinished(() => test.app.stop())
  if (synced) {
    test.app.start()
    await clock.advance(minute)
  }
  const list = async (query = "", headers = {}) => {
    const { body, status } = await test.ask(`GET /transactions?member_id=mem_1${query}`, { headers })
    const { data = [], meta } = body as { data?: { transaction_id: string }[]; meta?: { complete: boolean } }
    return { status, ids: data.map(({ transaction_id }) => transaction_id), copied: meta?.complete }
  }
  const ledgerReads = (from = 0) =>
    test.upstream
      .lines()
      .slice(from)
      .filter((line) => line.includes("/transactions"))
  return { ...test, clock, copy, service, list, ledgerReads }
}

describe("a member's ledger", () => {
  it("comes from the local copy without a request, newest first, sorted and searched", async () => {
    const { list, upstream } = await kit()
    const before = upstream.calls.length
    expect(await list()).toEqual({ status: 200, ids: ["txn_3", "txn_2", "txn_1"], copied: true })
    expect((await list("&sort=balance_after&per_page=1")).ids).toEqual(["txn_1"])
    expect((await list("&search=reason+2&type=award")).ids).toEqual(["txn_2"])
    expect((await list("&from=2026-03-01T00:00:02Z&to=2026-03-01T00:00:02Z")).ids).toEqual(["txn_2"])
    expect(upstream.calls).toHaveLength(before)
  })

  it("is one request to the service until it was read, and cannot be searched", async () => {
    const { list, upstream } = await kit({ synced: false })
    expect(await list("&sort=-points&type=award")).toEqual({
      status: 200,
      ids: ["txn_3", "txn_2", "txn_1"],
      copied: false,
    })
    expect(upstream.lines()).toEqual(["GET /members/mem_1/transactions?type=award"])
    expect(await list("&search=x")).toMatchObject({ status: 409 })
  })

  it("comes from the service while the member has another balance", async () => {
    const { ask, list, service } = await kit()
    service.balance = 40
    service.entries.unshift(entry(4, 40))
    // Reading the record shows the balance.
    await ask("GET /program/members/mem_1", { headers: { "cache-control": "no-cache" } })
    expect((await list()).ids[0]).toBe("txn_4")
  })

  it("has an award of ours in the next read", async () => {
    const { ask, clock, list, ledgerReads } = await kit()
    const before = ledgerReads().length
    const rows = [{ member_id: "mem_1", points: 10, reason: "Bonus" }]
    const headers = { "idempotency-key": "award-one-member" }
    expect((await ask("POST /jobs", { body: { kind: "award", rows }, headers })).status).toBe(201)
    await clock.advance(4000)
    expect((await list()).ids[0]).toBe("txn_4")
    await clock.advance(2 * minute)
    expect(await list()).toMatchObject({ copied: true, ids: ["txn_4", "txn_3", "txn_2", "txn_1"] })
    expect(ledgerReads().length).toBeGreaterThan(before)
  })

  it("is read past the copy by a refresh, which the copy then has", async () => {
    const { list, service, upstream } = await kit()
    // Changes that add up to nothing.
    service.entries.unshift(entry(5, 30, { points: -10 }), entry(4, 40))
    const before = upstream.calls.length
    expect(await list("", { "cache-control": "no-cache" })).toMatchObject({
      ids: ["txn_5", "txn_4", "txn_3", "txn_2", "txn_1"],
      copied: true,
    })
    expect(upstream.calls).toHaveLength(before + 1)
  })
})
