import { expect, it } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryStore } from "./store-memory.ts"

async function filled() {
  const store = createMemoryStore(createFakeClock())
  await store.notes.save({
    kind: "member",
    id: "m1",
    text: "Hi",
    version: 1,
    saved_at: null,
    saved_by: "ana",
  })
  await store.settings.put("cache", { members: 5 })
  await store.drift.add(
    [{ api: "program", operation: "GET /members", field: "tier", said: "string", came: "null", seen: 2 }],
    0,
  )
  await store.usage.add([
    {
      api: "program",
      minute: 60_000,
      lane: "people",
      who: "ana",
      requests: 2,
      refused: 0,
      slow: 0,
      trouble: 0,
      longestWaitMs: 7,
    },
  ])
  await store.audit.append({
    id: "a1",
    at: "2026-11-20T00:00:00.000Z",
    actor: { id: "u1", name: "Ana", role: "admin" },
    action: "note.save",
    area: "program",
    on: { kind: "member", id: "m1", label: null },
    outcome: "done",
    note: null,
    changes: [],
    request_id: "r1",
  })
  return store
}

it("comes back from plain JSON as it was", async () => {
  const store = await filled()
  const saved: unknown = JSON.parse(JSON.stringify(store.snapshot()))
  const other = createMemoryStore(createFakeClock())
  expect(other.restore(saved)).toBe(true)
  expect(other.snapshot()).toEqual(store.snapshot())
  expect(await other.notes.get("member", "m1")).toMatchObject({ text: "Hi" })
  expect(await other.audit.list({ per_page: 5 }, {})).toHaveLength(1)
})

it("takes over nothing from what it did not write", async () => {
  const store = await filled()
  const before = store.snapshot()
  for (const raw of [null, {}, { ...before, audit: [{ id: 3 }] }, "text"])
    expect(store.restore(raw)).toBe(false)
  expect(store.snapshot()).toEqual(before)
})

it("sums counts of one minute and forgets old ones", async () => {
  const store = await filled()
  await store.usage.add([
    {
      api: "program",
      minute: 60_000,
      lane: "people",
      who: "ana",
      requests: 1,
      refused: 1,
      slow: 0,
      trouble: 0,
      longestWaitMs: 3,
    },
  ])
  expect(await store.usage.since(0)).toMatchObject([{ requests: 3, refused: 1, longestWaitMs: 7 }])
  await store.usage.forgetBefore(60_001)
  expect(await store.usage.since(0)).toEqual([])
})

it("saves a note only over the version it follows", async () => {
  const store = await filled()
  const note = { kind: "member", id: "m1", text: "Two", saved_at: null, saved_by: null } as const
  expect(await store.notes.save({ ...note, version: 3 })).toBe(false)
  expect(await store.notes.save({ ...note, version: 2 })).toBe(true)
})
