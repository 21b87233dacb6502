import { type Kysely, sql } from "kysely"
import type { AuditEntry } from "../../contract/audit.ts"
import { note } from "../../contract/notes.ts"
import { apis } from "../../contract/status.ts"
import type {
  AuditStore,
  DriftStore,
  NoteStore,
  SettingsStore,
  UsageRecord,
  UsageStore,
} from "../../core/ports.ts"
import type { Engine } from "./engine.ts"
import { auditTable, driftTable, usageTable, type Database } from "./schema.ts"

/** The audit log. There is no way to change or remove an entry. */
export function auditStore(engine: Engine): AuditStore {
  return {
    append: (entry) => appendEntry(engine.db, entry),
    list: async (query, scope) => {
      let rows = engine.db.selectFrom("audit").selectAll()
      const { actor, area } = scope
      if (actor !== undefined || area !== undefined) {
        rows = rows.where((eb) =>
          eb.or([
            ...(actor === undefined ? [] : [eb("actor_id", "=", actor)]),
            ...(area === undefined ? [] : [eb("area", "=", area)]),
          ]),
        )
      }
      const { before } = query
      if (before !== undefined) {
        rows = rows.where("seq", "<", (eb) => eb.selectFrom("audit").select("seq").where("id", "=", before))
      }
      if (query.actor !== undefined) rows = rows.where("actor_id", "=", query.actor)
      if (query.action !== undefined) rows = rows.where("action", "=", query.action)
      if (query.kind !== undefined) rows = rows.where("on_kind", "=", query.kind)
      if (query.id !== undefined) rows = rows.where("on_id", "=", query.id)
      if (query.outcome !== undefined) rows = rows.where("outcome", "=", query.outcome)
      if (query.from !== undefined) rows = rows.where("at", ">=", Date.parse(query.from))
      if (query.to !== undefined) rows = rows.where("at", "<=", Date.parse(query.to))
      const found = await rows
        .orderBy("seq", "desc")
        .limit(query.per_page + 1)
        .execute()
      return found.map((row) => auditTable.read(row))
    },
  }
}

/** Adds an entry, in a transaction where it belongs to another change. */
export async function appendEntry(within: Kysely<Database>, entry: AuditEntry): Promise<void> {
  await within.insertInto("audit").values(auditTable.write(entry)).execute()
}

/** Notes of ours on records; a save succeeds only on the version it was made from. */
export function noteStore(engine: Engine): NoteStore {
  return {
    get: async (kind, id) => {
      const row = await engine.db
        .selectFrom("note")
        .selectAll()
        .where("kind", "=", kind)
        .where("id", "=", id)
        .executeTakeFirst()
      return row === undefined ? undefined : note.parse(row)
    },
    save: async (next) => {
      if (next.version === 1) {
        const made = await engine.db
          .insertInto("note")
          .values(next)
          .onConflict((conflict) => conflict.columns(["kind", "id"]).doNothing())
          .executeTakeFirst()
        return made.numInsertedOrUpdatedRows === 1n
      }
      const changed = await engine.db
        .updateTable("note")
        .set(next)
        .where("kind", "=", next.kind)
        .where("id", "=", next.id)
        .where("version", "=", next.version - 1)
        .executeTakeFirst()
      return changed.numUpdatedRows === 1n
    },
  }
}

/** Settings documents as JSON; the core checks them against their schemas. */
export function settingsStore(engine: Engine): SettingsStore {
  return {
    get: async (name) => {
      const row = await engine.db
        .selectFrom("setting")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst()
      return row === undefined ? undefined : JSON.parse(row.value)
    },
    put: async (name, value) => {
      const text = JSON.stringify(value)
      await engine.db
        .insertInto("setting")
        .values({ name, value: text })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: text }))
        .execute()
    },
  }
}

/** Counted calls; what several instances count for one minute is added up. */
export function usageStore(engine: Engine): UsageStore {
  return {
    add: (records) =>
      engine.db.transaction().execute(async (within) => {
        // Always in the same order, so that two instances never wait for each other.
        for (const record of records.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))) {
          await within
            .insertInto("usage")
            .values(usageTable.write(record))
            .onConflict((conflict) =>
              conflict.columns(["minute", "api", "lane", "who"]).doUpdateSet({
                requests: sql`usage.requests + excluded.requests`,
                refused: sql`usage.refused + excluded.refused`,
                slow: sql`usage.slow + excluded.slow`,
                trouble: sql`usage.trouble + excluded.trouble`,
                longest_wait_ms: sql`case when usage.longest_wait_ms > excluded.longest_wait_ms
                  then usage.longest_wait_ms else excluded.longest_wait_ms end`,
              }),
            )
            .execute()
        }
      }),
    since: async (at) => {
      const rows = await engine.db
        .selectFrom("usage")
        .selectAll()
        .where("minute", ">=", at)
        .orderBy("minute")
        .orderBy("api")
        .orderBy("lane")
        .orderBy("who")
        .execute()
      return rows.map((row) => usageTable.read(row))
    },
    forgetBefore: async (at) => {
      await engine.db.deleteFrom("usage").where("minute", "<", at).execute()
    },
  }
}

function keyOf(record: UsageRecord): string {
  return `${record.minute} ${record.api} ${record.lane} ${record.who}`
}

/** Which differences from the documents were seen, how often, first and last. */
export function driftStore(engine: Engine): DriftStore {
  return {
    add: (rows, at) =>
      engine.db.transaction().execute(async (within) => {
        const seenAt = new Date(at).toISOString()
        for (const row of rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))) {
          await within
            .insertInto("drift")
            .values(driftTable.write({ ...row, first_at: seenAt, last_at: seenAt }))
            .onConflict((conflict) =>
              conflict.columns(["api", "operation", "field", "said", "came"]).doUpdateSet({
                seen: sql`drift.seen + excluded.seen`,
                last_at: sql`case when drift.last_at > excluded.last_at
                  then drift.last_at else excluded.last_at end`,
              }),
            )
            .execute()
        }
      }),
    list: async () => {
      const rows = await engine.db
        .selectFrom("drift")
        .selectAll()
        .where("api", "in", apis)
        .orderBy("last_at", "desc")
        .orderBy("operation")
        .orderBy("field")
        .execute()
      return rows.map((row) => driftTable.read(row))
    },
  }
}
