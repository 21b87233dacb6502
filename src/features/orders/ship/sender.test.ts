import { createStore } from "zustand"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ApiError, Offline } from "../../../lib/errors.ts"
import { jobOf, parcel, rowOf } from "../../../../tests/support/ship/parcels.ts"
import { add, type Outbox, type OutboxData, type Parcel, memoryStore, undoSent } from "./outbox.ts"
import { toJobBody, type ParcelCalls } from "./parcel-calls.ts"
import { createSender, holdMs, readRow } from "./sender.ts"

/** The fate of each request, in turn. `lost`: it was carried out and its response never came. */
type Luck = "well" | "lost" | "offline" | "busy" | "429"

/** A server that adds one row per key to an open job, and the outbox of a tab that can be reloaded. */
function bench(luck: () => Luck = () => "well") {
  const store = memoryStore()
  const data = createStore<OutboxData>(() => ({ version: 1, parcels: [], shipped: [] }))
  const rows = new Map<string, { row: number; parcel: Parcel }>()
  const connection = { lostAt: createStore<number | null>(() => null), lost() {}, found() {} }
  let now = 1_000_000
  let signedIn = "tom"
  const confirmed = () => ({ job: jobOf("J-1"), row: rowOf("confirmed") })
  let lookUpRow: (row: number) => ReturnType<typeof confirmed> = confirmed
  const jobReads: string[] = []
  /** The last and the first body sent under each key. */
  const bodies: { now: Parcel; first: Parcel }[] = []

  async function met<T>(does: () => T): Promise<T> {
    if (signedIn !== outbox.userId) throw new ApiError({ status: 401, code: "session_required", message: "" })
    const now = luck()
    if (now === "offline") throw new Offline()
    if (now === "busy" || now === "429") {
      const status = now === "busy" ? 503 : 429
      throw new ApiError({ status, code: "budget_spent", message: "", retryAfter: 2 })
    }
    const done = does()
    if (now === "lost") throw new Offline()
    return done
  }

  const outbox: Outbox = {
    userId: "tom",
    durable: true,
    data,
    async refresh() {
      data.setState(await store.read(), true)
      return data.getState()
    },
    async change(change) {
      data.setState(await store.change(change), true)
      return data.getState()
    },
    close() {},
  }
  const calls: ParcelCalls = {
    reach: () => met(() => undefined),
    add: (each) =>
      met(() => {
        const before = rows.get(each.key)
        bodies.push({ now: { ...each, job: null }, first: { ...(before?.parcel ?? each), job: null } })
        const added = before ?? { row: rows.size + 1, parcel: each }
        rows.set(each.key, added)
        return { ...jobOf("J-1"), row: added.row }
      }),
    job: (id) => met(() => void jobReads.push(id)).then(() => lookUpRow(0).job),
    row: (_id, row) => met(() => lookUpRow(row).row),
    retry: async () => {},
    decide: async () => {},
    used: async () => undefined,
    carrierOf: async () => null,
  }
  const sender = () => createSender({ outbox, calls, connection, nextLookup: () => 700, now: () => now })
  return {
    outbox,
    calls,
    rows,
    bodies,
    jobReads,
    sender,
    scan: (...parcels: readonly Parcel[]) => Promise.all(parcels.map((each) => outbox.change(add(each)))),
    pass: (ms: number) => void (now += ms),
    signIn: (id: string) => void (signedIn = id),
    show: (next: typeof lookUpRow) => void (lookUpRow = next),
  }
}

