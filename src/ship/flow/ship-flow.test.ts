import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { firstCarriers, type Recognised } from "../../../contract/desk/carriers.ts"
import { Offline } from "../../api/errors.ts"
import { externalValue } from "../../lib/external-value.ts"
import type { KnownOrder } from "../known-order.ts"
import type { OutboxChange } from "../outbox/outbox-changes.ts"
import { claim, confirm } from "../outbox/outbox-changes.ts"
import { emptyOutbox, type OutboxData } from "../outbox/parcel.ts"
import { parcel } from "../testing/parcels.ts"
import type { HeldOrder } from "../held-order.ts"
import type { FlowPorts } from "./flow-ports.ts"
import { createShipFlow, undoFor } from "./ship-flow.ts"

const order = (id: string, change: Partial<KnownOrder> = {}): KnownOrder => ({
  id,
  status: "pending",
  type: undefined,
  tracking_number: null,
  carrier: null,
  ...change,
})

const known = (number: string, change: Partial<Recognised> = {}): Recognised => ({
  number,
  carriers: ["auspost"],
  chosen: "auspost",
  why: "shape",
  link: null,
  ...change,
})

/** A desk with two orders in its queue, and what it said and sounded. */
function desk(change: Partial<FlowPorts> = {}, data: OutboxData = emptyOutbox) {
  const box = externalValue(data)
  const sounds: string[] = []
  const asked: string[] = []
  let keys = 0
  let held: HeldOrder | null = null
  let now = 1000
  /** The page as it was loaded once: when it is gone, nothing comes of it any more. */
  const load = () => {
    let gone = false
    const ports: FlowPorts = {
      outbox: {
        data: box,
        async change(each: OutboxChange) {
          if (gone) return new Promise(() => {})
          box.set(each(box.get()))
          return box.get()
        },
      },
      loaded: () => [order("ord_1"), order("ord_2")],
      carriers: () => firstCarriers.carriers.filter(({ offered }) => offered),
      isOffline: () => false,
      find: async (id) => void asked.push(id),
      recognise: async (number) => known(number),
      used: async () => undefined,
      remember: (number, carrier) => void asked.push(`${number} is ${carrier.name}`),
      chime: (kind) => void sounds.push(kind),
      held: { read: () => held, keep: (order) => void (gone || (held = order)) },
      newKey: () => `key-${(keys += 1)}`,
      now: () => now,
      ...change,
    }
    return {
      flow: createShipFlow(ports),
      end: () => void (gone = true),
    }
  }
  let page = load()
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  return {
    get flow() {
      return page.flow
    },
    sounds,
    asked,
    settle,
    /** The page is loaded again: only the outbox and the open order are left. */
    reload: (how: "at once" | "later" | "after a crash" = "at once") => {
      if (how !== "after a crash") page.flow.leave()
      page.end()
      if (how === "later") now += 60_000
      page = load()
    },
    change: (...changes: readonly OutboxChange[]) => {
      for (const each of changes) box.set(each(box.get()))
    },
    pass: (ms: number) => void (now += ms),
    result: () => page.flow.state.get().result,
    shipped: () => box.get().shipped,
    parcels: () => box.get().parcels,
    scan: async (...texts: readonly string[]) => {
      for (const text of texts) page.flow.take({ type: "text", text, by: "scanner" })
      await settle()
    },
    press: async (key: string) => {
      page.flow.take({ type: "command", key })
      await settle()
    },
    step: () => page.flow.state.get().step,
    refused: () => {
      const { result } = page.flow.state.get()
      return result?.type === "refused" ? result : undefined
    },
  }
}

