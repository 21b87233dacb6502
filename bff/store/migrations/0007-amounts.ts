import { sql, type Kysely } from "kysely"
import type { Database } from "../schema.ts"

/**
 * What a job moves, so that a person's day is summed without reading rows. Cards of jobs made before are not counted:
 * their amounts stand in JSON, and it matters on the day of the change only.
 */
export async function amounts(db: Kysely<Database>): Promise<void> {
  for (const name of ["amount", "amount_planned"]) {
    await db.schema
      .alterTable("job")
      .addColumn(name, "bigint", (column) => column.notNull().defaultTo(0))
      .execute()
  }
  await sql`
    update job set
      amount = (select coalesce(sum(abs(points)), 0) from job_row where job_row.job = job.number and state <> 'failed'),
      amount_planned = (
        select coalesce(sum(abs(points)), 0) from job_row where job_row.job = job.number and state = 'planned'
      )
    where kind in ('award', 'deduct')`.execute(db)
  await db.schema.createIndex("job_started").on("job").columns(["created_by", "started_at"]).execute()
}
