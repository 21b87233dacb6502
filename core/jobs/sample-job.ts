import { DeskFailure } from "../errors.ts"
import type { JobContext } from "./job-context.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { isKeyTrouble, pauseOf } from "./key-trouble.ts"
import type { KindRules } from "./job-kind.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { lookFrom } from "./look-from.ts"
import { goesInBulk } from "./correlation-tags.ts"
import { pauseFor } from "./not-done.ts"
import type { Run } from "./run.ts"
import { freeOnes } from "./settle-row.ts"

/**
 * Which of the next rows are looked up. The first goes out first; some beside it in case it was refused or never arrived,
 * and one beyond those that go out together with them in case none of these arrived. Rows that are looked up before they
 * go may overtake each other, so as many as that are looked up.
 */
function placesOf(job: JobRecord, isBulk: boolean): readonly number[] {
  if (kindRules[job.kind].precheck !== undefined) return [0, 1, 2, 3]
  if (!isBulk) return [0, 1, 2, 16]
  const { bulkSize } = job
  // The last one of a first request, which is small, and the first ones of the next full requests.
  return [0, Math.min(24, bulkSize - 1), bulkSize, 2 * bulkSize, 3 * bulkSize]
}

/** When a look that could not be made is tried again, ms. */
const againMs = 2000

/**
 * Before this process sends the first row of a job that was there before it: looks whether a row that is next to be
 * sent was done already. If one was, the store is a restored backup, and every job is held.
 * @returns whether the job may be sent
 */
export async function sampleJob(context: JobContext, run: Run, job: JobRecord): Promise<boolean> {
  const { restore, log, clock } = context
  if (!restore.isUnsampled(job)) return true
  const rules = kindRules[job.kind]
  // A repeat of the identical request makes nothing twice, and without marks there is nothing to find.
  if (rules.idempotent !== true) {
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

async function nextFew(context: JobContext, job: JobRecord): Promise<RowRecord[]> {
  const planned = await context.store.jobs.rowsIn(job.id, ["planned"], 0, 400)
  const rules = kindRules[job.kind]
  const needsMark = rules.absence === "control"
  const rows = planned.filter(
    (row) => !needsMark || (row.ordinal !== null && (job.marked || !goesInBulk(job, row))),
  )
  const [first] = rows
  const isBulk = first !== undefined && goesInBulk(job, first)
  const places = placesOf(job, isBulk)
  const { free, waiting } = await inTurn(context, rules, rows)
  return [
    free.filter(({ attempts }) => attempts === 0),
    // Rows that came back from a call that did nothing go out again when those after them are on their way.
    free.filter(({ attempts }) => attempts > 0),
    waiting,
  ].flatMap((some) => {
    const picked = new Set(places.map((place) => Math.min(place, some.length - 1)))
    return some.filter((_, place) => picked.has(place))
  })
}

/**
 * Of rows that wait for each other, such as a member's redemptions, the first: `free` to go, or `waiting` for one that
 * was under way, which may have ended right after.
 */
async function inTurn({ store }: JobContext, rules: KindRules, rows: readonly RowRecord[]) {
  const first = new Map<string, RowRecord>()
  let scope = ""
  for (const row of rows) {
    const held = rules.claimWhileSent?.(row)
    if (held === undefined) return { free: rows, waiting: [] }
    scope = held.scope
    if (!first.has(held.key)) first.set(held.key, row)
  }
  const taken = await store.jobs.claims(scope, [...first.keys()])
  const isFree = ([key]: readonly [string, RowRecord]) => !taken.has(key)
  const all = [...first]
  return {
    free: all.filter(isFree).map(([, row]) => row),
    waiting: all.filter((one) => !isFree(one)).map(([, row]) => row),
  }
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
  // An attempt that this store knows of came to nothing, and a later one may have gone out at any time since.
  const sample = { ...row, endedAt: null, work: { ...row.work, restored } }
  const look = await rules.lookup(context, job, sample, lookFrom(context, rules.api, sample))
  if (look.kind !== "read") return false
  const marked = look.found.filter((found) => found.tagged || found.otherAmount === true)
  return (await freeOnes(context, rules, row, marked)).length > 0
}
