import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { notices } from "../../contract/notices.ts"
import { demoPeople } from "../../sandbox/seed/people.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { startCardRegister } from "../../core/gift-cards/register.ts"
import { bodyHash } from "../../core/jobs/job-record.ts"
import { createEventBus } from "../../core/runtime.ts"
import { storedRequest } from "../../core/jobs/kinds/giftcard-notes.ts"
import { testClient } from "../../tests/support/sandbox/client.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { createSandbox } from "../../sandbox/app.ts"
import { boards, rankedAt, participants } from "../../sandbox/program/leaderboards.ts"
import { pastYear } from "../../sandbox/seed/history.ts"
import { day } from "../../sandbox/seed/random.ts"
import { storeHistory } from "./history.ts"
import { migrate } from "./migrations.ts"
import { sqlStore } from "./sql-store.ts"
import { openSqlite } from "./sqlite.ts"
import { rowTable } from "./schema.ts"

const seededAt = Date.UTC(2026, 4, 20, 3)

const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanups) await cleanUp()
})

async function emptyStore() {
  const folder = mkdtempSync(join(tmpdir(), "laurel-past-"))
  const engine = openSqlite(join(folder, "laurel.db"), quietLog)
  cleanups.push(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(engine)
  return engine
}

async function fill() {
  const engine = await emptyStore()
  const sandbox = createSandbox({ seededAt })
  await storeHistory(engine, () => pastYear(sandbox.store))
  const store = sqlStore(engine)
  const rows = (await engine.db.selectFrom("job_row").selectAll().execute()).map(rowTable.read)
  const jobs = await engine.db.selectFrom("job").selectAll().orderBy("number").execute()
  const kindOf = new Map(jobs.map(({ number, kind }) => [`J-${number}`, kind]))
  const ofKind = (...kinds: string[]) => rows.filter(({ jobId }) => kinds.includes(kindOf.get(jobId) ?? ""))
  return { engine, store, sandbox: sandbox.store, rows, jobs, ofKind }
}

let made: ReturnType<typeof fill> | undefined
/** Made once: the tests only read it. */
const filled = () => (made ??= fill())

describe("history of a year in a new store", () => {
  it("matches the services' awards, deductions, orders, parcels, members and cards", async () => {
    const { sandbox, ofKind } = await filled()
    const done = ofKind("award", "deduct").filter(({ state }) => state === "confirmed")
    expect(done.length).toBeGreaterThan(200)
    for (const { memberId, upstreamId, points, balanceAfter, confirmedAt } of done) {
      const booked = sandbox.transactions.of(memberId ?? "").find(({ id }) => id === upstreamId)
      expect(booked).toMatchObject({ points, balanceAfter, created: confirmedAt })
    }
    for (const { memberId, upstreamId, input } of ofKind("redeem")) {
      expect(sandbox.orders.get(upstreamId ?? "")).toMatchObject({ memberId, rewardId: input["reward_id"] })
    }
    for (const { label, input } of ofKind("order-update")) {
      const order = sandbox.orders.get(label ?? "")
      expect(order).toMatchObject({ tracking: input["tracking_number"], carrier: input["carrier"] })
    }
    for (const { email, upstreamId } of ofKind("member-create")) {
      expect(sandbox.members.get(upstreamId ?? "")?.email).toBe(email)
    }
    const cards = ofKind("giftcard").filter(({ state }) => state === "confirmed")
    expect(cards).toHaveLength(sandbox.cards.all.length)
    for (const { upstreamId, input } of cards) {
      expect(sandbox.cards.get(upstreamId ?? "")).toMatchObject({ amount: input["denomination"] })
    }
  })

  it("jobs have all the rows that they count", async () => {
    const { jobs, rows } = await filled()
    const rowsByJob = Map.groupBy(rows, ({ jobId }) => jobId)
    for (const { number, total } of jobs)
      expect({ number, rows: rowsByJob.get(`J-${number}`)?.map(({ row }) => row) }).toEqual({
        number,
        rows: Array.from({ length: total }, (_, at) => at + 1),
      })
  })

  it("card rows have the request that the service answers with the same card and its link", async () => {
    const { ofKind } = await filled()
    const { giftcard } = testClient({ seededAt })
    const cards = ofKind("giftcard").filter(({ state }) => state === "confirmed")
    expect(cards.length).toBeGreaterThan(10)
    for (const row of cards) {
      const body = storedRequest(row)
      expect(row.bodyHash).toBe(await bodyHash(body))
      const { status, record } = await giftcard("POST", "/giftcard/cards", body)
      expect({ status, id: record["id"] }).toEqual({ status: 200, id: row.upstreamId })
      expect(record["redeemUrl"]).toMatch(/^https:/)
    }
  })

  it.each([1, 5, 20, 200])("can be made for a program of %i members", async (members) => {
    const engine = await emptyStore()
    const sandbox = createSandbox({ seededAt, members })
    await storeHistory(engine, () => pastYear(sandbox.store))
    expect((await sqlStore(engine).jobs.list({ perPage: 50 })).length).toBeGreaterThan(0)
  })

  it("includes the names of the members", async () => {
    const { store, sandbox } = await filled()
    const names = await store.names.all()
    expect(names.length).toBeGreaterThan(sandbox.members.count * 0.95)
    const [{ id, name } = { id: "", name: "" }] = names
    const member = sandbox.members.get(id)
    expect(name).toBe(`${member?.first_name} ${member?.last_name}`)
  })

  it("has every kind of job, a reversed batch, and jobs that need a person", async () => {
    const { store, jobs, rows, sandbox } = await filled()
    expect(new Set(jobs.map(({ kind }) => kind)).size).toBe(6)
    expect(await store.jobs.get("J-1001")).toMatchObject({ reversedBy: ["J-1002"], title: "Winter bonus" })
    expect(await store.jobs.get("J-1002")).toMatchObject({ reverses: "J-1001", kind: "deduct" })
    const back = rows.find(({ jobId }) => jobId === "J-1002")
    const ledger = sandbox.transactions.of(back?.memberId ?? "")
    expect(ledger.find(({ id }) => id === back?.upstreamId)?.reason).toContain(back?.reason)
    const waiting = await store.jobs.list({ perPage: 50, state: "attention" })
    expect(waiting.map(({ kind, state }) => `${kind} ${state}`)).toEqual(["award done", "giftcard paused"])
    expect(rows.some(({ state }) => state === "failed")).toBe(true)
    expect(rows.some(({ attempts }) => attempts === 2)).toBe(true)
  })

  it("award without a response has two lookups and proves no absence", async () => {
    const { rows } = await filled()
    const waiting = rows.filter(({ hadUnknownAttempt, state }) => hadUnknownAttempt && state !== "confirmed")
    expect(waiting).toMatchObject([{ state: "conflict", outcome: { code: "no_canary" } }])
    for (const { lookupTimes, endedAt } of waiting) {
      expect(lookupTimes).toHaveLength(2)
      expect(Math.min(...lookupTimes)).toBeGreaterThan(endedAt ?? Infinity)
    }
  })

  it("finished jobs are read except those of the last day, and jobs that need a person are unread", async () => {
    const { store } = await filled()
    const { ask } = createTestKit({ store, clock: createFakeClock(seededAt) })
    const all = z.object({ data: notices })
    const of = async (who: (typeof demoPeople)[number]) => {
      const user = { role: who.role, name: who.id.replace("usr_", "") }
      return all.parse((await ask("GET /notices", user)).body).data
    }
    const found = (await Promise.all(demoPeople.map(of))).flat()
    expect(found.filter(({ read }) => read).length).toBeGreaterThan(10)
    for (const each of found) {
      const isOld = "at" in each && Date.parse(each.at) < seededAt - day
      expect(each).toMatchObject({ read: each.kind === "finished" && isOld })
    }
  })

  it("leaderboards cover the year, and places changed since yesterday and last week", async () => {
    const { store, sandbox } = await filled()
    for (const board of boards.slice(0, -1)) {
      const [oldest = 0, ...times] = await store.snapshots.times(board.id)
      expect(oldest).toBeLessThan(seededAt - 358 * day)
      const found = await store.snapshots.list(board.id, times.slice(-8))
      expect(found.map(({ at }) => (seededAt - at) / day)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
      const now = rankedAt(participants(sandbox), board, seededAt, 50)
      expect(found.at(-1)?.sent).toHaveLength(now.length)
      expect(found.at(-1)?.sent).not.toEqual(now)
    }
  })

  it("ends before the store is opened and has nothing left to send", async () => {
    const { jobs, rows, store } = await filled()
    expect(jobs.filter(({ busy, state }) => busy === 1 || state === "running")).toEqual([])
    const times = rows.flatMap(({ confirmedAt }) => confirmedAt ?? [])
    expect(Math.max(...times, ...jobs.map(({ created_at }) => created_at))).toBeLessThan(seededAt)
    expect(Math.min(...jobs.map(({ created_at }) => created_at))).toBeGreaterThan(seededAt - 366 * 86_400_000)
    const entries = await store.audit.list({ per_page: 100 }, {})
    expect(entries.every(({ at }) => Date.parse(at) <= seededAt)).toBe(true)
    expect(new Set(entries.map(({ actor }) => actor.name)).size).toBe(4)
  })

  it("card register fills itself with the cards of the jobs, and most open parcels have an address", async () => {
    const { store, sandbox } = await filled()
    const events = createEventBus(() => undefined)
    await startCardRegister({ store, events, log: quietLog }).fill()
    expect(await store.cards.missing(10)).toEqual([])
    expect((await store.cards.list({ page: 1, per_page: 25, now: seededAt })).total).toBe(
      sandbox.cards.all.length,
    )
    const open = sandbox.orders.all.filter(
      ({ type, status }) => type === "physical" && status === "processing",
    )
    const known = await store.jobs.claims(
      "program:order",
      open.map(({ id }) => id),
    )
    expect(known.size / open.length).toBeGreaterThan(0.6)
  })

  it("is equal for equal seeds, and is made and stored only for a store without audit entries", async () => {
    const [one, other] = await Promise.all([filled(), fill()])
    expect(one.rows).toEqual(other.rows)
    expect(one.jobs).toEqual(other.jobs)
    await storeHistory(one.engine, () => {
      throw new Error("The history was made again.")
    })
    expect((await one.engine.db.selectFrom("job").selectAll().execute()).length).toBe(one.jobs.length)
  })
})
