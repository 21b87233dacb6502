import type { Kysely } from "kysely"
import type { Database } from "../schema.ts"

/** One row that is written again and again, to know whether the store can be written to. */
export async function readiness(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable("readiness")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("filler", "text", (column) => column.notNull())
    .execute()
}
