import * as fc from "fast-check"
import { expect, it } from "vitest"
import { testClient, type TestClient } from "../tests/support/sandbox/client.ts"

const member = fc.integer({ min: 0, max: 4 })
const points = fc.integer({ min: 1, max: 9000 })
const operation = fc.oneof(
  fc.record({ kind: fc.constant("award" as const), member, points }),
  fc.record({ kind: fc.constant("bulk" as const), member, points }),
  fc.record({ kind: fc.constant("deduct" as const), member, points }),
  fc.record({ kind: fc.constant("redeem" as const), member, points }),
  fc.record({ kind: fc.constant("cancel" as const), member, points }),
)
const faults = [
  "before-commit-500",
  "after-commit-500",
  "partial-bulk",
  "drop-after",
  "late-commit",
  "truncated",
] as const

it("keeps balance, history, lifetime figures, stock and ledger in step, whatever is done and whatever fails", async () => {
  const operations = fc.array(operation, { maxLength: 25 })
  const checked = fc.assert(
    fc.asyncProperty(operations, fc.boolean(), async (list, faulty) => {
      const client = testClient({ members: 5, settings: { cancelRefunds: "full" } })
      if (faulty) for (const kind of faults) client.sandbox.faults.add({ kind, match: { probability: 0.15 } })
      for (const one of list) {
        client.time.advance(1000)
        await perform(client, one.kind, client.sandbox.store.members.idAt(one.member), one.points).catch(
          () => undefined,
        )
      }
      await client.sandbox.settleAll()
      expectAgreement(client)
    }),
    { numRuns: 60 },
  )
  await expect(checked).resolves.toBeUndefined()
})

function perform(client: TestClient, kind: string, id: string, amount: number): Promise<unknown> {
  const { program, sandbox } = client
  const row = { member_id: id, points: amount, reason: "Property" }
  if (kind === "award") return program("POST", "/points/award", row)
  if (kind === "bulk") return program("POST", "/points/award/bulk", { awards: [row, row, row] })
  if (kind === "deduct") return program("POST", "/points/deduct", row)
  if (kind === "redeem")
    return program("POST", "/rewards/redeem", { member_id: id, reward_id: "rew_BootsVou1" })
  const order = sandbox.store.orders.all.at(-1)
  return program("PATCH", `/orders/${order?.id ?? "ord_0"}`, { status: "cancelled" })
}

function expectAgreement({ sandbox: { store } }: TestClient): void {
  const since = new Map<string, number>()
  for (const effect of store.ledger) {
    if ("memberId" in effect && "points" in effect) {
      since.set(effect.memberId, (since.get(effect.memberId) ?? 0) + effect.points)
    }
  }
  for (let index = 0; index < 5; index += 1) {
    const id = store.members.idAt(index)
    const member = store.members.get(id)
    const rows = store.transactions.of(id)
    const taken = rows
      .filter((row) => row.points < 0 && row.type !== "redeem")
      .reduce((n, row) => n - row.points, 0)
    let balance = 0
    for (const row of rows) {
      balance += row.points
      expect(row.balanceAfter).toBe(balance)
    }
    expect(member?.balance).toBe(balance)
    expect((member?.earned ?? 0) - (member?.redeemed ?? 0) - taken).toBe(balance)
    expect(balance).toBeGreaterThanOrEqual(0)
    const booked = rows.filter((row) => row.seq > 0).reduce((n, row) => n + row.points, 0)
    expect(since.get(id) ?? 0).toBe(booked)
  }
  const redeemed = store.ledger.filter((effect) => effect.kind === "redeem").length
  expect(store.rewards.get("rew_BootsVou1")?.stock).toBe(40 - redeemed)
}
