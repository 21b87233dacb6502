import { connect, createServer, type Socket } from "node:net"
import { sql } from "kysely"
import { Client } from "pg"
import { test } from "vitest"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { testPlaces } from "../../tests/support/test-stores.ts"
import { migrate } from "./migrations.ts"
import { openPostgres } from "./postgres.ts"
import { sqlStore } from "./sql-store.ts"

const { newDatabase } = testPlaces()

// Concurrent, because each waits for a time limit.

/** A way to the database that can be made to swallow everything. */
async function wayTo(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isSwallowing = false
  const server = createServer((here) => {
    const there = connect(Number(target.port || 5432), target.hostname)
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      sockets.add(from)
      from.on("data", (chunk) => isSwallowing || to.write(chunk))
      from.on("close", () => to.destroy())
      from.on("error", () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  return {
    url: url.href,
    swallow: (on: boolean) => (isSwallowing = on),
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test.concurrent(
  "a database that swallows everything ends statements and transactions, and is used again after",
  async ({ expect }) => {
    const way = await wayTo((await newDatabase()).databaseUrl)
    const engine = await openPostgres(way.url, quietLog)
    await sql`create table probe (id integer)`.execute(engine.patient)
    await sql`select 1`.execute(engine.db)
    way.swallow(true)
    const outcomes = await Promise.allSettled([
      sql`select 1`.execute(engine.db),
      engine.db.transaction().execute((within) => sql`insert into probe values (1)`.execute(within)),
      engine.now(),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
    way.swallow(false)
    await expect(sql`select 2`.execute(engine.db)).resolves.toBeDefined()
    await engine.close().catch(() => undefined)
    way.close()
  },
)

test.concurrent(
  "a request's statement is ended by the server, a report's has no time limit",
  async ({ expect }) => {
    const engine = await openPostgres((await newDatabase()).databaseUrl, quietLog)
    await expect(sql`select pg_sleep(6)`.execute(engine.db)).rejects.toThrow(/statement timeout/)
    await expect(sql`select pg_sleep(6)`.execute(engine.patient)).resolves.toBeDefined()
    await engine.close()
  },
)

test.concurrent(
  "cleaning, a restore and the names read at the start may take longer than a request's statement",
  async ({ expect }) => {
    const { databaseUrl } = await newDatabase()
    const engine = await openPostgres(databaseUrl, quietLog)
    await migrate(engine)
    const { names, snapshots, usage, instances, restores } = sqlStore(engine)
    const other = new Client(databaseUrl)
    await other.connect()
    /** Runs something while its tables are locked for longer than a request's statement may take. */
    const slowly = async (...commands: readonly (() => Promise<unknown>)[]) => {
      await other.query(
        "begin; lock table member_name, leaderboard_snapshot, usage, app_instance, job in access exclusive mode",
      )
      const outcomes = Promise.allSettled(commands.map((run) => run()))
      await other.query("select pg_sleep(6); commit")
      return (await outcomes).map(({ status }) => status)
    }
    const found = { sign: "operator", at: Date.now(), since: null } as const
    expect(
      await slowly(
        () => names.all(),
        () => names.forgetBefore(0),
        () => snapshots.forgetBefore(0),
        () => usage.forgetBefore(0),
      ),
    ).toEqual(Array.from({ length: 4 }, () => "fulfilled"))
    expect(
      await slowly(
        () => instances.forget(0),
        () => restores.hold(found, "epoch", 0),
      ),
    ).toEqual(["fulfilled", "fulfilled"])
    await other.end()
    await engine.close()
  },
)
