import { type Kysely, sql } from "kysely"
import type { AuditEntry } from "../../contract/audit.ts"
import { limits } from "../../contract/limits.ts"
import { note } from "../../contract/notes.ts"
import { apis } from "../../contract/response.ts"
import type {
  AuditStore,
  DriftStore,
  NameStore,
  NoteStore,
  SettingsDocuments,
  SettingsStore,
  SnapshotStore,
  UsageStore,
} from "../../core/ports.ts"
import type { Engine } from "./engine.ts"
import {
  auditTable,
  driftTable,
  hourOf,
  nameTable,
  snapshotTable,
  usageTable,
  type Database,
} from "./schema.ts"
import { given, numberset } from "./table.ts"

/** The audit log. There is no way to change or remove an entry. */
export function auditStore(engine: Engine): AuditStore {
  return {
    append: (entry) => appendEntry(engine.db, entry),
    list: async (query, scope) => {
      const { actor, action, kind, id, outcome, before, from, to } = query
      const visible = given({ actor_id: scope.actor, area: scope.area })
      const conditions = given({ actor_id: actor, action, on_kind: kind, on_id: id, outcome })
      let rows = engine.db
        .selectFrom("audit")
        .where((eb) => eb.and([eb.and(conditions), eb.not(isFailedReveal)]))
      if (Object.keys(visible).length > 0) rows = rows.where((eb) => eb.or(visible))
      if (before !== undefined) {
        rows = rows.where("seq", "<", (eb) => eb.selectFrom("audit").select("seq").where("id", "=", before))
      }
      if (from !== undefined) rows = rows.where("at", ">=", Date.parse(from))
      if (to !== undefined) rows = rows.where("at", "<=", Date.parse(to))
      const newest = rows.selectAll().orderBy("seq", "desc")
      return (await newest.limit(query.per_page + 1).execute()).map(auditTable.read)
    },
  }
}

/** The entry from before a secret was to be shown, where a later one says that it was not: both are kept. */
const isFailedReveal = sql<boolean>`(audit.action like '%.reveal' and audit.outcome = 'done' and exists (
  select 1 from audit as later where later.on_kind = audit.on_kind and later.on_id = audit.on_id and later.seq > audit.seq
    and later.request_id = audit.request_id and later.action = audit.action and later.outcome = 'failed'))`

export async function appendEntry(within: Kysely<Database>, entry: AuditEntry): Promise<void> {
  await within.insertInto("audit").values(auditTable.write(entry)).execute()
}

