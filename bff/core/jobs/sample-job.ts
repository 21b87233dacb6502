import { DeskFailure } from "../failure.ts"
import type { JobContext } from "./job-context.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { isKeyTrouble, pauseOf } from "./key-trouble.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { lookFrom } from "./look-from.ts"
import { goesInBulk } from "./marks.ts"
import { pauseFor } from "./not-done.ts"
import type { Run } from "./run.ts"
import { freeOnes } from "./settle-row.ts"

/**
 * Which of the next rows are looked at. The first goes out first; one beside it in case that one was refused, and one
 * beyond those that go out together with them in case none of these arrived. Rows that are looked up before they go may
 * overtake each other, so as many as that are looked at.
 */
function placesOf(job: JobRecord, isBulk: boolean): readonly number[] {
  if (kindRules[job.kind].ready !== undefined) return [0, 1, 2, 3]
  if (!isBulk) return [0, 1, 16]
  // The last one of a first request, which is small, and the first one of the next full request.
  return [0, Math.min(24, job.bulkSize - 1), job.bulkSize]
}
/** When a look that could not be made is tried again, ms. */
const againMs = 2000

/**
 * Before this process sends the first row of a job that was there before it: looks whether a row that is next to be
 * sent was done already. If one was, the store is a restored backup, and every job is held.
 * @returns whether the job may be sent
 */
export async function sampleJob(context: JobContext, run: Run, job: JobRecord): Promise<boolean> {
  const { restore, log, clock, defences } = context
  if (!restore.isUnsampled(job) || !defences.sample) return true
  const rules = kindRules[job.kind]
  // A repeat of the identical request makes nothing twice, and without marks there is nothing to find.
  if (rules.repeats !== true) {
    try {
      for (const row of await nextFew(context, job)) {
        if (await isThere(context, job, row)) {
          log.warn({ job: job.id, row: row.row }, "a row that was not sent is there already")
          await restore.hold("sample")
          return false
        }
      }
    } catch (error) {
      if (!(error instanceof DeskFailure)) throw error
      if (isKeyTrouble(error)) await pauseFor(context, job, pauseOf(error))
      else run.holdUntil = clock.monotonic() + againMs
      return false
    }
  }
  restore.sampled(job.id)
  return true
}

async function nextFew({ store }: JobContext, job: JobRecord): Promise<RowRecord[]> {
  const planned = await store.jobs.rowsIn(job.id, ["planned"], 0, 200)
  const rules = kindRules[job.kind]
  const needsMark = rules.absence === "control"
  const rows = planned.filter(
    (row) => !needsMark || (row.ordinal !== null && (job.marked || !goesInBulk(job, row))),
  )
  const [first] = rows
  const bulk = first !== undefined && goesInBulk(job, first)
  const picked = new Set(placesOf(job, bulk).map((place) => Math.min(place, rows.length - 1)))
  return rows.filter((_, place) => picked.has(place))
}

async function isThere(context: JobContext, job: JobRecord, row: RowRecord): Promise<boolean> {
  const rules = kindRules[job.kind]
  const restored = {
    at: context.time.now(),
    since: Math.max(job.createdAt, context.restore.since ?? 0),
    made: job.createdAt,
    attempts: row.attempts,
    sample: true,
  }
  const sample = { ...row, work: { ...row.work, restored } }
  const look = await rules.look(context, job, sample, lookFrom(context, rules.api, sample))
  if (look.kind !== "read") return false
  const marked = look.found.filter((found) => found.marked || found.otherAmount === true)
  return (await freeOnes(context, rules, row, marked)).length > 0
}
