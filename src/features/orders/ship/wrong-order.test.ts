import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Offline } from "../../../lib/errors.ts"
import { desk, known, order } from "../../../../tests/support/ship/bench.ts"
import { parcel } from "../../../../tests/support/ship/parcels.ts"

describe("another order scanned while one is open", () => {
  it("is opened with a sound, and the first one returns to the queue", async () => {
    const { scan, parcels, sounds, result, step } = desk()
    await scan("ord_1", "ord_2")
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_2" }, uncertain: false })
    expect(result()).toMatchObject({ code: "switched", what: "ord_2", closed: "ord_1" })
    expect(sounds).toEqual(["switched"])
    await scan("RB123456785AU")
    expect(parcels().map(({ order_id }) => order_id)).toEqual(["ord_2"])
  })

  it.each([
    ["is cancelled", { find: async (id: string) => order(id, { status: "cancelled" }) }, "cancelled"],
    ["is not there", {}, "no-order"],
    ["cannot be looked up", { find: () => Promise.reject(new Offline()) }, "no-answer"],
    ["is not loaded while offline", { isOffline: () => true }, "not-loaded"],
  ] as const)(
    "closes the first one also when it %s: its label is saved nowhere",
    async (_what, change, why) => {
      const { scan, parcels, refused, step } = desk(change)
      await scan("ord_1", "ord_7")
      expect(refused()).toMatchObject({ code: why, closed: "ord_1" })
      expect(step().at).toBe("order")
      await scan("RB123456785AU")
      expect(parcels()).toEqual([])
      expect(refused()).toBeDefined()
    },
  )

  it("closes the first one while it is still being looked up, and a reload does not restore it", async () => {
    const { scan, reload, step } = desk({ find: () => new Promise(() => {}) })
    await scan("ord_1", "ord_7")
    reload()
    expect(step().at).toBe("order")
  })

  it("must be confirmed when it is shipped, and the first one returns to the queue", async () => {
    const { scan, press, state, step, result } = desk({
      find: async (id) => order(id, { status: "shipped", tracking_number: "OLD" }),
    })
    await scan("ord_1", "ord_7")
    expect(state()).toMatchObject({ step: { at: "order-question" }, closed: "ord_1" })
    await press("y")
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_7" } })
    expect(result()).toMatchObject({ code: "switched", closed: "ord_1" })
  })

  it("is opened from the queue in the same way; opening the open one is a no-op", async () => {
    const { scan, dispatch, settle, result, press, step } = desk()
    await scan("ord_1")
    dispatch({ type: "pick", id: "ord_2" })
    await settle()
    expect(result()).toMatchObject({ code: "switched", closed: "ord_1" })
    await scan("ord_2")
    expect(result()).toMatchObject({ code: "still-open", what: "ord_2" })
    await press("s")
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_1" } })
  })
})

describe("another order while the open one’s parcel only waits for its carrier", () => {
  it.each(["scanned", "picked"])("opens once that parcel is saved, when it was %s", async (how) => {
    const { scan, dispatch, settle, step, parcels, sounds } = desk({
      recognise: async (number) => known(number, { chosen: null, why: "asked" }),
    })
    await scan("ord_1", "33ABC4401927")
    if (how === "scanned") await scan("ord_2")
    else dispatch({ type: "pick", id: "ord_2" })
    await settle()
    // The outbox requests its carrier.
    expect(parcels()).toMatchObject([
      { order_id: "ord_1", tracking_number: "33ABC4401927", carrier: null, unchecked: ["carrier"] },
    ])
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_2" }, uncertain: false })
    expect(sounds).toEqual(["refused", "saved"])
  })
})

describe("a label right after a refused scan", () => {
  it.each([
    ["a rounded number", { type: "text", text: "9.4E+21", by: "scanner" }],
    ["a number too long", { type: "text", text: "7".repeat(300), by: "scanner" }],
    ["a scan on top of something typed", { type: "mixed", text: "xord_2" }],
  ] as const)("must be confirmed: %s", async (_what, read) => {
    const { scan, press, dispatch, settle, parcels, step } = desk()
    await scan("ord_1")
    dispatch({ type: "scan", read: read })
    await settle()
    await scan("RB123456785AU", "RB123456785AU")
    await scan("RB123456785AU")
    expect(step()).toMatchObject({ at: "parcel-question", number: "RB123456785AU", order: { id: "ord_1" } })
    expect(parcels()).toEqual([])
    await press("y")
    expect(parcels()).toMatchObject([{ order_id: "ord_1", tracking_number: "RB123456785AU" }])
  })

  it("is saved when its order is scanned again, and discarded with an order that is put back or replaced", async () => {
    for (const [scans, expected] of [
      [["ord_1", "RB123456785AU"], ["ord_1"]],
      [["RB123456785AU", "ord_1"], []],
      [["RB123456785AU", "ord_2"], []],
    ] as const) {
      const { scan, parcels } = desk()
      await scan("ord_1", "9.4E+21")
      for (const each of scans) await scan(each)
      expect(parcels().map(({ order_id }) => order_id)).toEqual(expected)
    }
    const { scan, press, step } = desk()
    await scan("ord_1", "9.4E+21")
    await scan("RB123456785AU")
    await press("n")
    expect(step().at).toBe("order")
  })

  it("must be confirmed also during a question about another number", async () => {
    const { scan, step } = desk({ used: async () => "ord_8" })
    await scan("ord_1", "RB123456785AU")
    await scan("RB123456799AU")
    expect(step()).toMatchObject({ at: "parcel-question", number: "RB123456799AU" })
  })
})

