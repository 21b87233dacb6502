import type { Kysely } from "kysely"
import type { Database } from "../schema.ts"

/** What tells that a store was restored, and which jobs are held for it. */
export async function restore(db: Kysely<Database>): Promise<void> {
  for (const name of ["hold", "held_sign"])
    await db.schema.alterTable("job").addColumn(name, "text").execute()
  for (const name of ["held_at", "held_since", "held_confirmed"])
    await db.schema.alterTable("job").addColumn(name, "bigint").execute()
  await db.schema
    .createTable("store_use")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("epoch", "text", (column) => column.notNull())
    .addColumn("earlier", "text", (column) => column.notNull())
    .addColumn("count", "bigint", (column) => column.notNull())
    .addColumn("counted_at", "bigint")
    .addColumn("sign", "text")
    .addColumn("found_at", "bigint")
    .addColumn("since", "bigint")
    .addColumn("read", "integer", (column) => column.notNull())
    .execute()
  await db
    .insertInto("store_use")
    .values({ id: 1, epoch: crypto.randomUUID(), earlier: "[]", count: 0, read: 0 })
    .execute()
}
