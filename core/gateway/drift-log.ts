import type { Api, DriftRow } from "../../contract/status.ts"
import type { Drift } from "../../contract/drift.ts"
import type { Clock, DriftStore } from "../ports.ts"

type DriftCount = Omit<DriftRow, "first_at" | "last_at">

/** More kinds than this at once are not differences but another service: the rest is left uncounted. */
const mostKinds = 500

/** Counts differences between answers and documents; kept here for seconds and then handed to the store. */
export interface DriftLog {
  add(api: Api, operation: string, drift: readonly Drift[]): void
  flush(): Promise<void>
}

/** Starts counting. */
export function createDriftLog(store: DriftStore, clock: Clock): DriftLog {
  let counted = new Map<string, DriftCount>()

  function count(row: DriftCount): void {
    const key = JSON.stringify([row.api, row.operation, row.field, row.came])
    const before = counted.get(key)
    if (before === undefined && counted.size >= mostKinds) return
    counted.set(key, { ...row, seen: row.seen + (before?.seen ?? 0) })
  }

  return {
    add(api, operation, drift) {
      for (const { field, said, came } of drift) count({ api, operation, field, said, came, seen: 1 })
    },
    async flush() {
      if (counted.size === 0) return
      const rows = [...counted.values()]
      counted = new Map()
      try {
        await store.add(rows, clock.now())
      } catch (error) {
        for (const row of rows) count(row)
        throw error
      }
    },
  }
}
