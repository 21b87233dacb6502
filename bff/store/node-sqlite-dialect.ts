import { setTimeout as sleep } from "node:timers/promises"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely"

/** How long a statement waits for another process that is writing, in ms. */
const busyLimitMs = 10_000
/** Compiled statements that are kept. */
const statementsKept = 200

/**
 * Kysely over the SQLite that is built into Node. A locked database is waited for without blocking the process
 * (SQLite's own busy handler would), and a transaction takes the write lock when it begins, so that it can never
 * fail half-way on a lock.
 * @param wrote hears of each statement that may have changed something, the end of a transaction included
 */
export function nodeSqliteDialect(database: DatabaseSync, wrote: () => void): Dialect {
  return {
    createAdapter: () => new LockingAdapter(),
    createDriver: () => driverOf(database, wrote),
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

function driverOf(database: DatabaseSync, wrote: () => void): Driver {
  const connection = connectionOf(database, wrote)
  const run = async (text: string) => {
    await connection.executeQuery(CompiledQuery.raw(text))
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => run("begin immediate"),
    commitTransaction: () => run("commit"),
    // A full disk has ended the transaction already: a second end would hide why.
    rollbackTransaction: async () => {
      if (database.isTransaction) await run("rollback")
    },
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  }
}

interface Prepared {
  readonly statement: StatementSync
  /** Whether it answers with rows; asking a statement for its columns takes longer than running most of them. */
  readonly hasRows: boolean
  readonly onlyReads: boolean
}

function connectionOf(database: DatabaseSync, wrote: () => void): DatabaseConnection {
  const statements = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const kept = statements.get(text)
    if (kept !== undefined) return kept
    const statement = database.prepare(text)
    const made = { statement, hasRows: statement.columns().length > 0, onlyReads: /^select\b/i.test(text) }
    if (statements.size >= statementsKept) statements.clear()
    statements.set(text, made)
    return made
  }
  return {
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const giveUpAt = performance.now() + busyLimitMs
      for (let attempt = 1; ; attempt++) {
        try {
          const prepared = prepare(query.sql)
          const result = runOnce<Row>(prepared, query.parameters)
          if (!prepared.onlyReads) wrote()
          return result
        } catch (error) {
          if (!isBusy(error) || performance.now() > giveUpAt) throw error
          await sleep(Math.min(attempt, 20) * (0.5 + Math.random()))
        }
      }
    },
    streamQuery: () => {
      throw new Error("This store reads whole answers only.")
    },
  }
}

function runOnce<Row>({ statement, hasRows }: Prepared, parameters: readonly unknown[]): QueryResult<Row> {
  const values = parameters.map(toSqlite)
  if (hasRows) return { rows: statement.all(...values) as Row[] }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

function toSqlite(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null
  if (typeof value === "boolean") return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value
  throw new TypeError(`SQLite cannot keep a value of type ${typeof value}.`)
}

/** SQLITE_BUSY (5) and SQLITE_LOCKED (6), with their extended forms. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false
  const primary = error.errcode & 0xff
  return primary === 5 || primary === 6
}
