import type { JobStore } from "../../core/jobs/job-store.ts"
import { createKeyedLock } from "../../core/runtime.ts"
import type { Engine } from "./engine.ts"
import { jobControls } from "./jobs/controls.ts"
import type { JobEngine } from "./jobs/held-job.ts"
import { jobList } from "./jobs/job-list.ts"
import { jobMaking } from "./jobs/job-making.ts"
import { jobLeases } from "./jobs/leases.ts"
import { jobReport } from "./jobs/points-report.ts"
import { rowChanging } from "./jobs/row-changing.ts"
import { rowPages } from "./jobs/row-pages.ts"
import { rowReading } from "./jobs/row-reading.ts"
import { sameRows } from "./jobs/same-rows.ts"

/** Durable jobs, on either engine. */
export function jobStore(opened: Engine): JobStore {
  const engine: JobEngine = { ...opened, turns: createKeyedLock() }
  return {
    now: () => engine.now(),
    ...jobMaking(engine),
    ...jobList(engine),
    ...rowPages(engine),
    ...rowReading(engine),
    ...rowChanging(engine),
    ...sameRows(engine),
    ...jobControls(engine),
    ...jobLeases(engine),
    ...jobReport(engine),
  }
}
