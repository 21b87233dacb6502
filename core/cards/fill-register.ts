import type { JobContext } from "../jobs/job-context.ts"
import type { JobRecord, RowRecord } from "../jobs/job-store.ts"
import { cardOfRow } from "./card-of-row.ts"

type Parts = Pick<JobContext, "events" | "log" | "store">

const atOnce = 500

/**
 * Adds every card to the register that a row has issued and that is not there: what was confirmed right before a
 * process ended. Doing it again changes nothing. Gives how many were added.
 * @param jobId of this job only
 */
export async function fillRegister(context: Parts, jobId?: string): Promise<number> {
  const { cards, jobs } = context.store
  const known = new Map<string, JobRecord | undefined>()
  let added = 0
  for (;;) {
    const rows = await cards.missing(atOnce, jobId)
    let progress = 0
    for (const row of rows) {
      if (!known.has(row.jobId)) known.set(row.jobId, await jobs.get(row.jobId))
      const job = known.get(row.jobId)
      if (job !== undefined && (await addCardOf(context, job, row))) progress += 1
    }
    added += progress
    // A row that cannot be added is named again each time.
    if (rows.length < atOnce || progress === 0) break
  }
  if (added > 0) context.events.publish({ topic: "cards", id: "all" })
  return added
}

/** Adds the card of a row. One that cannot be read is told in the log and holds nothing else up. */
export async function addCardOf({ store, log }: Parts, job: JobRecord, row: RowRecord): Promise<boolean> {
  const card = readCardOf(log, job, row)
  return card !== undefined && store.cards.add(card)
}

function readCardOf(log: Parts["log"], job: JobRecord, row: RowRecord) {
  try {
    return cardOfRow(job, row)
  } catch (error) {
    log.error({ err: error, job: job.id, row: row.row }, "a card could not be entered in the register")
    return undefined
  }
}
