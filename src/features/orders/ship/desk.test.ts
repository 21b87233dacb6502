import { describe, expect, it, onTestFinished, vi } from "vitest"
import { Offline } from "../../../lib/errors.ts"
import { claim, confirm, emptyOutbox } from "./outbox.ts"
import { desk, known, order } from "../../../../tests/support/ship/bench.ts"
import { parcel } from "../../../../tests/support/ship/parcels.ts"
import { undoFor } from "./reducer.ts"

describe("two scans", () => {
  it("save a parcel with the order's expected state, and ask for the next order", async () => {
    const { scan, parcels, step, sounds, requests } = desk()
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
    expect(sounds).toEqual(["saved"])
    expect(requests).toEqual([])
  })

  it("leave a number as it was printed, without the scanner's own marks", async () => {
    const { scan, parcels } = desk()
    await scan("]C1ord_1\r", "\u001d00093275105000000012 ")
    expect(parcels()[0]).toMatchObject({ order_id: "ord_1", tracking_number: "00093275105000000012" })
  })

  it.each([
    ["]C1019931265099999891KXT012345001000930908", "KXT012345001000930908"],
    ["019931265099999891KXT012345801000930904\u001d4204570\u001d8008261121101500", "KXT012345801000930904"],
    ["420100019200190164917310000008", "9200190164917310000008"],
    ["9622001900000000000000776632517510", "776632517510"],
  ])("extract the tracking number from the label barcode %j", async (barcode, number) => {
    const lookups: string[] = []
    const { scan, parcels } = desk({
      recognise: async (text) => {
        lookups.push(text)
        return known(text)
      },
      used: async (text) => void lookups.push(text),
    })
    await scan("ord_1", barcode)
    expect(parcels()).toMatchObject([{ order_id: "ord_1", tracking_number: number }])
    expect(lookups).toEqual([number, number])
  })

  it("recognise the label of a parcel in the outbox", async () => {
    const data = { ...emptyOutbox, parcels: [parcel(5, { tracking_number: "KXT012345001000930908" })] }
    const { scan, step } = desk({}, data)
    await scan("ord_1", "]C1019931265099999891KXT012345001000930908")
    expect(step()).toMatchObject({ at: "number-question", other: "ord_5" })
  })

  it("find the order regardless of case", async () => {
    const { scan, parcels } = desk()
    await scan("ORD_1", "RB123456785AU")
    expect(parcels()[0]?.order_id).toBe("ord_1")
  })

  describe("typed text", () => {
    const ports = { loaded: () => [order("ord_20398"), order("ord_20416")] }
    const typed = (text: string) => ({ type: "text", text, by: "hand" }) as const

    it("finds the order by its digits alone", async () => {
      const { dispatch, settle, step } = desk(ports)
      dispatch({ type: "scan", read: typed("20416") })
      await settle()
      expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_20416" } })
    })

    it("is confirmed when it has the digits of another order, not when it is clearly a tracking number", async () => {
      const { dispatch, settle, step, parcels } = desk(ports)
      dispatch({ type: "scan", read: typed("ord_20398") })
      dispatch({ type: "scan", read: typed("20416") })
      await settle()
      expect(step()).toMatchObject({ at: "parcel-question", number: "20416" })
      dispatch({ type: "escape" })
      dispatch({ type: "scan", read: typed("20398") })
      dispatch({ type: "scan", read: typed("0099001122") })
      await settle()
      expect(parcels()).toMatchObject([{ order_id: "ord_20398", tracking_number: "0099001122" }])
    })

    it.each(["20416", "#20416", "ORD-20416", "Order #20416"])(
      "%s means its order, typed or scanned",
      async (text) => {
        const { scan, dispatch, settle, step } = desk(ports)
        await scan(text)
        expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_20416" } })
        dispatch({ type: "escape" })
        dispatch({ type: "scan", read: typed(text) })
        await settle()
        expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_20416" } })
      },
    )

    it("means no order when several match or the digits are incomplete", async () => {
      const { scan, refused } = desk({ loaded: () => [order("ord_20416"), order("ret_20416")] })
      await scan("#20416")
      expect(refused()).toMatchObject({
        code: "several",
        detail: expect.stringContaining("ret_20416"),
      })
      await scan("0416")
      expect(refused()?.code).toBe("no-order")
    })
  })

  it("opens the only order to ship of a member by name, and names several", async () => {
    const named: Record<string, string[]> = { silva: ["ord_2"], ana: ["ord_1", "ord_2"] }
    const { scan, step, refused } = desk({ findByName: async (name) => named[name] ?? [] })
    await scan("silva")
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_2" } })
    const other = desk({ findByName: async (name) => named[name] ?? [] })
    await other.scan("ana")
    expect(other.refused()).toMatchObject({ code: "several", detail: "ord_1, ord_2" })
    await other.scan("nobody")
    expect(other.refused()?.code).toBe("no-order")
    expect(refused()).toBeUndefined()
  })

  it("queues scans that come faster than the lookups", async () => {
    const { scan, parcels, settle } = desk({
      recognise: (number) => new Promise((resolve) => setTimeout(() => resolve(known(number)), 20)),
    })
    await scan("ord_1", "RB123456785AU", "ord_2", "RB123456799AU")
    while (parcels().length < 2) await settle()
    expect(parcels().map(({ order_id: id }) => id)).toEqual(["ord_1", "ord_2"])
  })
})

