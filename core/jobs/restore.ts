import type { ReleaseJobBody } from "../../contract/job.ts"
import type { ActContext } from "../audit-log.ts"
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
  lookUp,
  neverSentHere,
  restoredFacts,
  notClaimedByOthers,
} from "./job-kind.ts"
import type { JobHold, JobRecord, RowRecord } from "./job-store.ts"
import type { Run } from "./process-state.ts"
import { isHeldOpen } from "./records.ts"
import { duplicateInJob, planUnproven, unknownSinceRestore } from "./transitions.ts"

// After a restore (docs/restore.md): what is looked up then, and how a person lets a held job go on.

/**
 * Before this process sends the first row of an earlier job: looks up whether a row that is next to be sent was done
 * already. If one was, the store is a restored backup, and every job is held. Gives whether the job may be sent.
 */
export async function sampleJob(context: JobContext, run: Run): Promise<boolean> {
  const { job, log, restore, rules, store, time } = context
  if (!restore.isUnsampled(job)) return true
  // A repeat of the identical request makes nothing twice, and without tags there is nothing to find.
  if (rules.idempotent !== true) {
    try {
      for (const row of await nextFew()) {
        if (await isThere(row)) {
          log.warn({ job: job.id, row: row.row }, "a row that was not sent is there already")
          await restore.hold("sample")
          return false
        }
      }
    } catch (error) {
      await holdAfterFailure(context, run, error)
      return false
    }
  }
  restore.sampled(job.id)
  return true

  async function nextFew(): Promise<RowRecord[]> {
    const planned = await store.jobs.rowsIn(job.id, ["planned"], 0, 400)
    const needsTag = rules.absence === "control"
    const rows = planned.filter(
      (row) => !needsTag || (row.ordinal !== null && (job.marked || !isSentInBulk(context, row))),
    )
    const places = placesOf(rows[0])
    const { free, waiting } = await inTurn(rows)
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
   * The first goes out first; some beside it in case it was refused or never arrived, and one beyond those that go out
   * together with them. Rows with a precheck may overtake each other.
   */
  function placesOf(first: RowRecord | undefined): readonly number[] {
    if (rules.precheck !== undefined) return [0, 1, 2, 3]
    if (first === undefined || !isSentInBulk(context, first)) return [0, 1, 2, 16]
    const { bulkSize } = job
    // The last one of a first request, which is small, and the first ones of the next full requests.
    return [0, Math.min(24, bulkSize - 1), bulkSize, 2 * bulkSize, 3 * bulkSize]
  }

  /** Of rows that wait for each other the first: `free` to go, or `waiting` for one that was under way. */
  async function inTurn(rows: readonly RowRecord[]) {
    const first = new Map<string, RowRecord>()
    let scope = ""
    for (const row of rows) {
      const held = rules.claimWhileSent?.(row)
      if (held === undefined) return { free: rows, waiting: [] }
      scope = held.scope
      if (!first.has(held.key)) first.set(held.key, row)
    }
    const taken = await store.jobs.claims(scope, [...first.keys()])
    const isTaken = Map.groupBy(first, ([key]) => taken.has(key))
    const rowsOf = (group: boolean) => (isTaken.get(group) ?? []).map(([, row]) => row)
    return { free: rowsOf(false), waiting: rowsOf(true) }
  }

  async function isThere(row: RowRecord): Promise<boolean> {
    const since = Math.max(job.createdAt, restore.since ?? 0)
    const { attempts } = row
    const restored = { at: time.now(), since, made: job.createdAt, attempts, sample: true }
    // An attempt that this store knows of came to nothing, and a later one may have gone out at any time since.
    const sample = { ...row, endedAt: null, work: { ...row.work, restored } }
    const lookup = await lookUp(context, sample)
    if (lookup.kind !== "read") return false
    const own = lookup.found.filter(({ tagged, otherAmount }) => tagged || otherAmount === true)
    return (await notClaimedByOthers(context, row, own)).length > 0
  }
}

/** Has every open row of a held job looked up, then a person asked. Gives whether something changed. */
export async function lookUpHeldRows(context: JobContext, run: Run): Promise<boolean> {
  const { job } = context
  const { hold, state } = job
  if (hold?.state !== "looking") return false
  const { jobs } = context.store
  if (run.heldSeen !== hold.at) {
    await markOpenRowsUnknown(context, run, hold)
    run.heldSeen = hold.at
    context.jobChanged(job.id)
    return true
  }
  if (job.counts.sent + job.counts.unknown > 0) return false
  // Everything was found: it comes to its end by itself.
  if (job.counts.planned + job.attention === 0) return false
  const changed = await jobs.change(job.id, [state], { hold: { ...hold, state: "ready" } })
  if (changed !== undefined) context.jobChanged(job.id)
  return changed !== undefined
}

const portionSize = 500
const openStates = ["planned", "sent", "unknown"] as const

async function markOpenRowsUnknown(context: JobContext, run: Run, hold: JobHold) {
  const { job, rules } = context
  const { jobs } = context.store
  // What is being cancelled is not sent any more: only what was sent matters.
  const states = job.state === "cancelling" ? (["sent", "unknown"] as const) : openStates
  const since = Math.max(job.createdAt, hold.since ?? 0)
  for await (const rows of rowBatches(jobs, job.id, states, portionSize)) {
    const known = rows.filter(
      (row) =>
        restoredFacts(row)?.at !== hold.at &&
        !run.inFlight.has(`${row.row}:${row.attempts}`) &&
        // Without a tag it cannot be looked up: it is made ready when the job goes on.
        (row.ordinal !== null || rules.absence !== "control"),
    )
    if (known.length === 0) continue
    const changes = known.map((row) => unknownSinceRestore(context, row, { at: hold.at, since }))
    const results = await jobs.changeRows(job.id, changes)
    const taken = known.filter((_, at) => results[at] === "claimed")
    await changeInBatches(jobs, job.id, taken.map(duplicateInJob))
  }
}

/**
 * Lets a held job go on: what was looked up and not found is sent; with `unproven` also rows that this store never sent
 * and that could not be decided. Gives how many rows were found, are sent, and of these without proof. Throws AppError
 * 404; 409 when the job is not held, or still looked up.
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
    return jobAct(requester, "job.release", now, reason === undefined ? numbers : `${reason} (${numbers})`)
  }
  const releasing = context.audit.together(act, (entry) => jobs.change(id, ["running", "paused"], set, entry))
  const released = await stored(releasing)
  if (released === undefined) throw conflict("This job changed just now. Nothing was sent. Reload to see it.")
  return released
}

async function planAllUnproven(context: EngineContext, { user }: ActContext, job: JobRecord) {
  const { jobs } = context.store
  const by = { id: user.id, name: user.name }
  const at = new Date(context.time.now()).toISOString()
  const decision = { decision: "resend", upstream_id: null, at, by } as const
  let planned = 0
  for await (const rows of rowBatches(storedRows(jobs), job.id, ["unknown", "conflict"], portionSize)) {
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

export function requireNotHeld(job: JobRecord, what: string): void {
  if (!isHeldOpen(job)) return
  throw conflict(
    `This job is held because Laurel’s data was restored from a backup, so ${what}. Nothing was done. Continue or cancel the job first.`,
  )
}
