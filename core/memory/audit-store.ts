import type { AuditEntry, AuditQuery } from "../../contract/audit.ts"
import type { AuditStore } from "../ports.ts"

type Scope = Parameters<AuditStore["list"]>[1]

/** Whether a reader with `scope` may see the entry: everything, own, or own and an area's. */
function isInScope(entry: AuditEntry, scope: Scope): boolean {
  if (scope.actor === undefined && scope.area === undefined) return true
  return entry.actor.id === scope.actor || entry.area === scope.area
}

function fits(entry: AuditEntry, query: AuditQuery): boolean {
  const at = Date.parse(entry.at)
  return (
    (query.actor === undefined || entry.actor.id === query.actor) &&
    (query.action === undefined || entry.action === query.action) &&
    (query.kind === undefined || entry.on.kind === query.kind) &&
    (query.id === undefined || entry.on.id === query.id) &&
    (query.outcome === undefined || entry.outcome === query.outcome) &&
    (query.from === undefined || at >= Date.parse(query.from)) &&
    (query.to === undefined || at <= Date.parse(query.to)) &&
    (query.before === undefined || entry.id < query.before)
  )
}

/** The audit log over a list that is oldest first. Ids sort by time. */
export function createMemoryAuditStore(entries: AuditEntry[]): AuditStore {
  return {
    async append(entry) {
      entries.push(structuredClone(entry))
    },
    async list(query, scope) {
      const found: AuditEntry[] = []
      for (const entry of entries.toReversed()) {
        if (found.length > query.per_page) break
        if (isInScope(entry, scope) && fits(entry, query)) found.push(structuredClone(entry))
      }
      return found
    },
  }
}
