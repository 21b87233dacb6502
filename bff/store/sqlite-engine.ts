import { DatabaseSync } from "node:sqlite"
import { mkdirSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { Kysely } from "kysely"
import type { Log } from "../../core/ports.ts"
import { readClock } from "./clock-sql.ts"
import type { Engine } from "./engine.ts"
import { openFileBudget } from "./file-budget.ts"
import { inProcessBus } from "./in-process-bus.ts"
import { nodeSqliteDialect } from "./node-sqlite-dialect.ts"
import { ownerOnly } from "./owner-only.ts"
import type { Database } from "./schema.ts"

/** With less room on the disk the store counts as full. */
const leastRoomBytes = 1_000_000

/**
 * Opens (or makes) a store in one file. Every commit is on the disk before it is acknowledged
 * (`synchronous=FULL`); one process is meant to work on the file.
 */
export function openSqlite(file: string, log: Log): Engine {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  ownerOnly(file)
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 0 })
  setUp(database)
  let writes = 0
  const db = new Kysely<Database>({ dialect: nodeSqliteDialect(database, () => (writes += 1)) })
  const bus = inProcessBus(log)
  const budget = openFileBudget(file.replace(/(\.db)?$/, "-budget.db"))
  return {
    kind: "sqlite",
    db,
    bus,
    writes: () => writes,
    budget,
    // A transaction begins with the write lock of the whole file, so nobody else is inside.
    lock: (within) => readClock("sqlite", within),
    checkRoom: async () => {
      const { bavail, bsize } = await statfs(dirname(file))
      if (bavail * bsize < leastRoomBytes) throw new Error(`The disk of ${dirname(file)} is full.`)
    },
    now: () => readClock("sqlite", db),
    close: async () => {
      await bus.close()
      budget.close()
      await db.destroy()
    },
  }
}

function setUp(database: DatabaseSync): void {
  // Switching to WAL needs the file alone for a moment; the few statements here may wait in place for it.
  database.exec("pragma busy_timeout = 5000")
  database.exec("pragma journal_mode = wal")
  database.exec("pragma synchronous = full")
  database.exec("pragma foreign_keys = on")
  // From here on the dialect waits, without holding up the process.
  database.exec("pragma busy_timeout = 0")
}
