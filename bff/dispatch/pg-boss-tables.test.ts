import { randomBytes } from "node:crypto"
import { type Kysely, sql } from "kysely"
import { getMigrationPlans, getRollbackPlans } from "pg-boss"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { testPlaces } from "../../tests/support/test-stores.ts"
import { openEngine } from "../store/open-store.ts"
import type { Database } from "../store/schema.ts"
import { openPgBoss, preparePgBoss } from "./pg-boss.ts"

vi.mock("pg-boss", { spy: true })

const migrationPlans = vi.mocked(getMigrationPlans)
const places = testPlaces()

afterEach(() => {
  vi.clearAllMocks()
})

async function openAs(databaseUrl: string): Promise<Kysely<Database>> {
  const engine = await openEngine({ databaseUrl }, quietLog)
  onTestFinished(() => engine.close())
  return engine.patient
}

async function newDatabase() {
  const { databaseUrl } = await places.newDatabase()
  return { databaseUrl, db: await openAs(databaseUrl) }
}

/** The version of the tables, and which transaction wrote it. */
async function versionOf(db: Kysely<Database>) {
  const { rows } = await sql<{
    version: number
    writer: string
  }>`select version, xmin::text as writer from pgboss.version`.execute(db)
  return rows[0]
}

async function indexesOf(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where schemaname = 'pgboss' order by indexname`.execute(db)
  return rows.map(({ name }) => name)
}

async function advisoryLocks(db: Kysely<Database>): Promise<boolean[]> {
  const { rows } = await sql<{ granted: boolean }>`
    select granted from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where locktype = 'advisory' and datname = current_database() order by granted`.execute(db)
  return rows.map(({ granted }) => granted)
}

describe("the tables of pg-boss", () => {
  test("are made in an empty database, and left alone when they are current", async () => {
    const { db } = await newDatabase()
    await preparePgBoss(db)
    const version = await versionOf(db)
    expect(version?.version).toBe(46)
    await preparePgBoss(db)
    expect(await versionOf(db)).toEqual(version)
    expect(migrationPlans).not.toHaveBeenCalled()
    expect(await advisoryLocks(db)).toEqual([])
  })

  test("are made in a schema that an administrator created for a role that cannot", async () => {
    const { databaseUrl, db } = await newDatabase()
    const role = `laurel_tables_${randomBytes(4).toString("hex")}`
    await sql.raw(`create role ${role} login; create schema pgboss authorization ${role}`).execute(db)
    onTestFinished(async () => {
      await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(db)
    })
    const url = new URL(databaseUrl)
    url.username = role
    await preparePgBoss(await openAs(url.href))
    expect((await versionOf(db))?.version).toBe(46)
  })

  test("are made by one of two instances, while the other waits", async () => {
    const { db } = await newDatabase()
    const gate = Promise.withResolvers<void>()
    onTestFinished(() => gate.resolve())
    const locked = Promise.withResolvers<void>()
    const other = db.connection().execute(async (one) => {
      await sql`select pg_advisory_lock(hashtextextended('laurel pgboss', 0))`.execute(one)
      locked.resolve()
      await gate.promise
      await sql`select pg_advisory_unlock(hashtextextended('laurel pgboss', 0))`.execute(one)
    })
    await locked.promise
    let haveEnded = false
    const both = Promise.all([preparePgBoss(db), preparePgBoss(db)]).finally(() => (haveEnded = true))
    await expect.poll(async () => haveEnded || (await advisoryLocks(db)).length === 3).toBe(true)
    expect(await advisoryLocks(db)).toEqual([false, false, true])
    gate.resolve()
    await Promise.all([both, other])
    expect((await versionOf(db))?.version).toBe(46)
  })

  test("are made at the next start when a plan fails: its transaction and lock end", async () => {
    const { db } = await newDatabase()
    await sql`create schema pgboss`.execute(db)
    await sql`create table pgboss.warning (id integer)`.execute(db)
    await expect(preparePgBoss(db)).rejects.toThrow('relation "warning" already exists')
    expect(await advisoryLocks(db)).toEqual([])
    await sql`drop table pgboss.warning`.execute(db)
    await preparePgBoss(db)
    expect((await versionOf(db))?.version).toBe(46)
  })

  test.each([45, 44, 43])("of version %i are brought up to date, with every index", async (older) => {
    const { db } = await newDatabase()
    await preparePgBoss(db)
    const indexes = await indexesOf(db)
    for (let version = 46; version > older; version -= 1)
      await sql.raw(getRollbackPlans("pgboss", version)).execute(db)
    expect((await versionOf(db))?.version).toBe(older)
    await preparePgBoss(db)
    expect((await versionOf(db))?.version).toBe(46)
    expect(await indexesOf(db)).toEqual(indexes)
  })

  test("of an unknown version are brought up to date from the first one", async () => {
    const { db } = await newDatabase()
    await preparePgBoss(db)
    await sql`delete from pgboss.version`.execute(db)
    migrationPlans.mockReturnValueOnce("create table pgboss.brought_up_to_date (id integer)")
    await preparePgBoss(db)
    expect(migrationPlans).toHaveBeenCalledExactlyOnceWith("pgboss", 0)
    const { rows } = await sql`select * from pgboss.brought_up_to_date`.execute(db)
    expect(rows).toEqual([])
  })

  test("of a newer version are left alone", async () => {
    const { db } = await newDatabase()
    await preparePgBoss(db)
    await sql`update pgboss.version set version = 47`.execute(db)
    await preparePgBoss(db)
    expect(migrationPlans).not.toHaveBeenCalled()
    expect((await versionOf(db))?.version).toBe(47)
  })
})

describe("a wake on PostgreSQL", () => {
  const hours = 3_600_000

  async function openDispatcher() {
    const { databaseUrl, db } = await newDatabase()
    await preparePgBoss(db)
    const clock = createFakeClock()
    const dispatcher = await openPgBoss(databaseUrl, quietLog, clock)
    onTestFinished(() => dispatcher.stop())
    /** What is queued and in how many hours it is due, to the nearest: statements take a moment. */
    const queued = async () => {
      const { rows } = await sql<{ name: string; key: string; delay: number }>`
        select name, singleton_key as key, round(extract(epoch from start_after - created_on) / 3600)::int as delay
        from pgboss.job where state = 'created' order by name, key`.execute(db)
      return rows.map(({ name, key, delay }) => `${name} ${key} in ${delay} h`)
    }
    return { db, dispatcher, clock, queued }
  }

  test("moves its own queued key to an earlier time, to no later one", async () => {
    const { dispatcher, clock, queued } = await openDispatcher()
    const wake = (queue: "job" | "ingest", key: string, inHours: number) =>
      dispatcher.wake(queue, key, { at: clock.now() + inHours * hours })
    await wake("job", "J-1", 10)
    await wake("job", "J-2", 10)
    await wake("ingest", "J-1", 10)
    await wake("job", "J-1", 15)
    expect(await queued()).toEqual(["ingest J-1 in 10 h", "job J-1 in 10 h", "job J-2 in 10 h"])
    await wake("job", "J-1", 5)
    expect(await queued()).toEqual(["ingest J-1 in 10 h", "job J-1 in 5 h", "job J-2 in 10 h"])
    await dispatcher.wake("job", "J-1")
    expect(await queued()).toEqual(["ingest J-1 in 10 h", "job J-1 in 0 h", "job J-2 in 10 h"])
  })

  test("queues the key of a run that is under way again", async () => {
    const { db, dispatcher, clock, queued } = await openDispatcher()
    await dispatcher.wake("job", "J-1")
    await sql`update pgboss.job set state = 'active'`.execute(db)
    await dispatcher.wake("job", "J-1", { at: clock.now() + 10 * hours })
    expect(await queued()).toEqual(["job J-1 in 10 h"])
  })

  test("within a transaction is seen after its commit, and not at all after a rollback", async () => {
    const { db, dispatcher, clock, queued } = await openDispatcher()
    await db.transaction().execute(async (within) => {
      await dispatcher.wake("job", "J-1", { within })
      await dispatcher.wake("job", "J-2", { within, at: clock.now() + 10 * hours })
      expect(await queued()).toEqual([])
    })
    expect(await queued()).toEqual(["job J-1 in 0 h", "job J-2 in 10 h"])
    const rolledBack = db.transaction().execute(async (within) => {
      await dispatcher.wake("job", "J-2", { within })
      await dispatcher.wake("job", "J-3", { within })
      throw new Error("rolled back")
    })
    await expect(rolledBack).rejects.toThrow("rolled back")
    expect(await queued()).toEqual(["job J-1 in 0 h", "job J-2 in 10 h"])
  })
})
