import { expect, it } from "vitest"
import { createFakeClock } from "../tests/support/fake-clock.ts"
import { make, rowIn, sampleJob, sampleRow, sampleRows } from "../tests/store/job-samples.ts"
import { createMemoryStore } from "./store-memory.ts"

/** A job with a confirmed row, which another job takes back. */
async function withJobs() {
  const store = createMemoryStore(createFakeClock())
  const { jobs } = store
  const { id } = await make(jobs, sampleRows(3), { request: { key: "k", bodyHash: "h" } })
  const claim = { scope: "program:transaction", key: "tx_1" }
  const set = { state: "confirmed", upstreamId: "tx_1", confirmedAt: 5 } as const
  await jobs.giveOrdinals(id)
  await jobs.changeRows(id, [{ row: 1, from: ["planned"], set, claim }])
  const control = { jobId: id, row: 1, type: "award", memberId: "mem_1", upstreamId: "tx_1", answeredAt: 5 }
  await jobs.watch([{ ...control, nextAt: 7 }])
  await jobs.lease(id, "a", 60_000)
  await store.instances.beat("a", { pid: "1" })
  await make(jobs, [sampleRow({ reverses: { job: id, row: 1 } })], { kind: "deduct", reverses: id })
  return { store, id }
}

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
    source: null,
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

it("keeps jobs over a restart: rows, claims, controls, request keys and what is reversed", async () => {
  const { store, id } = await withJobs()
  const other = createMemoryStore(createFakeClock())
  expect(other.restore(JSON.parse(JSON.stringify(store.snapshot())))).toBe(true)
  expect(other.snapshot()).toEqual(store.snapshot())
  expect(await other.jobs.get(id)).toEqual(await store.jobs.get(id))
  expect(await other.jobs.endedSince(id, 0)).toBe(1)
  expect(await other.jobs.nextDue(id)).toBe(7)
  expect(await other.jobs.reversedRows(id)).toEqual(new Set([1]))
  expect(await other.jobs.create(sampleJob({ request: { key: "k", bodyHash: "h" } }), [])).toMatchObject({
    made: false,
    job: { id },
  })
  const claim = { scope: "program:transaction", key: "tx_1" }
  expect(await other.jobs.changeRows(id, [{ row: 2, from: ["planned"], set: {}, claim }])).toEqual([
    "claimed",
  ])
  expect(await other.jobs.lease(id, "b", 1)).toBe(true)
  expect(await make(other.jobs)).toMatchObject({ id: "J-1003" })
  expect(await other.instances.get("a")).toMatchObject({ process: { pid: "1" } })
})

it("gives out nothing that could change what it keeps", async () => {
  const { store, id } = await withJobs()
  const row = await rowIn(store.jobs, id, 1)
  expect(Object.isFrozen(row)).toBe(true)
  expect(Object.isFrozen(row.input)).toBe(true)
  expect(Object.isFrozen((await store.jobs.get(id))?.counts)).toBe(true)
  const looks = [1]
  await store.jobs.changeRows(id, [{ row: 2, from: ["planned"], set: { looks } }])
  looks.push(2)
  expect(await rowIn(store.jobs, id, 2)).toMatchObject({ looks: [1] })
})

it("saves a note only over the version it follows", async () => {
  const store = await filled()
  const note = { kind: "member", id: "m1", text: "Two", saved_at: null, saved_by: null } as const
  expect(await store.notes.save({ ...note, version: 3 })).toBe(false)
  expect(await store.notes.save({ ...note, version: 2 })).toBe(true)
})
