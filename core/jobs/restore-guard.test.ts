import { describe, expect, it } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { make, sampleRows } from "../../tests/store/job-samples.ts"
import { createAuditLog } from "../audit/audit-log.ts"
import { createEventBus } from "../runtime.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { isBehind, RestoreGuard } from "./restore-guard.ts"

describe("a store and its marker", () => {
  const store = { epoch: "b", earlier: ["a"], count: 50 }
  it.each([
    ["the same count", { epoch: "b", count: 50 }, false],
    ["a crash before the marker was written", { epoch: "b", count: 49 }, false],
    ["a store from before the last count", { epoch: "b", count: 51 }, true],
    ["a marker from before a detected restore", { epoch: "a", count: 900 }, false],
    ["a store from before a detected restore", { epoch: "c", count: 3 }, true],
  ])("%s", (_, marker, behind) => {
    expect(isBehind(store, marker)).toBe(behind)
  })
})

/** The restore guard of one process. */
function started(startHeld = false, over = world()) {
  const { store, marker, entries } = over
  const guard = new RestoreGuard({
    store,
    restoreMarker: {
      read: async () => marker.text,
      write: async (text) => {
        if (marker.full) throw new Error("no space left")
        marker.text = text
      },
    },
    config: {
      version: "1.0.0",
      environment: "sandbox",
      startedAt: 0,
      startHeld,
      apis: { program: null, giftcard: null },
      jobs: { settleMs: 1, recheckMs: 1, leaseMs: 1, callMs: 1 },
    },
    events: createEventBus((error) => {
      throw error
    }),
    audit: createAuditLog(
      { append: async ({ action }) => void entries.push(action), list: async () => [] },
      createEventBus(() => undefined),
      createFakeClock(),
      quietLog,
    ),
    log: quietLog,
  })
  return { guard, ...over }
}

function world() {
  const clock = createFakeClock()
  const marker: { text: string | undefined; full: boolean } = { text: undefined, full: false }
  return { clock, store: createMemoryStore(clock), marker, entries: new Array<string>() }
}

describe("the restore guard", () => {
  const heldOf = async (store: ReturnType<typeof world>["store"], id: string) =>
    (await store.jobs.get(id))?.hold?.sign ?? null

  it("detects nothing after a normal stop, a crash between store and marker, or without a marker", async () => {
    const first = started()
    const job = await make(first.store.jobs, sampleRows(2))
    await first.guard.check()
    await first.guard.count()
    await first.store.restores.count()
    const { clock, store, entries } = first
    await started(false, first).guard.check()
    await started(false, { clock, store, entries, marker: { text: undefined, full: false } }).guard.check()
    await started(false, { clock, store, entries, marker: { text: "torn {", full: false } }).guard.check()
    expect([await heldOf(store, job.id), entries]).toEqual([null, []])
  })

  it("holds all jobs once when the store is behind, with an audit entry", async () => {
    const first = started()
    const { store, clock } = first
    const job = await make(store.jobs, sampleRows(2))
    await first.guard.check()
    await first.guard.count()
    const backUp = await store.snapshot()
    const { countedAt } = await store.restores.get()
    await clock.advance(60_000)
    await first.guard.count()
    store.restore(backUp)
    const second = started(false, first)
    await second.guard.check()
    expect([await heldOf(store, job.id), first.entries]).toEqual(["counter", ["store.restored"]])
    expect(second.guard.since).toBe(countedAt)
    await clock.advance(60_000)
    const later = await make(store.jobs, sampleRows(2))
    await started(false, second).guard.check()
    expect([await heldOf(store, later.id), first.entries]).toEqual([null, ["store.restored"]])
  })

  it("detects a restore under a running process before the next send", async () => {
    const first = started()
    const { store, clock } = first
    const job = await make(store.jobs, sampleRows(2))
    await first.guard.check()
    const backUp = await store.snapshot()
    for (let turn = 0; turn < 3; turn += 1) {
      await clock.advance(1000)
      await first.guard.count()
    }
    store.restore(backUp)
    await clock.advance(1000)
    await first.guard.count()
    expect(await heldOf(store, job.id)).toBe("counter")
  })

  it("holds at an operator's request, but not in a store without jobs", async () => {
    const first = started()
    await first.guard.check()
    await first.guard.count()
    const fresh = { ...world(), marker: first.marker }
    await started(false, fresh).guard.check()
    expect(fresh.entries).toEqual([])
    const job = await make(fresh.store.jobs, sampleRows(1))
    await fresh.clock.advance(1)
    await started(true, fresh).guard.check()
    expect(await heldOf(fresh.store, job.id)).toBe("operator")
  })

  it("continues when the marker cannot be written", async () => {
    const first = started()
    await first.guard.check()
    first.marker.full = true
    await first.guard.count()
    expect((await first.store.restores.get()).count).toBe(1)
  })
})
