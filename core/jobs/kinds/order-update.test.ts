import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { rowEvidence } from "../../../contract/job-rows.ts"
import { judgeOrder, type OrderFields, traceInOrder } from "./order-update.ts"
import type { OrderRecord } from "../../../sandbox/store/records.ts"
import { digestAtOnce } from "../../../tests/faults/in-process.ts"
import { dataOf } from "../../../tests/faults/orders/data-of.ts"
import { createSandboxWorld, type SandboxWorld } from "../../../tests/faults/orders/sandbox-world.ts"

beforeEach(digestAtOnce)

const kind = "order-update"
const unseen = { status: "pending", tracking_number: null, carrier: null }

/** One of the newest orders, unchanged. */
function untouched(world: SandboxWorld, at = 0): OrderRecord {
  const order = world.sandbox.store.orders.all.at(-1 - at)
  if (order === undefined) throw new Error("The seed has no such order.")
  change(world, order.id, { status: "pending", tracking: null, carrier: null })
  return order
}

/** Changes an order from another app. */
function change({ sandbox }: SandboxWorld, id: string, fields: Partial<OrderRecord>): void {
  const order = sandbox.store.orders.get(id)
  if (order !== undefined) sandbox.store.orders.put({ ...order, ...fields })
}

const patches = ({ sandbox }: SandboxWorld) =>
  sandbox.requests.entries
    .filter(({ method }) => method === "PATCH")
    .map(({ body }) => JSON.parse(body) as unknown)

