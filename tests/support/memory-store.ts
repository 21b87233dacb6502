import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { budgetStore } from "../../bff/store/budget-store.ts"
import { type Engine, inProcessBus, readClock } from "../../bff/store/engine.ts"
import { migrate } from "../../bff/store/migrations.ts"
import { kyselyOver } from "../../bff/store/sqlite.ts"
import { sqlStore } from "../../bff/store/sql-store.ts"
import type { Clock, Store } from "../../core/ports.ts"
import { quietLog } from "./quiet-log.ts"

/** A snapshot of every table. */
type StoreBackUp = ReadonlyMap<string, readonly Readonly<Record<string, SQLInputValue>>[]>

/** An in-memory SQLite store on a test's clock. */
export interface MemoryStore extends Store {
  /** Waits for the end of a transaction that changes the store. */
  snapshot(): Promise<StoreBackUp>
  /** Replaces the store's content. */
  restore(backUp: StoreBackUp): void
}

/** Schema and rows of an empty store, read once from a migrated one. */
const emptyStore = await (async () => {
  const database = new DatabaseSync(":memory:")
  await migrate(engineOver(database, { now: () => 0, monotonic: () => 0 }))
  const made = database
    .prepare("select sql from sqlite_master where sql is not null and name not like 'sqlite_%'")
    .all()
  return { schema: made.map(({ sql }) => String(sql)).join(";\n"), rows: rowsOf(database) }
})()

/** Creates an empty store. */
export function createMemoryStore(clock: Clock): MemoryStore {
  const database = new DatabaseSync(":memory:")
  database.exec(emptyStore.schema)
  insert(database, emptyStore.rows)
  const engine = engineOver(database, clock)
  return {
    ...sqlStore(engine),
    snapshot: () => engine.db.transaction().execute(async () => rowsOf(database)),
    restore: (backUp) => {
      database.exec("pragma foreign_keys = off")
      for (const name of backUp.keys()) database.exec(`delete from "${name}"`)
      insert(database, backUp)
      database.exec("pragma foreign_keys = on")
    },
  }
}

function engineOver(database: DatabaseSync, clock: Pick<Clock, "now" | "monotonic">): Engine {
  database.function("unixepoch", { varargs: true }, secondsOf(new WeakRef(clock)))
  const db = kyselyOver(database)
  const lock: Engine["lock"] = (within) => readClock("sqlite", within)
  return {
    kind: "sqlite",
    db,
    patient: db,
    bus: inProcessBus(quietLog),
    budget: budgetStore({ db, lock }, () => clock.monotonic()),
    lock,
    now: () => readClock("sqlite", db),
    close: () => db.destroy(),
  }
}

/**
 * The test's clock in seconds; a quarter of a millisecond avoids rounding down. A weak reference, because a database
 * keeps its functions for good: a strong one would keep the clock's timers and the database alive.
 */
export function secondsOf(clock: WeakRef<Pick<Clock, "now">>): () => number {
  return () => ((clock.deref()?.now() ?? 0) + 0.25) / 1000
}

function rowsOf(database: DatabaseSync): StoreBackUp {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
  const names = tables.map(({ name }) => String(name))
  return new Map(names.map((name) => [name, database.prepare(`select * from "${name}"`).all()]))
}

function insert(database: DatabaseSync, backUp: StoreBackUp): void {
  for (const [name, rows] of backUp) {
    const [first] = rows
    if (first === undefined) continue
    const columns = Object.keys(first)
    const names = columns.map((column) => `"${column}"`).join(", ")
    const statement = database.prepare(
      `insert into "${name}" (${names}) values (${columns.map(() => "?").join(", ")})`,
    )
    for (const row of rows) statement.run(...Object.values(row))
  }
}
