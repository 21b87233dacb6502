import { sql } from "kysely"
import type { Engine } from "../../bff/store/engine.ts"
import { openEngine, type StorePlace } from "../../bff/store/open-store.ts"
import { quietLog } from "./quiet-log.ts"

/** Each store's own: its version, its marks, and what only a running process needs. */
const own = new Set(["kysely_migration", "kysely_migration_lock", "store_move", "readiness", "job_lease"])

/** Rows of every table as sorted JSON, the same for the same content in both databases. */
export async function contentsOf({ db, kind }: Engine): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables()
  const contents: Record<string, string[]> = {}
  for (const { name, schema, columns } of tables) {
    if (own.has(name) || (kind === "postgres" && schema !== "public")) continue
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    const names = columns.map((column) => column.name).toSorted()
    contents[name] = rows.map((row) => JSON.stringify(names.map((one) => plain(one, row[one])))).toSorted()
  }
  return contents
}

/** Opens a store for a moment. */
export async function withEngine<T>(place: StorePlace, act: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(place, quietLog)
  try {
    return await act(engine)
  } finally {
    await engine.close()
  }
}

/** Times of users and sessions are texts in SQLite. */
const dated = new Set(["created_at", "updated_at", "expires_at"])

function plain(name: string, value: unknown): unknown {
  if (typeof value === "boolean") return Number(value)
  if (value instanceof Date) return value.getTime()
  if (typeof value !== "string" || !dated.has(name)) return value
  return Date.parse(value.includes("T") ? value : `${value}Z`)
}
