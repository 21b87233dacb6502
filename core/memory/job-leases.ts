import type { JobStore } from "../jobs/job-store.ts"
import type { JobTable } from "./job-table.ts"

/** Who works on which job of a memory store. */
export function jobLeases(table: JobTable): Pick<JobStore, "lease" | "release"> {
  return {
    async lease(jobId, owner, forMs) {
      const entry = table.get(jobId)
      if (entry === undefined) return false
      const now = table.clock.now()
      const { lease } = entry
      // One that ends later than it is long is from before the clock was set back.
      const holds = lease !== undefined && lease.until > now && lease.until <= now + lease.forMs
      if (holds && lease.owner !== owner) return false
      entry.lease = { owner, until: now + forMs, forMs }
      return true
    },
    async release(jobId, owner) {
      const entry = table.get(jobId)
      if (entry?.lease?.owner === owner) entry.lease = undefined
    },
  }
}
