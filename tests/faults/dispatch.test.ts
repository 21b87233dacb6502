import { randomBytes } from "node:crypto"
import { connect, createServer, type Socket } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { type Kysely, sql, type Transaction } from "kysely"
import { describe, expect, onTestFinished, test } from "vitest"
import { openPgBoss } from "../../bff/dispatch/pg-boss.ts"
import { openEngine, prepareStore } from "../../bff/store/open-store.ts"
import { kyselyOver } from "../../bff/store/sqlite.ts"
import type { Database } from "../../bff/store/schema.ts"
import { createInProcessDispatcher, type Dispatcher, type RunEnd } from "../../core/dispatch.ts"
import type { Clock } from "../../core/ports.ts"
import { realClock } from "../../core/runtime.ts"
import { startChild } from "../support/child.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { quietLog } from "../support/quiet-log.ts"
import { testPlaces } from "../support/test-stores.ts"
import { createRandom } from "./random.ts"

const places = testPlaces()

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

async function newDatabase() {
  const { databaseUrl } = await places.newDatabase()
  const engine = await openEngine({ databaseUrl }, quietLog)
  onTestFinished(() => engine.close())
  const stamp = { environment: "sandbox", programBaseUrl: null, giftcardBaseUrl: null } as const
  await prepareStore(engine, stamp, async () => undefined)
  return { databaseUrl, db: engine.db }
}

const untilTrue = async (look: () => boolean | Promise<boolean>) => {
  await expect.poll(look, { interval: 20 }).toBe(true)
}

async function onPgBoss(): Promise<Ground> {
  const { databaseUrl, db } = await newDatabase()
  return { clock: realClock, db, open: () => openPgBoss(databaseUrl, quietLog), until: untilTrue }
}

