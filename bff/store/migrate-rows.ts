import { type Kysely, sql } from "kysely"
import { jobKinds } from "../../contract/job-kinds.ts"
import { foldedReferenceKey, referenceScope } from "../../core/jobs/kinds/giftcard-references.ts"
import { kindRules } from "../../core/jobs/kinds/kind-rules.ts"
import type { Engine } from "./engine.ts"
import type { Database } from "./schema.ts"
import { beyondAscii, recordset } from "./table.ts"

// Steps of migrations.ts that read and rewrite rows.

/** Runs statements that end with a semicolon at the end of a line. */
export async function run(db: Kysely<Database>, text: string): Promise<void> {
  for (const statement of text.split(/;\s*(?:\n|$)/)) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db)
  }
}

/** What shows that a store was restored, and which jobs are held for it. */
export async function restore(db: Kysely<Database>): Promise<void> {
  await run(
    db,
    `
    alter table job add column hold text;
    alter table job add column held_sign text;
    alter table job add column held_at bigint;
    alter table job add column held_since bigint;
    alter table job add column held_confirmed bigint;
    create table store_use (
      id integer primary key, epoch text not null, earlier text not null, count bigint not null,
      counted_at bigint, sign text, found_at bigint, since bigint, read integer not null
    );`,
  )
  await sql`insert into store_use (id, epoch, earlier, count, read)
    values (1, ${crypto.randomUUID()}, '[]', 0, 0)`.execute(db)
}

type FilledColumn = "effect" | "effect_without_reference" | "purpose"

/** New columns; the values of one of them for the rows that are there; then their indexes. */
function withRows(before: string, column: FilledColumn, after: string) {
  return async (db: Kysely<Database>, kind: Engine["kind"]): Promise<void> => {
    await run(db, before)
    await fillRows(db, kind, column)
    await run(db, after)
  }
}

/** What recognises a row again, the rows a file brought that are never sent, and their numbers in the file. */
export const sameRows = withRows(
  `
  alter table job add column excluded bigint default 0 not null;
  alter table job add column repeats bigint;
  alter table job_row add column line bigint;
  alter table job_row add column effect text;
  alter table job_row add column is_repeat integer default 0 not null;`,
  "effect",
  `
  create index job_row_same_member on job_row (member_id, effect)
    where effect is not null and member_id is not null;
  create index job_row_same_email on job_row (email, effect)
    where effect is not null and email is not null;`,
)

/** By what a row with a reference is the same as one without. */
export const withoutReference = withRows(
  "alter table job_row add column effect_without_reference text",
  "effect_without_reference",
  `
  create index job_row_same_member_other on job_row (member_id, effect_without_reference)
    where effect_without_reference is not null and member_id is not null;
  create index job_row_same_email_other on job_row (email, effect_without_reference)
    where effect_without_reference is not null and email is not null;`,
)

/** What an award is for, so that another amount for the same is recognised, and jobs that correct each other. */
export const corrections = withRows(
  `
  alter table job add column linked bigint;
  alter table job_row add column purpose text;
  alter table job_row add column correction text;
  alter table job_row add column awaits bigint;
  update job_row set outcome_code = 'ledger_other_amount'
    where state = 'conflict' and outcome_code = 'other_amount';`,
  "purpose",
  `
  create index job_row_purpose_member on job_row (member_id, purpose)
    where purpose is not null and member_id is not null;
  create index job_row_purpose_email on job_row (email, purpose)
    where purpose is not null and email is not null;
  create index job_row_awaits on job_row (job, awaits, row) where awaits is not null;`,
)

/** Format characters no longer count when rows are compared: rows from before are compared the same way. */
export async function foldEffects(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  for (const column of ["effect", "effect_without_reference"] as const)
    await fillRows(db, kind, column, beyondAscii(kind, "input"))
}

/** The same for references that rows of cards claimed. Of two that are one now, the first keeps it. */
export async function foldReferences(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  const claims = db.selectFrom("job_claim").select("key").where("scope", "=", referenceScope)
  const found = await claims.where(beyondAscii(kind, "key")).orderBy("job").orderBy("row").execute()
  for (const { key } of found) {
    const folded = foldedReferenceKey(key)
    await sql`
      update job_claim set key = ${folded} where scope = ${referenceScope} and key = ${key}
      and not exists (select 1 from job_claim where scope = ${referenceScope} and key = ${folded})`.execute(
      db,
    )
  }
}

const atOnce = 1000

/** Rows that were there before this step are recognised too; those of a reversal never are. */
async function fillRows(
  db: Kysely<Database>,
  kind: Engine["kind"],
  column: FilledColumn,
  which = sql<boolean>`1 = 1`,
): Promise<void> {
  const jobs = await db
    .selectFrom("job")
    .select(["number", "kind"])
    .where("kind", "in", jobKinds)
    .where("reverses", "is", null)
    .execute()
  for (const job of jobs) {
    for (let after = 0; ;) {
      const rows = await db
        .selectFrom("job_row")
        .select(["row", "input"])
        .where("job", "=", job.number)
        .where("row", ">", after)
        .where(which)
        .orderBy("row")
        .limit(atOnce)
        .execute()
      const given = rows.flatMap(({ row, input }) => {
        const value = readValue(job.kind, input, column)
        return value === null ? [] : [{ job: job.number, row, value }]
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

const fieldOf = {
  effect: "effect",
  effect_without_reference: "effectWithoutReference",
  purpose: "purpose",
} as const

/** Null for a row that cannot be read: it is not recognised. */
function readValue(kind: string, input: string, column: FilledColumn): string | null {
  const known = jobKinds.find((one) => one === kind)
  try {
    const row = known && kindRules[known].newRow(JSON.parse(input), {})
    return row?.[fieldOf[column]] ?? null
  } catch {
    return null
  }
}
