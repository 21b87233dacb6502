import type { JobStore } from "../jobs/job-store.ts"
import type { JobTable } from "./job-table.ts"

/** Who works on which job of a memory store. */
export function jobLeases(table: JobTable): Pick<JobStore, "lease" | "release"> {
  return {
    async lease(jobId, owner, forMs) {
      const entry = table.get(jobId)
      if (entry === undefined) return false
      const now = table.clock.now()
      if (entry.lease !== undefined && entry.lease.owner !== owner && entry.lease.until > now) return false
      entry.lease = { owner, until: now + forMs }
      return true
    },
    async release(jobId, owner) {
      const entry = table.get(jobId)
      if (entry?.lease?.owner === owner) entry.lease = undefined
    },
  }
}
