import type { AuditEntry } from "../../contract/audit.ts"
import type { JobStore } from "../jobs/job-store.ts"
import { jobControls } from "./job-controls.ts"
import { jobLeases } from "./job-leases.ts"
import { jobList } from "./job-list.ts"
import { jobMaking } from "./job-making.ts"
import { jobReport } from "./job-report.ts"
import { jobRows } from "./job-rows.ts"
import type { JobTable } from "./job-table.ts"
import { sameRows } from "./same-rows.ts"

/**
 * Jobs that live as long as their process or tab. Every record that is given out is frozen.
 * @param append adds to the audit log of the same store
 */
export function createMemoryJobStore(table: JobTable, append: (entry: AuditEntry) => void): JobStore {
  return {
    now: async () => table.clock.now(),
    ...jobMaking(table),
    ...jobList(table, append),
    ...jobRows(table),
    ...sameRows(table),
    ...jobControls(table),
    ...jobLeases(table),
    ...jobReport(table),
  }
}
