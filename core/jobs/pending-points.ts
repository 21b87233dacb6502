import { DeskFailure } from "../errors.ts"
import { type JobContext, requesterOf } from "./job-context.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { isKeyTrouble } from "./key-trouble.ts"
import { readBalance } from "./kinds/ledger.ts"
import { tagForm } from "./correlation-tags.ts"

/** What was shown within this time before the row was sent says how awards are treated now, in ms. */
const recentMs = 7_200_000
/** So many watched effects are compared with the row's amount. */
const mostCompared = 50

/**
 * Points of the row's member that wait for approval and may be the row's: an award that waits is in no history. Fewer
 * than the row has cannot be its own; and where the history shows an award of ours of the same size or a larger one,
 * awards of this size do not wait. Undefined: the balance cannot be read now.
 */
export async function pendingFor(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
): Promise<number | undefined> {
  const points = row.points ?? 0
  // Deductions do not wait for approval.
  if (points <= 0 || row.memberId === null) return 0
  try {
    const { pending } = await readBalance(context, requesterOf(job), row.memberId)
    if (pending === undefined || pending === null || pending < points) return 0
    return (await shownSoLarge(context, job, row, points)) ? 0 : pending
  } catch (error) {
    if (error instanceof DeskFailure && !isKeyTrouble(error)) return undefined
    throw error
  }
}

async function shownSoLarge(
  { store }: JobContext,
  job: JobRecord,
  row: RowRecord,
  points: number,
): Promise<boolean> {
  const since = (row.sentAt ?? 0) - recentMs
  const controls = await store.jobs.controls(tagForm(job, row), since)
  for (const { jobId, row: number } of controls
    .filter(({ seenAt }) => seenAt !== null)
    .slice(0, mostCompared)) {
    const shown = await store.jobs.row(jobId, number)
    if ((shown?.points ?? 0) >= points) return true
  }
  return false
}
