import fc from "fast-check"
import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { job } from "../../../contract/job.ts"
import { orderReturnView, type ReturnEntry } from "../../../contract/kinds/order-return.ts"
import type { Transaction } from "../../../contract/program/points.ts"
import type { SandboxOptions } from "../../../sandbox/config.ts"
import type { OrderRecord } from "../../../sandbox/store/records.ts"
import { digestAtOnce, type Process } from "../../../tests/faults/in-process.ts"
import { dataOf } from "../../../tests/faults/orders/data-of.ts"
import { createSandboxWorld, type SandboxWorld } from "../../../tests/faults/orders/sandbox-world.ts"
import { isReturn, judgeReturn } from "./order-return.ts"

beforeEach(digestAtOnce)

const entry = (points: number, change: Partial<ReturnEntry> = {}): ReturnEntry => ({
  transaction_id: `txn_${points}`,
  points,
  created_at: "2026-11-20T00:00:01Z",
  type: "adjust",
  reason: null,
  names_order: false,
  ...change,
})

describe("the return of an order's points", () => {
  const spent = 500
  const settled = { spent, isSettled: true, isTimeKnown: true }

  it("is one entry of all points, once the ledger is settled, or immediately if it names the order", () => {
    const all = entry(500)
    expect(judgeReturn({ ...settled, entries: [all] })).toEqual({ kind: "returned", entry: all })
    expect(judgeReturn({ ...settled, isSettled: false, entries: [all] })).toBeUndefined()
    const named = entry(500, { names_order: true })
    expect(judgeReturn({ ...settled, isSettled: false, entries: [entry(300), named] })).toEqual({
      kind: "returned",
      entry: named,
    })
  })

  it("is missing without an entry, and in part with one of fewer points", () => {
    expect(judgeReturn({ ...settled, entries: [] })).toEqual({ kind: "missing", entry: undefined })
    const part = entry(200)
    expect(judgeReturn({ ...settled, entries: [part] })).toEqual({ kind: "missing", entry: part })
  })

  it("goes to a person with several entries, or one that may be older than the cancellation", () => {
    const several = { kind: "several", entry: undefined }
    expect(judgeReturn({ ...settled, entries: [entry(500), entry(200)] })).toEqual(several)
    expect(judgeReturn({ ...settled, isTimeKnown: false, entries: [entry(500)] })).toEqual(several)
    expect(judgeReturn({ ...settled, entries: [entry(500, { created_at: null })] })).toEqual(several)
  })

  it("is never decided before the ledger is settled without an entry that names the order", () => {
    const entries = fc.array(fc.integer({ min: 1, max: spent }).map((points) => entry(points)))
    fc.assert(
      fc.property(entries, fc.boolean(), (some, isTimeKnown) => {
        expect(judgeReturn({ spent, entries: some, isSettled: false, isTimeKnown })).toBeUndefined()
      }),
    )
  })

  const at = Date.parse("2026-11-20T00:00:00Z")
  const booked: Transaction = {
    transaction_id: "txn_1",
    points: 500,
    type: "award",
    created_at: "2026-11-20T00:00:01Z",
  }
  it.each([
    ["a positive entry after the cancellation, of any type", {}, true],
    ["no entry from before", { created_at: "2026-11-19T23:59:59Z" }, false],
    ["no deduction", { points: -500 }, false],
    ["no more than the points spent", { points: 501 }, false],
    ["no award of Laurel by its reference", { reference: "7K2QX.12" }, false],
    ["no award of Laurel by its metadata", { metadata: { laurel: "7K2QX.1" } }, false],
    ["no award of Laurel by its reason", { reason: "Q3 bonus · batch 7K2QX" }, false],
  ])("is %s", (_, change, expected) => {
    expect(isReturn({ ...booked, ...change }, { spent, since: at, withOurs: false })).toBe(expected)
  })
})

type Settings = SandboxOptions["settings"]

