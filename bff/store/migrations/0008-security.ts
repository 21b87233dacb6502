import type { Kysely } from "kysely"
import type { Database } from "../schema.ts"

/** Wrong passwords as they are counted over all instances, and where an audited request came from. */
export async function security(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable("sign_in_attempt")
    // An HMAC: the table tells no address and no account.
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("failures", "integer", (column) => column.notNull())
    .addColumn("first_at", "bigint", (column) => column.notNull())
    .addColumn("last_at", "bigint", (column) => column.notNull())
    .execute()
  await db.schema.createIndex("sign_in_attempt_last").on("sign_in_attempt").column("last_at").execute()
  await db.schema.alterTable("audit").addColumn("source", "text").execute()
}
