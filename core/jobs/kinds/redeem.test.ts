import { beforeEach, describe, expect, it } from "vitest"
import { rowEvidence } from "../../../contract/job-rows.ts"
import type { Order } from "../../../contract/program/order.ts"
import type { Transaction } from "../../../contract/program/points.ts"
import { type RedeemSearch, redeemTraces } from "./redeem.ts"
import type { FaultInput } from "../../../sandbox/faults.ts"
import { digestAtOnce } from "../../../tests/faults/in-process.ts"
import { dataOf } from "../../../tests/faults/orders/data-of.ts"
import { redeemRows } from "../../../tests/faults/orders/redeem-rows.ts"
import { worldTimes } from "../../../tests/faults/in-process.ts"
import { createSandboxWorld, type SandboxWorld } from "../../../tests/faults/orders/sandbox-world.ts"

beforeEach(digestAtOnce)

const kind = "redeem"
const match = { method: "POST", path: "/v1/rewards/redeem" } as const

/** A redemption that succeeds. */
function one(world: SandboxWorld) {
  const [row] = redeemRows(world.sandbox, 1, 1)
  if (row === undefined) throw new Error("The seed has no such redemption.")
  return row
}

function strike({ sandbox }: SandboxWorld, fault: Omit<FaultInput, "match">): void {
  sandbox.faults.add({ ...fault, match: { ...match, nth: 1 } })
}

const sent = ({ sandbox }: SandboxWorld) =>
  sandbox.requests.entries.filter(({ path }) => path === match.path).length
const done = ({ sandbox }: SandboxWorld) =>
  sandbox.store.ledger.flatMap((effect) => (effect.kind === "redeem" ? [effect.id] : []))

