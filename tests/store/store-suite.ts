import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod/mini"
import type { AuditEntry } from "../../contract/audit.ts"
import type { BudgetGrant, Choice, SettingsStore, Store, UsageRecord, WindowUse } from "../../core/ports.ts"
import { make, sampleRow, setRow } from "./job-samples.ts"

const windowMs = 61_000
const everything = { per_page: 100 }

const taker = { lane: "people", who: "ana" } as const
const anybody = (): Choice => ({ taker })
const leaving =
  (permits: number) =>
  ({ free }: WindowUse): Choice =>
    free > permits ? { taker } : { inMs: Infinity }

/** Two instances on the same data, or one twice if the store allows only one. */
export interface StoreUnderTest {
  readonly one: Store
  readonly other: Store
  close(): Promise<void>
}

/** The tests of every store. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the store in ${name}`, () => {
    let stores: StoreUnderTest
    beforeAll(async () => {
      stores = await open()
    })
    afterAll(() => stores.close())

    test("responds to a ping", async () => {
      await expect(stores.one.ping()).resolves.toBeUndefined()
    })

    test("grants exactly the limit to concurrent requests of two instances", async () => {
      // Fewer than an instance's connections, since waiting for one times out on a busy machine; an instance takes
      // permits of a service one by one anyway (core/budget/rate-limiter.ts).
      const takers = Array.from({ length: 16 }, async (_, at) => {
        const { budget } = at % 2 === 0 ? stores.one : stores.other
        const grants: BudgetGrant[] = []
        for (let n = 0; n < 12; n += 1) grants.push(await budget.take("program", 60, windowMs, anybody))
        return grants
      })
      const grants = (await Promise.all(takers)).flat()
      expect(grants.filter((grant) => grant.granted)).toHaveLength(60)
      const waits = grants.filter((grant) => !grant.granted).map(({ inMs }) => inMs)
      expect(waits.filter((ms) => ms <= 0 || ms > windowMs)).toEqual([])
      expect(await stores.other.budget.state("program", 60, windowMs)).toMatchObject({ left: 0 })
    })

    test("counts permits taken under another limit", async () => {
      const { budget } = stores.one
      for (let taken = 0; taken < 6; taken++) await budget.take("giftcard", 6, windowMs, anybody)
      expect(await budget.take("giftcard", 4, windowMs, anybody)).toMatchObject({ granted: false })
      expect(await budget.state("giftcard", 4, windowMs)).toMatchObject({ left: 0 })
      expect(await budget.state("giftcard", 10, windowMs)).toEqual({ left: 4, nextInMs: 0 })
      expect(await budget.take("giftcard", 10, windowMs, anybody)).toEqual({ granted: true })
    })

    test("reserves permits for others", async () => {
      const { budget } = stores.one
      expect(await budget.state("giftcard", 10, windowMs)).toEqual({ left: 3, nextInMs: 0 })
      expect(await budget.take("giftcard", 10, windowMs, leaving(3))).toMatchObject({ granted: false })
      expect(await budget.take("giftcard", 10, windowMs, leaving(2))).toEqual({ granted: true })
    })

    test("reports who holds the permits and when the next becomes free", async () => {
      const { budget } = stores.one
      const job = { lane: "jobs", who: "job_1" } as const
      expect(await budget.take("giftcard", 20, windowMs, () => ({ taker: job }))).toEqual({ granted: true })
      let use: WindowUse | undefined
      const refused = await budget.take("giftcard", 20, windowMs, (now) => {
        use = now
        return { inMs: Infinity }
      })
      expect(use?.free).toBe(11)
      expect(use?.recentUse.filter(({ lane }) => lane === "jobs")).toEqual([
        { ...job, permits: 1, freeInMs: expect.closeTo(windowMs, -4) },
      ])
      expect(use?.recentUse.reduce((sum, { permits }) => sum + permits, 0)).toBe(9)
      const freeIn = (use?.recentUse ?? []).map(({ freeInMs }) => freeInMs)
      expect(freeIn).toEqual(freeIn.toSorted((a, b) => a - b))
      expect(refused).toMatchObject({ granted: false, inMs: expect.closeTo(freeIn[0] ?? 0, -3) })
      expect(await budget.take("giftcard", 20, windowMs, () => ({ inMs: 5 }))).toEqual({
        granted: false,
        inMs: 5,
      })
    })

    test("frees a permit after its window", async () => {
      const { budget } = stores.one
      const shortMs = 40
      // Also moves the permits of earlier tests into the shorter window.
      await expect
        .poll(async () => (await budget.state("giftcard", 2, shortMs)).left, { interval: 5 })
        .toBe(2)
      expect(await budget.take("giftcard", 2, shortMs, anybody)).toEqual({ granted: true })
      await expect.poll(async () => (await budget.state("giftcard", 2, shortMs)).left).toBe(2)
    })

    test("grants no permit while the service is blocked", async () => {
      const { budget } = stores.one
      await budget.block("giftcard", 10, windowMs, 5_000)
      await budget.block("giftcard", 10, windowMs, 1_000)
      const grant = await stores.other.budget.take("giftcard", 10, windowMs, anybody)
      if (grant.granted) throw new Error("A place was granted while the service wanted nothing.")
      expect(grant.inMs).toSatisfy((ms: number) => ms > 1_000 && ms <= 5_000)
      expect((await budget.state("giftcard", 10, windowMs)).left).toBe(0)
    })

    test("sums the counts of several instances", async () => {
      const call = usage({ requests: 3, longestWaitMs: 900, slow: 1 })
      await stores.one.usage.add([call, usage({ who: "Priya Nair" })])
      await stores.other.usage.add([usage({ requests: 2, longestWaitMs: 40, refused: 1 })])
      const found = await stores.one.usage.since(call.minute)
      expect(found).toContainEqual({ ...call, requests: 5, refused: 1 })
      expect(found).toContainEqual(usage({ who: "Priya Nair" }))
      await stores.one.usage.forgetBefore(call.minute + 1)
      expect(await stores.one.usage.since(0)).toEqual([])
    })

    test("drift is counted by field and kind, with the first and last time", async () => {
      const row = { api: "program", operation: "GET /members", field: "status", kind: "other" } as const
      await stores.one.drift.add([{ ...row, seen: 2 }], 1_000)
      await stores.other.drift.add([{ ...row, seen: 1 }], 5_000)
      await stores.one.drift.add([{ ...row, kind: "empty", seen: 1 }], 3_000)
      expect(await stores.other.drift.list()).toEqual([
        { ...row, seen: 3, first_at: isoOf(1_000), last_at: isoOf(5_000) },
        { ...row, kind: "empty", seen: 1, first_at: isoOf(3_000), last_at: isoOf(3_000) },
      ])
    })

    test("lists the audit log newest first, page by page", async () => {
      const entries = Array.from({ length: 25 }, (_, at) => entry(at))
      for (const one of entries) await stores.one.audit.append(one)
      const first = await stores.other.audit.list({ per_page: 10 }, {})
      expect(first.map(({ id }) => id)).toEqual(idsOf(entries.slice(14).toReversed()))
      const before = first[9]?.id ?? ""
      const second = await stores.other.audit.list({ per_page: 10, before }, {})
      expect(second.map(({ id }) => id)).toEqual(idsOf(entries.slice(4, 15).toReversed()))
      expect(second[0]).toEqual(entries[14])
    })

    test("limits the audit log to what the reader may see", async () => {
      const { audit } = stores.one
      const own = await audit.list(everything, { actor: "tom" })
      expect(new Set(own.map(({ actor }) => actor.id))).toEqual(new Set(["tom"]))
      const ownAndProgram = await audit.list(everything, { actor: "tom", area: "program" })
      expect(ownAndProgram.every((one) => one.actor.id === "tom" || one.area === "program")).toBe(true)
      expect(ownAndProgram.length).toBeGreaterThan(own.length)
      expect(ownAndProgram.length).toBeLessThan((await audit.list(everything, {})).length)
    })

    test("filters the audit log", async () => {
      const { audit } = stores.one
      const found = async (query: object) => idsOf(await audit.list({ ...everything, ...query }, {}))
      expect(await found({ actor: "tom", kind: "member", id: "mem_3" })).toEqual([idOf(3)])
      expect(await found({ outcome: "failed" })).toEqual([idOf(20), idOf(10), idOf(0)])
      expect(await found({ from: isoOf(23_000), to: "1970-01-01T10:00:24+10:00" })).toEqual([
        idOf(24),
        idOf(23),
      ])
      expect(await found({ action: "member.delete" })).toEqual([])
    })

    test("merges the entries of a failed reveal into one, and no others", async () => {
      const [card, request_id] = [{ kind: "card", id: "gc_1", label: null }, "req_reveal"]
      const made = (at: number, fields: object) =>
        entry(at, { action: "card.reveal", on: card, outcome: "done", ...fields })
      const failed = { outcome: "failed", request_id }
      const acts = [made(900, { request_id: "req_before" }), made(901, { request_id }), made(902, failed)]
      for (const one of acts) await stores.one.audit.append(one)
      const found = await stores.other.audit.list({ ...everything, action: "card.reveal" }, {})
      expect(idsOf(found)).toEqual([idOf(902), idOf(900)])
    })

    test("stores every concurrently written audit entry", async () => {
      const many = Array.from({ length: 60 }, (_, at) => entry(1_000 + at, { action: "note.save" }))
      await Promise.all(many.map((one, at) => (at % 2 === 0 ? stores.one : stores.other).audit.append(one)))
      const entries = await stores.one.audit.list({ ...everything, action: "note.save" }, {})
      expect(idsOf(entries).toSorted()).toEqual(idsOf(many))
    })

    test("ends a job and writes its audit entry together or not at all", async () => {
      const { jobs, audit } = stores.one
      const excluded = { code: "repeated_row", message: "Same as row 1" }
      const { id } = await make(jobs, [sampleRow({ points: 70, excluded }), sampleRow()])
      await setRow(jobs, id, 2, { state: "confirmed" })
      const end = (audited: (points: number | null | undefined) => AuditEntry) =>
        jobs.change(id, ["running"], { state: "done" }, (after, only) => {
          expect([after.state, after.counts.confirmed]).toEqual(["done", 1])
          return audited(only?.points)
        })
      const failing = end(() => {
        throw new Error("killed in between")
      })
      await expect(failing).rejects.toThrow("killed in between")
      expect(await stores.other.jobs.get(id)).toMatchObject({ state: "running" })
      const ended = entry(0, { id: "the-end", request_id: id, note: null })
      expect(await end((points) => ({ ...ended, note: `${points} points` }))).toMatchObject({ state: "done" })
      const found = await stores.other.audit.list({ ...everything, id: ended.on.id }, {})
      expect(found.filter(({ request_id }) => request_id === id)).toEqual([{ ...ended, note: "50 points" }])
      expect(await stores.other.jobs.get(id)).toMatchObject({ state: "done" })
      // A change from an outdated state writes nothing.
      expect(await end(() => ended)).toBeUndefined()
      expect(await audit.list({ ...everything, id: ended.on.id }, {})).toHaveLength(found.length)
    })

    test("saves a note only over the version it was based on", async () => {
      const { notes } = stores.one
      const note = { kind: "member", id: "mem/1?#%", text: "Calls after four 🙂", version: 1 } as const
      const saved = { ...note, saved_at: isoOf(0), saved_by: "Priya Nair" }
      expect(await notes.get("member", note.id)).toBeUndefined()
      const rivals = [notes, stores.other.notes].map((store, at) =>
        store.save({ ...saved, text: `${saved.text} ${at}` }),
      )
      expect((await Promise.all(rivals)).filter(Boolean)).toEqual([true])
      expect(await notes.save({ ...saved, version: 3 })).toBe(false)
      expect(await notes.save({ ...saved, version: 2 })).toBe(true)
      expect(await stores.other.notes.get("member", note.id)).toEqual({ ...saved, version: 2 })
      expect(await notes.get("order", note.id)).toBeUndefined()
    })

    test("keeps the previous version of a note for each save, and none for a refused save", async () => {
      const { one, other } = stores
      const of = (version: number, text: string) =>
        ({
          kind: "order",
          id: "ord_1",
          text,
          version,
          saved_at: isoOf(version),
          saved_by: "Priya Nair",
        }) as const
      const [first, second, third] = [of(1, "Fragile"), of(2, ""), of(3, "Call first")]
      for (const note of [first, second]) expect(await one.notes.save(note)).toBe(true)
      expect(await other.notes.save(of(2, "Too late"))).toBe(false)
      expect(await other.notes.save(third)).toBe(true)
      expect(await one.notes.earlier("order", "ord_1", 3)).toEqual([second, first])
      expect(await one.notes.earlier("order", "ord_1", 2)).toEqual([first])
      expect(await one.notes.earlier("member", "ord_1", 3)).toEqual([])
    })

    test("keeps one leaderboard snapshot per hour, the one with the most places", async () => {
      const { one, other } = stores
      const hour = Date.UTC(2031, 0, 1)
      const taken = { board: `board ${name}`, complete: false, sent: { rows: ["Ana ☀"] } }
      for (const [minute, places] of [
        [0, 10],
        [20, 25],
        [40, 10],
        [60, 10],
      ] as const) {
        const { snapshots } = minute === 20 ? other : one
        await snapshots.add({ ...taken, at: hour + minute * 60_000, places })
      }
      const times = [hour + 20 * 60_000, hour + 60 * 60_000]
      expect(await other.snapshots.times(taken.board)).toEqual(times)
      expect(await other.snapshots.list(taken.board, times)).toEqual([
        { ...taken, at: times[0], places: 25 },
        { ...taken, at: times[1], places: 10 },
      ])
      expect(await other.snapshots.list("another", times)).toEqual([])
      await one.snapshots.forget(taken.board, times.slice(1))
      expect(await other.snapshots.times(taken.board)).toEqual(times.slice(0, 1))
      await other.snapshots.forgetBefore(hour + 3_600_000)
      expect(await one.snapshots.times(taken.board)).toEqual([])
    })

    test("keeps the last stored name of a member until it is deleted", async () => {
      const { one, other } = stores
      const ana = { id: `mem_ana_${name}`, name: "Ana ☀", email: null, at: 1000 }
      const tom = { id: `mem_tom_${name}`, name: "", email: "tom@example.test", at: 2000 }
      await one.names.put([tom, { ...ana, name: "Anna" }])
      await other.names.put([ana])
      const storedNames = async () => (await one.names.all()).filter(({ id }) => id.endsWith(name))
      expect((await storedNames()).toSorted((a, b) => a.at - b.at)).toEqual([ana, tom])
      await one.names.forgetBefore(1500)
      expect(await storedNames()).toEqual([tom])
      await other.names.forget(tom.id)
      expect(await storedNames()).toEqual([])
    })

    test("loses no concurrent change of a document", async () => {
      const add = (settings: SettingsStore, at: number) =>
        settings.change("counted", async (documents) => {
          const before = z.array(z.int()).safeParse(await documents.get("counted")).data ?? []
          await documents.put("counted", [...before, at])
          return before.length
        })
      const { one, other } = stores
      const found = await Promise.all([one, other, one, other].map((store, at) => add(store.settings, at)))
      expect(new Set(found)).toEqual(new Set([0, 1, 2, 3]))
      expect(new Set(z.array(z.int()).parse(await one.settings.get("counted")))).toEqual(
        new Set([0, 1, 2, 3]),
      )
      const refused = one.settings.change("counted", async (documents) => {
        await documents.put("counted", [])
        throw new Error("Not so.")
      })
      await expect(refused).rejects.toThrow("Not so.")
      expect(await other.settings.get("counted")).toHaveLength(4)
    })

    test("stores settings unchanged", async () => {
      const { settings } = stores.one
      expect(await settings.get("program")).toBeUndefined()
      await settings.put("program", { name: "First", nested: [1, null, "ü"] })
      await stores.other.settings.put("program", { name: "Second", nested: [1, null, "ü"] })
      expect(await settings.get("program")).toEqual({ name: "Second", nested: [1, null, "ü"] })
    })
  })
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function idOf(at: number): string {
  return `entry_${String(at).padStart(5, "0")}`
}

function idsOf(entries: readonly AuditEntry[]): string[] {
  return entries.map(({ id }) => id)
}

/** Every third entry is Tom's, every fifth is in the app area, every tenth failed. */
function entry(at: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  const tom = at % 3 === 0
  return {
    id: idOf(at),
    at: isoOf(at * 1_000),
    actor: { id: tom ? "tom" : "priya", name: tom ? "Tom Whitlock" : "Priya Nair", role: "manager" },
    action: "member.update",
    area: at % 5 === 0 ? "app" : "program",
    on: { kind: "member", id: `mem_${at}`, label: at % 2 === 0 ? null : "Ana Silva" },
    outcome: at % 10 === 0 ? "failed" : "done",
    note: null,
    changes: [{ field: "company", from: null, to: "Silva & Søns" }],
    request_id: `request_${at}`,
    source: at % 2 === 0 ? null : "203.0.113.9",
    ...changes,
  }
}

function usage(changes: Partial<UsageRecord>): UsageRecord {
  return {
    api: "program",
    minute: 1_800_000_000_000,
    lane: "people",
    who: "Helen Park",
    requests: 1,
    refused: 0,
    slow: 0,
    trouble: 0,
    longestWaitMs: 0,
    ...changes,
  }
}