/** A sandbox with a pending order of 500 points, and what cancels it. */
function start(settings: Settings = {}) {
  const world = createSandboxWorld({ settings })
  const app = world.start()
  const order = pendingOrder(world)
  const balance = () => world.sandbox.store.members.get(order.memberId)?.balance ?? 0
  return { world, app, order, balance, before: balance() }
}

function pendingOrder({ sandbox }: SandboxWorld, change: Partial<OrderRecord> = {}): OrderRecord {
  const seeded = sandbox.store.orders.all.findLast(
    ({ memberId, status }) => status !== "cancelled" && sandbox.store.members.get(memberId) !== undefined,
  )
  if (seeded === undefined) throw new Error("The seed has no such order.")
  const parcel = { tracking: null, carrier: null }
  const order = { ...seeded, ...parcel, status: "pending", points: 500, ...change }
  sandbox.store.orders.put(order)
  return order
}

const cancels = ({ id }: OrderRecord, status = "pending") => ({
  kind: "order-return",
  rows: [{ order_id: id, status: "cancelled", expected: { status } }],
})

const viewOf = async (app: Process, { id }: OrderRecord) =>
  dataOf(await app.ask(`GET /orders/${id}/return`), 200, orderReturnView)

const untilStep = (world: SandboxWorld, app: Process, order: OrderRecord, step: string) =>
  world.until(`step ${step}`, 3_600_000, async () => {
    const view = await viewOf(app, order)
    return view?.step === step ? view : undefined
  })

const give = (
  app: Process,
  { id }: OrderRecord,
  points: number,
  entries: readonly string[] = [],
  key = "k1",
) => app.ask(`POST /orders/${id}/return`, { body: { points, entries }, headers: { "idempotency-key": key } })

const patches = ({ sandbox }: SandboxWorld) =>
  sandbox.requests.entries.filter(({ method }) => method === "PATCH")

/** Awards points outside Laurel. */
const awardElsewhere = async ({ sandbox }: SandboxWorld, member_id: string, points: number) => {
  await sandbox.fetch(
    new Request("http://program.test/v1/points/award", {
      method: "POST",
      headers: { authorization: "Bearer laurel-sandbox-key", "content-type": "application/json" },
      body: JSON.stringify({ member_id, points, reason: "Quiz" }),
    }),
  )
}

