import { useCan } from "../../../api/session.ts"
import { LatelyActs } from "./lately-acts.tsx"
import { LatelyJobs } from "./lately-jobs.tsx"

/** What was done lately, by right: acts from the audit log, else the jobs this role sees. */
export function Lately() {
  const readsAudit = useCan("audit.read")
  const seesJobs = useCan("jobs.read")
  if (readsAudit) return <LatelyActs />
  return seesJobs ? <LatelyJobs /> : null
}
