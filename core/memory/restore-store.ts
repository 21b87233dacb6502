import { isHeldOpen } from "../job-data/job-needs.ts"
import type { RestoreStore, StoreUse } from "../jobs/job-store.ts"
import type { JobTable } from "./job-table.ts"

/** How far a memory store has got; `use` is where it is kept. */
export function createMemoryRestoreStore(use: { now: StoreUse }, table: JobTable): RestoreStore {
  return {
    get: async () => use.now,
    async count() {
      use.now = { ...use.now, count: use.now.count + 1, countedAt: table.clock.now() }
      return use.now
    },
    async hold(found, epoch, above) {
      const { now } = use
      let held = 0
      for (const entry of table.entries) {
        const { state, createdAt, counts } = entry.record()
        if (state === "cancelled" || createdAt > found.at) continue
        entry.set({ hold: { state: "looking", ...found, confirmedBefore: counts.confirmed } })
        if (isHeldOpen(entry.record())) held += 1
      }
      use.now = {
        epoch,
        earlier: [...now.earlier, now.epoch],
        count: Math.max(now.count, above) + 1,
        countedAt: now.countedAt,
        found: { ...found, read: false },
      }
      return held
    },
    async read() {
      if (use.now.found !== null) use.now = { ...use.now, found: { ...use.now.found, read: true } }
    },
  }
}

/** A store that was never used. */
export function unusedStore(): StoreUse {
  return { epoch: crypto.randomUUID(), earlier: [], count: 0, countedAt: null, found: null }
}