describe("a reload", () => {
  it("closes the open order: its label is refused until the order is scanned again", async () => {
    const { scan, reload, step, refused, parcels } = desk()
    await scan("ord_1")
    reload()
    expect(step().at).toBe("order")
    await scan("RB123456785AU")
    expect(refused()?.code).toBe("no-order")
    await scan("ord_1", "RB123456785AU")
    expect(parcels()).toMatchObject([{ order_id: "ord_1" }])
  })

  it("makes the next number uncertain when the page returns from the browser's history", async () => {
    const { scan, step, ...bench } = desk()
    await scan("ord_1")
    bench.dispatch({ type: "leave" })
    bench.dispatch({ type: "restored" })
    await scan("RB123456785AU")
    expect(step().at).toBe("parcel-question")
  })

  it("an order that was shipped in another tab accepts no second parcel", async () => {
    const { scan, change, refused, parcels } = desk()
    await scan("ord_1")
    change((data) => ({ ...data, parcels: [parcel(1, { key: "theirs" })] }))
    await scan("RB123456785AU")
    expect(refused()?.code).toBe("in-outbox")
    expect(parcels()).toHaveLength(1)
  })
})

describe("parcels on the wrong order", () => {
  /** What a packer does with one parcel: its slip and its label, each scanned in some way or skipped. */
  type Reading = "well" | "in-two" | "typed-before" | "rounded" | "twice"
  interface Handling {
    readonly order: number
    readonly slip: Reading
    readonly label: Reading | "left"
    /** How often the packer repeats a refused scan. */
    readonly tries: number
    readonly between: readonly Between[]
  }
  /** `away`: the page was not there when the slip was scanned. `slow`: the packer waits for the desk's response. */
  type Between = "reload" | "away" | "undo" | "slow"
  const reading = fc.oneof(
    { weight: 2, arbitrary: fc.constant<Reading>("well") },
    { weight: 1, arbitrary: fc.constantFrom<Reading>("in-two", "typed-before", "rounded", "twice") },
  )
  const disturbance = fc.constantFrom<Between>("reload", "away", "undo", "slow")
  const handling: fc.Arbitrary<Handling> = fc.record({
    // 1 to 4 are in the queue, 5 is not, 6 is cancelled, 7 shipped, 8 unknown, 9 fails to load.
    order: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 9 })),
    slip: reading,
    label: fc.oneof(reading, fc.constant("left" as const)),
    tries: fc.integer({ min: 0, max: 2 }),
    between: fc.oneof(fc.constant([]), fc.array(disturbance, { minLength: 1, maxLength: 2 })),
  })
  const idOf = (number: number) => `ord_${number}`
  const labelOf = (number: number) => `RB12345678${number}AU`
  const found = (id: string) => {
    if (id === idOf(9)) throw new Offline()
    if (id === idOf(8) || !/^ord_\d$/.test(id)) return undefined
    if (id === idOf(7)) return order(id, { status: "shipped", tracking_number: "OLD" })
    return order(id, { status: id === idOf(6) ? "cancelled" : "pending" })
  }

  it("never occur, whatever is scanned, refused, broken, reloaded or undone in whatever order", async () => {
    let saved = 0
    await fc.assert(
      fc.asyncProperty(fc.array(handling, { minLength: 4, maxLength: 12 }), async (all) => {
        const bench = desk({
          loaded: () => [1, 2, 3, 4].map((number) => order(idOf(number))),
          find: async (id) => found(id),
          used: async (number) => (number === labelOf(3) ? idOf(8) : undefined),
        })
        // No test step waits for a timer.
        const settle = async () => {
          for (let turn = 0; turn < 60; turn += 1) await Promise.resolve()
        }
        const press = (key: string) => bench.dispatch({ type: "scan", read: { type: "command", key } })
        const read = (text: string, how: Reading) => {
          const half = Math.ceil(text.length / 2)
          const { dispatch } = bench
          if (how === "typed-before") dispatch({ type: "scan", read: { type: "mixed", text: `7${text}` } })
          else if (how === "rounded")
            dispatch({ type: "scan", read: { type: "text", text: "9.4E+21", by: "scanner" } })
          else if (how === "in-two") {
            dispatch({ type: "scan", read: { type: "text", text: text.slice(0, half), by: "scanner" } })
            dispatch({ type: "scan", read: { type: "broken", text: text.slice(half) } })
          } else {
            dispatch({ type: "scan", read: { type: "text", text, by: "scanner" } })
            if (how === "twice") dispatch({ type: "scan", read: { type: "text", text, by: "scanner" } })
          }
        }
        for (const { order: number, slip, label, tries, between } of all) {
          const scanAll = async () => {
            // Without a pause the label is scanned before the slip's outcome.
            const slow = between.includes("slow")
            if (between.includes("away")) bench.reload()
            else read(idOf(number), slip)
            if (slow) await settle()
            if (between.includes("reload")) bench.reload()
            if (label !== "left") read(labelOf(number), label)
            await settle()
          }
          await scanAll()
          for (let again = label === "left" ? tries : 0; again < tries; again += 1) {
            // After a refusal the packer scans the label again and answers questions by the parcel in hand.
            bench.dispatch({ type: "scan", read: { type: "text", text: labelOf(number), by: "scanner" } })
            await settle()
            const step = bench.step()
            if (step.at === "parcel-question" || step.at === "number-question")
              press(step.order.id === idOf(number) ? "y" : "n")
            await settle()
          }
          if (between.includes("undo")) press("u")
          await settle()
          expect(
            bench
              .parcels()
              .filter(
                ({ order_id, tracking_number }) => tracking_number !== labelOf(Number(order_id.slice(4))),
              ),
          ).toEqual([])
        }
        saved += bench.parcels().length
      }),
      { numRuns: 2000 },
    )
    // Most runs do end in parcels.
    expect(saved).toBeGreaterThan(100)
  })
})
