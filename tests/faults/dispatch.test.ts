import { DatabaseSync } from "node:sqlite"
import { type Kysely, sql, type Transaction } from "kysely"
import { describe, expect, onTestFinished, test } from "vitest"
import { kyselyOver } from "../../bff/store/sqlite.ts"
import type { Database } from "../../bff/store/schema.ts"
import { createInProcessDispatcher, type Dispatcher, type RunEnd } from "../../core/dispatch.ts"
import type { Clock } from "../../core/ports.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { quietLog } from "../support/quiet-log.ts"

type TestDispatcher = Dispatcher<Transaction<Database>>

/** A store and dispatchers of its instances. */
interface Ground {
  readonly clock: Clock
  readonly db: Kysely<Database>
  /** The dispatcher of another instance; stops with the test. */
  open(): Promise<TestDispatcher>
  /** Waits until `look` is true; fails after a minute. */
  until(look: () => boolean | Promise<boolean>): Promise<void>
}

async function inProcess(): Promise<Ground> {
  const clock = createFakeClock()
  const db = kyselyOver(new DatabaseSync(":memory:"))
  return {
    clock,
    db,
    open: async () => createInProcessDispatcher(clock, quietLog),
    async until(look) {
      for (const end = clock.monotonic() + 60_000; !(await look()); await clock.advance(100))
        if (clock.monotonic() > end) throw new Error("It did not happen within a minute.")
    },
  }
}

/** Runs of a test, each ended by the test or at once. */
function createRuns(clock: Clock) {
  const started: { readonly key: string; readonly at: number; readonly signal: AbortSignal }[] = []
  const under = new Map<string, number>()
  let overlaps = 0
  return {
    started,
    count: (key?: string) => started.filter((run) => key === undefined || run.key === key).length,
    overlaps: () => overlaps,
    /** A run that does `work`, and counts runs of its key beside it. */
    of:
      (work: (key: string, signal: AbortSignal) => Promise<RunEnd>) =>
      async (key: string, signal: AbortSignal): Promise<RunEnd> => {
        started.push({ key, at: clock.now(), signal })
        if ((under.get(key) ?? 0) > 0) overlaps += 1
        under.set(key, (under.get(key) ?? 0) + 1)
        try {
          return await work(key, signal)
        } finally {
          under.set(key, (under.get(key) ?? 0) - 1)
        }
      },
  }
}

async function openOn(ground: Ground) {
  const dispatcher = await ground.open()
  onTestFinished(() => dispatcher.stop())
  return { dispatcher, runs: createRuns(ground.clock) }
}

