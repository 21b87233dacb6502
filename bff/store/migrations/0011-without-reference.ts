import { type Kysely, sql } from "kysely"
import type { Engine } from "../engine.ts"
import type { Database } from "../schema.ts"
import { fillRows } from "./0005-same-rows.ts"

/** By what a row with a reference is the same as one without. */
export async function withoutReference(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  await db.schema.alterTable("job_row").addColumn("effect_without_reference", "text").execute()
  await fillRows(db, kind, "effect_without_reference", (made) => made.effectWithoutReference)
  await sql`create index job_row_same_member_other on job_row (member_id, effect_without_reference)
    where effect_without_reference is not null and member_id is not null`.execute(db)
  await sql`create index job_row_same_email_other on job_row (email, effect_without_reference)
    where effect_without_reference is not null and email is not null`.execute(db)
}
