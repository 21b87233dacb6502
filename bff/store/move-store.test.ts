import { randomUUID } from "node:crypto"
import { copyFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { sql } from "kysely"
import { describe, expect, it } from "vitest"
import { isBehind, readMarker } from "../../core/jobs/restore-guard.ts"
import { createSandbox } from "../../sandbox/app.ts"
import { pastYear } from "../../sandbox/seed/history.ts"
import { startChild } from "../../tests/support/child.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { runToEnd } from "../../tests/support/run-to-end.ts"
import { contentsOf, withEngine } from "../../tests/support/store-contents.ts"
import { testPlaces } from "../../tests/support/test-stores.ts"
import { lockFolder, restoreMarker } from "./data-folder.ts"
import type { Engine } from "./engine.ts"
import { storeHistory } from "./history.ts"
import { migrate } from "./migrations.ts"
import { moveStore } from "./move-store.ts"
import { databaseName, prepareStore, type StorePlace } from "./open-store.ts"
import { sqlStore } from "./sql-store.ts"
import { openBudget } from "./sqlite.ts"

const places = testPlaces()
const stamp = {
  environment: "staging",
  programBaseUrl: "https://program.example/v1",
  giftcardBaseUrl: null,
} as const

const taker = { lane: "people", who: "helen" } as const

/** What a start does with a store before anything else; rejects when it is refused. */
const start = (place: StorePlace) =>
  withEngine(place, (engine) => prepareStore(engine, stamp, async () => undefined))
const contents = (place: StorePlace) => withEngine(place, contentsOf)
const withoutUse = (tables: Record<string, string[]>) => ({ ...tables, store_use: [] })

/** A store with a year of history, two users, a session, a permit taken just now, and an instance that has ended. */
async function makeStore(): Promise<string> {
  const { file } = await newFile()
  await withEngine({ file }, async (engine) => {
    await prepareStore(engine, stamp, async () => undefined)
    const sandbox = createSandbox({ seededAt: Date.UTC(2026, 4, 20, 3) })
    await storeHistory(engine, () => pastYear(sandbox.store))
    await addPeople(engine)
    await sqlStore(engine).instances.beat("instance-1", { pid: "1" })
    await sqlStore(engine).restores.count()
  })
  return file
}

async function newFile(): Promise<{ file: string }> {
  const place = await places.newFile()
  if (!("file" in place)) throw new Error("It is no file.")
  return place
}

let made: ReturnType<typeof makeStore> | undefined

/** A copy of that store. */
async function usedStore(): Promise<{ file: string; folder: string }> {
  const original = await (made ??= makeStore())
  const { file } = await newFile()
  copyFileSync(original, file)
  await withEngine({ file }, (engine) => engine.budget.take("program", 60, 60_000, () => ({ taker })))
  return { file, folder: dirname(file) }
}

/** With the times that the sign-in library writes, and with SQLite's own. */
async function addPeople({ db }: Engine): Promise<void> {
  const user = {
    name: "Zoë 🎉",
    email_verified: 1,
    image: null,
    role: "admin",
    disabled_at: null,
    last_seen_at: 5,
  }
  const now = "2026-05-20T03:00:00.123Z"
  const [one, two] = ["user-1", "user-2"].map((id) => ({ ...user, id, email: `${id}@program.example` }))
  if (one === undefined || two === undefined) throw new Error("There are two.")
  await db
    .insertInto("app_user")
    .values({ ...one, created_at: now, updated_at: now })
    .execute()
  await sql`insert into app_user (id, name, email, email_verified, role)
    values (${two.id}, ${two.name}, ${two.email}, 1, 'admin')`.execute(db)
  const session = { token: "token", expires_at: now, ip_address: null, user_agent: "a browser" }
  await db
    .insertInto("app_session")
    .values({ ...session, id: "session-1", user_id: one.id, created_at: now, updated_at: now })
    .execute()
}

async function moveTo(databaseUrl: string, file: string, report: (line: string) => void = () => {}) {
  await moveStore({ file, databaseUrl, log: quietLog, report })
}

const markerOf = (file: string) => restoreMarker(file.replace(/\.db$/, "-counter.json"))

describe("a moved store", () => {
  it("has every row, numbers that continue, the stamp, the count of the last minute, and ended instances", async () => {
    const { file } = await usedStore()
    const { databaseUrl } = await places.newDatabase()
    const last = await withEngine({ file }, ({ db }) =>
      sql<{ seq: number }>`select seq from sqlite_sequence where name = 'job'`.execute(db),
    )
    const lines: string[] = []
    await moveTo(databaseUrl, file, (line) => lines.push(line))
    expect(await contents({ databaseUrl })).toEqual({
      ...(await contents({ file })),
      budget_grant: [expect.any(String)],
    })
    expect(lines.join("\n")).toMatch(/ {2}job_row: \d{3,} rows[^]*Counts and checksums of both stores agree/)

    await start({ databaseUrl })
    await withEngine({ databaseUrl }, async (engine) => {
      const { rows } = await sql<{ next: number }>`select nextval('job_number_seq') as next`.execute(
        engine.db,
      )
      expect(rows[0]?.next).toBe((last.rows[0]?.seq ?? 0) + 1)
      const seen: number[] = []
      await engine.budget.take("program", 60, 60_000, ({ free }) => {
        seen.push(free)
        return { taker }
      })
      expect(seen).toEqual([59])
      const known = await sqlStore(engine).instances.list()
      expect(known.filter(({ stoppedAt }) => stoppedAt === null)).toEqual([])
    })
    const other = { ...stamp, environment: "production" } as const
    await expect(
      withEngine({ databaseUrl }, (engine) => prepareStore(engine, other, async () => undefined)),
    ).rejects.toThrow("first used with staging")
  })

  it("keeps the pause that the service asked for, whatever its jitter, and the database takes the next one", async () => {
    const { file } = await usedStore()
    const { databaseUrl } = await places.newDatabase()
    const budget = openBudget(file)
    await budget.insertInto("budget_block").values({ api: "program", until_at: 1, for_ms: 1 }).execute()
    // As versions before kept it.
    await sql`update budget_block set until_at = ${Date.now() + 60_000.25}, for_ms = ${60_000.25}`.execute(
      budget,
    )
    await budget.destroy()
    await moveTo(databaseUrl, file)
    await withEngine({ databaseUrl }, async (engine) => {
      const nextInMs = async () => (await engine.budget.state("program", 60, 60_000)).nextInMs
      expect(await nextInMs()).toBeGreaterThan(1000)
      expect(await nextInMs()).toBeLessThanOrEqual(60_001)
      await engine.budget.block("program", 60, 60_000, 90_000.75)
      expect(await nextInMs()).toBeGreaterThan(60_001)
    })
  })

  it("is refused as a file, by a start and by a second move, with the name of the database", async () => {
    const { file } = await usedStore()
    const { databaseUrl } = await places.newDatabase()
    await moveTo(databaseUrl, file)
    const moved = `moved to the database ${databaseName(databaseUrl)}`
    await expect(start({ file })).rejects.toThrow(moved)
    await expect(moveTo((await places.newDatabase()).databaseUrl, file)).rejects.toThrow(
      `moved to ${databaseName(databaseUrl)} already`,
    )
    await expect(moveTo(databaseUrl, file)).rejects.toThrow("already")
    await start({ databaseUrl })
  })

  it("is not taken for a restored backup, and a backup from before the move is", async () => {
    const { file } = await usedStore()
    const before = await withEngine({ file }, (engine) => sqlStore(engine).restores.get())
    await markerOf(file).write(JSON.stringify({ epoch: before.epoch, count: before.count }))
    const { databaseUrl } = await places.newDatabase()
    await moveTo(databaseUrl, file)
    const marker = await readMarker(markerOf(file))
    if (marker === undefined) throw new Error("There is no marker.")
    const after = await withEngine({ databaseUrl }, (engine) => sqlStore(engine).restores.get())
    expect([isBehind(after, marker), isBehind(before, marker)]).toEqual([false, true])
    expect([after.epoch, after.countedAt]).toEqual([before.epoch, before.countedAt])
  })
})

describe("an interrupted move", () => {
  it.each(["app_user", "audit", "job_row", "setting"])(
    "leaves the file usable and the database refused: at table %s",
    async (table) => {
      const { file } = await usedStore()
      const { databaseUrl } = await places.newDatabase()
      const before = await contents({ file })
      const interrupt = (line: string) => {
        if (line.startsWith(`  ${table}:`)) throw new Error("the network failed")
      }
      const refused = moveTo(databaseUrl, file, interrupt)
      await expect(refused).rejects.toThrow(
        /interrupted: the network failed\. Laurel still starts on .*store/,
      )
      await start({ file })
      expect(withoutUse(await contents({ file }))).toEqual(withoutUse(before))
      await expect(start({ databaseUrl })).rejects.toThrow("being filled")
      await expect(moveTo(databaseUrl, file)).rejects.toThrow("target of another move")

      const fresh = await places.newDatabase()
      await moveTo(fresh.databaseUrl, file)
      await start(fresh)
    },
  )

  it("by a kill leaves at most one of the two usable", { timeout: 90_000 }, async () => {
    const { file, folder } = await usedStore()
    const { databaseUrl } = await places.newDatabase()
    const dataDir = join(folder, randomUUID())
    const copied = join(dataDir, "laurel.db")
    mkdirSync(dataDir)
    copyFileSync(file, copied)
    const move = await startChild(
      "bff/move-store.ts",
      { DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
      /app_user:/,
    )
    move.process.kill("SIGKILL")
    if (move.process.exitCode === null && move.process.signalCode === null)
      await new Promise((resolve) => move.process.once("exit", resolve))
    const usable = await Promise.allSettled([start({ file: copied }), start({ databaseUrl })])
    const fulfilled = usable.filter(({ status }) => status === "fulfilled").length
    expect(fulfilled).toBeLessThanOrEqual(1)
  })

  it("at its last step is finished by a repetition", async () => {
    const { file } = await usedStore()
    const { databaseUrl } = await places.newDatabase()
    await moveTo(databaseUrl, file)
    const { id } = await withEngine({ file }, ({ db }) =>
      db.selectFrom("store_move").selectAll().executeTakeFirstOrThrow(),
    )
    await withEngine({ databaseUrl }, ({ db }) =>
      db.insertInto("store_move").values({ id, state: "filled", other: file, at: 0 }).execute(),
    )
    await expect(start({ databaseUrl })).rejects.toThrow("it only finishes")
    await expect(start({ file })).rejects.toThrow("moved")
    await moveTo(databaseUrl, file)
    await start({ databaseUrl })
  })
})

describe("a move is refused, and nothing is changed,", () => {
  it("for a database that is not empty", async () => {
    const { file } = await usedStore()
    const used = await places.newDatabase()
    await start(used)
    await expect(moveTo(used.databaseUrl, file)).rejects.toThrow(
      /not empty: it has \d+ tables.*Nothing was copied/,
    )
    const foreign = await places.newDatabase()
    await withEngine(foreign, ({ db }) => sql`create table theirs (id int)`.execute(db))
    await expect(moveTo(foreign.databaseUrl, file)).rejects.toThrow('it has 1 tables, such as "theirs"')
    await start({ file })
    await start(used)
  })

  it("for a folder that another process has, a store that is not there, and one that was never used", async () => {
    const { databaseUrl } = await places.newDatabase()
    const { file, folder } = await usedStore()
    const lock = lockFolder(folder)
    await expect(moveTo(databaseUrl, file)).rejects.toThrow("Another Laurel works on")
    lock.release()
    await expect(moveTo(databaseUrl, `${file}.none`)).rejects.toThrow("There is no store")
    const unused = await newFile()
    await withEngine(unused, migrate)
    await expect(moveTo(databaseUrl, unused.file)).rejects.toThrow("never used")
    expect(await contents({ databaseUrl })).toEqual({})
  })

  it("for a restored backup that has not been started", async () => {
    const { file } = await usedStore()
    const { epoch, count } = await withEngine({ file }, (engine) => sqlStore(engine).restores.get())
    await markerOf(file).write(JSON.stringify({ epoch, count: count + 1 }))
    await expect(moveTo((await places.newDatabase()).databaseUrl, file)).rejects.toThrow("restored backup")
    await start({ file })
  })

  it("for a database that cannot be reached, without its password in any message", async () => {
    const { folder } = await usedStore()
    const dataDir = join(folder, randomUUID())
    await withEngine({ file: join(dataDir, "laurel.db") }, migrate)
    const run = (to: string) => runToEnd("bff/move-store.ts", { DATA_DIR: dataDir }, ["--to", to])
    for (const [to, reason] of [
      [
        "postgres://laurel:pass-word-1@127.0.0.1:1/laurel",
        /127\.0\.0\.1:1\/laurel cannot be reached: .*Nothing was copied/,
      ],
      [
        "https://laurel:pass-word-1@127.0.0.1:1/laurel",
        /does not start|not an address that starts with postgres/,
      ],
      ["postgres://laurel:pass-word-1/9@127.0.0.1:1/laurel", /unreadable address|not an address/],
      ["", /No database is named[^]*npm run move-store/],
    ] as const) {
      const { code, output } = await run(to)
      expect([to, code, output]).toEqual([to, 1, expect.stringMatching(reason)])
      expect(output).not.toContain("word-1")
    }
  })
})
