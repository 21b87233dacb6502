import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import * as z from "zod/mini"
import type { Clock, Store } from "../../../core/ports.ts"
import { createMemoryStore } from "../../support/memory-store.ts"
import { migrate } from "../../../bff/store/migrations.ts"
import { openEngine, type StorePlace } from "../../../bff/store/open-store.ts"
import { sqlStore } from "../../../bff/store/sql-store.ts"
import { quietLog } from "../../support/quiet-log.ts"

/** A store that can be backed up while open and restored while closed. */
export interface BackedUpStore {
  open(): Promise<Store>
  backUp(): Promise<void>
  restore(): Promise<void>
  remove(): Promise<void>
}

/** In memory; the backup is a snapshot. */
export function memoryStore(clock: Clock): BackedUpStore {
  const store = createMemoryStore(clock)
  let saved: Awaited<ReturnType<typeof store.snapshot>> | undefined
  return {
    // Closing keeps the memory for the next app.
    open: async () => ({ ...store, close: async () => undefined }),
    async backUp() {
      saved = await store.snapshot()
    },
    async restore() {
      if (saved === undefined) throw new Error("There is no backup.")
      store.restore(saved)
    },
    remove: () => store.close(),
  }
}

/** In a file; the backup is made with `vacuum into` during writes. */
export function fileStore(): BackedUpStore {
  const folder = mkdtempSync(join(tmpdir(), "laurel-restore-"))
  const [file, copy] = [join(folder, "laurel.db"), join(folder, "copy.db")]
  return {
    open: () => opened({ file }),
    async backUp() {
      const reader = new DatabaseSync(file)
      reader.exec(`vacuum into '${copy}'`)
      reader.close()
    },
    async restore() {
      for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true })
      copyFileSync(copy, file)
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** In PostgreSQL; the backup copies every table in one transaction, like `pg_dump`. */
export function postgresStore(databaseUrl: string): BackedUpStore {
  const run = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      await client.query("begin isolation level repeatable read")
      const result = await work(client)
      await client.query("commit")
      return result
    } finally {
      await client.end()
    }
  }
  return {
    open: () => opened({ databaseUrl }),
    backUp: () =>
      run(async (client) => {
        await client.query("create schema copy")
        for (const table of await tablesOf(client))
          await client.query(`create table copy.${table} as table public.${table}`)
      }),
    restore: () =>
      run(async (client) => {
        const tables = await tablesOf(client)
        await client.query(`truncate ${tables.map((table) => `public.${table}`).join(", ")}`)
        for (const table of tables)
          await client.query(`insert into public.${table} select * from copy.${table}`)
        await client.query(
          "select setval(pg_get_serial_sequence('job', 'number'), (select max(number) from job))",
        )
      }),
    remove: async () => undefined,
  }
}

async function tablesOf(client: Client): Promise<string[]> {
  const result = await client.query(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_name not like 'kysely%'",
  )
  return z
    .array(z.object({ name: z.string() }))
    .parse(result.rows)
    .map(({ name }) => name)
}

async function opened(place: StorePlace): Promise<Store> {
  const engine = await openEngine(place, quietLog)
  await migrate(engine)
  return sqlStore(engine)
}
