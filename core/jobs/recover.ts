import type { JobContext } from "./job-context.ts"
import type { JobRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import type { Owners } from "./owners.ts"
import { doubt, firstLookAt, leftOpen } from "./record.ts"
import type { Run } from "./run.ts"

/**
 * Makes `sent` rows unknown whose lease has ended or whose process is dead. The end of a call is what its owner says,
 * or the proven death of its owner; until one of both is there, the row may be read and confirmed, never sent again.
 */
export async function recover(context: JobContext, owners: Owners, run: Run, job: JobRecord): Promise<void> {
  if (job.counts.sent === 0) return
  const { jobs } = context.store
  const now = context.time.now()
  const rows = await jobs.overdue(job.id, now, await owners.dead())
  const changes = []
  for (const row of rows) {
    // Its call is under way here: it will say itself how it ended.
    if (row.owner === context.self && run.inFlight.has(`${row.row}:${row.attempts}`)) continue
    const over = await owners.ended(row.owner)
    const how = over
      ? "the server that sent it stopped before a response came"
      : "no contact with the server that sent it"
    changes.push(
      over
        ? leftOpen(context, job, kindRules[job.kind], row, { at: now, how })
        : doubt(row, { at: null, how, nextAt: firstLookAt(context, job, now) }),
    )
  }
  if (changes.length === 0) return
  await jobs.changeRows(job.id, changes)
  context.jobChanged(job.id)
}
