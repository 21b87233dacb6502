import { type Kysely, sql } from "kysely"
import { jobKinds } from "../../../contract/job.ts"
import type { NewRow } from "../../../core/jobs/job-store.ts"
import { kindRules } from "../../../core/jobs/kinds/kind-rules.ts"
import type { Engine } from "../engine.ts"
import { recordset } from "../recordset.ts"
import type { Database } from "../schema.ts"

const atOnce = 1000

/** What recognises a row again, the rows a file brought that are never sent, and their numbers in the file. */
export async function sameRows(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  await db.schema
    .alterTable("job")
    .addColumn("excluded", "bigint", (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable("job").addColumn("repeats", "bigint").execute()
  await db.schema.alterTable("job_row").addColumn("line", "bigint").execute()
  await db.schema.alterTable("job_row").addColumn("effect", "text").execute()
  await db.schema
    .alterTable("job_row")
    .addColumn("is_repeat", "integer", (column) => column.notNull().defaultTo(0))
    .execute()
  await fillRows(db, kind, "effect", ({ effect }) => effect)
  await sql`create index job_row_same_member on job_row (member_id, effect)
    where effect is not null and member_id is not null`.execute(db)
  await sql`create index job_row_same_email on job_row (email, effect)
    where effect is not null and email is not null`.execute(db)
}

/** Rows that were there before this step are recognised too; those of a reversal never are. */
export async function fillRows(
  db: Kysely<Database>,
  kind: Engine["kind"],
  column: "effect" | "effect_without_reference",
  valueOf: (made: NewRow) => string | null | undefined,
): Promise<void> {
  for (const jobKind of jobKinds) {
    const jobs = await db
      .selectFrom("job")
      .select("number")
      .where("kind", "=", jobKind)
      .where("reverses", "is", null)
      .execute()
    for (const { number } of jobs) {
      for (let after = 0; ;) {
        const rows = await db
          .selectFrom("job_row")
          .select(["row", "input"])
          .where("job", "=", number)
          .where("row", ">", after)
          .orderBy("row")
          .limit(atOnce)
          .execute()
        const given = rows.flatMap(({ row, input }) => {
          const value = readValue(jobKind, input, valueOf)
          return value === null ? [] : [{ job: number, row, value }]
        })
        if (given.length > 0) {
          await sql`
            update job_row set ${sql.ref(column)} = given.value
            from ${recordset(kind, { job: "bigint", row: "bigint", value: "text" }, given)}
            where job_row.job = given.job and job_row.row = given.row`.execute(db)
        }
        const last = rows.at(-1)
        if (last === undefined || rows.length < atOnce) break
        after = last.row
      }
    }
  }
}

/** Null for a row that cannot be read: it is not recognised. */
function readValue(
  kind: (typeof jobKinds)[number],
  input: string,
  valueOf: (made: NewRow) => string | null | undefined,
): string | null {
  try {
    return valueOf(kindRules[kind].newRow(JSON.parse(input), {})) ?? null
  } catch {
    return null
  }
}
