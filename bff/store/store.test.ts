import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { quietLog } from "../../tests/support/quiet-log.ts"
import type { AppEvent } from "../../contract/events.ts"
import type { BudgetStore } from "../../core/ports.ts"
import { budgetStore } from "./budget-store.ts"
import type { Engine } from "./engine.ts"
import { openEngine } from "./open-store.ts"
import { describeStore } from "../../tests/store/store-suite.ts"
import { sqlStore } from "./sql-store.ts"
import { stampStore } from "./open-store.ts"
import { openTwice, twoStores, testPlaces } from "../../tests/support/test-stores.ts"

const { newFile, newDatabase, cutConnections } = testPlaces()

describeStore("a file", async () => twoStores(await newFile()))
describeStore("PostgreSQL", async () => twoStores(await newDatabase()))

describe.each([
  ["a file", newFile],
  ["PostgreSQL", newDatabase],
])("the stamp of a store in %s", (_name, newPlace) => {
  const staging = {
    environment: "staging",
    programBaseUrl: "https://staging.program.example/v1",
    giftcardBaseUrl: null,
  } as const
  const cards = "https://cards.example/api/v1/external"
  let engines: [Engine, Engine]
  beforeAll(async () => {
    engines = await openTwice(await newPlace())
  })
  afterAll(async () => {
    for (const engine of engines) await engine.close()
  })

  test("is set by the first of two instances and read by the other", async () => {
    const results = await Promise.all(engines.map((engine) => stampStore(engine, staging)))
    expect(results).toEqual([[], []])
  })

  test("refuses another environment and another address with both values", async () => {
    const problems = await stampStore(engines[1], {
      ...staging,
      environment: "production",
      programBaseUrl: "https://program.example/v1",
    })
    expect(problems).toHaveLength(2)
    expect(problems[0]).toMatch(/ENVIRONMENT is production.*first used with staging/)
    expect(problems[1]).toContain("https://program.example/v1")
    expect(problems[1]).toContain(staging.programBaseUrl)
  })

  test("lets a service be added and left out, and holds on to its address", async () => {
    expect(await stampStore(engines[0], { ...staging, giftcardBaseUrl: cards })).toEqual([])
    expect(await stampStore(engines[0], staging)).toEqual([])
    const moved = { ...staging, giftcardBaseUrl: "https://other.example/api/v1/external" }
    expect(await stampStore(engines[0], moved)).toEqual([expect.stringContaining(cards)])
  })
})

describe.each([
  ["a file", newFile],
  ["PostgreSQL", newDatabase],
])("the clock of a store in %s", (_name, newPlace) => {
  const windowMs = 61_000
  const take = (budget: BudgetStore) =>
    budget.take("program", 3, windowMs, () => ({ taker: { lane: "people", who: "ana" } }))
  let engines: [Engine, Engine]
  beforeAll(async () => {
    engines = await openTwice(await newPlace())
  })
  afterAll(async () => {
    for (const engine of engines) await engine.close()
  })

  test("frees no permit and ends no pause when it is put forward, whichever instance looks first", async () => {
    let elapsed = 0
    let wall = 0
    const budgets = engines.map((engine) =>
      budgetStore(
        { db: engine.db, lock: async (within, name) => (await engine.lock(within, name)) + elapsed + wall },
        () => elapsed,
      ),
    )
    const [one, other] = [budgets[0] ?? engines[0].budget, budgets[1] ?? engines[1].budget]
    for (const budget of [one, other, one]) expect(await take(budget)).toEqual({ granted: true })
    await one.block("giftcard", 3, windowMs, 30_000)
    await other.state("giftcard", 3, windowMs)
    elapsed += 10_000
    wall += 3_600_000
    for (const budget of [other, one]) {
      expect(await take(budget)).toMatchObject({ granted: false })
      expect(await budget.state("giftcard", 3, windowMs)).toMatchObject({ left: 0 })
    }
    // At the latest a window after the last instance saw the jump.
    elapsed += windowMs
    expect(await take(other)).toEqual({ granted: true })
    expect(await take(one)).toEqual({ granted: true })
    expect(await one.state("giftcard", 3, windowMs)).toMatchObject({ left: 3 })
  })
})

describe("events", () => {
  test("reach the other instance over PostgreSQL once, and the publishing one immediately", async () => {
    const [one, other] = await openTwice(await newDatabase())
    const listener = vi.fn<(event: AppEvent) => void>()
    const receivedThere = vi.fn<(event: AppEvent) => void>()
    one.bus.subscribe(listener)
    other.bus.subscribe(receivedThere)
    const event = { topic: "member", id: "mem_1" } as const
    one.bus.publish(event)
    expect(listener.mock.calls).toEqual([[event]])
    await expect.poll(() => receivedThere.mock.calls).toEqual([[event]])
    expect(listener).toHaveBeenCalledTimes(1)
    await one.close()
    await other.close()
  })

  test("arrive again after the connection was lost, and the gap is reported", async () => {
    const place = await newDatabase()
    const [one, other] = await openTwice(place)
    const gap = vi.fn<() => void>()
    const listener = vi.fn<(event: AppEvent) => void>()
    other.bus.onGap(gap)
    other.bus.subscribe(listener)
    await cutConnections(place.databaseUrl)
    await expect.poll(() => gap.mock.calls.length).toBe(1)
    one.bus.publish({ topic: "users", id: "user_1" })
    await expect.poll(() => listener.mock.calls.length).toBe(1)
    await one.close()
    await other.close()
  })
})

test("a file on a full disk is not reported as writable", async () => {
  const [engine, other] = await openTwice(await newFile())
  const store = sqlStore(engine)
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(engine.db)
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(engine.db)
  await expect(store.ping()).rejects.toThrow("full")
  await sql`pragma max_page_count = 100000`.execute(engine.db)
  await expect(store.ping()).resolves.toBeUndefined()
  await engine.close()
  await other.close()
})

test("a database that does not answer is named without its password", async () => {
  const databaseUrl = "postgres://laurel:top-secret@127.0.0.1:1/laurel"
  const opening = openEngine({ databaseUrl }, quietLog)
  await expect(opening).rejects.toThrow(/127\.0\.0\.1:1\/laurel\) cannot be used/)
  await expect(opening).rejects.not.toThrow(/top-secret/)
})
