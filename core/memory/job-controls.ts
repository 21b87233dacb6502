import type { ControlRecord, JobStore } from "../jobs/job-store.ts"
import { frozenCopy } from "./frozen.ts"
import type { JobTable } from "./job-table.ts"

const mostControls = 500

/** Watched effects of a memory store's jobs. */
export function jobControls(
  table: JobTable,
): Pick<JobStore, "watch" | "noteControl" | "dueControls" | "controls"> {
  return {
    async watch(controls) {
      for (const control of controls) {
        const entry = table.get(control.jobId)
        if (entry === undefined || entry.controls.has(control.row)) continue
        entry.controls.set(control.row, frozenCopy({ ...control, seenAt: null, looks: 0, void: false }))
      }
    },
    async noteControl({ jobId, row }, set) {
      const entry = table.get(jobId)
      const control = entry?.controls.get(row)
      if (control !== undefined) entry?.controls.set(row, frozenCopy({ ...control, ...frozenCopy(set) }))
    },
    async dueControls(jobId, at, limit) {
      const open = table.get(jobId)?.openControls() ?? []
      return open
        .filter(({ nextAt }) => (nextAt ?? Infinity) <= at)
        .toSorted((one, other) => (one.nextAt ?? 0) - (other.nextAt ?? 0) || one.row - other.row)
        .slice(0, limit)
    },
    async controls(type, since) {
      const found: ControlRecord[] = []
      for (const entry of table.newestFirst()) {
        for (const control of [...entry.controls.values()].toSorted((one, other) => other.row - one.row)) {
          if (control.type === type && control.answeredAt >= since && !control.void) found.push(control)
        }
      }
      return found.toSorted((one, other) => other.answeredAt - one.answeredAt).slice(0, mostControls)
    },
  }
}