describe("order updates", () => {
  it("send changed fields only, and nothing if the order has the values already", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = untouched(world)
    change(world, id, { carrier: "DHL" })
    const row = { order_id: id, status: "shipped", tracking_number: "000123", carrier: "DHL" }
    const first = await world.carryOut(app, { kind, rows: [row] })
    expect(first.rows[0]).toMatchObject({ state: "confirmed", attempts: 1, upstream_id: id })
    expect(patches(world)).toEqual([{ status: "shipped", tracking_number: "000123" }])
    const again = await world.carryOut(app, { kind, rows: [row] })
    expect(again.rows[0]).toMatchObject({ state: "confirmed", attempts: 0 })
    expect(patches(world)).toHaveLength(1)
    expect(world.sandbox.store.orders.get(id)).toMatchObject({ status: "shipped", tracking: "000123" })
  })

  it.each([
    ["its recognised carrier", "RB400073511AU", "Australia Post"],
    ["none if it is not recognised", "X-1", null],
  ])("give a new tracking number without a carrier %s", async (_what, tracking_number, carrier) => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = untouched(world)
    change(world, id, { tracking: "1Z999AA10123456784", carrier: "UPS" })
    const { rows } = await world.carryOut(app, { kind, rows: [{ order_id: id, tracking_number }] })
    expect(rows[0]?.state).toBe("confirmed")
    expect(world.sandbox.store.orders.get(id)).toMatchObject({ tracking: tracking_number, carrier })
  })

  it("keep the carrier with a first or unchanged tracking number", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = untouched(world)
    change(world, id, { carrier: "UPS" })
    await world.carryOut(app, { kind, rows: [{ order_id: id, tracking_number: "RB 400073511 AU" }] })
    await world.carryOut(app, { kind, rows: [{ order_id: id, tracking_number: "RB400073511AU" }] })
    expect(world.sandbox.store.orders.get(id)).toMatchObject({ tracking: "RB400073511AU", carrier: "UPS" })
  })

  it("update the cached order and lists from the response, and reuse a recent read", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = untouched(world)
    const orders = ["", "?status=pending", `/${id}`].map((path) => `GET /program/orders${path}`)
    const readAll = async () => {
      const before = world.sandbox.requests.count
      const answers = []
      for (const line of orders) answers.push(await app.ask(line))
      return { read: world.sandbox.requests.count - before, answers }
    }
    await readAll()
    const before = world.sandbox.requests.count
    const row = { order_id: id, status: "shipped", tracking_number: "0042", carrier: "DHL", expected: unseen }
    await world.carryOut(app, { kind, rows: [row] })
    expect(world.sandbox.requests.count - before).toBe(1)
    const { read, answers } = await readAll()
    // The list of pending orders no longer has it.
    expect(read).toBe(1)
    const shipped = { order_id: id, status: "shipped", tracking_number: "0042", carrier: "DHL" }
    expect(answers[0]?.body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining(shipped)]),
    })
    expect(answers[2]?.body).toMatchObject({
      data: { status: "shipped", fulfillment: { tracking_number: "0042" } },
    })
  })

  it("reuse the read of a parcel's scan for 15 s", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    for (const [at, seconds, requests] of [
      [0, 14, 1],
      [1, 16, 2],
    ] as const) {
      const { id } = untouched(world, at)
      await app.ask(`GET /program/orders/${id}`)
      await world.clock.advance(seconds * 1000)
      const before = world.sandbox.requests.count
      const row = { order_id: id, status: "shipped", tracking_number: "0042", expected: unseen }
      expect((await world.carryOut(app, { kind, rows: [row] })).rows[0]?.state).toBe("confirmed")
      expect(world.sandbox.requests.count - before).toBe(requests)
    }
  })

  it("of many rows are each read right before sending, even after a recent list", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const rows = [0, 1].map((at) => ({ order_id: untouched(world, at).id, tracking_number: "0042" }))
    for (const { order_id: id } of rows) await app.ask(`GET /program/orders/${id}`)
    await world.clock.advance(5000)
    const before = world.sandbox.requests.count
    await world.carryOut(app, { kind, rows: rows.map((row) => ({ ...row, expected: unseen })) })
    expect(world.sandbox.requests.count - before).toBe(4)
  })

  it("by two people on one order: the second is a conflict, and overwrites only by a person's decision", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = untouched(world)
    const ship = (tracking_number: string) => ({
      kind,
      rows: [{ order_id: id, status: "shipped", tracking_number, expected: unseen }],
    })
    await world.carryOut(app, ship("AAA111"), { name: "ana" })
    const second = await world.carryOut(app, ship("BBB222"), { name: "bo" })
    expect(second.rows[0]).toMatchObject({
      state: "conflict",
      outcome: { code: "changed_there" },
      conflict: {
        before: { status: "pending", tracking_number: "", carrier: "" },
        theirs: { status: "shipped", tracking_number: "AAA111", carrier: "" },
        yours: { status: "shipped", tracking_number: "BBB222" },
        changed_by: { name: "ana" },
      },
    })
    expect(second.job.attention).toBe(1)
    expect(world.sandbox.store.orders.get(id)?.tracking).toBe("AAA111")

    const row = `/jobs/${second.job.id}/rows/1`
    const evidence = dataOf(await app.ask(`GET ${row}/candidates`), 200, rowEvidence)
    expect(evidence.resend).toEqual({ allowed: true, why_not: null })
    // Another change after the conflict was shown.
    change(world, id, { tracking: "CCC333" })
    await app.ask(`POST ${row}/decision`, { body: { decision: "resend" } })
    const third = await world.untilStill(app, second.job.id)
    expect(third.rows[0]?.outcome?.code).toBe("changed_again")
    expect(third.rows[0]?.conflict?.theirs).toEqual({
      status: "shipped",
      tracking_number: "CCC333",
      carrier: "",
    })
    // The audit log has no entry for changes from elsewhere.
    expect(third.rows[0]?.conflict?.changed_by).toBeUndefined()
    expect([third.job.attention, third.rows[0]?.decision]).toEqual([1, undefined])
    await app.ask(`POST ${row}/decision`, { body: { decision: "resend" } })
    const last = await world.untilStill(app, second.job.id)
    expect(last.rows[0]).toMatchObject({ state: "confirmed", attempts: 1 })
    expect(world.sandbox.store.orders.get(id)?.tracking).toBe("BBB222")
    expect(patches(world)).toEqual([
      { status: "shipped", tracking_number: "AAA111" },
      { tracking_number: "BBB222" },
    ])
  })

  it("from two servers concurrently: one is applied, the other is a conflict", async () => {
    const world = createSandboxWorld()
    const apps = [world.start(), world.start()]
    const { id } = untouched(world)
    const ends = await Promise.all(
      apps.map((app, at) =>
        world.carryOut(app, {
          kind,
          rows: [{ order_id: id, tracking_number: `N${at}`, status: "shipped", expected: unseen }],
        }),
      ),
    )
    expect(ends.map(({ rows }) => rows[0]?.state).toSorted()).toEqual(["confirmed", "conflict"])
    expect(patches(world)).toHaveLength(1)
  })

  it("conflict with a change made after the start of a long job", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const rows = Array.from({ length: 25 }, (_, at) => ({
      order_id: untouched(world, at).id,
      tracking_number: `0${at}`,
    }))
    const made = dataOf(
      await app.ask("POST /jobs", { body: { kind, rows, options: { draft: true } } }),
      201,
      z.looseObject({ id: z.string() }),
    )
    // Slow reads leave time for another change before the last row.
    world.sandbox.faults.add({ kind: "slow", ms: 700, match: { method: "GET", path: "/v1/orders/*" } })
    await app.ask(`POST /jobs/${made.id}/start`, { body: {} })
    await world.until("the job to be prepared", 60_000, async () =>
      (await world.store.jobs.get(made.id))?.prepared === true ? true : undefined,
    )
    change(world, rows.at(-1)?.order_id ?? "", { status: "cancelled" })
    const end = await world.untilStill(app, made.id)
    expect(end.job.counts).toMatchObject({ confirmed: 24, conflict: 1 })
    expect(end.rows.at(-1)).toMatchObject({
      state: "conflict",
      conflict: { theirs: { status: "cancelled" } },
    })
  })

  it.each(["flat", "nested", "both", "documented"] as const)(
    "read orders in the %s shape",
    async (orderShape) => {
      for (const absentFields of ["omit", "null", "empty"] as const) {
        const world = createSandboxWorld({ settings: { orderShape, absentFields } })
        const app = world.start()
        const { id } = untouched(world)
        const row = { order_id: id, tracking_number: "0042", carrier: "DHL", expected: unseen }
        expect((await world.carryOut(app, { kind, rows: [row] })).rows[0]?.state).toBe("confirmed")
        const clear = {
          order_id: id,
          tracking_number: "",
          carrier: "",
          expected: { tracking_number: "0042" },
        }
        expect((await world.carryOut(app, { kind, rows: [clear] })).rows[0]?.state).toBe("confirmed")
        expect(world.sandbox.store.orders.get(id)).toMatchObject({ tracking: null, carrier: null })
      }
    },
  )

  it("are read again if they waited long after the read", async () => {
    const world = createSandboxWorld({}, 6)
    const app = world.start()
    const orders = [0, 1, 2, 3, 4, 5].map((at) => untouched(world, at))
    const rows = orders.map(({ id }) => ({ order_id: id, status: "shipped", expected: unseen }))
    const made = dataOf(
      await app.ask("POST /jobs", { body: { kind, rows } }),
      201,
      z.object({ id: z.string() }),
    )
    const looked = (id: string) =>
      world.sandbox.requests.entries.some(({ method, path }) => method === "GET" && path.endsWith(id))
    const waiting = await world.until("a look whose place to send is not there yet", 600_000, () => {
      const seen = orders.filter(({ id }) => looked(id))
      return seen.length - patches(world).length >= 3 ? seen.at(-1) : undefined
    })
    change(world, waiting.id, { carrier: "DHL" })
    const { rows: ended } = await world.untilStill(app, made.id)
    const mine = rows.findIndex(({ order_id }) => order_id === waiting.id)
    expect(ended.map(({ state }) => state)).toEqual(
      rows.map((_, at) => (at === mine ? "conflict" : "confirmed")),
    )
    expect(world.sandbox.store.orders.get(waiting.id)).toMatchObject({ status: "pending", carrier: "DHL" })
  })

  it("make no requests while they wait for another change of their order", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = untouched(world)
    world.sandbox.faults.add({ kind: "slow", ms: 700, match: { method: "PATCH", times: 1 } })
    const ship = (tracking_number: string) =>
      app.ask("POST /jobs", { body: { kind, rows: [{ order_id: id, tracking_number }] } })
    await ship("AAA111")
    await world.until("the first change under way", 60_000, () => patches(world)[0])
    const before = world.sandbox.requests.count
    const second = dataOf(await ship("BBB222"), 201, z.object({ id: z.string() }))
    await world.clock.advance(500)
    expect(world.sandbox.requests.count).toBe(before)
    await world.untilStill(app, second.id)
    expect(world.sandbox.store.orders.get(id)?.tracking).toBe("BBB222")
  })

  it("report a value that the service does not apply: a number that cannot be cleared", async () => {
    const clear = (id: string) => ({ kind, rows: [{ order_id: id, tracking_number: "" }] })
    const ignoring = createSandboxWorld({ settings: { clearTracking: "ignore" } })
    const { id } = untouched(ignoring)
    change(ignoring, id, { tracking: "0042" })
    const ignored = await ignoring.carryOut(ignoring.start(), clear(id))
    expect(ignored.rows[0]).toMatchObject({
      state: "conflict",
      outcome: { code: "not_taken" },
      conflict: { theirs: { tracking_number: "0042" }, yours: { tracking_number: "" } },
    })
    expect(patches(ignoring)).toHaveLength(1)

    const refusing = createSandboxWorld({ settings: { clearTracking: "refuse" } })
    change(refusing, id, { tracking: "0042" })
    const refused = await refusing.carryOut(refusing.start(), clear(id))
    expect(refused.rows[0]).toMatchObject({
      state: "failed",
      outcome: { code: "invalid_request", message: "tracking_number must not be empty" },
    })
  })

  it("let the service refuse invalid status changes", async () => {
    const world = createSandboxWorld({ settings: { orderTransitions: "restricted" } })
    const { id } = untouched(world)
    const end = await world.carryOut(world.start(), { kind, rows: [{ order_id: id, status: "completed" }] })
    expect(end.rows[0]).toMatchObject({
      state: "failed",
      outcome: { message: "Order cannot move from pending to completed" },
    })
  })

  it("accept an unknown status", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = untouched(world)
    change(world, id, { status: "archived_by_partner" })
    const row = { order_id: id, carrier: "DHL", expected: unseen }
    const met = await world.carryOut(app, { kind, rows: [row] })
    expect(met.rows[0]?.conflict?.theirs.status).toBe("archived_by_partner")
    const expected = { ...unseen, status: "archived_by_partner" }
    const sent = await world.carryOut(app, { kind, rows: [{ ...row, expected }] })
    expect(sent.rows[0]?.state).toBe("confirmed")
  })

  it("do not fail by a read before a resend, because the first attempt may have been carried out", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const { id } = untouched(world)
    world.sandbox.faults.add({ kind: "drop-after", match: { method: "PATCH", times: 1 } })
    const rows = [{ order_id: id, status: "shipped", expected: unseen }]
    const going = world.carryOut(app, { kind, rows })
    await world.until("it to be sent", 10_000, () => patches(world)[0])
    change(world, id, { status: "cancelled" })
    const { job, rows: ended } = await going
    expect(ended[0]).toMatchObject({ state: "conflict", attempts: 1, outcome: { code: "changed_there" } })
    world.sandbox.faults.add({ kind: "before-commit-500", status: 404, match: { method: "GET" } })
    await app.ask(`POST /jobs/${job.id}/rows/1/decision`, { body: { decision: "resend" } })
    const again = await world.untilStill(app, job.id)
    expect(again.rows[0]).toMatchObject({
      state: "conflict",
      outcome: {
        code: "order_not_found",
        message: "No order has this id. Nothing was sent again.",
      },
    })
    expect(again.job.attention).toBe(1)
    expect((await app.ask(`POST /jobs/${job.id}/retry`, { body: {} })).status).toBe(409)
  })

  it("fail for a missing order, and are refused for an invalid id", async () => {
    const world = createSandboxWorld()
    const app = world.start()
    const missing = await world.carryOut(app, { kind, rows: [{ order_id: "ord_none", carrier: "DHL" }] })
    expect(missing.rows[0]).toMatchObject({ state: "failed", outcome: { code: "order_not_found" } })
    const answer = await app.ask("POST /jobs", {
      body: { kind, rows: [{ order_id: "..", carrier: "DHL" }] },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.order_id" }] } } },
    })
  })
})

