import type { Kysely } from "kysely"
import type { Database } from "../schema.ts"

/** Cards are found by their references, and keep what the service said when it issued them. */
export async function cardReferences(db: Kysely<Database>): Promise<void> {
  await db.schema.alterTable("card").addColumn("message", "text").execute()
  for (const name of ["reference", "own_reference"] as const)
    await db.schema.createIndex(`card_${name}`).on("card").columns(["template", name]).execute()
}
