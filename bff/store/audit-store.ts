import { type Kysely, type Selectable } from "kysely"
import { auditEntry, type AuditEntry } from "../../contract/audit.ts"
import type { AuditStore } from "../../core/ports.ts"
import type { Engine } from "./engine.ts"
import type { AuditTable, Database } from "./schema.ts"

/** The audit log. There is no way to change or remove an entry. */
export function auditStore(engine: Engine): AuditStore {
  return {
    append: (entry) => appendEntry(engine.db, entry),
    list: async (query, scope) => {
      let rows = engine.db.selectFrom("audit").selectAll()
      const { actor } = scope
      if (actor !== undefined && scope.area !== undefined) {
        const { area } = scope
        rows = rows.where((eb) => eb.or([eb("actor_id", "=", actor), eb("area", "=", area)]))
      } else if (actor !== undefined) rows = rows.where("actor_id", "=", actor)
      else if (scope.area !== undefined) rows = rows.where("area", "=", scope.area)

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
      return found.map(entryOf)
    },
  }
}

/** Adds an entry, in a transaction where it belongs to another change. */
export async function appendEntry(within: Kysely<Database>, entry: AuditEntry): Promise<void> {
  await within.insertInto("audit").values(rowOf(entry)).execute()
}

function rowOf(entry: AuditEntry) {
  return {
    id: entry.id,
    at: Date.parse(entry.at),
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    actor_role: entry.actor.role,
    action: entry.action,
    area: entry.area,
    on_kind: entry.on.kind,
    on_id: entry.on.id,
    on_label: entry.on.label,
    outcome: entry.outcome,
    note: entry.note,
    changes: JSON.stringify(entry.changes),
    request_id: entry.request_id,
    source: entry.source,
  }
}

function entryOf(row: Selectable<AuditTable>): AuditEntry {
  return auditEntry.parse({
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: { id: row.actor_id, name: row.actor_name, role: row.actor_role },
    action: row.action,
    area: row.area,
    on: { kind: row.on_kind, id: row.on_id, label: row.on_label },
    outcome: row.outcome,
    note: row.note,
    changes: JSON.parse(row.changes),
    request_id: row.request_id,
    source: row.source,
  })
}
