import type { JobContext } from "../jobs/job-context.ts"
import type { JobRecord } from "../jobs/job-store.ts"
import { addCardOf } from "./fill-register.ts"
import { hasIssued } from "./issuing-row.ts"
import { learnPair } from "./learn-pair.ts"

/**
 * Enters a card in the register once its row has issued it, and remembers what the answer showed about template and
 * amount. What fails here is made up for later: the register is filled from the rows.
 */
export async function cardSettled(context: JobContext, job: JobRecord, number: number): Promise<void> {
  try {
    const row = await context.store.jobs.row(job.id, number)
    if (row === undefined) return
    if (hasIssued(row) && (await addCardOf(context, job, row)))
      context.events.publish({ topic: "cards", id: row.upstreamId ?? "all" })
    await learnPair(context, row)
  } catch (error) {
    context.log.warn(
      { err: error, job: job.id, row: number },
      "a card could not be entered in the register yet",
    )
  }
}
