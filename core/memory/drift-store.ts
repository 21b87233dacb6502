import type { DriftRow } from "../../contract/status.ts"
import type { DriftStore } from "../ports.ts"

/** Differences from the documents, one row for each kind. `rows` is changed in place. */
export function createMemoryDriftStore(rows: Map<string, DriftRow>): DriftStore {
  return {
    async add(added, at) {
      const when = new Date(at).toISOString()
      for (const row of added) {
        const key = driftKey(row)
        const found = rows.get(key)
        rows.set(key, {
          ...row,
          seen: row.seen + (found?.seen ?? 0),
          first_at: found?.first_at ?? when,
          last_at: when,
        })
      }
    },
    async list() {
      return [...rows.values()].toSorted((one, other) => other.last_at.localeCompare(one.last_at))
    },
  }
}

/** What makes two differences one kind. */
export function driftKey(row: Pick<DriftRow, "api" | "operation" | "field" | "came">): string {
  return JSON.stringify([row.api, row.operation, row.field, row.came])
}
