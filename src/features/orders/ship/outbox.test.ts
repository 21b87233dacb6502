import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parcel } from "../../../../tests/support/ship/parcels.ts"
import {
  add,
  raiseQuestion,
  claim,
  confirm,
  drop,
  emptyOutbox,
  resume,
  type OutboxChange,
  outboxData,
  type OutboxData,
  release,
  setCarrier,
  setRow,
  undo,
  undoSent,
} from "./outbox.ts"

function after(...changes: readonly OutboxChange[]): OutboxData {
  return changes.reduce((data, change) => change(data), emptyOutbox)
}

const question = { kind: "failed", code: "conflict", message: "No." } as const

describe("outbox", () => {
  it("preserves the order in which parcels were scanned", () => {
    const data = after(add(parcel(2)), add(parcel(1)), claim("key-2", null), add(parcel(3)))
    expect(data.parcels.map(({ key }) => key)).toEqual(["key-2", "key-1", "key-3"])
  })

  it("undoes a parcel only while it is unsent", () => {
    expect(after(add(parcel(1)), undo("key-1")).parcels).toEqual([])
    expect(after(add(parcel(1)), claim("key-1", "DHL"), undo("key-1")).parcels).toHaveLength(1)
  })

  it("does not change a parcel between sending and outcome", () => {
    const sent = after(add(parcel(1)), claim("key-1", "DHL"))
    expect(claim("key-1", "UPS")(sent)).toBe(sent)
    expect(release("key-1", "other")(sent)).toBe(sent)
    expect(sent.parcels[0]).toMatchObject({ key: "key-1", carrier: "DHL", state: "sent" })
  })

  it("sends a parcel under another key only when its first one had no effect", () => {
    const refused = after(
      add(parcel(1)),
      claim("key-1", null),
      raiseQuestion("key-1", { ...question, kind: "refused" }),
    )
    expect(release("key-1", "new")(refused).parcels[0]).toMatchObject({ key: "new", state: "waiting" })
    const failed = after(
      add(parcel(1)),
      claim("key-1", null),
      setRow("key-1", "J-1", 1),
      raiseQuestion("key-1", question),
    )
    expect(release("key-1", "new")(failed)).toBe(failed)
  })

  it("still looks up the carrier after a person confirmed that two orders share a number", () => {
    const question = (code: string) => raiseQuestion("key-1", { kind: "held", code, message: "" })
    const scanned = add(parcel(1, { carrier: null, unchecked: ["number", "carrier"] }))
    const [shared, without] = ["number_used", "carrier_unknown"].map((code) =>
      after(scanned, question(code), release("key-1", "new")),
    )
    expect(shared?.parcels[0]).toMatchObject({ key: "new", state: "waiting", unchecked: ["carrier"] })
    expect(without?.parcels[0]).toMatchObject({ key: "new", state: "waiting", unchecked: [] })
  })

  it("looks up the other parcels that lack a carrier again after one was chosen, and no other", () => {
    const unknown = { kind: "held", code: "carrier_unknown", message: "" } as const
    const scans = [1, 2, 3].map((at) => add(parcel(at, { carrier: null })))
    const changed = after(
      ...scans,
      raiseQuestion("key-1", unknown),
      raiseQuestion("key-2", unknown),
      setCarrier("key-1", "Zed"),
    )
    expect(changed.parcels.map(({ carrier, state, unchecked }) => [carrier, state, unchecked])).toEqual([
      ["Zed", "waiting", []],
      [null, "waiting", ["carrier"]],
      [null, "waiting", []],
    ])
  })

  it("reads data of an earlier version, without its list of shipped parcels", () => {
    const shipped = [{ order_id: "ord_1", tracking_number: "T-1", carrier: null, at: 1 }]
    const parcels = [parcel(2)]
    expect(outboxData.parse({ version: 1, parcels, shipped })).toEqual({ version: 1, parcels, shipped: [] })
  })

  it("accepts one parcel per order at a time, whichever tab scanned it", () => {
    const one = after(add(parcel(1)))
    expect(add(parcel(1, { key: "other-tab" }))(one)).toBe(one)
  })

  it("undoes a sent parcel by one further update with its own key, compared with what it set", () => {
    const waiting = after(add(parcel(1, { carrier: null })))
    expect(undoSent("key-1", "undo", 5)(waiting)).toBe(waiting)
    const sent = claim("key-1", null)(waiting)
    const undone = undoSent("key-1", "undo", 5)(sent)
    expect(undone.parcels[1]).toMatchObject({
      key: "undo",
      state: "waiting",
      expected: { status: "shipped", tracking_number: parcel(1).tracking_number, carrier: null },
      undoes: { status: "pending", tracking_number: null, carrier: null },
    })
    expect(undoSent("key-1", "twice", 6)(undone)).toBe(undone)
    expect(undoSent("undo", "twice", 6)(claim("undo", null)(undone))).toMatchObject({
      parcels: { length: 2 },
    })
    const confirmed = confirm("key-1", 10)(undone)
    expect(confirmed.shipped).toMatchObject([{ key: "key-1", at: 1, shipped_at: 10 }])
    expect(confirm("undo", 11)(confirmed)).toMatchObject(emptyOutbox)
    expect(outboxData.parse(structuredClone(undone))).toEqual(undone)
  })

  it("drops the undo of a parcel whose row was left out: there is nothing to undo", () => {
    const sent = after(add(parcel(1)), claim("key-1", null), setRow("key-1", "J-1", 4), add(parcel(2)))
    const undone = undoSent("key-1", "undo", 5)(sent)
    expect(undone.parcels).toMatchObject([{ row: 4 }, {}, { key: "undo" }])
    expect(drop("key-1")(undone).parcels.map(({ key }) => key)).toEqual(["key-2"])
  })

  it("never loses a parcel: each leaves it confirmed, undone before sending, or dropped after", () => {
    const change = fc.tuple(
      fc.constantFrom("undo", "claim", "taken", "ask", "goOn", "release", "confirm", "drop"),
      fc.integer({ min: 1, max: 5 }),
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (steps) => {
        let data = after(...[1, 2, 3, 4, 5].map((each) => add(parcel(each, { at: Date.now() }))))
        const removed = new Set<string>()
        let unseen = false
        for (const [what, number] of steps) {
          const before = data.parcels.find(({ order_id: id }) => id === `ord_${number}`)
          const key = before?.key ?? "none"
          const all: Readonly<Record<typeof what, OutboxChange>> = {
            undo: undo(key),
            claim: claim(key, "DHL"),
            taken: setRow(key, "J-1", number),
            ask: raiseQuestion(key, question),
            goOn: resume(key),
            release: release(key, `${key}'`),
            confirm: confirm(key, Date.now()),
            drop: drop(key),
          }
          data = all[what](data)
          const stays = data.parcels.some(({ order_id: id }) => id === `ord_${number}`)
          if (before !== undefined && !stays) {
            removed.add(`ord_${number}`)
            unseen ||= what !== "confirm" && (what === "undo") !== (before.state === "waiting")
          }
        }
        expect(data.parcels.length + removed.size).toBe(5)
        expect(unseen).toBe(false)
        expect(outboxData.parse(structuredClone(data))).toEqual(data)
      }),
    )
  })
})
