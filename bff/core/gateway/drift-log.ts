import type { DriftRow } from "../../../contract/desk/status.ts"
import type { Drift } from "../../../contract/drift.ts"
import type { Api } from "../../../contract/desk/status.ts"
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
  return {
    add(api, operation, drift) {
      for (const { field, said, came } of drift) {
        const key = JSON.stringify([api, operation, field, came])
        const row = counted.get(key)
        if (row === undefined && counted.size >= mostKinds) continue
        counted.set(key, { api, operation, field, said, came, seen: (row?.seen ?? 0) + 1 })
      }
    },
    async flush() {
      if (counted.size === 0) return
      const rows = [...counted.values()]
      counted = new Map()
      await store.add(rows, clock.now())
    },
  }
}
