import type { JobContext } from "./job-context.ts"
import type { KindRules } from "./job-kind.ts"
import type { Claim, JobRecord, RowChange, RowRecord } from "./job-store.ts"
import type { Sent } from "./send-rows.ts"

/** The change of a row whose call provably did nothing: it is planned as before. */
export function notDone(rules: KindRules, row: RowRecord, { end, endedAt }: Sent): RowChange {
  const how = end.kind === "not_done" ? end.how : end.kind === "systemic" ? `refused: ${end.code}` : ""
  return {
    row: row.row,
    from: ["sent", "unknown", "absent"],
    attempt: row.attempts,
    set: { state: "planned", endedAt, endedHow: how, nextAt: null, outcome: null },
    ...released(rules.claimWhileSent?.(row)),
  }
}

/** The part of a change that gives something back, if there is something. */
export function released(held: Claim | undefined): { readonly release?: Claim } {
  return held === undefined ? {} : { release: held }
}

/** Stops a job that nothing of its kind will be accepted for: one call is spent, not one for each row. */
export async function pauseFor(
  context: JobContext,
  job: JobRecord,
  pause: { readonly code: string; readonly message: string },
): Promise<void> {
  const { code, message } = pause
  const changed = await context.store.jobs.change(job.id, ["running"], {
    state: "paused",
    pause: { code, message },
  })
  if (changed !== undefined) context.jobChanged(job.id)
}
