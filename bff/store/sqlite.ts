import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { Kysely, type QueryResult } from "kysely"
import type { Log } from "../../core/ports.ts"
import { budgetStore } from "./budget-store.ts"
import { inProcessBus, readClock, type Engine } from "./engine.ts"
import { ownerOnly } from "./data-folder.ts"
import type { Database } from "./schema.ts"
import { type SqliteConnection, sqliteDialect, type SqliteValue } from "./sqlite-dialect.ts"

/** With less room on the disk the store counts as full. */
const leastRoomBytes = 1_000_000

/** A store in a file of one process. Commits are on the disk before they are acknowledged (`synchronous=FULL`). */
export function openSqlite(file: string, log: Log): Engine {
  ownerOnly(file)
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 0 })
  // Switching to WAL needs the file alone for a moment; the few statements here may wait in place for it.
  database.exec("pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full")
  // From here on the dialect waits, without holding up the process.
  database.exec("pragma busy_timeout = 0")
  const db = kyselyOver(database)
  const bus = inProcessBus(log)
  const budgetDb = openBudget(file)
  return {
    kind: "sqlite",
    db,
    patient: db,
    bus,
    budget: budgetStore({ db: budgetDb, lock }),
    lock,
    checkRoom: async () => {
      const { bavail, bsize } = await statfs(dirname(file))
      if (bavail * bsize < leastRoomBytes) throw new Error(`The disk of ${dirname(file)} is full.`)
    },
    now: () => readClock("sqlite", db),
    close: async () => {
      await bus.close()
      await budgetDb.destroy()
      await db.destroy()
    },
  }
}

/** A transaction begins with the write lock of the file, so it is the only writer. */
const lock: Engine["lock"] = (within) => readClock("sqlite", within)

/**
 * The permits have a separate file: a write reaches the operating system, so that a killed process loses none,
 * but not the disk, which every request would have to wait for. All a power cut loses is a minute's count.
 */
export function openBudget(storeFile: string): Kysely<Database> {
  const file = storeFile.replace(/(\.db)?$/, "-budget.db")
  ownerOnly(file)
  const database = new DatabaseSync(file, { timeout: 0 })
  database.exec("pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = normal")
  database.exec(`
    create table if not exists budget_grant (
      api text not null, free_at integer not null, lane text not null, who text not null
    );
    create index if not exists budget_grant_free on budget_grant (api, free_at);
    create table if not exists budget_block (
      api text primary key, until_at integer not null, for_ms integer not null
    );
    -- Earlier versions kept fractions here, which PostgreSQL refuses when the store is moved.
    update budget_block set until_at = cast(until_at as integer) + 1, for_ms = cast(for_ms as integer) + 1
      where typeof(until_at) = 'real' or typeof(for_ms) = 'real';
    pragma busy_timeout = 0`)
  return kyselyOver(database)
}

/** How long a statement waits for another process that is writing, in ms. */
const busyLimitMs = 10_000
const maxStatements = 200

/** Whether it returns rows is kept: reading a statement's columns takes longer than running most of them. */
type Prepared = Readonly<{ statement: StatementSync; hasRows: boolean }>

/** Kysely over Node's SQLite. It waits for a locked database without blocking the process, as SQLite itself would. */
export function kyselyOver(database: DatabaseSync): Kysely<Database> {
  const statements = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const cached = statements.get(text)
    if (cached !== undefined) return cached
    const statement = database.prepare(text)
    const made = { statement, hasRows: statement.columns().length > 0 }
    if (statements.size >= maxStatements) statements.clear()
    statements.set(text, made)
    return made
  }
  const connection: SqliteConnection = {
    async run(text, values) {
      const giveUpAt = performance.now() + busyLimitMs
      for (let attempt = 1; ; attempt++) {
        try {
          return runOnce(prepare(text), values)
        } catch (error) {
          if (!isBusy(error) || performance.now() > giveUpAt) throw error
          await sleep(Math.min(attempt, 20) * (0.5 + Math.random()))
        }
      }
    },
    isInTransaction: () => database.isTransaction,
    close: () => database.close(),
  }
  return new Kysely<Database>({ dialect: sqliteDialect(connection) })
}

function runOnce({ statement, hasRows }: Prepared, values: SqliteValue[]): QueryResult<unknown> {
  if (hasRows) return { rows: statement.all(...values) }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** SQLITE_BUSY (5) and SQLITE_LOCKED (6), with their extended forms. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false
  const primary = error.errcode & 0xff
  return primary === 5 || primary === 6
}
