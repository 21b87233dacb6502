import { Kysely } from "kysely"
import type { Database as SqlJsDatabase, SqlJsStatic } from "sql.js"
import { budgetStore } from "../../bff/store/budget-store.ts"
import { type Engine, inProcessBus, readClock } from "../../bff/store/engine.ts"
import type { Log } from "../../core/ports.ts"
import { migrate } from "../../bff/store/migrations.ts"
import { sqlStore } from "../../bff/store/sql-store.ts"
import { sqliteDialect, type SqliteConnection } from "../../bff/store/sqlite-dialect.ts"
import type { Database } from "../../bff/store/schema.ts"

// A transaction has exclusive access to the file.
const lock: Engine["lock"] = (within) => readClock("sqlite", within)

/** The core's log; in a tab only errors are written. */
export const demoLog: Log = {
  info() {},
  warn() {},
  // oxlint-disable-next-line no-console -- the console is the demo's log
  error: (fields, text) => console.error(text, fields),
}

/**
 * SQLite in this tab, with the file of an earlier visit. @throws Error when that is no database of this or an earlier
 * version
 */
export async function openDemoStore(sqlite: SqlJsStatic, file?: Uint8Array) {
  const database = new sqlite.Database(file)
  const connection = connectionOf(database)
  const db = new Kysely<Database>({ dialect: sqliteDialect(connection) })
  const engine: Engine = {
    kind: "sqlite",
    db,
    patient: db,
    bus: inProcessBus(demoLog),
    budget: budgetStore({ db, lock }),
    lock,
    now: () => readClock("sqlite", db),
    close: () => db.destroy(),
  }
  await migrate(engine)
  return {
    ...sqlStore(engine),
    engine,
    /** Passes the database as a file to `take`, between two transactions. */
    exported: <T>(take: (file: Uint8Array<ArrayBuffer>) => T): Promise<T> =>
      db.connection().execute(async () => take(connection.exported())),
  }
}

function connectionOf(database: SqlJsDatabase) {
  let inTransaction = false
  const setUp = () => void database.run("pragma foreign_keys = on")
  setUp()
  return {
    async run(text, values) {
      const statement = database.prepare(text)
      try {
        statement.bind(values.map((value) => (typeof value === "bigint" ? Number(value) : value)))
        const rows = []
        while (statement.step()) rows.push(statement.getAsObject())
        if (/^(begin|commit|rollback)\b/i.test(text)) inTransaction = text.startsWith("begin")
        return { rows, numAffectedRows: BigInt(database.getRowsModified()) }
      } finally {
        statement.free()
      }
    },
    isInTransaction: () => inTransaction,
    close: () => database.close(),
    exported() {
      const file = new Uint8Array(database.export())
      setUp()
      return file
    },
  } satisfies SqliteConnection & { exported(): Uint8Array<ArrayBuffer> }
}