describe.each([["in-process", inProcess]])("the %s dispatcher", (_, open) => {
  test("runs a key once for wakes that come before it starts", async () => {
    const ground = await open()
    const { dispatcher, runs } = await openOn(ground)
    dispatcher.work(
      "job",
      4,
      runs.of(async () => "done"),
    )
    await dispatcher.start()
    await dispatcher.wake("job", "first")
    await ground.until(() => runs.count("first") === 1)
    const at = ground.clock.now() + 1000
    for (let times = 0; times < 5; times += 1) await dispatcher.wake("job", "J-1", { at })
    await ground.until(() => runs.count("J-1") > 0)
    await dispatcher.wake("job", "last")
    await ground.until(() => runs.count("last") === 1)
    expect(runs.count("J-1")).toBe(1)
  })

  test("runs a key again that was woken during its run, and not beside it", async () => {
    const ground = await open()
    const { dispatcher, runs } = await openOn(ground)
    const gate = Promise.withResolvers<void>()
    dispatcher.work(
      "job",
      4,
      runs.of(async () => {
        await gate.promise
        return "done"
      }),
    )
    await dispatcher.start()
    await dispatcher.wake("job", "J-1")
    await ground.until(() => runs.count("J-1") === 1)
    await dispatcher.wake("job", "J-1")
    await dispatcher.wake("job", "J-2")
    await ground.until(() => runs.count("J-2") === 1)
    expect(runs.count("J-1")).toBe(1)
    gate.resolve()
    await ground.until(() => runs.count("J-1") === 2)
    expect(runs.overlaps()).toBe(0)
  })

  test("runs as many keys at once as it was told", async () => {
    const ground = await open()
    const { dispatcher, runs } = await openOn(ground)
    const gate = Promise.withResolvers<void>()
    let under = 0
    let most = 0
    dispatcher.work(
      "job",
      2,
      runs.of(async () => {
        under += 1
        most = Math.max(most, under)
        await gate.promise
        under -= 1
        return "done"
      }),
    )
    await dispatcher.start()
    for (const key of ["J-1", "J-2", "J-3", "J-4"]) await dispatcher.wake("job", key)
    await ground.until(() => under === 2)
    gate.resolve()
    await ground.until(() => runs.count() === 4)
    expect(most).toBe(2)
  })

  test("runs a key no earlier than its time; a later time does not postpone it, an earlier one counts", async () => {
    const ground = await open()
    const { dispatcher, runs } = await openOn(ground)
    dispatcher.work(
      "job",
      4,
      runs.of(async () => "done"),
    )
    await dispatcher.start()
    const start = ground.clock.now()
    await dispatcher.wake("job", "J-1", { at: start + 2000 })
    await dispatcher.wake("job", "J-1", { at: start + 3_600_000 })
    await dispatcher.wake("job", "J-2", { at: start + 3_600_000 })
    await dispatcher.wake("job", "J-2", { at: start + 2000 })
    await dispatcher.wake("job", "J-3", { at: start + 3_600_000 })
    await dispatcher.wake("job", "J-3")
    await ground.until(() => ["J-1", "J-2", "J-3"].every((key) => runs.count(key) === 1))
    const at = (key: string) => (runs.started.find((run) => run.key === key)?.at ?? 0) - start
    expect(at("J-1")).toBeGreaterThanOrEqual(2000)
    expect(at("J-2")).toBeGreaterThanOrEqual(2000)
    expect(runs.started[0]?.key).toBe("J-3")
  })

  test("runs a key again at the time that its run asked for", async () => {
    const ground = await open()
    const { dispatcher, runs } = await openOn(ground)
    let againAt = Infinity
    dispatcher.work(
      "job",
      4,
      runs.of(async () => {
        if (runs.count() > 1) return "done"
        againAt = ground.clock.now() + 1500
        return { againAt }
      }),
    )
    await dispatcher.start()
    await dispatcher.wake("job", "J-1")
    await ground.until(() => runs.count("J-1") === 2)
    expect(runs.started[1]?.at).toBeGreaterThanOrEqual(againAt)
  })

  test("takes a run that throws up again after 5 s", async () => {
    const ground = await open()
    const { dispatcher, runs } = await openOn(ground)
    dispatcher.work(
      "job",
      4,
      runs.of(async () => {
        if (runs.count() < 3) throw new Error("made up")
        return "done"
      }),
    )
    await dispatcher.start()
    await dispatcher.wake("job", "J-1")
    await ground.until(() => runs.count("J-1") === 3)
    const times = runs.started.map(({ at }) => at)
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(5000)
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(5000)
  })

  test("runs a key woken in a transaction after its commit, and loses no wake to a rollback", async () => {
    const ground = await open()
    const { db } = ground
    const { dispatcher, runs } = await openOn(ground)
    await sql`create table effect (key text not null)`.execute(db)
    const found = new Map<string, number[]>()
    dispatcher.work(
      "job",
      4,
      runs.of(async (key) => {
        const { rows } = await sql`select key from effect where key = ${key}`.execute(db)
        found.set(key, [...(found.get(key) ?? []), rows.length])
        return "done"
      }),
    )
    await dispatcher.start()
    const change = (key: string, at?: number) => async (within: Transaction<Database>) => {
      await sql`insert into effect (key) values (${key})`.execute(within)
      await dispatcher.wake("job", key, { within, ...(at !== undefined && { at }) })
      // A run that starts now must not find the change.
      await sql`select count(*) from effect`.execute(within)
    }
    await db.transaction().execute(change("J-1"))
    await ground.until(() => found.get("J-1")?.at(-1) === 1)
    await dispatcher.wake("job", "J-2", { at: ground.clock.now() + 1000 })
    await expect(
      db.transaction().execute(async (within) => {
        await change("J-2")(within)
        throw new Error("rolled back")
      }),
    ).rejects.toThrow("rolled back")
    await ground.until(() => runs.count("J-2") > 0)
    expect(found.get("J-2")?.every((rows) => rows === 0)).toBe(true)
  })

  test("aborts runs when it stops, waits for their end and starts no other", async () => {
    const ground = await open()
    const { dispatcher, runs } = await openOn(ground)
    let ended = false
    dispatcher.work(
      "job",
      1,
      runs.of(async (__, signal) => {
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true })
        })
        await Promise.resolve()
        ended = true
        return "done"
      }),
    )
    await dispatcher.start()
    await dispatcher.wake("job", "J-1")
    await dispatcher.wake("job", "J-2")
    await ground.until(() => runs.count() === 1)
    await dispatcher.stop()
    expect(ended).toBe(true)
    expect(runs.count()).toBe(1)
  })

  test("runs a duty again and again, one at a time, also after a failure", async () => {
    const ground = await open()
    const { dispatcher, runs } = await openOn(ground)
    const run = runs.of(async () => {
      if (runs.count() === 1) throw new Error("made up")
      return "done"
    })
    dispatcher.duty("sweep", 1000, async (signal) => {
      await run("sweep", signal)
    })
    await dispatcher.start()
    await ground.until(() => runs.count() === 3)
    expect(runs.overlaps()).toBe(0)
  })
})