describe("two scans", () => {
  it("keep a parcel with what the person saw, and ask for the next order", async () => {
    const { scan, parcels, step, sounds, asked } = desk()
    await scan("ord_1", "RB123456785AU")
    expect(parcels()).toEqual([
      {
        ...parcel(1),
        key: "key-1",
        at: 1000,
        tracking_number: "RB123456785AU",
        expected: { status: "pending", tracking_number: null, carrier: null },
      },
    ])
    expect(step().at).toBe("order")
    expect(sounds).toEqual(["kept"])
    expect(asked).toEqual([])
  })

  it("leave a number as it was printed, without the scanner's own marks", async () => {
    const { scan, parcels } = desk()
    await scan("]C1ord_1\r", "\u001d00093275105000000012 ")
    expect(parcels()[0]).toMatchObject({ order_id: "ord_1", tracking_number: "00093275105000000012" })
  })

  it("find the order whatever Caps Lock makes of it", async () => {
    const { scan, parcels } = desk()
    await scan("ORD_1", "RB123456785AU")
    expect(parcels()[0]?.order_id).toBe("ord_1")
  })

  it("wait for each other when they come faster than they are looked up", async () => {
    const { scan, parcels, settle } = desk({
      recognise: (number) => new Promise((resolve) => setTimeout(() => resolve(known(number)), 20)),
    })
    await scan("ord_1", "RB123456785AU", "ord_2", "RB123456794AU")
    while (parcels().length < 2) await settle()
    expect(parcels().map(({ order_id: id }) => id)).toEqual(["ord_1", "ord_2"])
  })
})

describe("what is refused", () => {
  it.each([
    ["a rounded number", ["ord_1", "9.4E+21"], "rounded"],
    ["an order nobody has", ["ord_9"], "no-order"],
  ])("%s, with nothing kept", async (_what, texts, why) => {
    const { scan, parcels, refused, sounds } = desk()
    await scan(...texts)
    expect(refused()?.refusal.why).toBe(why)
    expect(parcels()).toEqual([])
    expect(sounds).toEqual(["refused"])
  })

  it.each([
    ["cancelled", { status: "cancelled" }],
    ["digital", { type: "digital" }],
  ])("a %s order", async (why, change) => {
    const { scan, refused, step } = desk({ find: async (id) => order(id, change) })
    await scan("ord_7")
    expect(refused()?.refusal.why).toBe(why)
    expect(step().at).toBe("order")
  })

  it("an order that is already in the outbox", async () => {
    const { scan, refused } = desk({}, { ...emptyOutbox, parcels: [parcel(1)] })
    await scan("ord_1")
    expect(refused()?.refusal).toMatchObject({ why: "in-outbox", number: parcel(1).tracking_number })
  })

  it("with the scans after it, which were meant to follow it", async () => {
    const { scan, refused, parcels, step } = desk()
    await scan("ord_9", "RB123456785AU")
    expect(refused()?.dropped).toBe(1)
    expect(step().at).toBe("order")
    expect(parcels()).toEqual([])
  })

  it("an order that is not loaded while offline, and one that cannot be looked up", async () => {
    const offline = desk({ isOffline: () => true })
    await offline.scan("ord_9")
    expect(offline.refused()?.refusal.why).toBe("not-loaded")
    const broken = desk({ find: () => Promise.reject(new Offline()) })
    await broken.scan("ord_9")
    expect(broken.refused()?.refusal.why).toBe("no-answer")
  })
})

