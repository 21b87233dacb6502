import { Kysely } from "kysely"
import type { Database as SqlJsDatabase, SqlJsStatic, Statement } from "sql.js"
import { createEventBus } from "../../core/runtime.ts"
import type { Store } from "../../core/ports.ts"
import { budgetStore } from "../../bff/store/budget-store.ts"
import { readClock } from "../../bff/store/engine.ts"
import type { Engine } from "../../bff/store/engine.ts"
import { migrate } from "../../bff/store/migrations.ts"
import { sqlStore } from "../../bff/store/sql-store.ts"
import { sqliteDialect, type SqliteConnection } from "../../bff/store/sqlite-dialect.ts"
import type { Database } from "../../bff/store/schema.ts"

// A transaction has the whole file for itself.
const lock: Engine["lock"] = (within) => readClock("sqlite", within)

/** The demo's store: SQLite in this tab. */
export interface DemoStore extends Store {
  /** Gives the whole database as one file to `take`, between two transactions. */
  exported<T>(take: (file: Uint8Array<ArrayBuffer>) => T): Promise<T>
}

/**
 * Opens the store, with the file that was exported at an earlier visit.
 * @throws Error when the file is no database of this version or an earlier one
 */
export async function openDemoStore(sqlite: SqlJsStatic, file?: Uint8Array): Promise<DemoStore> {
  const database = new sqlite.Database(file)
  const connection = connectionOf(database)
  const db = new Kysely<Database>({ dialect: sqliteDialect(connection) })
  const bus = createEventBus(() => undefined)
  const engine: Engine = {
    kind: "sqlite",
    db,
    bus: { ...bus, onGap: () => undefined, close: async () => undefined },
    budget: budgetStore({ db, lock }),
    lock,
    now: () => readClock("sqlite", db),
    close: () => db.destroy(),
  }
  await migrate(engine)
  return {
    ...sqlStore(engine),
    exported: (take) => db.connection().execute(async () => take(connection.exported())),
  }
}

/** Compiled statements that are kept. */
const statementsKept = 200

function connectionOf(database: SqlJsDatabase): SqliteConnection & { exported(): Uint8Array<ArrayBuffer> } {
  const statements = new Map<string, Statement>()
  let inTransaction = false
  const forget = () => {
    for (const statement of statements.values()) statement.free()
    statements.clear()
  }
  const prepare = (text: string): Statement => {
    const kept = statements.get(text)
    if (kept !== undefined) return kept
    if (statements.size >= statementsKept) forget()
    const made = database.prepare(text)
    statements.set(text, made)
    return made
  }
  const setUp = () => void database.run("pragma foreign_keys = on")
  setUp()
  return {
    async run(text, values) {
      const statement = prepare(text)
      try {
        statement.bind(values.map((value) => (typeof value === "bigint" ? Number(value) : value)))
        const rows = []
        while (statement.step()) rows.push(statement.getAsObject())
        if (/^(begin|commit|rollback)\b/i.test(text)) inTransaction = text.startsWith("begin")
        return { rows, numAffectedRows: BigInt(database.getRowsModified()) }
      } finally {
        statement.reset()
      }
    },
    isInTransaction: () => inTransaction,
    close: () => database.close(),
    exported() {
      statements.clear()
      const file = new Uint8Array(database.export())
      setUp()
      return file
    },
  }
}