/** Notes of ours on records, and what they were; a save succeeds only on the version it was made from. */
export function noteStore({ db }: Engine): NoteStore {
  return {
    get: async (kind, id) => {
      const row = await db
        .selectFrom("note")
        .selectAll()
        .where((eb) => eb.and({ kind, id }))
        .executeTakeFirst()
      return row && note.parse(row)
    },
    earlier: async (kind, id, before) => {
      const saved = db.selectFrom("note_version").selectAll()
      const older = saved.where((eb) => eb.and({ kind, id })).where("version", "<", before)
      const newest = older.orderBy("version", "desc").limit(limits.perPage.max)
      return (await newest.execute()).map((row) => note.parse(row))
    },
    // Notes are never removed: there is one to insert before the first version only.
    save: async (next) => {
      const { kind, id, version } = next
      // A version that stays the last one because the save comes too late is none of the earlier ones (`before`).
      await db
        .insertInto("note_version")
        .columns(["kind", "id", "text", "version", "saved_at", "saved_by"])
        .expression((eb) =>
          eb
            .selectFrom("note")
            .select(["kind", "id", "text", "version", "saved_at", "saved_by"])
            .where((is) => is.and({ kind, id, version: version - 1 })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const saved = await db
        .insertInto("note")
        .values(next)
        .onConflict((conflict) =>
          conflict
            .columns(["kind", "id"])
            .doUpdateSet(next)
            .where("note.version", "=", version - 1),
        )
        .executeTakeFirst()
      return saved.numInsertedOrUpdatedRows === 1n
    },
  }
}

/** Leaderboards as they were read. */
export function snapshotStore({ db, patient, kind }: Engine): SnapshotStore {
  return {
    add: async (snapshot) => {
      const { at, places, complete, sent, board } = snapshotTable.write(snapshot)
      const read = { at, places, complete, sent }
      await db
        .insertInto("leaderboard_snapshot")
        .values({ board, hour: hourOf(at), ...read })
        .onConflict((conflict) =>
          conflict
            .columns(["board", "hour"])
            .doUpdateSet(read)
            .where("leaderboard_snapshot.places", "<", places),
        )
        .execute()
    },
    times: async (board) => {
      const taken = db.selectFrom("leaderboard_snapshot").select("at").where("board", "=", board)
      return (await taken.orderBy("at").execute()).map(({ at }) => at)
    },
    list: async (board, times) => {
      const taken = db.selectFrom("leaderboard_snapshot").selectAll().where("board", "=", board)
      const some = taken.where("at", "in", numberset(kind, times)).orderBy("at")
      return (await some.execute()).map(snapshotTable.read)
    },
    forget: async (board, times) => {
      const taken = db.deleteFrom("leaderboard_snapshot").where("board", "=", board)
      await taken.where("at", "in", numberset(kind, times)).execute()
    },
    forgetBefore: async (at) => {
      await patient.deleteFrom("leaderboard_snapshot").where("at", "<", at).execute()
    },
  }
}

/** Names of members. */
export function nameStore({ db, patient }: Engine): NameStore {
  return {
    all: async () => (await patient.selectFrom("member_name").selectAll().execute()).map(nameTable.read),
    put: (names) =>
      db.transaction().execute(async (within) => {
        for (const stored of inOrder(names, ({ id }) => id)) {
          const { id, ...read } = nameTable.write(stored)
          await within
            .insertInto("member_name")
            .values({ id, ...read })
            .onConflict((conflict) => conflict.column("id").doUpdateSet(read))
            .execute()
        }
      }),
    forget: async (id) => {
      await db.deleteFrom("member_name").where("id", "=", id).execute()
    },
    forgetBefore: async (at) => {
      await patient.deleteFrom("member_name").where("at", "<", at).execute()
    },
  }
}

/** Settings documents as JSON; the core checks them against their schemas. */
export function settingsStore(engine: Engine): SettingsStore {
  return {
    ...settingsDocuments(engine.db),
    change: (name, act) =>
      engine.db.transaction().execute(async (within) => {
        await engine.lock(within, `settings ${name}`)
        return act(settingsDocuments(within))
      }),
  }
}

function settingsDocuments(db: Kysely<Database>): SettingsDocuments {
  return {
    get: async (name) => {
      const row = await db.selectFrom("setting").select("value").where("name", "=", name).executeTakeFirst()
      return row && JSON.parse(row.value)
    },
    put: async (name, value) => {
      const text = JSON.stringify(value)
      await db
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
        for (const record of inOrder(records, ({ minute, api, lane, who }) => [minute, api, lane, who])) {
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
      const rows = engine.db.selectFrom("usage").selectAll().where("minute", ">=", at)
      const ordered = rows.orderBy("minute").orderBy("api").orderBy("lane").orderBy("who")
      return (await ordered.execute()).map(usageTable.read)
    },
    forgetBefore: async (at) => {
      await engine.patient.deleteFrom("usage").where("minute", "<", at).execute()
    },
  }
}

/** Always in the same order, so that two instances never wait for each other. */
function inOrder<T>(rows: readonly T[], keyOf: (row: T) => unknown): T[] {
  return rows.toSorted((a, b) => JSON.stringify(keyOf(a)).localeCompare(JSON.stringify(keyOf(b))))
}

export function driftStore(engine: Engine): DriftStore {
  return {
    add: (rows, at) =>
      engine.db.transaction().execute(async (within) => {
        const seenAt = new Date(at).toISOString()
        for (const row of inOrder(rows, (row) => row)) {
          await within
            .insertInto("drift")
            .values(driftTable.write({ ...row, first_at: seenAt, last_at: seenAt }))
            .onConflict((conflict) =>
              conflict.columns(["api", "operation", "field", "kind"]).doUpdateSet({
                seen: sql`drift.seen + excluded.seen`,
                last_at: sql`case when drift.last_at > excluded.last_at
                  then drift.last_at else excluded.last_at end`,
              }),
            )
            .execute()
        }
      }),
    list: async () => {
      const rows = engine.db.selectFrom("drift").selectAll().where("api", "in", apis)
      const ordered = rows.orderBy("last_at", "desc").orderBy("operation").orderBy("field")
      return (await ordered.execute()).map(driftTable.read)
    },
  }
}
