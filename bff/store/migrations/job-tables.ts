import { type Kysely, sql } from "kysely"
import { jobKinds } from "../../../contract/job.ts"
import type { NewRow } from "../../../core/jobs/job-store.ts"
import { kindRules } from "../../../core/jobs/kinds/kind-rules.ts"
import { firstJobNumber } from "../../../core/jobs/records.ts"
import type { Engine } from "../engine.ts"
import type { Database } from "../schema.ts"
import { recordset } from "../table.ts"

/** Jobs, their rows, and who carries them out. */
export async function jobs(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  await jobTable(db, kind)
  await rowTable(db)
  await db.schema
    .createTable("job_claim")
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("job", "bigint", (column) => column.notNull())
    .addColumn("row", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("job_claim_one_owner", ["scope", "key"])
    .execute()
  await controlTable(db)
  await db.schema
    .createTable("job_lease")
    .addColumn("job", "bigint", (column) => column.primaryKey())
    .addColumn("owner", "text", (column) => column.notNull())
    .addColumn("until_at", "bigint", (column) => column.notNull())
    .addColumn("for_ms", "bigint", (column) => column.notNull())
    .execute()
  await db.schema
    .createTable("desk_instance")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("process", "text", (column) => column.notNull())
    .addColumn("beat_at", "bigint", (column) => column.notNull())
    .addColumn("stopped_at", "bigint")
    .execute()
}

const jobTexts = ["kind", "state", "batch_code", "created_by", "created_by_name", "created_by_role", "lane"]
const jobTextsOrNone = ["title", "pause_code", "pause_message", "request_key", "request_hash", "mode"]
/** The states there were then: a state that came later has its column from a later step. */
const rowStates = ["planned", "sent", "confirmed", "failed", "unknown", "absent", "conflict"]
const jobNumbers = ["total", "attention", "rereads", "open_controls", "points_total", "points_confirmed"]

async function jobTable(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  let table = db.schema
    .createTable("job")
    .addColumn("number", kind === "postgres" ? "bigserial" : "integer", (column) =>
      kind === "postgres" ? column.primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("reversed_by", "text", (column) => column.notNull())
    .addColumn("reverses", "bigint")
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint")
  for (const name of jobTexts) table = table.addColumn(name, "text", (column) => column.notNull())
  for (const name of [...jobTextsOrNone, "file_name", "file_fingerprint"])
    table = table.addColumn(name, "text")
  for (const name of [...jobNumbers, ...rowStates, "bulk_size"])
    table = table.addColumn(name, "bigint", (column) => column.notNull())
  for (const name of ["prepared", "marked", "busy", "needs_person", "open"])
    table = table.addColumn(name, "integer", (column) => column.notNull())
  await table.execute()
  const before = firstJobNumber - 1
  await (
    kind === "postgres"
      ? sql`select setval(pg_get_serial_sequence('job', 'number'), ${before}::bigint)`
      : sql`insert into sqlite_sequence (name, seq) values ('job', ${before})`
  ).execute(db)

  await db.schema.createIndex("job_batch_code").on("job").column("batch_code").unique().execute()
  await db.schema
    .createIndex("job_request")
    .on("job")
    .columns(["created_by", "request_key"])
    .where("request_key", "is not", null)
    .unique()
    .execute()
  await db.schema
    .createIndex("job_file")
    .on("job")
    .columns(["file_fingerprint", "number"])
    .where("file_fingerprint", "is not", null)
    .execute()
  await sql`create index job_busy on job (number) where busy = 1`.execute(db)
  await sql`create index job_open on job (number) where open = 1`.execute(db)
}

const rowTexts = ["state", "input", "search", "looks"]
const rowTextsOrNone = ["member_id", "email", "label", "reason", "owner", "ended_how", "body_hash", "request"]
const rowOutcome = ["outcome_code", "outcome_message", "upstream_id", "decision", "work"]
const rowTimes = [
  "lease_until",
  "first_sent_at",
  "sent_at",
  "ended_at",
  "next_at",
  "confirmed_at",
  "closed_at",
]

async function rowTable(db: Kysely<Database>): Promise<void> {
  let table = db.schema
    .createTable("job_row")
    .addColumn("job", "bigint", (column) => column.notNull())
    .addColumn("row", "bigint", (column) => column.notNull())
  for (const name of rowTexts) table = table.addColumn(name, "text", (column) => column.notNull())
  for (const name of [...rowTextsOrNone, ...rowOutcome]) table = table.addColumn(name, "text")
  for (const name of [...rowTimes, "points", "reverses_job", "reverses_row", "ordinal"])
    table = table.addColumn(name, "bigint")
  for (const name of ["attempts", "singly", "doubtful", "resends"])
    table = table.addColumn(name, "integer", (column) => column.notNull())
  await table
    .addColumn("balance_after", "double precision")
    .addPrimaryKeyConstraint("job_row_number", ["job", "row"])
    .execute()
  await db.schema.createIndex("job_row_state").on("job_row").columns(["job", "state", "row"]).execute()
  await sql`create index job_row_next on job_row (job, next_at, row)
    where next_at is not null and state in ('unknown', 'confirmed')`.execute(db)
  await sql`create index job_row_confirmed on job_row (closed_at, job, row) where state = 'confirmed'`.execute(
    db,
  )
  await partialIndex(db, "job_row_closed", ["job", "closed_at"], "closed_at")
  await partialIndex(db, "job_row_ordinal", ["job", "member_id", "ordinal"], "ordinal", "unique")
  await partialIndex(db, "job_row_reversed_once", ["reverses_job", "reverses_row"], "reverses_job", "unique")
}

async function partialIndex(
  db: Kysely<Database>,
  name: string,
  columns: readonly ("job" | "closed_at" | "member_id" | "ordinal" | "reverses_job" | "reverses_row")[],
  given: "closed_at" | "ordinal" | "reverses_job",
  unique?: "unique",
): Promise<void> {
  const index = db.schema
    .createIndex(name)
    .on("job_row")
    .columns([...columns])
    .where(given, "is not", null)
  await (unique === undefined ? index : index.unique()).execute()
}

async function controlTable(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable("job_control")
    .addColumn("job", "bigint", (column) => column.notNull())
    .addColumn("row", "bigint", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("member_id", "text", (column) => column.notNull())
    .addColumn("upstream_id", "text", (column) => column.notNull())
    .addColumn("answered_at", "bigint", (column) => column.notNull())
    .addColumn("seen_at", "bigint")
    .addColumn("next_at", "bigint")
    .addColumn("looks", "integer", (column) => column.notNull())
    .addColumn("void", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("job_control_row", ["job", "row"])
    .execute()
  await db.schema.createIndex("job_control_type").on("job_control").columns(["type", "answered_at"]).execute()
}

const cardTexts = ["template", "status", "reference", "own_reference", "member_id", "email", "name"]
const cardNumbers = ["amount_cents", "issued_at", "expires_at", "looked_up_at", "job", "row"]
const cardFlags = ["member_created", "is_test", "replayed"]

/** The register of gift cards. */
export async function cards(db: Kysely<Database>): Promise<void> {
  let table = db.schema.createTable("card").addColumn("id", "text", (column) => column.primaryKey())
  for (const name of ["origin", "by_id", "by_name", "search"])
    table = table.addColumn(name, "text", (column) => column.notNull())
  for (const name of cardTexts) table = table.addColumn(name, "text")
  for (const name of cardNumbers) table = table.addColumn(name, "bigint")
  for (const name of cardFlags) table = table.addColumn(name, "integer")
  await table.execute()
  await db.schema.createIndex("card_issued").on("card").columns(["issued_at", "id"]).execute()
  await db.schema.createIndex("card_expires").on("card").columns(["expires_at", "id"]).execute()
  await db.schema.createIndex("card_member").on("card").column("member_id").execute()
  await db.schema.createIndex("card_job").on("card").columns(["job", "row"]).execute()
}

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
async function fillRows(
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

/** Cards are found by their references, and keep what the service said when it issued them. */
export async function cardReferences(db: Kysely<Database>): Promise<void> {
  await db.schema.alterTable("card").addColumn("message", "text").execute()
  for (const name of ["reference", "own_reference"] as const)
    await db.schema.createIndex(`card_${name}`).on("card").columns(["template", name]).execute()
}

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

/** How often a person edited a planned row: what an instance read of it before is never sent. */
export async function rowEdits(db: Kysely<Database>): Promise<void> {
  await db.schema
    .alterTable("job_row")
    .addColumn("edits", "integer", (column) => column.notNull().defaultTo(0))
    .execute()
}

/** By what a row with a reference is the same as one without. */
export async function withoutReference(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  await db.schema.alterTable("job_row").addColumn("effect_without_reference", "text").execute()
  await fillRows(db, kind, "effect_without_reference", (made) => made.effectWithoutReference)
  await sql`create index job_row_same_member_other on job_row (member_id, effect_without_reference)
    where effect_without_reference is not null and member_id is not null`.execute(db)
  await sql`create index job_row_same_email_other on job_row (email, effect_without_reference)
    where effect_without_reference is not null and email is not null`.execute(db)
}
