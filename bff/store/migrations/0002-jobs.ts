import { type Kysely, sql } from "kysely"
import { firstJobNumber } from "../../../core/job-data/job-number.ts"
import type { Engine } from "../engine.ts"
import type { Database } from "../schema.ts"

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