/** Records runs of a test. */
function createRuns(clock: Clock) {
  const started: { readonly key: string; readonly at: number; readonly signal: AbortSignal }[] = []
  const under = new Map<string, number>()
  let overlaps = 0
  return {
    started,
    count: (key?: string) => started.filter((run) => key === undefined || run.key === key).length,
    overlaps: () => overlaps,
    /** Times between the starts, ms. */
    gaps: () => started.slice(1).map(({ at }, before) => at - (started[before]?.at ?? 0)),
    /** A run that does `work`, and counts concurrent runs of its key. */
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

describe.each([
  ["in-process", inProcess],
  ["pg-boss", onPgBoss],
])("the %s dispatcher", { timeout: 90_000 }, (_, open) => {
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

  test("runs a key again that was woken during its run, after it", async () => {
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

  test("limits the number of concurrent runs", async () => {
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
    expect(Math.min(...runs.gaps())).toBeGreaterThanOrEqual(5000)
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
        // A store in a file answers no other run while a transaction is open.
        if (key.startsWith("other")) return "done"
        const { rows } = await sql`select key from effect where key = ${key}`.execute(db)
        found.set(key, [...(found.get(key) ?? []), rows.length])
        return "done"
      }),
    )
    await dispatcher.start()
    const change = (key: string, at?: number) => async (within: Transaction<Database>) => {
      await sql`insert into effect (key) values (${key})`.execute(within)
      await dispatcher.wake("job", key, { within, ...(at !== undefined && { at }) })
    }
    await db.transaction().execute(async (within) => {
      await change("J-1")(within)
      // While others run, J-1 would run too if its run did not wait for the commit.
      for (const other of ["other 1", "other 2", "other 3"]) {
        await dispatcher.wake("job", other)
        await ground.until(async () => {
          // PostgreSQL ends a transaction that is idle for long.
          await sql`select 1`.execute(within)
          return runs.count(other) === 1
        })
      }
    })
    await ground.until(() => found.has("J-1"))
    expect(found.get("J-1")).toEqual([1])
    await dispatcher.wake("job", "J-2", { at: ground.clock.now() + 1000 })
    await expect(
      db.transaction().execute(async (within) => {
        await change("J-2")(within)
        throw new Error("rolled back")
      }),
    ).rejects.toThrow("rolled back")
    await ground.until(() => found.has("J-2"))
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

/** A database behind a connection that can be cut silently, as by a firewall. */
async function cuttable(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((inner) => {
    const outer = connect(Number(target.port), target.hostname)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => sockets.delete(socket))
    }
    inner.on("data", (data) => !isCut && outer.write(data))
    outer.on("data", (data) => !isCut && inner.write(data))
    inner.on("end", () => outer.end())
    outer.on("end", () => inner.end())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  return {
    url: url.href,
    cut: () => (isCut = true),
    mend() {
      isCut = false
      // What was sent meanwhile is lost, so these connections are of no use.
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe("pg-boss on several instances", { timeout: 120_000 }, () => {
  test("aborts a run within 7.5 s of its last confirmation while its database is cut off, before another starts", async () => {
    const { databaseUrl } = await newDatabase()
    const link = await cuttable(databaseUrl)
    const far = await openPgBoss(link.url, quietLog)
    const near = await openPgBoss(databaseUrl, quietLog)
    onTestFinished(async () => {
      link.mend()
      await Promise.all([far.stop(), near.stop()])
    })
    const events: { readonly what: string; readonly at: number }[] = []
    const note = (what: string) => events.push({ what, at: performance.now() })
    far.work("job", 1, async (_, signal) => {
      note("far starts")
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true })
      })
      note("far aborts")
      return "done"
    })
    near.work("job", 1, async () => {
      note("near starts")
      return "done"
    })
    await far.start()
    await far.wake("job", "J-1")
    await untilTrue(() => events.length === 1)
    link.cut()
    note("cut")
    await near.start()
    await untilTrue(() => events.some(({ what }) => what === "near starts"))
    expect(events.map(({ what }) => what)).toEqual(["far starts", "cut", "far aborts", "near starts"])
  })

  test("needs a role that reads and writes rows, once the tables are there", async () => {
    const { databaseUrl, db } = await newDatabase()
    const role = `laurel_rows_${randomBytes(4).toString("hex")}`
    await sql
      .raw(
        `create role ${role} login; grant usage on schema pgboss to ${role};
      grant select, insert, update, delete on all tables in schema pgboss to ${role};
      grant usage on all sequences in schema pgboss to ${role}`,
      )
      .execute(db)
    onTestFinished(async () => {
      await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(db)
    })
    const url = new URL(databaseUrl)
    url.username = role
    const dispatcher = await openPgBoss(url.href, quietLog)
    onTestFinished(() => dispatcher.stop())
    let runs = 0
    dispatcher.work("job", 1, async () => {
      runs += 1
      return "done"
    })
    await dispatcher.start()
    await dispatcher.wake("job", "J-1")
    await expect.poll(() => runs, { interval: 20 }).toBe(1)
  })

  test("does a duty once in each period, however many instances ask for it", async () => {
    const { databaseUrl } = await newDatabase()
    const runs = createRuns(realClock)
    const run = runs.of(async () => "done")
    const instances = await Promise.all([1, 2, 3].map(() => openPgBoss(databaseUrl, quietLog)))
    onTestFinished(async () => {
      await Promise.all(instances.map((instance) => instance.stop()))
    })
    for (const instance of instances) {
      instance.duty("sweep", 1500, async (signal) => {
        await run("sweep", signal)
      })
      await instance.start()
    }
    await untilTrue(() => runs.count() === 4)
    expect(Math.min(...runs.gaps())).toBeGreaterThanOrEqual(1500)
    expect(runs.overlaps()).toBe(0)
  })

  test("loses no wake and lets no run overlap while instances are killed and connections end", async () => {
    const { databaseUrl, db } = await newDatabase()
    await sql`create table wanted (key text primary key, number integer not null)`.execute(db)
    await sql`create table seen (key text primary key, number integer not null)`.execute(db)
    await sql`create table overlap (key text not null)`.execute(db)
    const keys = Array.from({ length: 12 }, (_, at) => `J-${at}`)
    for (const key of keys) {
      await sql`insert into wanted values (${key}, 0)`.execute(db)
      await sql`insert into seen values (${key}, 0)`.execute(db)
    }
    const waker = await openPgBoss(databaseUrl, quietLog)
    onTestFinished(() => waker.stop())
    const random = createRandom(7)
    const startOne = () =>
      startChild("tests/faults/dispatch-child.ts", { DATABASE_URL: databaseUrl }, /ready/)
    const children = await Promise.all([startOne(), startOne(), startOne()])
    onTestFinished(async () => {
      await Promise.all(children.map((child) => child.stop()))
    })
    const wakeOne = async () => {
      const key = random.pick(keys)
      const isRolledBack = random.next() < 0.2
      await db
        .transaction()
        .execute(async (within) => {
          await sql`update wanted set number = number + 1 where key = ${key}`.execute(within)
          await waker.wake("job", key, { within })
          if (isRolledBack) throw new Error("rolled back")
        })
        .catch(() => undefined)
    }
    for (let round = 0; round < 6; round += 1) {
      for (let at = 0; at < 40; at += 1) await wakeOne()
      if (round === 2) await places.cutConnections(databaseUrl).catch(() => undefined)
      const child = children[round % children.length]
      if (round % 2 === 0) {
        child?.process.kill("SIGKILL")
        children[round % children.length] = await startOne()
      }
    }
    const missed = async () => {
      const { rows } = await sql<{ key: string }>`
        select wanted.key from wanted join seen using (key) where seen.number < wanted.number`
        .execute(db)
        .catch(() => ({ rows: [{ key: "the database did not answer" }] }))
      return rows.length
    }
    await untilTrue(async () => (await missed()) === 0)
    const { rows } = await sql`select key from overlap`.execute(db)
    expect(rows).toEqual([])
  })
})
