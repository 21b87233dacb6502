import type { Kysely } from "kysely"
import type { Database } from "../schema.ts"

const texts = ["template", "status", "reference", "own_reference", "member_id", "email", "name"]
const numbers = ["amount_cents", "issued_at", "expires_at", "looked_up_at", "job", "row"]
const flags = ["member_created", "is_test", "replayed"]

/** The register of gift cards. */
export async function cards(db: Kysely<Database>): Promise<void> {
  let table = db.schema.createTable("card").addColumn("id", "text", (column) => column.primaryKey())
  for (const name of ["origin", "by_id", "by_name", "search"])
    table = table.addColumn(name, "text", (column) => column.notNull())
  for (const name of texts) table = table.addColumn(name, "text")
  for (const name of numbers) table = table.addColumn(name, "bigint")
  for (const name of flags) table = table.addColumn(name, "integer")
  await table.execute()
  await db.schema.createIndex("card_issued").on("card").columns(["issued_at", "id"]).execute()
  await db.schema.createIndex("card_expires").on("card").columns(["expires_at", "id"]).execute()
  await db.schema.createIndex("card_member").on("card").column("member_id").execute()
  await db.schema.createIndex("card_job").on("card").columns(["job", "row"]).execute()
}
