import { Pool, types } from "pg"
import { Kysely, PostgresDialect, sql } from "kysely"
import type { Log } from "../../core/ports.ts"
import { budgetStore } from "./budget-store.ts"
import { clockSql, readClock } from "./clock-sql.ts"
import type { Engine } from "./engine.ts"
import { postgresBus } from "./postgres-bus.ts"
import type { Database } from "./schema.ts"

const int8 = 20
// Counts and times in ms fit a number; the driver would hand them over as text.
types.setTypeParser(int8, Number)

/** Advisory locks end with their transaction. */
const lock: Engine["lock"] = async (within, name) => {
  // The clock is read after the lock was won: it stands outside the step that waits.
  const answer = await sql<{ now: number }>`
    with held as materialized (select pg_advisory_xact_lock(hashtextextended(${`laurel ${name}`}, 0)))
    select ${clockSql.postgres} as now from held`.execute(within)
  return answer.rows[0]?.now ?? Date.now()
}

/** Opens a store that several instances share. Rejects when the server cannot be reached. */
export async function openPostgres(url: string, log: Log): Promise<Engine> {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    application_name: "laurel",
  })
  pool.on("error", (error) => log.warn({ reason: error.message }, "An idle database connection ended."))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const bus = await postgresBus(url, pool, log)
  return {
    kind: "postgres",
    db,
    bus,
    budget: budgetStore({ db, lock }),
    lock,
    now: () => readClock("postgres", db),
    close: async () => {
      await bus.close()
      await db.destroy()
    },
  }
}
