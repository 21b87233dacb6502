import { describe, expect, it, onTestFinished, vi } from "vitest"
import { Offline } from "../../../lib/errors.ts"
import { desk, order } from "../../../../tests/support/ship/bench.ts"
import { timeOfDay } from "../../../lib/time.ts"
import type { KnownOrder } from "./desk-state.ts"
import { claim, release } from "./outbox.ts"

describe("an order of the queue", () => {
  /** A desk whose lookups are pending until the test resolves them. */
  const slowDesk = () => {
    const answer = Promise.withResolvers<KnownOrder | undefined>()
    return { answer, bench: desk({ find: async (id) => (id === "ord_1" ? answer.promise : order(id)) }) }
  }

  it("opens immediately and is refetched: a cancelled one is refused before its label is scanned", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1")
    expect(bench.step()).toMatchObject({ at: "parcel", order: { id: "ord_1" } })
    answer.resolve(order("ord_1", { status: "cancelled" }))
    await bench.settle()
    expect(bench.step().at).toBe("order")
    // The time of the change is unknown.
    expect(bench.refused()?.refusal).toEqual({ why: "cancelled-since", what: "ord_1", detail: "" })
    expect(bench.sounds).toEqual(["refused"])
  })

  it("accepts its label while it is refetched, and shows that it was not checked", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1", "RB123456785AU")
    expect(bench.step().at).toBe("order")
    expect(bench.parcels()).toMatchObject([{ order_id: "ord_1", state: "waiting" }])
    expect(bench.state()).toMatchObject({ pending: null, unread: ["ord_1"] })
    answer.resolve(order("ord_1"))
    await bench.settle()
    expect(bench.state().unread).toEqual([])
    expect(bench.parcels()).toMatchObject([{ state: "waiting", question: null }])
  })

  it.each([
    ["cancelled", order("ord_1", { status: "cancelled" }), "Cancelled while you packed it."],
    [
      "shipped elsewhere",
      order("ord_1", { status: "shipped", tracking_number: "T-1", carrier: "DHL" }),
      "Shipped by someone else with T-1. Is this a second box?",
    ],
    ["numbered", order("ord_1", { tracking_number: "T-1" }), "It has a number already: T-1."],
    ["deleted", undefined, "No order has this id any more."],
  ])(
    "blocks its parcel, not the next order, when the late response has status %s",
    async (_, now, message) => {
      const { answer, bench } = slowDesk()
      await bench.scan("ord_1", "RB123456785AU", "ord_2")
      answer.resolve(now)
      await bench.settle()
      expect(bench.step()).toMatchObject({ at: "parcel", order: { id: "ord_2" }, uncertain: false })
      expect(bench.parcels()).toMatchObject([
        { state: "asks", question: { code: "order_changed", message: expect.stringContaining(message) } },
      ])
      expect(bench.refused()).toBeUndefined()
      if (now === undefined) return
      const { status, tracking_number, carrier } = now
      const [parcel] = bench.parcels()
      bench.change(release(parcel?.key ?? "", "key-again"))
      expect(bench.parcels()).toMatchObject([
        { state: "waiting", key: "key-again", expected: { status, tracking_number, carrier } },
      ])
    },
  )

  it("updates its expected values when a late response shows an irrelevant change", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1", "RB123456785AU")
    answer.resolve(order("ord_1", { status: "processing" }))
    await bench.settle()
    expect(bench.parcels()).toMatchObject([{ state: "waiting", expected: { status: "processing" } }])
  })

  it("leaves a sent parcel to its job, which does its own comparison", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1", "RB123456785AU")
    bench.change(claim("key-1", "Australia Post"))
    answer.resolve(order("ord_1", { status: "cancelled" }))
    await bench.settle()
    expect(bench.parcels()).toMatchObject([{ state: "sent", question: null }])
  })

  it("asks when it was shipped elsewhere, and compares with the current values", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1")
    const there = { status: "shipped", tracking_number: "T-1", carrier: "DHL" }
    answer.resolve(order("ord_1", there))
    await bench.settle()
    expect(bench.step()).toMatchObject({ at: "order-question", why: "shipped" })
    await bench.press("y")
    await bench.scan("ord_1")
    await bench.scan("RB123456785AU")
    expect(bench.parcels()).toMatchObject([{ order_id: "ord_1", expected: there }])
  })

  it("accepts its parcel when the refetch fails: it is compared before the parcel is sent", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1")
    answer.reject(new Offline())
    await bench.settle()
    await bench.scan("RB123456785AU")
    expect(bench.parcels()).toMatchObject([{ order_id: "ord_1" }])
    expect(bench.state().unread).toEqual(["ord_1"])
  })

  it("can be left with Escape while it is refetched; a late response changes nothing", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1")
    bench.dispatch({ type: "escape" })
    answer.resolve(order("ord_1", { status: "cancelled" }))
    await bench.settle()
    expect([bench.step().at, bench.parcels(), bench.refused()]).toEqual(["order", [], undefined])
  })

  it("shows when it was cancelled while open", async () => {
    const { scan, dispatch, settle, refused } = desk()
    await scan("ord_1")
    const at = Date.parse("2026-11-18T04:02:00Z")
    dispatch({ type: "changed", order: order("ord_1", { status: "cancelled" }), changedAt: at })
    await settle()
    expect(refused()?.refusal).toMatchObject({ why: "cancelled-since", detail: timeOfDay(at) })
  })
})

