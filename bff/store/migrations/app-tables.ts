import { type Kysely, sql } from "kysely"
import type { Engine } from "../engine.ts"
import type { Database } from "../schema.ts"

/** The store of the first version. */
export async function first(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  await ownTables(db, kind)
  await peopleTables(db)
}

async function ownTables(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  await db.schema
    .createTable("stamp")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("environment", "text", (column) => column.notNull())
    .addColumn("program_base_url", "text")
    .addColumn("giftcard_base_url", "text")
    .addColumn("stamped_at", "bigint", (column) => column.notNull())
    .execute()
  await db.schema
    .createTable("budget_grant")
    .addColumn("api", "text", (column) => column.notNull())
    .addColumn("free_at", "bigint", (column) => column.notNull())
    .execute()
  await db.schema.createIndex("budget_grant_free").on("budget_grant").columns(["api", "free_at"]).execute()
  await db.schema
    .createTable("budget_block")
    .addColumn("api", "text", (column) => column.primaryKey())
    .addColumn("until_at", "bigint", (column) => column.notNull())
    .addColumn("for_ms", "bigint", (column) => column.notNull())
    .execute()
  await db.schema
    .createTable("usage")
    .addColumn("api", "text", (column) => column.notNull())
    .addColumn("minute", "bigint", (column) => column.notNull())
    .addColumn("lane", "text", (column) => column.notNull())
    .addColumn("who", "text", (column) => column.notNull())
    .addColumn("requests", "bigint", (column) => column.notNull())
    .addColumn("refused", "bigint", (column) => column.notNull())
    .addColumn("slow", "bigint", (column) => column.notNull())
    .addColumn("trouble", "bigint", (column) => column.notNull())
    .addColumn("longest_wait_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("usage_key", ["minute", "api", "lane", "who"])
    .execute()
  await db.schema
    .createTable("drift")
    .addColumn("api", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("field", "text", (column) => column.notNull())
    .addColumn("said", "text", (column) => column.notNull())
    .addColumn("came", "text", (column) => column.notNull())
    .addColumn("seen", "bigint", (column) => column.notNull())
    .addColumn("first_at", "bigint", (column) => column.notNull())
    .addColumn("last_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("drift_key", ["api", "operation", "field", "said", "came"])
    .execute()
  await auditTable(db, kind)
  await db.schema
    .createTable("note")
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("version", "integer", (column) => column.notNull())
    .addColumn("saved_at", "text")
    .addColumn("saved_by", "text")
    .addPrimaryKeyConstraint("note_key", ["kind", "id"])
    .execute()
  await db.schema
    .createTable("setting")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute()
}

async function auditTable(db: Kysely<Database>, kind: Engine["kind"]): Promise<void> {
  const text = ["id", "actor_id", "actor_name", "actor_role", "action", "area", "on_kind", "on_id"] as const
  let table = db.schema
    .createTable("audit")
    .addColumn("seq", kind === "postgres" ? "bigserial" : "integer", (column) =>
      kind === "postgres" ? column.primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn("at", "bigint", (column) => column.notNull())
  for (const name of [...text, "outcome", "changes", "request_id"] as const) {
    table = table.addColumn(name, "text", (column) => column.notNull())
  }
  await table.addColumn("on_label", "text").addColumn("note", "text").execute()
  await db.schema.createIndex("audit_id").on("audit").column("id").unique().execute()
  await db.schema.createIndex("audit_actor").on("audit").columns(["actor_id", "seq"]).execute()
  await db.schema.createIndex("audit_record").on("audit").columns(["on_kind", "on_id", "seq"]).execute()
}

async function peopleTables(db: Kysely<Database>): Promise<void> {
  const now = sql`current_timestamp`
  await db.schema
    .createTable("desk_user")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull().unique())
    .addColumn("email_verified", "boolean", (column) => column.notNull())
    .addColumn("image", "text")
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("disabled_at", "text")
    .addColumn("last_seen_at", "bigint")
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("updated_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .execute()
  await db.schema
    .createTable("desk_session")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("desk_user.id").onDelete("cascade"))
    .addColumn("token", "text", (column) => column.notNull().unique())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .addColumn("ip_address", "text")
    .addColumn("user_agent", "text")
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("updated_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .execute()
  await db.schema.createIndex("desk_session_user").on("desk_session").column("user_id").execute()
  await db.schema
    .createTable("desk_account")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("desk_user.id").onDelete("cascade"))
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("provider_id", "text", (column) => column.notNull())
    .addColumn("password", "text")
    // The rest of the library's shape: single sign-on fills it.
    .addColumn("access_token", "text")
    .addColumn("refresh_token", "text")
    .addColumn("id_token", "text")
    .addColumn("access_token_expires_at", "timestamptz")
    .addColumn("refresh_token_expires_at", "timestamptz")
    .addColumn("scope", "text")
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("updated_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint("desk_account_one", ["user_id", "provider_id"])
    .execute()
  await db.schema
    .createTable("desk_verification")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("identifier", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("updated_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .execute()
  await db.schema
    .createIndex("desk_verification_identifier")
    .on("desk_verification")
    .column("identifier")
    .execute()
  await db.schema
    .createTable("one_time_link")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.references("desk_user.id").onDelete("cascade"))
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute()
}

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

/** Who took a permit of the request budget. An older instance leaves it out: its permits are nobody's. */
export async function budgetTakers(db: Kysely<Database>): Promise<void> {
  await db.schema
    .alterTable("budget_grant")
    .addColumn("lane", "text", (column) => column.notNull().defaultTo("people"))
    .execute()
  await db.schema
    .alterTable("budget_grant")
    .addColumn("who", "text", (column) => column.notNull().defaultTo(""))
    .execute()
}

/** One row that is written again and again, to know whether the store can be written to. */
export async function readiness(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable("readiness")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("filler", "text", (column) => column.notNull())
    .execute()
}
