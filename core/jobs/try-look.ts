import { DeskFailure } from "../errors.ts"
import type { JobContext } from "./job-context.ts"
import type { KindRules, Lookup } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { decidingAge, patienceFor } from "./judge-absence.ts"
import { isKeyTrouble } from "./key-trouble.ts"
import { lookFrom } from "./look-from.ts"

/** When something that could not be read is tried again, in ms. */
export const retryMs = 5000
const longestRetryMs = 120_000
/** So many looks in a row have to fail before a person is asked, however long that takes. */
const missesAllowed = 3

/**
 * Looks at a row. Undefined: it could not be read now and is looked at later. `given_up`: it could not be read again and
 * again, for so long that a person has to know.
 * @throws DeskFailure when the key is refused
 */
export async function tryLook(
  context: JobContext,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
): Promise<Lookup | "given_up" | undefined> {
  try {
    return await rules.lookup(context, job, row, lookFrom(context, rules.api, row))
  } catch (error) {
    if (!(error instanceof DeskFailure) || isKeyTrouble(error)) throw error
    const now = context.time.now()
    const { settleMs } = context.config.jobs
    const missed = missesOf(row, now)
    const lastedLong = now - missed.since > patienceFor(settleMs)
    if (isOutOfPatience(context, row, now) && lastedLong && missed.looks >= missesAllowed) return "given_up"
    const nextAt = now + retryIn(row, now, Math.max(Math.min(retryMs, settleMs / 2), 50))
    const work = { ...row.work, missed }
    await context.store.jobs.changeRows(job.id, [
      { row: row.row, from: ["unknown"], attempt: row.attempts, set: { nextAt, work } },
    ])
    return undefined
  }
}

/** How long to wait before the next try: the longer it cannot be read, the less often it is asked for. */
export function retryIn(row: RowRecord, now: number, least: number): number {
  return Math.min(longestRetryMs, Math.max(least, (now - (row.endedAt ?? row.sentAt ?? now)) / 4))
}

/** Whether what the look needs could not be read for so long that a person has to know. */
export function isOutOfPatience(context: JobContext, row: RowRecord, now: number): boolean {
  const { settleMs, recheckMs } = context.config.jobs
  const patience = patienceFor(settleMs) + decidingAge({ settleMs, recheckMs, lagMs: 0, gapMs: 0 })
  return now > (row.endedAt ?? row.sentAt ?? now) + patience
}

/** What a row keeps, once it was read, of looks that failed: nothing. */
export function withoutMisses(work: RowRecord["work"]): RowRecord["work"] {
  if (work === null || !("missed" in work)) return work
  const { missed: _over, ...kept } = work
  return kept
}

interface Misses {
  /** When the first of them was, the store's clock. */
  readonly since: number
  readonly looks: number
}

/** The failed looks in a row, this one included. */
function missesOf({ work }: RowRecord, now: number): Misses {
  const kept = work?.["missed"]
  const { since, looks } = { since: undefined, looks: undefined, ...(typeof kept === "object" ? kept : {}) }
  return typeof since === "number" && typeof looks === "number"
    ? { since, looks: looks + 1 }
    : { since: now, looks: 1 }
}