describe("a busy service", () => {
  it("never delays a scan by more than seconds", async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const silent = () => new Promise<never>(() => {})
    const bench = desk({ find: silent, used: silent, recognise: silent })
    const scan = (text: string) =>
      bench.dispatch({ type: "scan", read: { type: "text", text, by: "scanner" } })
    scan("ord_1")
    scan("RB123456785AU")
    await vi.advanceTimersByTimeAsync(2000)
    expect(bench.parcels()).toMatchObject([{ order_id: "ord_1", unchecked: ["number", "carrier"] }])
    // Not in the queue, so nothing is known of it.
    scan("ord_77")
    await vi.advanceTimersByTimeAsync(4000)
    expect(bench.refused()?.refusal).toMatchObject({ why: "no-answer", what: "ord_77" })
  })

  it("a scan is handled while Enter waits for the rest of the queue", async () => {
    const bench = desk({ queueRead: () => new Promise(() => {}) })
    bench.dispatch({ type: "next" })
    await bench.settle()
    expect(bench.step().at).toBe("order")
    await bench.scan("ord_2")
    expect(bench.step()).toMatchObject({ at: "parcel", order: { id: "ord_2" } })
  })
})

describe("a refusal", () => {
  it("disappears after the next good scan", async () => {
    const { scan, refused } = desk()
    await scan("ord_9")
    expect(refused()?.refusal.why).toBe("no-order")
    await scan("ord_1")
    expect(refused()).toBeUndefined()
  })
})

describe("a label that is scanned again", () => {
  it.each([
    ["in the outbox", {}, async (bench: ReturnType<typeof desk>) => bench.scan("ord_1", "RB123456785AU")],
    [
      "shipped by another person",
      { used: async (_: string, except: string) => (except === "" ? "ord_1" : undefined) },
      async () => {},
    ],
  ] as const)("shows the order of %s", async (_what, change, before) => {
    const bench = desk(change)
    await before(bench)
    await bench.scan("RB123456785AU", "ord_2")
    // The next order was scanned on purpose, so it is not dropped.
    expect(bench.step()).toMatchObject({ at: "parcel", order: { id: "ord_2" } })
    expect(bench.result()).toEqual({ type: "label-again", order_id: "ord_1", number: "RB123456785AU" })
  })

  it("reverts nothing when it was half a scan", async () => {
    const { scan, dispatch, settle, parcels } = desk()
    await scan("ord_1", "RB123456785AU")
    await scan("RB123456785AU")
    dispatch({ type: "scan", read: { type: "broken", text: "785AU" } })
    await settle()
    expect(parcels()).toMatchObject([{ order_id: "ord_1" }])
  })
})
