import { type Kysely, type RawBuilder, sql } from "kysely"
import type { Engine } from "./engine.ts"
import type { Database } from "./schema.ts"

/** The database's time in ms since 1970, read when the statement gets there; SQLite takes it from the machine. */
export const clockSql: Readonly<Record<Engine["kind"], RawBuilder<number>>> = {
  postgres: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
}

/** The database's time, ms since 1970. */
export async function readClock(kind: Engine["kind"], db: Kysely<Database>): Promise<number> {
  const answer = await sql<{ now: number }>`select ${clockSql[kind]} as now`.execute(db)
  return answer.rows[0]?.now ?? Date.now()
}