describe("sender", () => {
  it("loses nothing, duplicates nothing and preserves the order under failed requests and restarts", async () => {
    const lucks = fc.array(fc.constantFrom<Luck>("well", "well", "lost", "offline", "busy", "429"), {
      minLength: 1,
      maxLength: 80,
    })
    await fc.assert(
      fc.asyncProperty(
        lucks,
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.boolean()),
        async (all, count, fresh) => {
          const rest = [...all]
          const { sender, scan, rows, bodies, outbox, pass } = bench(() => rest.shift() ?? "well")
          await scan(...Array.from({ length: count }, (_, index) => parcel(index + 1)))
          let each = sender()
          for (let turn = 0; turn < 200 && outbox.data.getState().parcels.length > 0; turn += 1) {
            // A reload: only stored data survives.
            if (fresh[turn]) each = sender()
            await each.turn()
            pass(20_000)
          }
          expect(outbox.data.getState().parcels).toEqual([])
          for (const { now, first } of bodies) expect(now).toEqual(first)
          const sent = Array.from({ length: count }, (_, index) => `ord_${index + 1}`)
          expect([...rows.values()].map(({ parcel: { order_id: id } }) => id)).toEqual(sent)
          expect(
            outbox.data
              .getState()
              .shipped.map(({ order_id: id }) => id)
              .toSorted(),
          ).toEqual(sent.toSorted())
        },
      ),
    )
  })

  it("holds the last parcel for a moment so that it can be undone; the next one releases it", async () => {
    const { sender, scan, rows, pass } = bench()
    const each = sender()
    await scan(parcel(1, { at: 1_000_000 }))
    expect(await each.turn()).toBe(holdMs)
    expect(rows.size).toBe(0)
    await scan(parcel(2, { at: 1_000_500 }))
    await each.turn()
    expect([...rows.keys()]).toEqual(["key-1"])
    pass(holdMs + 500)
    await each.turn()
    expect([...rows.keys()]).toEqual(["key-1", "key-2"])
  })

  it("sends an undo immediately, once the parcel that it undoes has left the outbox", async () => {
    const { sender, scan, rows, outbox, show, pass } = bench()
    const each = sender()
    await scan(parcel(1))
    await each.turn()
    show(() => ({ job: jobOf("J-1"), row: rowOf("unknown") }))
    await scan(parcel(2, { at: 1_000_000 }))
    await outbox.change(undoSent("key-1", "undo", 1_000_000))
    await each.turn()
    await each.turn()
    expect([...rows.keys()]).toEqual(["key-1"])
    show(() => ({ job: jobOf("J-1"), row: rowOf("confirmed") }))
    await each.turn()
    expect([...rows.keys()]).toEqual(["key-1", "undo"])
    pass(holdMs)
    await each.turn()
    await each.turn()
    expect(outbox.data.getState()).toMatchObject({ parcels: [], shipped: [{ order_id: "ord_2" }] })
  })

  it("sets an order back by an update that is compared with the shipped values", () => {
    const before = { status: "processing", tracking_number: "OLD", carrier: null }
    const set = { status: "shipped", tracking_number: "NEW", carrier: "DHL" }
    const undo = parcel(1, { expected: set, undoes: before })
    expect(toJobBody(undo).options).toEqual({ open: true })
    expect(toJobBody(undo).rows).toEqual([
      { order_id: "ord_1", status: "processing", tracking_number: "OLD", carrier: "", expected: set },
    ])
    // A status that the service does not document cannot be set: it stays.
    expect(toJobBody(parcel(1, { expected: set, undoes: { ...before, status: "on_hold" } })).rows).toEqual([
      { order_id: "ord_1", tracking_number: "OLD", carrier: "", expected: set },
    ])
  })

  it("has a few parcels in flight simultaneously, not the entire outbox", async () => {
    const { sender, scan, rows, show } = bench()
    show(() => ({ job: jobOf("J-1"), row: rowOf("planned") }))
    await scan(...Array.from({ length: 10 }, (_, index) => parcel(index + 1)))
    const each = sender()
    await each.turn()
    await each.turn()
    expect(rows.size).toBe(3)
  })

  it("sends nothing in another user's name", async () => {
    const { sender, scan, rows, signIn, pass } = bench()
    await scan(parcel(1))
    signIn("ana")
    const each = sender()
    expect(await each.turn()).toBe(Infinity)
    expect([each.state.getState().type, rows.size]).toEqual(["signed-out", 0])
    // It continues once the same user is signed in again.
    signIn("tom")
    pass(holdMs)
    await each.turn()
    expect([each.state.getState().type, rows.size]).toEqual(["working", 1])
  })

  it("holds a parcel when another user signs in just before it is sent, and sends it with its key later", async () => {
    const { sender, scan, calls, rows, signIn, outbox } = bench()
    await scan(parcel(1, { unchecked: ["number"] }), parcel(2))
    Object.assign(calls, { used: async () => signIn("ana") })
    const each = sender()
    expect(await each.turn()).toBe(Infinity)
    expect([each.state.getState().type, rows.size]).toEqual(["signed-out", 0])
    expect(outbox.data.getState().parcels[0]).toMatchObject({ state: "sent", job: null })
    signIn("tom")
    await each.turn()
    expect([...rows.keys()]).toEqual(["key-1", "key-2"])
  })

  it("does not retry in another user's name when the response was lost", async () => {
    const { sender, scan, calls, rows, signIn, outbox } = bench()
    await scan(parcel(1), parcel(2))
    const { add } = calls
    const each = sender()
    Object.assign(calls, { add: () => Promise.reject(new Offline()) })
    await each.turn()
    Object.assign(calls, { add })
    signIn("ana")
    expect(await each.turn()).toBe(Infinity)
    expect(rows.size).toBe(0)
    expect(outbox.data.getState().parcels[0]).toMatchObject({ state: "sent", job: null })
  })

  it("stops all parcels while the job is paused, and resumes with it", async () => {
    const { sender, scan, show, rows, outbox } = bench()
    await scan(parcel(1), parcel(2), parcel(3), parcel(4), parcel(5))
    const each = sender()
    const pause = { code: "unauthorized", message: "The key is refused." }
    show(() => ({ job: jobOf("J-1", { state: "paused", pause }), row: rowOf("planned") }))
    await each.turn()
    await each.turn()
    expect(each.state.getState()).toEqual({ type: "stopped", job: "J-1", message: "The key is refused." })
    expect(rows.size).toBe(3)
    show(() => ({ job: jobOf("J-1"), row: rowOf("confirmed") }))
    await each.turn()
    await each.turn()
    expect(outbox.data.getState().parcels).toEqual([])
  })

  it("reads a job once per turn, whatever number of its parcels are in flight", async () => {
    const { sender, scan, show, jobReads } = bench()
    show(() => ({ job: jobOf("J-1"), row: rowOf("planned") }))
    await scan(parcel(1), parcel(2), parcel(3), parcel(4))
    const each = sender()
    await each.turn()
    jobReads.length = 0
    await each.turn()
    expect(jobReads).toEqual(["J-1"])
  })

  it("holds a parcel that the server refused until a person resolves it, and sends the others", async () => {
    const { sender, scan, calls, outbox } = bench()
    await scan(parcel(1), parcel(2), parcel(3))
    const plain = { ...calls }
    Object.assign(calls, {
      add: async (each: Parcel) => {
        if (each.key === "key-2") throw new ApiError({ status: 422, code: "validation", message: "Not so." })
        return plain.add(each)
      },
    })
    const each = sender()
    await each.turn()
    await each.turn()
    expect(outbox.data.getState().parcels.map(({ key, state }) => `${key} ${state}`)).toEqual(["key-2 asks"])
  })

  it("asks before it sends a number that turned out to be used by another order", async () => {
    const { sender, scan, calls, outbox, rows } = bench()
    Object.assign(calls, { used: async () => "ord_9", carrierOf: async () => "DHL" })
    await scan(
      parcel(1, { unchecked: ["number"] }),
      parcel(2, { carrier: null, unchecked: ["carrier"] }),
      parcel(3),
    )
    await sender().turn()
    expect(outbox.data.getState().parcels[0]).toMatchObject({
      state: "asks",
      question: { kind: "held", code: "number_used" },
    })
    expect([...rows.values()].map(({ parcel: { order_id, carrier } }) => [order_id, carrier])).toEqual([
      ["ord_2", "DHL"],
      ["ord_3", "Australia Post"],
    ])
  })
})

