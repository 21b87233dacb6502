import type { UsageRecord, UsageStore } from "../ports.ts"
import { sumOf, usageKey } from "../budget/usage.ts"

/** Counted calls, summed by minute, lane and person. `records` is changed in place. */
export function createMemoryUsageStore(records: Map<string, UsageRecord>): UsageStore {
  return {
    async add(added) {
      for (const record of added) {
        const key = usageKey(record)
        const found = records.get(key)
        records.set(key, found === undefined ? record : sumOf(found, record))
      }
    },
    async since(at) {
      return [...records.values()].filter((record) => record.minute >= at)
    },
    async forgetBefore(at) {
      for (const [key, record] of records) if (record.minute < at) records.delete(key)
    },
  }
}
