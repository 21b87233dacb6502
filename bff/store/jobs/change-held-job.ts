import { mayChange } from "../../../core/job-data/job-change.ts"
import type { JobChange, JobRecord } from "../../../core/jobs/job-store.ts"
import { wholeMs } from "../recordset.ts"
import { keepJob, type HeldJob } from "./held-job.ts"

/** Keeps what a held job knows of its rows, and changes the job too, if there is a change and it may be. */
export async function changeHeldJob(job: HeldJob, change: JobChange | undefined): Promise<JobRecord> {
  const { state, pause, hold } = job.record
  if (change === undefined || !mayChange({ state, counts: job.tally.counts }, change)) return keepJob(job)
  const { set } = change
  return keepJob(job, columnsOfChange(set), {
    state: set.state ?? state,
    pause: set.pause === undefined ? pause : set.pause,
    hold: set.hold === undefined ? hold : set.hold,
  })
}

function columnsOfChange(set: Partial<JobRecord>) {
  const { state, pause, prepared, startedAt, finishedAt, bulkSize, lane, repeats, hold } = set
  return {
    ...(state !== undefined && { state }),
    ...(pause !== undefined && {
      pause_code: pause?.code ?? null,
      pause_message: pause?.message ?? null,
    }),
    ...(prepared !== undefined && { prepared: prepared ? 1 : 0 }),
    ...(startedAt !== undefined && { started_at: timeOf(startedAt) }),
    ...(finishedAt !== undefined && { finished_at: timeOf(finishedAt) }),
    ...(bulkSize !== undefined && { bulk_size: bulkSize }),
    ...(lane !== undefined && { lane }),
    ...(repeats !== undefined && { repeats }),
    ...(hold !== undefined && {
      hold: hold?.state ?? null,
      held_sign: hold?.sign ?? null,
      held_at: timeOf(hold?.at ?? null),
      held_since: timeOf(hold?.since ?? null),
      held_confirmed: hold?.confirmedBefore ?? null,
    }),
  }
}

function timeOf(at: number | null): number | null {
  return at === null ? null : wholeMs(at)
}