describe("cancelling an order and returning its points", () => {
  it("awards all points once where the service returns none", async () => {
    const { world, app, order, balance, before } = start()
    await world.carryOut(app, cancels(order))
    expect(world.sandbox.store.orders.get(order.id)?.status).toBe("cancelled")
    const asks = await untilStep(world, app, order, "decide")
    expect(asks).toMatchObject({ spent: 500, entries: [], chosen: [] })
    // Nothing is awarded without a person.
    expect(balance()).toBe(before)
    const answers = await Promise.all([give(app, order, 500), give(app, order, 500, [], "k2")])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    await untilStep(world, app, order, "awarded")
    // The same key is the same award.
    expect((await give(app, order, 500)).status).toBeGreaterThanOrEqual(200)
    await world.clock.advance(60_000)
    expect(balance()).toBe(before + 500)
    const awarded = world.sandbox.store.ledger.filter((effect) => effect.kind === "award")
    expect(awarded).toMatchObject([{ points: 500, reason: `Order ${order.id} cancelled, points returned` }])
  })

  it.each([
    ["names the order", true],
    ["doesn’t name the order", false],
  ])("awards nothing where the service returns all in an entry that %s", async (_, named) => {
    const { world, app, order, balance, before } = start({
      cancelRefunds: "full",
      cancelRefundReference: named,
    })
    await world.carryOut(app, cancels(order))
    const view = await untilStep(world, app, order, "returned")
    expect(view.entries).toMatchObject([{ points: 500, names_order: named }])
    expect((await give(app, order, 500)).status).toBe(409)
    await world.clock.advance(60_000)
    expect(balance()).toBe(before + 500)
  })

  const cancelsPlainly = ({ id }: OrderRecord) => ({
    kind: "order-update",
    rows: [{ order_id: id, status: "cancelled", expected: { status: "pending" } }],
  })

  it("finds a return since an earlier update of ours cancelled the order, and no older entry", async () => {
    const { world, app, order, balance, before } = start({
      cancelRefunds: "full",
      cancelRefundReference: false,
    })
    await awardElsewhere(world, order.memberId, 300)
    await world.clock.advance(3_600_000)
    await world.carryOut(app, cancelsPlainly(order))
    expect(await viewOf(app, order)).toMatchObject({ step: "cancelled", job: expect.stringMatching(/^J-/) })
    await world.clock.advance(3_600_000)
    await world.carryOut(app, cancels(order, "cancelled"))
    const view = await untilStep(world, app, order, "returned")
    expect(view.entries).toMatchObject([{ points: 500 }])
    expect(balance()).toBe(before + 800)
    expect(patches(world)).toHaveLength(1)
  })

  it("awards what is missing since an earlier update of ours cancelled the order", async () => {
    const { world, app, order, balance, before } = start()
    await world.carryOut(app, cancelsPlainly(order))
    await world.clock.advance(3_600_000)
    await world.carryOut(app, cancels(order, "cancelled"))
    expect(await untilStep(world, app, order, "decide")).toMatchObject({ spent: 500, entries: [] })
    expect((await give(app, order, 500)).status).toBe(200)
    await untilStep(world, app, order, "awarded")
    expect(balance()).toBe(before + 500)
  })

  it("isn't offered for an order that someone else cancelled, or that was opened again", async () => {
    const { world, app, order } = start()
    world.sandbox.store.orders.put({ ...order, status: "cancelled" })
    expect(await viewOf(app, order)).toBeNull()
    world.sandbox.store.orders.put(order)
    await world.carryOut(app, cancelsPlainly(order))
    world.sandbox.store.orders.put({ ...order, status: "cancelled" })
    const rows = [{ order_id: order.id, status: "pending", expected: { status: "cancelled" } }]
    await world.carryOut(app, { kind: "order-update", rows })
    expect(await viewOf(app, order)).toBeNull()
  })

  it("awards exactly the rest of a partial return", async () => {
    const { world, app, order, balance, before } = start({ cancelRefunds: "half" })
    await world.carryOut(app, cancels(order))
    const asks = await untilStep(world, app, order, "decide")
    expect(asks).toMatchObject({ entries: [{ points: 250 }], chosen: [asks.entries[0]?.transaction_id] })
    // Another amount than the ledger leaves is refused, and checked again.
    expect((await give(app, order, 500, asks.chosen)).status).toBe(409)
    await untilStep(world, app, order, "decide")
    expect((await give(app, order, 250, asks.chosen)).status).toBe(200)
    await untilStep(world, app, order, "awarded")
    await world.clock.advance(60_000)
    expect(balance()).toBe(before + 500)
    expect((await viewOf(app, order))?.step).toBe("awarded")
  })

  /** An order of 500 points that the service returned after our award had. */
  async function returnedTwice() {
    const run = start({ cancelRefunds: "full", cancelRefundMs: 90_000 })
    const { world, app, order } = run
    await world.carryOut(app, cancels(order))
    await untilStep(world, app, order, "decide")
    await give(app, order, 500)
    await untilStep(world, app, order, "awarded")
    await world.clock.advance(90_000)
    const asks = await untilStep(world, app, order, "twice")
    return { ...run, asks, reverse: (key: string) => give(app, order, 500, asks.chosen, key) }
  }

  it("shows a return after its award as returned twice, and reverses the award once", async () => {
    const { world, app, order, balance, before, asks, reverse } = await returnedTwice()
    expect(balance()).toBe(before + 1000)
    expect((await world.store.jobs.get(asks.job))?.attention).toBe(1)
    expect(asks).toMatchObject({ entries: [{ points: 500 }], chosen: [asks.entries[0]?.transaction_id] })
    expect((await reverse("r1")).status).toBe(200)
    expect((await reverse("r1")).status).toBe(200)
    expect((await reverse("r2")).status).toBe(409)
    await world.until("the deduction", 60_000, () => (balance() === before + 500 ? true : undefined))
    expect((await viewOf(app, order))?.step).toBe("reversed")
    expect((await world.store.jobs.get(asks.job))?.attention).toBe(0)
    await world.clock.advance(600_000)
    expect(balance()).toBe(before + 500)
  })

  it("shows that the award was not reversed where the member has spent the points", async () => {
    const { world, app, order, asks, reverse } = await returnedTwice()
    const member = world.sandbox.store.members.get(order.memberId)
    if (member !== undefined) world.sandbox.store.members.put({ ...member, balance: 0 })
    expect((await reverse("r1")).status).toBe(200)
    const { award } = await untilStep(world, app, order, "not-reversed")
    expect(award?.job).not.toBe(asks.award?.job)
  })

  it("reverses no more than what came after the award, and keeps it if that was something else", async () => {
    const { world, app, order, balance, before } = start()
    await world.carryOut(app, cancels(order))
    await untilStep(world, app, order, "decide")
    await give(app, order, 500)
    await untilStep(world, app, order, "awarded")
    await world.clock.advance(10_000)
    await awardElsewhere(world, order.memberId, 40)
    await untilStep(world, app, order, "twice")
    // A press that counts on more than the ledger shows does nothing.
    expect((await give(app, order, 500, [], "r0")).status).toBe(409)
    await untilStep(world, app, order, "twice")
    expect((await give(app, order, 0, [], "r1")).status).toBe(200)
    expect((await viewOf(app, order))?.step).toBe("awarded")
    await awardElsewhere(world, order.memberId, 30)
    const { chosen } = await untilStep(world, app, order, "twice")
    expect(chosen).toHaveLength(1)
    expect((await give(app, order, 30, chosen, "r2")).status).toBe(200)
    await world.until("the deduction", 60_000, () => (balance() === before + 540 ? true : undefined))
  })

  it("awards nothing if the return came before the person decided", async () => {
    const { world, app, order, balance, before } = start({ cancelRefunds: "full", cancelRefundMs: 60_000 })
    await world.carryOut(app, cancels(order))
    await untilStep(world, app, order, "decide")
    await world.clock.advance(60_000)
    expect((await give(app, order, 500)).status).toBe(409)
    await untilStep(world, app, order, "returned")
    expect(balance()).toBe(before + 500)
  })

  it("by two people cancels once, and fails the second", async () => {
    const { world, app, order } = start()
    const other = world.start()
    const [first, second] = await Promise.all([
      world.carryOut(app, cancels(order), { name: "ana" }),
      world.carryOut(other, cancels(order), { name: "bo" }),
    ])
    const states = [first, second].map(({ rows }) => `${rows[0]?.state} ${rows[0]?.outcome?.code}`)
    expect(new Set(states)).toEqual(new Set(["confirmed undefined", "failed returned_before"]))
    expect(patches(world)).toHaveLength(1)
    expect(await untilStep(world, app, order, "decide")).toMatchObject({ spent: 500 })
  })

  it("does nothing to an order that changed since it was shown", async () => {
    const { world, app, order } = start()
    world.sandbox.store.orders.put({ ...order, status: "shipped", tracking: "0042" })
    const { rows } = await world.carryOut(app, cancels(order))
    expect(rows[0]).toMatchObject({ state: "failed", outcome: { code: "order_changed" } })
    expect(patches(world)).toEqual([])
    expect(await viewOf(app, order)).toMatchObject({ step: "stopped" })
  })

  it("reads an order without its points again before it is refused", async () => {
    const { world, app, order } = start()
    const match = { method: "GET", path: "/v1/orders/*" }
    const damaged = (times: number) =>
      world.sandbox.faults.add({ kind: "missing-field", field: "points_spent", match: { ...match, times } })
    damaged(1)
    const { rows } = await world.carryOut(app, cancels(order))
    expect(rows[0]?.state).toBe("confirmed")
    damaged(2)
    const next = await world.carryOut(app, cancels(pendingOrder(world, { id: "ord_900003" })))
    expect(next.rows[0]).toMatchObject({ state: "failed", outcome: { code: "order_without_points" } })
    expect(patches(world)).toHaveLength(1)
  })

  it("watches for the return once a person says that an unclear cancellation happened", async () => {
    const { world, app, order } = start()
    world.sandbox.faults.add({ kind: "drop-before", match: { method: "PATCH", times: 1 } })
    const { id } = dataOf(await app.ask("POST /jobs", { body: cancels(order) }), 201, job)
    const untilState = (state: string) =>
      world.until(state, 600_000, async () => (await world.rowsOf(id)).find((row) => row.state === state))
    await untilState("unknown")
    world.sandbox.store.orders.put({ ...order, status: "on_hold" })
    await untilState("conflict")
    expect(await viewOf(app, order)).toMatchObject({ step: "stopped" })
    const decision = await app.ask(`POST /jobs/${id}/rows/1/decision`, { body: { decision: "happened" } })
    expect(decision.status).toBe(200)
    await untilStep(world, app, order, "decide")
    const { rows } = await world.carryOut(app, cancels(order))
    expect(rows[0]?.outcome?.code).toBe("returned_before")
  })

  it("doesn't judge a ledger whose entries lack their time", async () => {
    const { world, app, order } = start({ cancelRefunds: "half", cancelRefundReference: false })
    const path = `/v1/members/${order.memberId}/transactions`
    const match = { method: "GET", path, times: 1 } as const
    await world.carryOut(app, cancels(order))
    world.sandbox.faults.add({ kind: "missing-field", field: "created_at", match })
    const asks = await untilStep(world, app, order, "decide")
    expect(asks).toMatchObject({ entries: [{ points: 250 }], chosen: [expect.any(String)] })
  })

  it("leaves several possible entries to a person, and an entry to one order", async () => {
    const { world, app, order } = start({ cancelRefunds: "full", cancelRefundReference: false })
    await world.carryOut(app, cancels(order))
    await awardElsewhere(world, order.memberId, 40)
    const asks = await untilStep(world, app, order, "decide")
    expect(new Set(asks.entries.map(({ points }) => points))).toEqual(new Set([40, 500]))
    expect(asks.chosen).toEqual([])
    const returned = asks.entries.find(({ points }) => points === 500)?.transaction_id ?? ""
    expect((await give(app, order, 0, [returned])).status).toBe(200)
    expect(await viewOf(app, order)).toMatchObject({ step: "returned", chosen: [returned] })

    const next = pendingOrder(world, { memberId: order.memberId })
    world.sandbox.settings.cancelRefunds = "never"
    await world.carryOut(app, cancels(next))
    expect((await untilStep(world, app, next, "decide")).entries).toEqual([])
  })

  it("counts an entry for one of two orders only", async () => {
    const { world, app, order, balance, before } = start()
    const other = pendingOrder(world, { id: "ord_900002", memberId: order.memberId })
    for (const each of [order, other]) await world.carryOut(app, cancels(each))
    await awardElsewhere(world, order.memberId, 200)
    const [one, two] = [
      await untilStep(world, app, order, "decide"),
      await untilStep(world, app, other, "decide"),
    ]
    expect([one.chosen, two.chosen]).toEqual([[one.entries[0]?.transaction_id], one.chosen])
    const answers = await Promise.all([
      give(app, order, 300, one.chosen, "one"),
      give(app, other, 300, two.chosen, "two"),
    ])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    const left = answers[0].status === 409 ? order : other
    const again = await untilStep(world, app, left, "decide")
    expect(again.entries).toEqual([])
    expect((await give(app, left, 500, [], "three")).status).toBe(200)
    await world.until("both awards", 60_000, () => (balance() === before + 1000 ? true : undefined))
  })

  it.each(["drop-after", "after-commit-500", "late-commit", "drop-before"] as const)(
    "cancels and returns once after %s",
    async (fault) => {
      const { world, app, order, balance, before } = start({ cancelRefunds: "full" })
      world.sandbox.faults.add({ kind: fault, ms: 1000, match: { method: "PATCH", times: 1 } })
      await world.carryOut(app, cancels(order))
      await untilStep(world, app, order, "returned")
      expect(balance()).toBe(before + 500)
    },
  )

  it("waits for a history that lags behind our own awards", async () => {
    const { world, app, order } = start({ cancelRefunds: "full", historyLagMs: 20_000 })
    await world.carryOut(app, cancels(order))
    const later = { kind: "award", rows: [{ member_id: order.memberId, points: 5, reason: "Later" }] }
    await world.carryOut(app, later)
    expect((await untilStep(world, app, order, "returned")).chosen).toHaveLength(1)
  })

  it("awards once with a kill at each step of the press", async () => {
    const decided = async () => {
      const begun = start()
      await begun.world.carryOut(begun.app, cancels(begun.order))
      await untilStep(begun.world, begun.app, begun.order, "decide")
      begun.app.life.kill()
      return begun
    }
    const plain = await decided()
    const first = plain.world.start()
    await give(first, plain.order, 500)
    await untilStep(plain.world, first, plain.order, "awarded")
    for (const kill of first.life.distinctKills) {
      const { world, order, balance, before } = await decided()
      const mortal = world.start({ kill })
      void give(mortal, order, 500)
      await world.clock.advance(6000)
      mortal.life.kill()
      const app = world.start()
      await world.until("the award", 600_000, async () => {
        const view = await viewOf(app, order)
        if (view?.step === "decide") await give(app, order, 500)
        return view?.step === "awarded" || view?.step === "stopped" ? view : undefined
      })
      // An award without a response needs a person where nothing else proves its absence.
      const possible = (await viewOf(app, order))?.step === "awarded" ? [500] : [0, 500]
      expect([kill, possible]).toEqual([kill, expect.arrayContaining([balance() - before])])
    }
  })

  it("cancels and watches with a kill at each step", async () => {
    const plain = start({ cancelRefunds: "full" })
    await plain.world.carryOut(plain.app, cancels(plain.order))
    await untilStep(plain.world, plain.app, plain.order, "returned")
    for (const kill of plain.app.life.distinctKills) {
      const world = createSandboxWorld({ settings: { cancelRefunds: "full" } })
      const order = pendingOrder(world)
      const before = world.sandbox.store.members.get(order.memberId)?.balance ?? 0
      const request = { body: cancels(order), headers: { "idempotency-key": "cancel" } }
      const mortal = world.start({ kill })
      void mortal.ask("POST /jobs", request)
      await world.clock.advance(6000)
      mortal.life.kill()
      const app = world.start()
      expect((await app.ask("POST /jobs", request)).status).toBe(201)
      await untilStep(world, app, order, "returned")
      expect([kill, world.sandbox.store.members.get(order.memberId)?.balance]).toEqual([kill, before + 500])
    }
  })

  it("does nothing while the ledger can’t be read completely", async () => {
    const { world, app, order } = start()
    await world.carryOut(app, cancels(order))
    await untilStep(world, app, order, "decide")
    await awardElsewhere(world, order.memberId, 40)
    const path = `/v1/members/${order.memberId}/transactions`
    world.sandbox.faults.add({ kind: "missing-field", field: "points", match: { method: "GET", path } })
    const { status } = await give(app, order, 500)
    expect(status).toBeGreaterThanOrEqual(409)
    expect(world.sandbox.store.ledger.filter(({ kind }) => kind === "award")).toHaveLength(1)
  })

  it("is open to managers only, and shown to roles that see ledgers", async () => {
    const { world, app, order } = start()
    for (const role of ["viewer", "fulfilment"] as const) {
      expect((await app.ask("POST /jobs", { role, body: cancels(order) })).status).toBe(403)
      const body = { points: 500, entries: [] }
      expect((await app.ask(`POST /orders/${order.id}/return`, { role, body })).status).toBe(403)
    }
    expect((await app.ask(`GET /orders/${order.id}/return`, { role: "fulfilment" })).status).toBe(403)
    const none = await app.ask(`GET /orders/${order.id}/return`, { role: "viewer" })
    expect(dataOf(none, 200, z.null())).toBeNull()
    expect(patches(world)).toEqual([])
  })
})
