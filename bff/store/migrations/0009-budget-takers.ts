import type { Kysely } from "kysely"
import type { Database } from "../schema.ts"

/** Who took a permit of the request budget. An older instance leaves it out: its permits are nobody's. */
export async function budgetTakers(db: Kysely<Database>): Promise<void> {
  await db.schema
    .alterTable("budget_grant")
    .addColumn("lane", "text", (column) => column.notNull().defaultTo("people"))
    .execute()
  await db.schema
    .alterTable("budget_grant")
    .addColumn("who", "text", (column) => column.notNull().defaultTo(""))
    .execute()
}