describe("refused scans", () => {
  it.each([
    ["a rounded number", ["ord_1", "9.4E+21"], "rounded"],
    ["an order nobody has", ["ord_9"], "no-order"],
  ])("%s saves nothing", async (_what, texts, why) => {
    const { scan, parcels, refused, sounds } = desk()
    await scan(...texts)
    expect(refused()?.code).toBe(why)
    expect(parcels()).toEqual([])
    expect(sounds).toEqual(["refused"])
  })

  it.each([
    ["cancelled", { status: "cancelled" }],
    ["digital", { type: "digital" }],
  ])("a %s order", async (why, change) => {
    const { scan, refused, step } = desk({ find: async (id) => order(id, change) })
    await scan("ord_7")
    expect(refused()?.code).toBe(why)
    expect(step().at).toBe("order")
  })

  it("an order that is already in the outbox", async () => {
    const { scan, refused } = desk({}, { ...emptyOutbox, parcels: [parcel(1)] })
    await scan("ord_1")
    expect(refused()).toMatchObject({ code: "in-outbox", detail: parcel(1).tracking_number })
  })

  it("drops the scans that follow a refused one", async () => {
    const { scan, refused, parcels, step } = desk()
    await scan("ord_9", "RB123456785AU")
    expect(refused()?.dropped).toBe(1)
    expect(step().at).toBe("order")
    expect(parcels()).toEqual([])
  })

  it("an order that is not loaded while offline, or whose lookup fails", async () => {
    const offline = desk({ isOffline: () => true })
    await offline.scan("ord_9")
    expect(offline.refused()?.code).toBe("not-loaded")
    const broken = desk({ find: () => Promise.reject(new Offline()) })
    await broken.scan("ord_9")
    expect(broken.refused()?.code).toBe("no-answer")
  })
})