describe("what is asked", () => {
  it("goes on with a shipped order when the person says so, and compares with what was there", async () => {
    const shipped = { status: "shipped", tracking_number: "OLD", carrier: "DHL" }
    const { scan, press, step, parcels } = desk({ find: async (id) => order(id, shipped) })
    await scan("ord_7")
    expect(step()).toMatchObject({ at: "order-question", why: "shipped" })
    await press("n")
    expect(step().at).toBe("order")
    await scan("ord_7")
    await press("y")
    await scan("RB123456785AU")
    expect(parcels()[0]).toMatchObject({ order_id: "ord_7", expected: shipped })
  })

  it("keeps a number that another order has only when it is meant, by a key or by the order's scan once more", async () => {
    const { scan, press, step, parcels } = desk({ used: async () => "ord_8" })
    await scan("ord_1", "RB123456785AU")
    expect(step()).toMatchObject({ at: "number-question", other: "ord_8" })
    await press("n")
    expect(step().at).toBe("parcel")
    expect(parcels()).toEqual([])
    // A low tone makes people scan again: that alone confirms nothing.
    await scan("RB123456785AU", "RB123456785AU")
    await scan("RB123456785AU")
    expect(step()).toMatchObject({ at: "number-question", other: "ord_8" })
    expect(parcels()).toEqual([])
    await scan("ord_1")
    expect(parcels()).toMatchObject([{ order_id: "ord_1", tracking_number: "RB123456785AU" }])
  })

  it("knows by itself that a parcel of the outbox has the number", async () => {
    const data = { ...emptyOutbox, parcels: [parcel(5, { tracking_number: "RB 1234-56785 au" })] }
    const { scan, step } = desk({ isOffline: () => true }, data)
    await scan("ord_1", "RB123456785AU")
    expect(step()).toMatchObject({ at: "number-question", other: "ord_5" })
  })

  it("asks whose number it is by one key, the likeliest first, and has it remembered", async () => {
    const { scan, press, step, parcels, asked } = desk({
      recognise: async (number) => known(number, { carriers: ["fedex"], chosen: null, why: "asked" }),
    })
    await scan("ord_1", "986578788855")
    const now = step()
    expect(now.at === "carrier" && now.choices.map(({ code }) => code).slice(0, 2)).toEqual([
      "fedex",
      "auspost",
    ])
    await press("1")
    expect(parcels()[0]).toMatchObject({ carrier: "FedEx", unchecked: [] })
    expect(asked).toEqual(["986578788855 is FedEx"])
  })
})

describe("offline", () => {
  const offline: Partial<FlowPorts> = { isOffline: () => true }

  it("takes the carrier that numbers like it had before, and says what was not looked up", async () => {
    const shipped = [
      { order_id: "ord_5", tracking_number: "RB129999995AU", carrier: "Australia Post", at: 900 },
    ]
    const { scan, parcels } = desk(offline, { ...emptyOutbox, shipped })
    await scan("ord_1", "RB123456785AU")
    expect(parcels()[0]).toMatchObject({ carrier: "Australia Post", unchecked: ["number"] })
  })

  it("asks for the carrier else; 0 leaves it to be looked up before it is sent", async () => {
    const { scan, press, parcels, step } = desk(offline)
    await scan("ord_1", "RB123456785AU")
    expect(step().at).toBe("carrier")
    await press("0")
    expect(parcels()[0]).toMatchObject({ carrier: null, unchecked: ["number", "carrier"] })
  })
})

describe("another order while one is open", () => {
  it("is opened aloud, and the first one is back in the queue", async () => {
    const { scan, parcels, sounds, result, step } = desk()
    await scan("ord_1", "ord_2")
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_2" }, doubted: false })
    expect(result()).toEqual({ type: "switched", order_id: "ord_2", from: "ord_1" })
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
      expect(refused()).toMatchObject({ refusal: { why }, putBack: "ord_1" })
      expect(step().at).toBe("order")
      await scan("RB123456785AU")
      expect(parcels()).toEqual([])
      expect(refused()).toBeDefined()
    },
  )

  it("closes the first one while it is still being looked up, so that a reload does not bring that back", async () => {
    const { scan, reload, step } = desk({ find: () => new Promise(() => {}) })
    await scan("ord_1", "ord_7")
    reload()
    expect(step().at).toBe("order")
  })

  it("asks first where it has been shipped, and says that the first one is back", async () => {
    const { scan, press, step, result } = desk({
      find: async (id) => order(id, { status: "shipped", tracking_number: "OLD" }),
    })
    await scan("ord_1", "ord_7")
    expect(step()).toMatchObject({ at: "order-question", from: "ord_1" })
    await press("y")
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_7" } })
    expect(result()).toMatchObject({ type: "switched", from: "ord_1" })
  })

  it("is opened from the queue in the same way; the open one stays open", async () => {
    const { scan, flow, settle, result, press, step } = desk()
    await scan("ord_1")
    flow.pick("ord_2")
    await settle()
    expect(result()).toMatchObject({ type: "switched", from: "ord_1" })
    await scan("ord_2")
    expect(result()).toEqual({ type: "still-open", order_id: "ord_2", reloaded: false })
    await press("s")
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_1" } })
  })
})

