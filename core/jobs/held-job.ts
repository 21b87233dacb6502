import type { ReleaseJobBody } from "../../contract/job.ts"
import { rowOutcomeWords } from "../../contract/row-outcomes.ts"
import type { ActContext } from "../audit-log.ts"
import { DeskFailure, notFound, stored } from "../errors.ts"
import { isHeldOpen } from "../job-data/job-needs.ts"
import { begunAnew } from "./begun-anew.ts"
import type { JobContext } from "./job-context.ts"
import type { JobHold, JobRecord, RowChange, RowRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { neverSentHere, restoredFacts } from "./job-kind.ts"
import type { Run } from "./run.ts"

const atOnce = 500

/**
 * Makes every open row of a job that is held after a restore one that is looked up, whatever the store believes about
 * it (docs/decisions/0012-restore.md). Once all of them have been, a person is asked.
 * @returns whether something changed
 */
export async function lookUpHeld(context: JobContext, run: Run, job: JobRecord): Promise<boolean> {
  const { hold, state } = job
  if (hold?.state !== "looking") return false
  const { jobs } = context.store
  if (run.heldSeen !== hold.at) {
    await doubtOpenRows(context, run, job, hold)
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

async function doubtOpenRows(context: JobContext, run: Run, job: JobRecord, hold: JobHold): Promise<void> {
  // What is being cancelled is not sent any more: only what was sent matters.
  const states = job.state === "cancelling" ? (["sent", "unknown"] as const) : openStates
  for (let after = 0; ;) {
    const rows = await context.store.jobs.rowsIn(job.id, states, after, atOnce)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.row
    const mine = rows.filter(
      (row) => restoredFacts(row)?.at !== hold.at && !run.inFlight.has(`${row.row}:${row.attempts}`),
    )
    // Without a mark it cannot be looked up: it is made ready when the job goes on.
    const known = mine.filter((row) => row.ordinal !== null || kindRules[job.kind].absence !== "control")
    if (known.length === 0) continue
    const changes = known.map((row) => doubtful(context, job, hold, row))
    const results = await context.store.jobs.changeRows(job.id, changes)
    const taken = known.filter((_, at) => results[at] === "claimed")
    if (taken.length > 0) await context.store.jobs.changeRows(job.id, taken.map(duplicate))
  }
}

const openStates = ["planned", "sent", "unknown"] as const

function doubtful(context: JobContext, job: JobRecord, hold: JobHold, row: RowRecord): RowChange {
  const rules = kindRules[job.kind]
  const since = Math.max(job.createdAt, hold.since ?? 0)
  const restored = { at: hold.at, since, made: job.createdAt, attempts: row.attempts, sample: false }
  const claim = row.attempts === 0 ? rules.claimUntilEnd?.(row) : undefined
  return {
    row: row.row,
    from: [row.state],
    attempt: row.attempts,
    set: {
      state: "unknown",
      doubtful: true,
      endedAt: hold.at,
      endedHow: row.endedHow ?? "the desk's store was restored from a backup",
      nextAt: context.time.now(),
      looks: [],
      outcome: { code: "restore_looking", message: rowOutcomeWords.restore_looking },
      work: { ...row.work, ...rules.workForRestore?.(job, row, since), restored },
    },
    ...(claim !== undefined && { claim }),
  }
}

function duplicate({ row }: RowRecord): RowChange {
  const outcome = { code: "duplicate_in_job", message: rowOutcomeWords.duplicate_in_job }
  return { row, from: ["planned"], set: { state: "failed", outcome } }
}

/** What a person continues. */
export interface Released {
  readonly job: JobRecord
  /** Rows found at the service while it was held, rows that are sent now, and those of them without proof. */
  readonly found: number
  readonly sent: number
  readonly unproven: number
}

/**
 * Lets a held job go on: what was looked up and not found is sent. With `unproven` also rows that this store never sent
 * and that could not be decided, or are not looked up yet: a person knows that they were not done.
 * @throws DeskFailure 404; 409 when the job is not held, or still looked up
 */
export async function releaseJob(
  context: JobContext,
  asker: ActContext,
  id: string,
  { unproven = false }: ReleaseJobBody,
): Promise<Released> {
  const { jobs } = context.store
  const job = await stored(jobs.get(id))
  if (job === undefined) throw notFound("There is no such job.")
  const { hold } = job
  if (hold === null || !isHeldOpen(job) || (job.state !== "running" && job.state !== "paused"))
    throw conflict("This job is not held, so there is nothing to continue. Nothing was done.")
  if (!unproven && hold.state === "looking") {
    const left = job.counts.sent + job.counts.unknown
    throw conflict(
      `${left} rows of this job are still looked up. Nothing was sent. Continue when that is finished.`,
    )
  }
  const more = unproven ? await planUnproven(context, asker, job) : 0
  const released = await stored(
    jobs.change(id, ["running", "paused"], {
      hold: { ...hold, state: "released" },
      ...begunAnew(context, job),
    }),
  )
  if (released === undefined) throw conflict("This job changed just now. Nothing was sent. Reload to see it.")
  return {
    job: released,
    found: released.counts.confirmed - hold.confirmedBefore,
    sent: released.counts.planned,
    unproven: more,
  }
}

async function planUnproven(context: JobContext, { user }: ActContext, job: JobRecord): Promise<number> {
  const { jobs } = context.store
  const by = { id: user.id, name: user.name }
  const decision = {
    decision: "resend",
    upstream_id: null,
    at: new Date(context.time.now()).toISOString(),
    by,
  } as const
  let planned = 0
  for (let after = 0; ;) {
    const rows = await stored(jobs.rowsIn(job.id, ["unknown", "conflict"], after, atOnce))
    const last = rows.at(-1)
    if (last === undefined) return planned
    after = last.row
    const open = rows.filter(
      (row) =>
        neverSentHere(row) !== undefined &&
        (row.state === "unknown" || (row.outcome?.code === "restore_unsure" && row.decision === null)),
    )
    if (open.length === 0) continue
    const results = await stored(
      jobs.changeRows(
        job.id,
        open.map((row) => ({
          row: row.row,
          from: [row.state],
          attempt: 0,
          set: { state: "planned", decision, outcome: null, nextAt: null, endedAt: null, endedHow: null },
        })),
      ),
    )
    planned += results.filter((result) => result === "changed").length
  }
}

/** @throws DeskFailure 409 while the job is held */
export function requireNotHeld(job: JobRecord, what: string): void {
  if (!isHeldOpen(job)) return
  throw conflict(
    `This job is held because the desk's data was restored from a backup, so ${what}. Nothing was done. Continue or cancel the job first.`,
  )
}

function conflict(message: string): DeskFailure {
  return new DeskFailure({ status: 409, code: "conflict", message })
}
