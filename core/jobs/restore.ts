import { firstBulkRows } from "../../contract/estimates.ts"
import type { ReleaseJobBody } from "../../contract/job.ts"
import type { ActContext } from "../audit/audit-log.ts"
import { conflict, stored } from "../errors.ts"
import {
  changeInBatches,
  type EngineContext,
  holdAfterFailure,
  jobAct,
  requireJob,
  resetDeadline,
  rowBatches,
  storedRows,
} from "./engine-context.ts"
import {
  isSentInBulk,
  type JobContext,
  lacksTag,
  lookUp,
  neverSentHere,
  ownUnclaimed,
  restoredFacts,
  withNotes,
} from "./job-kind.ts"
import type { JobHold, JobRecord, RowRecord } from "./job-store.ts"
import { engineNotes } from "./row-notes.ts"
import { callKey, type RunState } from "./run-state.ts"
import { isHeldOpen } from "./job-record.ts"
import { duplicateInJob, planUnproven, unknownSinceRestore } from "./transitions.ts"

// Lookups after a restore, and continuing held jobs (docs/restore.md).

/**
 * Before the first send of a job that is older than this process: looks up a sample of the next rows. If one was already
 * carried out, the store is a restored backup and all jobs are held. Returns whether the job may send.
 */
export async function sampleJob(context: JobContext, run: RunState): Promise<boolean> {
  const { job, log, restore, rules } = context
  if (!restore.isUnsampled(job)) return true
  // Repeats of idempotent kinds are harmless.
  if (rules.resendSafety !== "idempotent") {
    try {
      for (const row of await rowsToSample(context)) {
        if (!(await hasEffect(context, row))) continue
        log.warn({ job: job.id, row: row.row }, "a row that was not sent is there already")
        await restore.sampleFound()
        return false
      }
    } catch (error) {
      await holdAfterFailure(context, run, error)
      return false
    }
  }
  restore.sampled(job.id)
  return true
}

/** Rows are sent in order, so a few of the next ones show what was sent after the backup. */
async function rowsToSample(context: JobContext): Promise<RowRecord[]> {
  const { job, rules, store } = context
  const planned = await store.jobs.rowsIn(job.id, ["planned"], 0, 400)
  const rows = planned.filter(
    (row) =>
      rules.absence !== "canary" ||
      (row.ordinal !== null && (job.hasBatchCode || !isSentInBulk(context, row))),
  )
  const places = placesToSample(context, rows[0])
  const { free, waiting } = await splitByClaim(context, rows)
  return [
    onlyRows(free, ({ attempts, nextAt }) => attempts === 0 && nextAt === null),
    // Rows that waited for another one are sent a little later.
    onlyRows(free, ({ attempts, nextAt }) => attempts === 0 && nextAt !== null),
    // Rows planned again after an earlier attempt are sent when those after them are in flight.
    onlyRows(free, ({ attempts }) => attempts > 0),
    waiting,
  ].flatMap((some) => {
    const picked = new Set(places.map((place) => Math.min(place, some.length - 1)))
    return some.filter((_, place) => picked.has(place)).flat()
  })
}

/** Groups of the rows that pass, without empty groups. */
function onlyRows(groups: readonly RowRecord[][], passes: (row: RowRecord) => boolean): RowRecord[][] {
  return groups.map((rows) => rows.filter((row) => passes(row))).filter((rows) => rows.length > 0)
}

/**
 * Indexes to sample: the first row, some after it in case it was refused or lost, and one beyond those sent concurrently.
 * Rows with a precheck may overtake each other.
 */
function placesToSample(context: JobContext, first: RowRecord | undefined): readonly number[] {
  const { job, rules } = context
  if (rules.precheck !== undefined) return Array.from({ length: rules.maxCalls }, (_, place) => place)
  if (first === undefined || !isSentInBulk(context, first)) return [0, 1, 2, rules.maxCalls]
  const { bulkSize } = job
  // The last row of the small first request and the first rows of the next full requests.
  return [0, Math.min(firstBulkRows, bulkSize) - 1, bulkSize, 2 * bulkSize, 3 * bulkSize]
}

/**
 * The first rows for each claim: `free`, or `waiting` for another row that has it. Several of one claim, because those
 * that are prepared concurrently may overtake each other. Without claims each row is a group, and all are free.
 */
async function splitByClaim({ rules, store }: JobContext, rows: readonly RowRecord[]) {
  const groups = new Map<string, RowRecord[]>()
  let scope = ""
  for (const row of rows) {
    const claim = rules.claims?.whileSent?.(row)
    if (claim === undefined) return { free: rows.map((each) => [each]), waiting: [] }
    scope = claim.scope
    const group = groups.get(claim.key)
    if (group === undefined) groups.set(claim.key, [row])
    else if (group.length < rules.maxCalls) group.push(row)
  }
  const taken = await store.jobs.claims(scope, [...groups.keys()])
  const isTaken = Map.groupBy(groups, ([key]) => taken.has(key))
  const rowsOf = (which: boolean) => (isTaken.get(which) ?? []).map(([, group]) => group)
  return { free: rowsOf(false), waiting: rowsOf(true) }
}