describe("a label right after a refused scan", () => {
  it.each([
    ["a rounded number", { type: "text", text: "9.4E+21", by: "scanner" }],
    ["a number too long", { type: "text", text: "7".repeat(300), by: "scanner" }],
    ["a scan on top of something typed", { type: "mixed", text: "xord_2" }],
  ] as const)("is asked about: %s", async (_what, read) => {
    const { scan, press, flow, settle, parcels, step } = desk()
    await scan("ord_1")
    flow.take(read)
    await settle()
    await scan("RB123456785AU", "RB123456785AU")
    await scan("RB123456785AU")
    expect(step()).toMatchObject({ at: "parcel-question", number: "RB123456785AU", order: { id: "ord_1" } })
    expect(parcels()).toEqual([])
    await press("y")
    expect(parcels()).toMatchObject([{ order_id: "ord_1", tracking_number: "RB123456785AU" }])
  })

  it("is saved where the order is scanned again, goes with an order that is put back, and to none with another", async () => {
    for (const [scans, kept] of [
      [["ord_1", "RB123456785AU"], ["ord_1"]],
      [["RB123456785AU", "ord_1"], []],
      [["RB123456785AU", "ord_2"], []],
    ] as const) {
      const { scan, parcels } = desk()
      await scan("ord_1", "9.4E+21")
      for (const each of scans) await scan(each)
      expect(parcels().map(({ order_id }) => order_id)).toEqual(kept)
    }
    const { scan, press, step } = desk()
    await scan("ord_1", "9.4E+21")
    await scan("RB123456785AU")
    await press("n")
    expect(step().at).toBe("order")
  })

  it("is asked about, too, while another number is asked about", async () => {
    const { scan, step } = desk({ used: async () => "ord_8" })
    await scan("ord_1", "RB123456785AU")
    await scan("RB123456794AU")
    expect(step()).toMatchObject({ at: "parcel-question", number: "RB123456794AU" })
  })
})

describe("a reload", () => {
  it("keeps the open order, and says so", async () => {
    const { scan, reload, step, result, parcels } = desk()
    await scan("ord_1")
    reload()
    expect(step()).toEqual({ at: "parcel", order: order("ord_1"), doubted: false })
    expect(result()).toEqual({ type: "still-open", order_id: "ord_1", reloaded: true })
    await scan("RB123456785AU")
    expect(parcels()).toMatchObject([{ order_id: "ord_1" }])
    reload()
    expect(step().at).toBe("order")
  })

  it.each(["later", "after a crash"] as const)(
    "asks about the next number when the page comes back %s: a scan may have gone unread",
    async (how) => {
      const { scan, reload, step } = desk()
      await scan("ord_1")
      reload(how)
      expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_1" } })
      await scan("RB123456785AU")
      expect(step().at).toBe("parcel-question")
    },
  )

  it("keeps a doubt, and doubts where a question was open", async () => {
    const { scan, reload, step } = desk({ used: async () => "ord_8" })
    await scan("ord_1", "RB123456785AU")
    reload()
    expect(step()).toMatchObject({ at: "parcel", doubted: true })
    reload()
    await scan("RB123456785AU")
    expect(step().at).toBe("parcel-question")
  })

  it("opens no order that was shipped meanwhile in another tab, and an open one takes no second parcel", async () => {
    const { scan, reload, step, change, refused, parcels } = desk()
    await scan("ord_1")
    change((data) => ({ ...data, parcels: [parcel(1, { key: "theirs" })] }))
    await scan("RB123456785AU")
    expect(refused()?.refusal.why).toBe("in-outbox")
    expect(parcels()).toHaveLength(1)
    const other = desk()
    await other.scan("ord_1")
    other.change((data) => ({ ...data, shipped: [{ ...parcel(1), at: 1 }] }))
    other.reload()
    expect(other.step().at).toBe("order")
    reload()
    expect(step().at).toBe("order")
  })
})