describe("questions", () => {
  it("ship a shipped order after confirmation, and compare with its current values", async () => {
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

  it("save a number of another order only when confirmed by a key or by a scan of the order", async () => {
    const { scan, press, step, parcels } = desk({ used: async () => "ord_8" })
    await scan("ord_1", "RB123456785AU")
    expect(step()).toMatchObject({ at: "number-question", other: "ord_8" })
    await press("n")
    expect(step().at).toBe("parcel")
    expect(parcels()).toEqual([])
    // People scan again after a low tone, so a repeated scan does not confirm.
    await scan("RB123456785AU", "RB123456785AU")
    await scan("RB123456785AU")
    expect(step()).toMatchObject({ at: "number-question", other: "ord_8" })
    expect(parcels()).toEqual([])
    await scan("ord_1")
    expect(parcels()).toMatchObject([{ order_id: "ord_1", tracking_number: "RB123456785AU" }])
  })

  it("recognise a number of a parcel in the outbox without a lookup", async () => {
    const data = { ...emptyOutbox, parcels: [parcel(5, { tracking_number: "RB 1234-56785 au" })] }
    const { scan, step } = desk({ isOffline: () => true }, data)
    await scan("ord_1", "RB123456785AU")
    expect(step()).toMatchObject({ at: "number-question", other: "ord_5" })
  })

  it("confirm a number with a wrong check digit, and do not remember its carrier", async () => {
    const { scan, press, step, parcels, requests } = desk({
      recognise: async (number) => known(number, { carriers: [], chosen: null, why: "unknown" }),
    })
    await scan("ord_1", "RB123456789AU")
    expect(step()).toMatchObject({ at: "number-question", isUnusual: true, other: undefined })
    // Scanning the order or the number again does not confirm.
    await scan("RB123456789AU")
    expect(step()).toMatchObject({ at: "number-question", isUnusual: true })
    await press("n")
    expect([step().at, parcels()]).toEqual(["parcel", []])
    await scan("RB123456789AU")
    await press("y")
    expect(step().at).toBe("carrier")
    await press("1")
    expect(parcels()).toMatchObject([{ tracking_number: "RB123456789AU", carrier: "Australia Post" }])
    expect(requests).toEqual([])
  })

  it("ask about the check digit first when another order has the number, too", async () => {
    const { scan, press, step, parcels } = desk({ used: async () => "ord_8" })
    await scan("ord_1", "RB123456789AU")
    await press("y")
    expect(step()).toMatchObject({ at: "number-question", isUnusual: false, other: "ord_8" })
    expect(parcels()).toEqual([])
    await press("y")
    expect(parcels()).toMatchObject([{ order_id: "ord_1", tracking_number: "RB123456789AU" }])
  })

  it("choose the carrier by one key, likeliest first, and remember it", async () => {
    const { scan, press, step, parcels, requests } = desk({
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
    expect(requests).toEqual(["986578788855 is FedEx"])
  })
})

describe("offline", () => {
  const offline = { isOffline: () => true }

  it("saves a number without a carrier: it is looked up before the parcel is sent", async () => {
    const { scan, parcels, step } = desk(offline)
    await scan("ord_1", "RB123456785AU", "ord_2")
    expect(parcels()[0]).toMatchObject({ carrier: null, unchecked: ["number", "carrier"] })
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_2" } })
  })
})

describe("undoing", () => {
  it("removes the last parcel while it is unsent, however old", async () => {
    const { scan, press, parcels, result, refused, pass } = desk()
    await scan("ord_1", "RB123456785AU")
    pass(10 * undoFor)
    await press("u")
    expect(parcels()).toEqual([])
    expect(result()).toMatchObject({ code: "undone", what: "ord_1" })
    await press("u")
    expect(refused()?.code).toBe("nothing-to-undo")
  })

  it("sends an update back to the previous values within a minute of the scan of a sent parcel", async () => {
    const before = { status: "processing", tracking_number: "OLD", carrier: null }
    const { scan, press, parcels, result, shipped, change, pass } = desk({
      loaded: () => [order("ord_1"), order("ord_3", before)],
    })
    await scan("ord_1", "RB123456785AU", "ord_3")
    await press("y")
    await scan("RB123456799AU")
    change(claim("key-1", "Australia Post"), claim("key-2", "Australia Post"), confirm("key-1", 2000))
    pass(undoFor)
    await press("u")
    expect(result()).toMatchObject({ code: "undo-sent", what: "ord_3" })
    await press("u")
    expect(parcels().map(({ order_id, undoes, expected }) => ({ order_id, undoes, expected }))).toEqual([
      { order_id: "ord_3", undoes: undefined, expected: before },
      {
        order_id: "ord_3",
        undoes: before,
        expected: { status: "shipped", tracking_number: "RB123456799AU", carrier: "Australia Post" },
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

  it("is refused a minute after the scan, and works once only", async () => {
    const { scan, press, refused, change, dispatch, settle, pass, parcels } = desk()
    await scan("ord_1", "RB123456785AU")
    change(claim("key-1", "Australia Post"), confirm("key-1", 2000))
    dispatch({ type: "undo", key: "key-1" })
    dispatch({ type: "undo", key: "key-1" })
    await settle()
    expect(parcels()).toHaveLength(1)
    const late = desk()
    await late.scan("ord_1", "RB123456785AU")
    late.change(claim("key-1", "Australia Post"), confirm("key-1", 2000))
    late.pass(undoFor + 1)
    await late.press("u")
    expect(late.refused()?.code).toBe("too-late")
    expect(late.parcels()).toEqual([])
    pass(0)
    await press("u")
    expect(refused()?.code).toBe("nothing-to-undo")
  })

  it("leaves out the row of a sent parcel whose job is paused: neither is sent", async () => {
    const leftOut: string[] = []
    const { scan, press, parcels, result, change } = desk({
      leaveOut: async ({ key }) => leftOut.push(key) > 0,
    })
    await scan("ord_1", "RB123456785AU")
    change(claim("key-1", "Australia Post"))
    await press("u")
    expect(leftOut).toEqual(["key-1"])
    expect([parcels(), result()]).toMatchObject([[], { code: "undone", what: "ord_1" }])
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
    // Without an undo it must be confirmed.
    await scan("ord_2", "RB123456785AU")
    expect(step().at).toBe("number-question")
    await press("n")
    expect(parcels()).toEqual([])
  })
})

describe("half a scan, and Escape", () => {
  it("reverts whatever half a scan led to", async () => {
    const { scan, dispatch, settle, parcels, step } = desk()
    await scan("ord_1", "RB1234")
    dispatch({ type: "scan", read: { type: "broken", text: "56785AU" } })
    await settle()
    expect(parcels()).toEqual([])
    expect(step()).toMatchObject({ at: "parcel", order: { id: "ord_1" } })
    // It may have been another order, so the next scan must be confirmed.
    await scan("RB123456785AU")
    expect(step().at).toBe("parcel-question")
    expect(parcels()).toEqual([])
    const asking = desk({ recognise: async () => undefined })
    await asking.scan("ord_1")
    asking.dispatch({ type: "scan", read: { type: "text", text: "RB1234", by: "scanner" } })
    asking.dispatch({ type: "scan", read: { type: "broken", text: "56785AU" } })
    await asking.settle()
    expect(asking.step().at).toBe("parcel")
    expect(asking.refused()?.code).toBe("broken")
  })

  it("cancels a lookup that never ends with Escape, and reads the next scan immediately", async () => {
    const { scan, dispatch, settle, parcels, step } = desk({
      find: (id) => (id === "ord_9" ? new Promise(() => {}) : Promise.resolve(order(id))),
    })
    await scan("ord_9")
    dispatch({ type: "escape" })
    await settle()
    await scan("ord_1", "RB123456785AU")
    expect(parcels()).toHaveLength(1)
    expect(step().at).toBe("order")
  })

  it("closes the open order with Escape, also while its number is looked up", async () => {
    const { scan, dispatch, settle, parcels, step } = desk({
      recognise: (number) => new Promise((resolve) => setTimeout(() => resolve(known(number)), 10)),
    })
    await scan("ord_1", "RB123456785AU")
    dispatch({ type: "escape" })
    expect(step().at).toBe("order")
    await new Promise((resolve) => setTimeout(resolve, 20))
    await settle()
    expect(parcels()).toEqual([])
    expect(step().at).toBe("order")
  })
})

describe("the open order's current values", () => {
  const theirs = { status: "shipped", tracking_number: "T-1", carrier: "DHL" }

  it("are asked about when it was shipped elsewhere, and compared when its parcel is sent", async () => {
    const { scan, dispatch, press, step, parcels } = desk()
    await scan("ord_1")
    dispatch({ type: "changed", id: "ord_1", order: order("ord_1", theirs) })
    expect(step()).toMatchObject({ at: "order-question", why: "shipped" })
    await press("y")
    await scan("RB123456785AU")
    expect(parcels()).toMatchObject([{ order_id: "ord_1", expected: theirs }])
  })

  it("are compared when they changed in an irrelevant way", async () => {
    const { scan, dispatch, parcels } = desk()
    await scan("ord_1")
    dispatch({ type: "changed", id: "ord_1", order: order("ord_1", { status: "processing" }) })
    await scan("RB123456785AU")
    expect(parcels()).toMatchObject([{ state: "waiting", expected: { status: "processing" } }])
  })

  it("close it when it was cancelled", async () => {
    const { scan, dispatch, step, refused, sounds } = desk()
    await scan("ord_1")
    dispatch({ type: "changed", id: "ord_1", order: order("ord_1", { status: "cancelled" }) })
    expect([step().at, refused()?.code, sounds]).toEqual(["order", "cancelled-since", ["refused"]])
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
    expect(bench.refused()).toMatchObject({ code: "no-answer", what: "ord_77" })
  })
})

describe("a refusal", () => {
  it("disappears after the next good scan", async () => {
    const { scan, refused } = desk()
    await scan("ord_9")
    expect(refused()?.code).toBe("no-order")
    await scan("ord_1")
    expect(refused()).toBeUndefined()
  })
})
