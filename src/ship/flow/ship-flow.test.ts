import { describe, expect, it } from "vitest"
import { firstCarriers, type Recognised } from "../../../contract/desk/carriers.ts"
import { Offline } from "../../api/errors.ts"
import { externalValue } from "../../lib/external-value.ts"
import type { KnownOrder } from "../known-order.ts"
import type { OutboxChange } from "../outbox/outbox-changes.ts"
import { emptyOutbox, type OutboxData } from "../outbox/parcel.ts"
import { parcel } from "../testing/parcels.ts"
import type { FlowPorts } from "./flow-ports.ts"
import { createShipFlow } from "./ship-flow.ts"

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
  const flow = createShipFlow({
    outbox: {
      data: box,
      async change(each: OutboxChange) {
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
    newKey: () => `key-${(keys += 1)}`,
    now: () => 1000,
    ...change,
  })
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  return {
    flow,
    sounds,
    asked,
    settle,
    parcels: () => box.get().parcels,
    scan: async (...texts: readonly string[]) => {
      for (const text of texts) flow.take({ type: "text", text, by: "scanner" })
      await settle()
    },
    press: async (key: string) => {
      flow.take({ type: "command", key })
      await settle()
    },
    step: () => flow.state.get().step,
    refused: () => {
      const { result } = flow.state.get()
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
    ["an order's id as a parcel's number", ["ord_1", "ord_2"], "order-id"],
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

  it("keeps a number that another order has only when it is meant, by a key or by the same scan once more", async () => {
    const { scan, press, step, parcels } = desk({ used: async () => "ord_8" })
    await scan("ord_1", "RB123456785AU")
    expect(step()).toMatchObject({ at: "number-question", other: "ord_8" })
    await press("n")
    expect(step().at).toBe("parcel")
    expect(parcels()).toEqual([])
    await scan("RB123456785AU")
    await scan("RB123456785AU")
    expect(parcels()).toHaveLength(1)
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

describe("taking back", () => {
  it("takes the last parcel back while it was not sent, and not after", async () => {
    const { scan, press, parcels, flow, refused } = desk()
    await scan("ord_1", "RB123456785AU")
    await press("u")
    expect(parcels()).toEqual([])
    expect(flow.state.get().result).toEqual({ type: "undone", order_id: "ord_1" })
    await press("u")
    expect(refused()?.refusal.why).toBe("nothing-to-undo")
    const sent = desk({}, { ...emptyOutbox, parcels: [parcel(1, { state: "sent" })] })
    await sent.press("u")
    expect(sent.refused()?.refusal.why).toBe("too-late")
  })

  it("makes nothing of half a scan, whatever became of it", async () => {
    const { scan, flow, settle, parcels, step } = desk()
    await scan("ord_1", "RB1234")
    flow.take({ type: "broken", text: "56785AU" })
    await settle()
    expect(parcels()).toEqual([])
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_1" } })
    const asking = desk({ recognise: async () => undefined })
    await asking.scan("ord_1")
    asking.flow.take({ type: "text", text: "RB1234", by: "scanner" })
    asking.flow.take({ type: "broken", text: "56785AU" })
    await asking.settle()
    expect(asking.step().at).toBe("parcel")
    expect(asking.refused()?.refusal.why).toBe("broken")
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