describe("comparing an order before a change", () => {
  it("is a conflict with a change of other fields too, such as a cancelled status", () => {
    const verdict = judgeOrder({
      seen: { status: "processing", tracking_number: "", carrier: "" },
      now: { status: "cancelled", tracking_number: "", carrier: "" },
      wanted: { tracking_number: "0012" },
    })
    expect(verdict).toEqual({ kind: "conflict" })
  })

  it("is done if all fields have their wanted values, whatever was seen", () => {
    const now = { status: "shipped", tracking_number: "0012", carrier: "DHL" }
    expect(judgeOrder({ seen: { status: "pending" }, now, wanted: { status: "shipped" } })).toEqual({
      kind: "done",
    })
  })
})

describe("tracing a change without a response", () => {
  const base = { status: "pending", tracking_number: "", carrier: "" }
  const wanted = { status: "shipped", tracking_number: "0012" }
  const trace = (now: OrderFields) => traceInOrder({ base, send: wanted, wanted, now })

  it.each([
    ["done", { ...base, ...wanted }],
    ["not_done", base],
    ["not_done", { ...base, status: "shipped" }],
    ["changed", { ...base, status: "cancelled" }],
    ["changed", { ...base, tracking_number: "0099" }],
    ["untold", { tracking_number: "", carrier: "" }],
  ] as const)("%s: %j", (verdict, now) => {
    expect(trace(now)).toBe(verdict)
  })
})
