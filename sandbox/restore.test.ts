import { describe, expect, it } from "vitest"
import { createSandbox, type Sandbox } from "./app.ts"
import { ana, testClient, type TestClient } from "../tests/support/sandbox/client.ts"

const card = {
  member: { email: "n@outback.example", firstname: "N", lastname: "O" },
  denomination: 50,
  idempotencyKey: "k",
}

/** Touches every kind of record. */
async function work({ program, giftcard, time, sandbox }: TestClient): Promise<void> {
  const made = await program("POST", "/members", {
    email: "m@outback.example",
    first_name: "M",
    last_name: "O",
  })
  await program("DELETE", `/members/${sandbox.store.members.idAt(7)}`)
  for (let n = 1; n <= 3; n += 1)
    await program("POST", "/points/award", { member_id: ana, points: n, reason: `Award ${n}` })
  time.advance(5000)
  sandbox.settings.awardsPendingFrom = 1000
  await program("POST", "/points/award", { member_id: made.record["id"], points: 2000, reason: "Waits" })
  await program("POST", "/rewards/redeem", { member_id: ana, reward_id: "rew_BootsVou1" })
  await program("PATCH", "/orders/ord_20398", { status: "shipped", tracking_number: "1" })
  await giftcard("POST", "/giftcard/cards", card)
}

function state({ store, settings }: Sandbox): unknown {
  const { rows } = store.members.page({}, 0, 1000)
  return structuredClone({
    rows,
    ledgers: rows.map((row) => store.transactions.of(row.id)),
    waiting: store.transactions.awaiting,
    orders: store.orders.all,
    rewards: [...store.rewards.values()],
    cards: store.cards.all,
    outbox: store.cards.outbox,
    ledger: store.ledger,
    fund: store.fundCents,
    settings,
  })
}

describe("changes and restore", () => {
  it("bring a sandbox back as it was, through JSON and in any order", async () => {
    const before = testClient()
    await work(before)
    const saved: unknown = JSON.parse(JSON.stringify([...before.sandbox.changes()].toReversed()))
    const after = testClient()
    after.time.advance(999_999)
    expect(after.sandbox.restore(Array.isArray(saved) ? saved : [])).toBe(true)
    expect(state(after.sandbox)).toEqual(state(before.sandbox))
    expect([...after.sandbox.changes()]).toEqual([])
    expect((await after.giftcard("POST", "/giftcard/cards", card)).status).toBe(200)
    after.sandbox.settings.awardsPendingFrom = null
    await after.program("POST", "/points/award", { member_id: ana, points: 5000, reason: "For the next one" })
    const next = await after.program("POST", "/rewards/redeem", {
      member_id: ana,
      reward_id: "rew_MovieVou2",
    })
    expect(next.record["order_id"]).toBe("ord_20412")
  })

  it("return a changed record once, in its current state, and again when it changes", async () => {
    const { program, sandbox } = testClient()
    expect([...sandbox.changes()].map((change) => change.kind)).toEqual(["base"])
    await program("PATCH", `/members/${ana}`, { company: "A" })
    await program("PATCH", `/members/${ana}`, { company: "B" })
    const members = [...sandbox.changes()].filter((change) => change.kind === "member")
    expect(members).toMatchObject([{ id: ana, value: { company: "B" } }])
    expect([...sandbox.changes()]).toEqual([])
  })

  it("refuse what belongs to another seed or count, and leave the sandbox alone", async () => {
    const before = testClient()
    await work(before)
    const saved = [...before.sandbox.changes()]
    for (const options of [{ seed: "other" }, { members: 81 }]) {
      const after = testClient(options)
      expect(after.sandbox.restore(saved)).toBe(false)
      expect(after.sandbox.store.ledger).toEqual([])
    }
    expect(createSandbox({ members: 1 }).restore([])).toBe(false)
  })

  it("refuse changes whose dates an earlier version moved", async () => {
    const base = { seed: "laurel", members: 80, seededAt: 0 }
    const saved = (moved: number) => [{ kind: "base", id: "base", value: { ...base, moved } }]
    const { sandbox } = testClient({ members: 80, seed: "laurel" })
    expect(() => sandbox.restore(saved(86_400_000))).toThrow(/moved its dates/)
    expect(sandbox.store.base.seededAt).not.toBe(0)
    expect(sandbox.restore(saved(0))).toBe(true)
  })
})

it("reset seeds again, with the first settings, no faults and an empty log", async () => {
  const client = testClient()
  const before = state(client.sandbox)
  client.sandbox.faults.add({ kind: "late-commit", match: { path: "/v1/members/*" } })
  await work(client)
  client.time.advance(-5000)
  client.sandbox.reset()
  expect(state(client.sandbox)).toEqual(before)
  expect(client.sandbox.faults.list()).toEqual([])
  expect(client.sandbox.requests.count).toBe(0)
  expect([...client.sandbox.changes()][0]).toMatchObject({ kind: "base" })
})