describe("parcels on the wrong order", () => {
  /** What a person at a bench does with one parcel: its slip and its label, each read in some way, or left. */
  type Reading = "well" | "in-two" | "typed-before" | "rounded" | "twice"
  interface Handling {
    readonly order: number
    readonly slip: Reading
    readonly label: Reading | "left"
    /** How often the person scans again what was refused. */
    readonly tries: number
    readonly between: readonly Between[]
  }
  /** `away`: the page was not there when the slip was scanned. `slow`: the person waits for what the desk says. */
  type Between = "reload" | "away" | "crash" | "undo" | "slow"
  const reading = fc.oneof(
    { weight: 2, arbitrary: fc.constant<Reading>("well") },
    { weight: 1, arbitrary: fc.constantFrom<Reading>("in-two", "typed-before", "rounded", "twice") },
  )
  const disturbance = fc.constantFrom<Between>("reload", "away", "crash", "undo", "slow")
  const handling: fc.Arbitrary<Handling> = fc.record({
    // 1 to 4 wait in the queue, 5 does not, 6 is cancelled, 7 shipped, 8 nobody knows, 9 cannot be looked up.
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

  it("are none, whatever is scanned in whatever order, refused, broken, reloaded or undone", async () => {
    let saved = 0
    await fc.assert(
      fc.asyncProperty(fc.array(handling, { minLength: 4, maxLength: 12 }), async (all) => {
        const bench = desk({
          loaded: () => [1, 2, 3, 4].map((number) => order(idOf(number))),
          find: async (id) => found(id),
          used: async (number) => (number === labelOf(3) ? idOf(8) : undefined),
        })
        // Nothing here waits for a timer.
        const settle = async () => {
          for (let turn = 0; turn < 60; turn += 1) await Promise.resolve()
        }
        const press = (key: string) => bench.flow.take({ type: "command", key })
        const read = (text: string, how: Reading) => {
          const half = Math.ceil(text.length / 2)
          const { flow } = bench
          if (how === "typed-before") flow.take({ type: "mixed", text: `7${text}` })
          else if (how === "rounded") flow.take({ type: "text", text: "9.4E+21", by: "scanner" })
          else if (how === "in-two") {
            flow.take({ type: "text", text: text.slice(0, half), by: "scanner" })
            flow.take({ type: "broken", text: text.slice(half) })
          } else {
            flow.take({ type: "text", text, by: "scanner" })
            if (how === "twice") flow.take({ type: "text", text, by: "scanner" })
          }
        }
        for (const { order: number, slip, label, tries, between } of all) {
          const scanAll = async () => {
            // Without a pause the label is scanned before anything was said about the slip.
            const slow = between.includes("slow")
            if (between.includes("away")) bench.reload("later")
            else read(idOf(number), slip)
            if (slow) await settle()
            if (between.includes("reload")) bench.reload()
            if (between.includes("crash")) bench.reload("after a crash")
            if (label !== "left") read(labelOf(number), label)
            await settle()
          }
          await scanAll()
          for (let again = label === "left" ? tries : 0; again < tries; again += 1) {
            // Somebody who hears a refusal scans the label again, and answers what is asked by what they hold.
            bench.flow.take({ type: "text", text: labelOf(number), by: "scanner" })
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
      { numRuns: 300 },
    )
    // Most of it does end in parcels.
    expect(saved).toBeGreaterThan(100)
  })
})

describe("undoing", () => {
  it("takes the last parcel out while it was not sent, however old", async () => {
    const { scan, press, parcels, result, refused, pass } = desk()
    await scan("ord_1", "RB123456785AU")
    pass(10 * undoFor)
    await press("u")
    expect(parcels()).toEqual([])
    expect(result()).toEqual({ type: "undone", order_id: "ord_1", sent: false })
    await press("u")
    expect(refused()?.refusal.why).toBe("nothing-to-undo")
  })

  it("sends an update back to what the order was, for a minute after the scan of what was sent", async () => {
    const before = { status: "processing", tracking_number: "OLD", carrier: null }
    const { scan, press, parcels, result, shipped, change, pass } = desk({
      loaded: () => [order("ord_1"), order("ord_3", before)],
    })
    await scan("ord_1", "RB123456785AU", "ord_3")
    await press("y")
    await scan("RB123456794AU")
    change(claim("key-1", "Australia Post"), claim("key-2", "Australia Post"), confirm("key-1", 2000))
    pass(undoFor)
    await press("u")
    expect(result()).toEqual({ type: "undone", order_id: "ord_3", sent: true })
    await press("u")
    expect(parcels().map(({ order_id, undoes, expected }) => ({ order_id, undoes, expected }))).toEqual([
      { order_id: "ord_3", undoes: undefined, expected: before },
      {
        order_id: "ord_3",
        undoes: before,
        expected: { status: "shipped", tracking_number: "RB123456794AU", carrier: "Australia Post" },
      },
      {
        order_id: "ord_1",
        undoes: { status: "pending", tracking_number: null, carrier: null },
        expected: { status: "shipped", tracking_number: "RB123456785AU", carrier: "Australia Post" },
      },
    ])
    change(confirm(parcels()[2]?.key ?? "", 3000))
    expect(shipped()).toEqual([])
  })

  it("is too late a minute after the scan, and once only", async () => {
    const { scan, press, refused, change, flow, settle, pass, parcels } = desk()
    await scan("ord_1", "RB123456785AU")
    change(claim("key-1", "Australia Post"), confirm("key-1", 2000))
    flow.undo("key-1")
    flow.undo("key-1")
    await settle()
    expect(parcels()).toHaveLength(1)
    const late = desk()
    await late.scan("ord_1", "RB123456785AU")
    late.change(claim("key-1", "Australia Post"), confirm("key-1", 2000))
    late.pass(undoFor + 1)
    await late.press("u")
    expect(late.refused()?.refusal.why).toBe("too-late")
    expect(late.parcels()).toEqual([])
    pass(0)
    await press("u")
    expect(refused()?.refusal.why).toBe("nothing-to-undo")
  })

  it("frees the number for the order it belongs to", async () => {
    const { scan, press, parcels, step } = desk({ used: async () => "ord_1" })
    const server = desk({ used: async () => "ord_1" })
    await server.scan("ord_1", "RB123456785AU")
    server.change(claim("key-1", "Australia Post"), confirm("key-1", 2000))
    await server.press("u")
    await server.scan("ord_2", "RB123456785AU")
    expect(server.parcels().map(({ order_id, undoes }) => [order_id, undoes !== undefined])).toEqual([
      ["ord_1", true],
      ["ord_2", false],
    ])
    // Without an undo it is asked.
    await scan("ord_2", "RB123456785AU")
    expect(step().at).toBe("number-question")
    await press("n")
    expect(parcels()).toEqual([])
  })
})

describe("half a scan, and Escape", () => {
  it("makes nothing of half a scan, whatever became of it", async () => {
    const { scan, flow, settle, parcels, step } = desk()
    await scan("ord_1", "RB1234")
    flow.take({ type: "broken", text: "56785AU" })
    await settle()
    expect(parcels()).toEqual([])
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_1" } })
    // It may have been another order: what is scanned next is not for this one unseen.
    await scan("RB123456785AU")
    expect(step().at).toBe("parcel-question")
    expect(parcels()).toEqual([])
    const asking = desk({ recognise: async () => undefined })
    await asking.scan("ord_1")
    asking.flow.take({ type: "text", text: "RB1234", by: "scanner" })
    asking.flow.take({ type: "broken", text: "56785AU" })
    await asking.settle()
    expect(asking.step().at).toBe("parcel")
    expect(asking.refused()?.refusal.why).toBe("broken")
  })

  it("leaves with Escape a look-up that never ends: what is scanned next is read at once", async () => {
    const { scan, flow, settle, parcels, step } = desk({ find: () => new Promise(() => {}) })
    await scan("ord_9")
    flow.escape()
    await settle()
    await scan("ord_1", "RB123456785AU")
    expect(parcels()).toHaveLength(1)
    expect(step().at).toBe("order")
  })

  it("drops the order in hand with Escape, also while its number is looked up", async () => {
    const { scan, flow, settle, parcels, step } = desk({
      recognise: (number) => new Promise((resolve) => setTimeout(() => resolve(known(number)), 10)),
    })
    await scan("ord_1", "RB123456785AU")
    flow.escape()
    expect(step().at).toBe("order")
    await new Promise((resolve) => setTimeout(resolve, 20))
    await settle()
    expect(parcels()).toEqual([])
    expect(step().at).toBe("order")
  })
})
