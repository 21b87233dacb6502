import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely"

export type SqliteValue = string | number | bigint | null

export interface SqliteConnection {
  /** Runs one statement; rejects with what SQLite said. */
  run(text: string, values: SqliteValue[]): Promise<QueryResult<unknown>>
  /** A full disk rolls a transaction back: a second rollback would hide the reason. */
  isInTransaction(): boolean
  close(): void
}

/** Kysely over one connection. A transaction takes the write lock when it begins, so that it never fails half-way on it. */
export function sqliteDialect(sqlite: SqliteConnection): Dialect {
  return {
    createAdapter: () => new LockingAdapter(),
    createDriver: () => driverOf(sqlite),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** With `begin immediate` the migrations of two processes wait for each other. */
class LockingAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function driverOf(sqlite: SqliteConnection): Driver {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery) =>
      (await sqlite.run(sql, parameters.map(valueOf))) as QueryResult<Row>,
    streamQuery: () => {
      throw new Error("This store reads whole results only.")
    },
  }
  const run = async (text: string) => {
    await sqlite.run(text, [])
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => run("begin immediate"),
    commitTransaction: () => run("commit"),
    rollbackTransaction: async () => {
      if (sqlite.isInTransaction()) await run("rollback")
    },
    releaseConnection: async () => {},
    destroy: async () => sqlite.close(),
  }
}

function valueOf(value: unknown): SqliteValue {
  if (value === undefined || value === null) return null
  if (typeof value === "boolean") return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value
  throw new TypeError(`SQLite cannot keep a value of type ${typeof value}.`)
}
