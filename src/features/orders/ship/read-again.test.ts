import { describe, expect, it } from "vitest"
import { Offline } from "../../../lib/errors.ts"
import { desk, order } from "../../../../tests/support/ship/bench.ts"
import type { KnownOrder } from "./flow-state.ts"

describe("an order of the queue", () => {
  /** What the service says of an order when the test lets it. */
  const slowDesk = () => {
    const answer = Promise.withResolvers<KnownOrder | undefined>()
    return { answer, bench: desk({ find: () => answer.promise, loadedAt: () => 0 }) }
  }

  it("opens immediately and is read again: a cancelled one is refused before its label is scanned", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1")
    expect(bench.step()).toMatchObject({ at: "parcel", order: { id: "ord_1" } })
    answer.resolve(order("ord_1", { status: "cancelled" }))
    await bench.settle()
    expect(bench.step().at).toBe("order")
    expect(bench.refused()?.refusal).toMatchObject({
      why: "cancelled",
      what: "ord_1",
      detail: expect.stringMatching(/^after /),
    })
    expect(bench.sounds).toEqual(["refused"])
  })

  it("keeps a label waiting for the answer, and saves none for an order that was cancelled", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1", "RB123456785AU")
    expect([bench.parcels(), bench.flow.state.get().busy]).toEqual([[], "number"])
    answer.resolve(order("ord_1", { status: "cancelled" }))
    await bench.settle()
    expect([bench.step().at, bench.parcels()]).toEqual(["order", []])
    expect(bench.refused()?.refusal.why).toBe("cancelled")
  })

  it("asks where it was shipped elsewhere, and compares with what is there now", async () => {
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

  it("takes its parcel where it cannot be read: it is compared before the parcel is sent", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1", "RB123456785AU")
    answer.reject(new Offline())
    await bench.settle()
    expect(bench.parcels()).toMatchObject([{ order_id: "ord_1" }])
  })

  it("is left with Escape while it is being read, and a late answer changes nothing", async () => {
    const { answer, bench } = slowDesk()
    await bench.scan("ord_1", "RB123456785AU")
    bench.flow.escape()
    answer.resolve(order("ord_1", { status: "cancelled" }))
    await bench.settle()
    expect([bench.step().at, bench.parcels(), bench.refused()]).toEqual(["order", [], undefined])
  })

  it("says when it was cancelled while it was open", async () => {
    const { scan, flow, settle, refused } = desk()
    await scan("ord_1")
    flow.changed(order("ord_1", { status: "cancelled" }))
    await settle()
    expect(refused()?.refusal).toMatchObject({ why: "cancelled", detail: expect.stringMatching(/^at /) })
  })
})

describe("a refusal", () => {
  it("is gone when the next scan is good", async () => {
    const { scan, refused } = desk()
    await scan("ord_9")
    expect(refused()?.refusal.why).toBe("no-order")
    await scan("ord_1")
    expect(refused()).toBeUndefined()
  })
})

describe("a label that is read again", () => {
  it.each([
    ["in the outbox", {}, async (bench: ReturnType<typeof desk>) => bench.scan("ord_1", "RB123456785AU")],
    [
      "shipped by another person",
      { used: async (_: string, except: string) => (except === "" ? "ord_1" : undefined) },
      async () => {},
    ],
  ] as const)("says which order it is on: one that is %s", async (_what, change, before) => {
    const bench = desk(change)
    await before(bench)
    await bench.scan("RB123456785AU", "ord_2")
    // The next order was scanned on purpose, so it is not dropped.
    expect(bench.step()).toMatchObject({ at: "parcel", order: { id: "ord_2" } })
    expect(bench.result()).toEqual({ type: "label-again", order_id: "ord_1", number: "RB123456785AU" })
  })

  it("takes nothing back where it was only half of one", async () => {
    const { scan, flow, settle, parcels } = desk()
    await scan("ord_1", "RB123456785AU")
    await scan("RB123456785AU")
    flow.take({ type: "broken", text: "785AU" })
    await settle()
    expect(parcels()).toMatchObject([{ order_id: "ord_1" }])
  })
})