describe("redemptions", () => {
  it("are confirmed by the order, with the new balance", async () => {
    const world = createSandboxWorld()
    const row = one(world)
    const { rows } = await world.carryOut(world.start(), { kind, rows: [row] })
    expect(rows[0]).toMatchObject({ state: "confirmed", upstream_id: done(world)[0], outcome: null })
    expect(rows[0]?.balance_after).toBe(world.sandbox.store.members.get(row.member_id)?.balance)
  })

  it.each(["UK", "ZZ"])("to the country %s, which is not in ISO 3166-1, create no job", async (country) => {
    const world = createSandboxWorld()
    const shipping_address = { name: "Ana", line1: "1 Hay St", city: "Perth", postal_code: "6000", country }
    const rows = [{ ...one(world), shipping_address }]
    expect(await world.start().ask("POST /jobs", { body: { kind, rows } })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.shipping_address.country" }] } } },
    })
    expect(sent(world)).toBe(0)
  })

  it("are not sent at another price than shown", async () => {
    const world = createSandboxWorld()
    const row = one(world)
    const { points_cost } = world.sandbox.store.rewards.get(row.reward_id) ?? { points_cost: 0 }
    const shown = { ...row, expected_cost: points_cost * (row.quantity ?? 1) }
    const app = world.start()
    const { rows: same } = await world.carryOut(app, { kind, rows: [shown] })
    expect(same[0]).toMatchObject({ state: "confirmed" })
    const dearer = { ...shown, expected_cost: shown.expected_cost - 1 }
    const { rows } = await world.carryOut(app, { kind, rows: [dearer] })
    expect(rows[0]).toMatchObject({ state: "failed", attempts: 0, outcome: { code: "price_changed" } })
    expect(sent(world)).toBe(1)
  })

  it.each([
    ["address_needed", { type: "physical" }],
    ["not_enough_points", { points_cost: 5_000_000, type: "digital" }],
  ] as const)("are refused before the call: %s", async (code, changed) => {
    const world = createSandboxWorld()
    const { member_id, reward_id } = one(world)
    const reward = world.sandbox.store.rewards.get(reward_id)
    if (reward !== undefined) world.sandbox.store.setReward({ ...reward, ...changed })
    const { rows } = await world.carryOut(world.start(), { kind, rows: [{ member_id, reward_id }] })
    expect(rows[0]).toMatchObject({ state: "failed", attempts: 0, outcome: { code } })
    expect(sent(world)).toBe(0)
  })

  it("are refused before the call for a missing member or reward", async () => {
    const world = createSandboxWorld()
    const row = one(world)
    const app = world.start()
    const codeFor = async (changed: object) =>
      (await world.carryOut(app, { kind, rows: [{ ...row, ...changed }] })).rows[0]?.outcome?.code
    expect(await codeFor({ reward_id: "rwd_none" })).toBe("reward_not_found")
    expect(await codeFor({ member_id: "mem_none" })).toBe("not_found_there")
    expect(sent(world)).toBe(0)
  })

  // docs/api/program.md, Rewards: neither status nor stock is documented to refuse a redemption.
  it.each([
    ["an inactive reward", { status: "inactive" }, {}, "Reward is not active"],
    ["a reward without stock", { stock: 0 }, {}, "Reward is out of stock"],
    ["an inactive member", {}, { status: "inactive" }, null],
    ["a pending member", {}, { status: "pending" }, null],
  ] as const)("let the service decide about %s", async (_what, ofReward, ofMember, says) => {
    const world = createSandboxWorld()
    const row = one(world)
    const { rewards, members } = world.sandbox.store
    const [reward, member] = [rewards.get(row.reward_id), members.get(row.member_id)]
    if (reward === undefined || member === undefined) throw new Error("The seed has no such redemption.")
    world.sandbox.store.setReward({ ...reward, ...ofReward })
    members.put({ ...member, ...ofMember })
    const { rows } = await world.carryOut(world.start(), { kind, rows: [row] })
    expect(sent(world)).toBe(1)
    expect(rows[0]).toMatchObject(
      says === null
        ? { state: "confirmed", attempts: 1 }
        : { state: "failed", attempts: 1, outcome: { message: says } },
    )
  })

  it("are left to the service to refuse", async () => {
    const world = createSandboxWorld({ settings: { insufficientPointsCode: "insufficient_points" } })
    const row = one(world)
    world.sandbox.faults.add({ kind: "slow", ms: 500, match: { method: "GET", path: "/v1/orders" } })
    const app = world.start()
    const made = world.carryOut(app, { kind, rows: [row] })
    // The member spends the points elsewhere after the read.
    await world.until("the balance to be read", 10_000, () =>
      world.sandbox.requests.entries.some(({ path }) => path.endsWith("/balance")) ? true : undefined,
    )
    const member = world.sandbox.store.members.get(row.member_id)
    if (member !== undefined) world.sandbox.store.members.put({ ...member, balance: 0 })
    expect((await made).rows[0]).toMatchObject({
      state: "failed",
      attempts: 1,
      outcome: { code: "insufficient_points", message: "Insufficient points" },
    })
  })

  it("without a response are found by their time, which the outcome states", async () => {
    const world = createSandboxWorld()
    strike(world, { kind: "drop-after" })
    const { rows } = await world.carryOut(world.start(), { kind, rows: [one(world)] })
    expect(rows[0]).toMatchObject({
      state: "confirmed",
      upstream_id: done(world)[0],
      outcome: { code: "matched_by_time" },
    })
    expect(sent(world)).toBe(1)
  })

  it("that the member also made at the same time go to a person, who links the right order", async () => {
    const world = createSandboxWorld()
    const row = one(world)
    strike(world, { kind: "drop-after" })
    const app = world.start()
    const going = world.carryOut(app, { kind, rows: [row] })
    await world.until("it to be sent", 10_000, () => (sent(world) > 0 ? true : undefined))
    const headers = { authorization: "Bearer laurel-sandbox-key", "content-type": "application/json" }
    const url = `http://sandbox.test${match.path}`
    await world.sandbox.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(row) }))
    const end = await going
    expect(end.rows[0]).toMatchObject({ state: "conflict", outcome: { code: "several_matches" } })
    const at = `/jobs/${end.job.id}/rows/1`
    const { candidates, balance } = dataOf(await app.ask(`GET ${at}/candidates`), 200, rowEvidence)
    expect(candidates.map(({ upstream_id }) => upstream_id).toSorted()).toEqual(done(world).toSorted())
    expect(balance?.balance).toBe(world.sandbox.store.members.get(row.member_id)?.balance)
    const [mine] = done(world)
    // An order of another member, and one of this member for another reward.
    const { orders } = world.sandbox.store
    const own = orders.get(mine ?? "")
    if (own === undefined) throw new Error("The order is not there.")
    orders.put({ ...own, id: "ord_900001", memberId: world.sandbox.store.members.idAt(150) })
    orders.put({ ...own, id: "ord_900002", rewardId: "rew_other" })
    orders.put({ ...own, id: "ord_900003", points: own.points * 2 })
    for (const upstream_id of ["ord_900001", "ord_900002", "ord_900003", "ord_none"]) {
      const refused = await app.ask(`POST ${at}/decision`, { body: { decision: "happened", upstream_id } })
      expect([upstream_id, refused.status]).toEqual([upstream_id, 409])
    }
    const decided = await app.ask(`POST ${at}/decision`, {
      body: { decision: "happened", upstream_id: mine },
    })
    expect(decided).toMatchObject({ status: 200, body: { data: { upstream_id: mine } } })
  })

  it("are not linked with an undecided deduction of the same size", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const redeemed = await world.carryOut(app, { kind, rows: [one(world)] })
    const effect = world.sandbox.store.ledger.find((each) => each.kind === "redeem")
    if (effect?.kind !== "redeem") throw new Error("Nothing was redeemed.")
    world.sandbox.faults.add({ kind: "drop-before", match: { path: "/v1/points/deduct", nth: 1 } })
    const row = { member_id: effect.memberId, points: -effect.points, reason: "Correction" }
    const end = await world.carryOut(app, { kind: "deduct", rows: [row] })
    expect(end.rows[0]?.state).toMatch(/absent|conflict/)
    const body = { decision: "happened", upstream_id: effect.transactionId }
    const refused = await app.ask(`POST /jobs/${end.job.id}/rows/1/decision`, { body })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining("is of another kind than this row") as unknown } },
    })
    expect(redeemed.rows[0]?.state).toBe("confirmed")
  })

  it("are sent one at a time for each member, across jobs and instances", async () => {
    const world = createSandboxWorld()
    const rows = redeemRows(world.sandbox, 4, 4)
    world.sandbox.faults.add({ kind: "slow", ms: 300, match })
    const apps = [world.start(), world.start()]
    const ends = await Promise.all(
      rows.map((row, at) => world.carryOut(apps[at % 2] ?? world.start(), { kind, rows: [row] })),
    )
    expect(ends.map(({ rows: [row] }) => row?.state)).toEqual(Array(4).fill("confirmed"))
    const starts = world.sandbox.requests.entries
      .filter(({ path }) => path === match.path)
      .map(({ at }) => at)
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(300)
  })

  it("are not resent automatically, and a person's resend is checked against late orders", async () => {
    const world = createSandboxWorld()
    strike(world, { kind: "late-commit", ms: 60_000, answer: "drop" })
    const app = world.start()
    const end = await world.carryOut(app, { kind, rows: [one(world)] })
    expect(end.rows[0]).toMatchObject({ state: "absent", outcome: { code: "left_to_person" } })
    expect(end.job.attention).toBe(1)
    await world.clock.advance(60_000)
    await app.ask(`POST /jobs/${end.job.id}/rows/1/decision`, { body: { decision: "resend" } })
    const again = await world.untilStill(app, end.job.id)
    expect(again.rows[0]).toMatchObject({ state: "conflict", outcome: { code: "order_appeared" } })
    expect([again.job.attention, sent(world), done(world).length]).toEqual([1, 1, 1])
  })

  it("that appear twice after a person's resend are shown with the possible actions", async () => {
    const world = createSandboxWorld()
    strike(world, { kind: "late-commit", ms: 10 * worldTimes.settleMs, answer: "drop" })
    const app = world.start()
    const end = await world.carryOut(app, { kind, rows: [one(world)] })
    const decision = `POST /jobs/${end.job.id}/rows/1/decision`
    await app.ask(decision, { body: { decision: "resend" } })
    await world.until("the second look long after", 120_000, async () =>
      (await world.rowsOf(end.job.id))[0]?.outcome?.code === "redeemed_twice" ? true : undefined,
    )
    expect(done(world)).toHaveLength(2)
    const { job } = await world.untilStill(app, end.job.id)
    expect(job.attention).toBe(1)
    expect((await app.ask(decision, { body: { decision: "resend" } })).status).toBe(409)
  })
})

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
  it("are one new order of the same reward, points and time, with its own redemption", () => {
    const traces = redeemTraces(search, [order("ord_1")], [redemption("txn_1")])
    expect([ids(traces.fitting), traces.isConsistent]).toEqual([["ord_1"], true])
  })

  it("exclude earlier orders and those of other rows and rewards", () => {
    const orders = [
      order("ord_old", { created_at: at(10) }),
      order("ord_other", { points_spent: 70 }),
      order("ord_2", { reward_id: "rwd_2", points_spent: 90 }),
    ]
    expect(redeemTraces(search, orders, [])).toMatchObject({ possible: [], fitting: [], isConsistent: true })
  })

  it.each([
    ["an order without its redemption", [order("ord_1")], []],
    ["a redemption without its order", [], [redemption("txn_1")]],
    ["one order and two redemptions", [order("ord_1")], [redemption("txn_1"), redemption("txn_2")]],
    ["an order without points", [order("ord_1", { points_spent: null })], [redemption("txn_1")]],
    ["an order without a reward id", [order("ord_1", { reward_id: null })], [redemption("txn_1")]],
    ["a redemption without points", [], [redemption("txn_1", { points: null })]],
  ])("are not consistent: %s", (_, orders, ledger) => {
    expect(redeemTraces(search, orders, ledger).isConsistent).toBe(false)
  })

  it.each([
    ["was created too late", order("ord_1", { created_at: at(20_000) })],
    ["cost another number of points", order("ord_1", { points_spent: 450 })],
  ])("include as possible an order of the same reward that %s", (_, late) => {
    const { possible, fitting } = redeemTraces(search, [late], [])
    expect([ids(possible), ids(fitting)]).toEqual([["ord_1"], []])
  })

  it("exclude a redemption of another row with the same size and time", () => {
    const orders = [order("ord_1"), order("ord_other")]
    const { fitting, isConsistent } = redeemTraces(search, orders, [redemption("txn_1"), redemption("txn_2")])
    expect([ids(fitting), isConsistent]).toEqual([["ord_1"], true])
  })

  it("are not consistent if the cost is unknown", () => {
    expect(redeemTraces({ ...search, cost: null }, [order("ord_1")], []).isConsistent).toBe(false)
  })
})
