import type { Kysely } from "kysely"
import type { Database } from "../schema.ts"

/** How often a person edited a planned row: what an instance read of it before is never sent. */
export async function rowEdits(db: Kysely<Database>): Promise<void> {
  await db.schema
    .alterTable("job_row")
    .addColumn("edits", "integer", (column) => column.notNull().defaultTo(0))
    .execute()
}