async function hasEffect(context: JobContext, row: RowRecord): Promise<boolean> {
  const { job, restore, time } = context
  const since = Math.max(job.createdAt, restore.since ?? 0)
  const { attempts } = row
  const restored = { at: time.now(), since, made: job.createdAt, attempts, sample: true }
  // Known attempts did nothing; an unknown later one may have been sent at any time.
  const sample = { ...row, endedAt: null, ...withNotes(row, engineNotes({ restored })) }
  const lookup = await lookUp(context, sample)
  return lookup.kind === "read" && (await ownUnclaimed(context, row, lookup.found)).length > 0
}

/** Marks the open rows of a held job for lookups, and the job as `ready` after them. Returns whether anything changed. */
export async function lookUpHeldRows(context: JobContext, run: RunState): Promise<boolean> {
  const { job } = context
  const { hold, state } = job
  if (hold?.state !== "looking") return false
  const { jobs } = context.store
  if (run.markedForRestore !== hold.at) {
    await markOpenRowsUnknown(context, run, hold)
    run.markedForRestore = hold.at
    context.jobChanged(job.id)
    return true
  }
  if (job.counts.sent + job.counts.unknown > 0) return false
  // All rows were found: the job ends without a person.
  if (job.counts.planned + job.attention === 0) return false
  const changed = await jobs.change(job.id, [state], { hold: { ...hold, state: "ready" } })
  if (changed !== undefined) context.jobChanged(job.id)
  return changed !== undefined
}

const batchSize = 500
const openStates = ["planned", "sent", "unknown"] as const

async function markOpenRowsUnknown(context: JobContext, run: RunState, hold: JobHold) {
  const { job } = context
  const { jobs } = context.store
  // A job that is being cancelled sends nothing more: only sent rows matter.
  const states = job.state === "cancelling" ? (["sent", "unknown"] as const) : openStates
  const since = Math.max(job.createdAt, hold.since ?? 0)
  for await (const rows of rowBatches(jobs, job.id, states, batchSize)) {
    const known = rows.filter(
      (row) =>
        restoredFacts(row)?.at !== hold.at &&
        !run.inFlight.has(callKey(row)) &&
        // A row without a tag cannot be looked up: it is prepared when the job continues.
        !lacksTag(context, row),
    )
    if (known.length === 0) continue
    const changes = known.map((row) => unknownSinceRestore(context, row, { at: hold.at, since }))
    const results = await jobs.changeRows(job.id, changes)
    const taken = known.filter((_, at) => results[at] === "claimed")
    await changeInBatches(jobs, job.id, taken.map(duplicateInJob))
  }
}

/**
 * Continues a held job: absent rows are sent, with `unproven` also undecided rows that this store never sent. The audit
 * entry counts the found, sent and unproven rows. Throws AppError 404; 409 when the job is not held or is still looked up.
 */
export async function releaseJob(
  context: EngineContext,
  requester: ActContext,
  id: string,
  { reason, unproven = false }: ReleaseJobBody,
): Promise<JobRecord> {
  const { jobs } = context.store
  const job = await requireJob(context, id)
  const { hold } = job
  if (hold === null || !isHeldOpen(job) || (job.state !== "running" && job.state !== "paused"))
    throw conflict("This job is not held, so there is nothing to continue. Nothing was done.")
  const left = job.counts.sent + job.counts.unknown
  if (!unproven && hold.state === "looking")
    throw conflict(
      `${left} rows of this job are still looked up. Nothing was sent. Continue when that is finished.`,
    )
  const more = unproven ? await planAllUnproven(context, requester, job) : 0
  const set = { hold: { ...hold, state: "released" as const }, ...(await resetDeadline(context, job)) }
  const act = (now: JobRecord) => {
    const found = now.counts.confirmed - hold.confirmedBefore
    const numbers = `${found} rows were found at the service, ${now.counts.planned} are sent, ${more} of them without proof.`
    return jobAct(requester, "job.release", now, {
      note: reason === undefined ? numbers : `${reason} (${numbers})`,
    })
  }
  const releasing = context.audit.together(act, (entry) => jobs.change(id, ["running", "paused"], set, entry))
  const released = await stored(releasing)
  if (released === undefined) throw conflict("This job changed just now. Nothing was sent. Reload to see it.")
  context.jobMoved(id)
  return released
}

async function planAllUnproven(context: EngineContext, { user }: ActContext, job: JobRecord) {
  const { jobs } = context.store
  const by = { id: user.id, name: user.name }
  const at = new Date(context.time.now()).toISOString()
  const decision = { decision: "resend", upstream_id: null, at, by } as const
  let planned = 0
  for await (const rows of rowBatches(storedRows(jobs), job.id, ["unknown", "conflict"], batchSize)) {
    const open = rows.filter(
      (row) =>
        neverSentHere(row) !== undefined &&
        (row.state === "unknown" || (row.outcome?.code === "restore_unsure" && row.decision === null)),
    )
    if (open.length === 0) continue
    const changes = open.map((row) => planUnproven(row, decision))
    const results = await stored(jobs.changeRows(job.id, changes))
    planned += results.filter((result) => result === "changed").length
  }
  return planned
}

/** `what`: what can't be done meanwhile, as the middle of a sentence. @throws AppError 409 */
export function requireNotHeld(job: JobRecord, what: string): void {
  if (!isHeldOpen(job)) return
  throw conflict(
    `This job is held because Laurel’s data was restored from a backup, so ${what}. Nothing was done. Continue or cancel the job first.`,
  )
}