describe("without a connection", () => {
  it("checks at least every two seconds for the connection, however long it was lost, and then sends", async () => {
    let luck: Luck = "offline"
    const { sender, scan, rows } = bench(() => luck)
    await scan(parcel(1), parcel(2))
    const each = sender()
    for (let turn = 0; turn < 20; turn += 1) expect(await each.turn()).toBeLessThanOrEqual(2000)
    expect(rows.size).toBe(0)
    luck = "well"
    await each.turn()
    expect(rows.size).toBeGreaterThan(0)
  })
})

describe("progress of a parcel's job", () => {
  const outcome = { code: "changed_there", message: "Somebody else changed this meanwhile." }
  const decision = { decision: "leave", upstream_id: null, at: "", by: { id: "a", name: "Ana" } } as const

  it("needs a person when only a person can settle it, until a decision is made here or elsewhere", () => {
    const row = rowOf("conflict", { outcome })
    expect(readRow(jobOf("J-1"), row)).toEqual({ type: "asks", question: { kind: "conflict", ...outcome } })
    expect(readRow(jobOf("J-1"), { ...row, decision }).type).toBe("dealt-with")
    expect(readRow(jobOf("J-1"), { ...row, decision: { ...decision, decision: "happened" } }).type).toBe(
      "confirmed",
    )
  })

  it("is pending while the outcome of a call is unknown, and ends when its row is left out", () => {
    expect(readRow(jobOf("J-1"), rowOf("unknown")).type).toBe("under-way")
    expect(readRow(jobOf("J-1"), rowOf("excluded")).type).toBe("dealt-with")
  })

  it("reports that its job was cancelled before sending", () => {
    expect(readRow(jobOf("J-1", { state: "cancelled" }), rowOf("planned"))).toMatchObject({
      type: "asks",
      question: { kind: "cancelled" },
    })
  })
})
