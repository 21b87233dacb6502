import type { JobContext } from "./job-context.ts"
import type { KindRules } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"

/** Makes copies old that confirmed rows changed, here and at the other instances, and tells who is looking. */
export function announce(
  context: JobContext,
  job: JobRecord,
  rules: KindRules,
  rows: readonly RowRecord[],
): void {
  context.jobChanged(job.id)
  for (const row of rows) context.reads.invalidate(rules.invalidates(row))
  // One hint for many: a list of thousands must not become thousands of events.
  const [only] = rows
  if (rows.length === 1 && only?.memberId) context.events.publish({ topic: "member", id: only.memberId })
  if (rows.length === 0) return
  for (const topic of rules.topics) {
    if (job.lane === "people") context.events.publish({ topic, id: "all" })
    // Whoever looks at a list reads it again with each hint: a long job must not spend the budget on that.
    else context.notifyLater(topic)
  }
}
