import { hasPoints } from "../../contract/job-kinds.ts"
import { sql, type Kysely, type Selectable, type Transaction } from "kysely"
import { amountOf } from "../../contract/amount-limits.ts"
import type { JobChange, JobRecord, MostMoved, RowRecord, StartedQuery } from "../../core/jobs/job-store.ts"
import { isHeld, parseJobId, needsPerson } from "../../core/jobs/job-record.ts"
import type { KeyedLock } from "../../core/runtime.ts"
import { clockSql, type Engine } from "./engine.ts"
import { type Database, jobTable, tallyTable } from "./schema.ts"
import { wholeMs } from "./table.ts"

/** Makes a job's run due, with the transaction that gives it work. */
export type WakeJob = (within: Transaction<Database>, jobId: string) => Promise<void>

/** A database, and a queue for each job, so that waiting for one job takes one connection of this process at most. */
export interface JobEngine extends Engine {
  readonly turns: KeyedLock
  /** Absent where a job is woken after its transaction. */
  readonly wake: WakeJob | undefined
}

export type RowTally = ReturnType<typeof tallyTable.read>

/** A job locked for the transaction, together with its rows. */
export interface LockedJob {
  readonly kind: Engine["kind"]
  readonly within: Transaction<Database>
  readonly wake: WakeJob | undefined
  readonly number: number
  readonly record: JobRecord
  readonly wasBusy: boolean
  /** Updated with every changed row; saved by `saveJob`. */
  readonly tally: RowTally
  openCanaries: number
  /** The database's time when the transaction began its work. */
  readonly now: number
}

/** Runs `work` on a job in one transaction, serialized per job; `missing` when there is no such job. */
export async function withJob<T, M>(
  engine: JobEngine,
  jobId: string,
  missing: M,
  work: (job: LockedJob) => Promise<T>,
): Promise<T | M> {
  const number = parseJobId(jobId)
  if (number === undefined) return missing
  const inTransaction = async (within: Transaction<Database>) => {
    const job = await lockJob(engine, within, number)
    return job === undefined ? missing : work(job)
  }
  return engine.turns.run(jobId, () => engine.db.transaction().execute(inTransaction))
}

/** Locks a job for the transaction. */
export async function lockJob(
  { kind, wake }: JobEngine,
  within: Transaction<Database>,
  number: number,
): Promise<LockedJob | undefined> {
  const columns = await within
    .selectFrom("job")
    .selectAll()
    .select(clockSql[kind].as("now"))
    .where("number", "=", number)
    // In SQLite the transaction itself excludes other writers.
    .$if(kind === "postgres", (query) => query.forUpdate())
    .executeTakeFirst()
  if (columns === undefined) return undefined
  const { open_canaries: openCanaries, now } = columns
  return {
    kind,
    within,
    wake,
    number,
    record: readJob(columns),
    wasBusy: columns.busy === 1,
    tally: tallyTable.read(columns),
    openCanaries,
    now,
  }
}

/** `isAction`: of a person, for which the job's run does not wait until its next lookup is due. */
export async function saveJob(
  job: LockedJob,
  set: JobChange["set"] = {},
  isAction = false,
): Promise<JobRecord> {
  const { state = job.record.state, pause = job.record.pause, hold = job.record.hold } = set
  const isOpen = staysOpen(job.record, set)
  const columns = await job.within
    .updateTable("job")
    .set({
      ...jobTable.writeSome({ ...set, ...idleTime(job, set), isOpen }),
      ...tallyColumns({ state, pause, hold, isOpen }, job.tally, job.openCanaries),
    })
    .where("number", "=", job.number)
    .returningAll()
    .executeTakeFirstOrThrow()
  const record = readJob(columns)
  if (columns.busy === 1 && (isAction || !job.wasBusy)) await job.wake?.(job.within, record.id)
  return record
}

/** An open job closes when it ends, is cancelled or held after a restore, or becomes another person's. */
function staysOpen(record: JobRecord, set: JobChange["set"]): boolean {
  const { state, hold, createdBy, isOpen } = { ...record, ...set }
  const isActive = (state === "running" || state === "paused") && !isHeld({ hold })
  return record.isOpen && isOpen && isActive && createdBy.id === record.createdBy.id
}

/** Idle time: while paused and after the end, until the job runs again. It does not count as working time. */
function idleTime(
  { record: { state, idleSince, idleMs }, now }: LockedJob,
  set: JobChange["set"],
): Partial<Pick<JobRecord, "idleSince" | "idleMs">> {
  const next = set.state ?? state
  if (set.startedAt != null) return { idleSince: null, idleMs: 0 }
  if (next === state || next === "draft") return {}
  if (next === "paused" || next === "done" || next === "cancelled") return { idleSince: idleSince ?? now }
  return { idleSince: null, idleMs: idleMs + (idleSince === null ? 0 : Math.max(0, now - idleSince)) }
}

/** Whether a job allows this change now. It never ends with rows that still have to be sent or reconciled. */
export function mayChange({ record, tally: { counts } }: LockedJob, { from, set }: JobChange): boolean {
  if (!from.includes(record.state)) return false
  const underWay = counts.sent + counts.unknown
  if (set.state === "done") return underWay + counts.planned === 0 && !record.isOpen
  return set.state !== "cancelled" || underWay === 0
}

export function readJob(columns: Selectable<Database["job"]>): JobRecord {
  const job = jobTable.read(columns)
  const points = { total: columns.points_total, confirmed: columns.points_confirmed }
  return { ...job, points: hasPoints(job.kind) ? points : null }
}

export function tallyColumns(
  job: Pick<JobRecord, "state" | "pause" | "hold" | "isOpen">,
  tally: RowTally,
  openCanaries: number,
) {
  const { state, hold, isOpen } = job
  const { attention, counts, rereads } = tally
  const needs = needsPerson({ ...job, attention })
  const runs = state === "running" || state === "cancelling"
  // After a restore the rows of a paused job are looked up too.
  const looksUp = state === "paused" && hold?.state === "looking"
  const underWay = counts.planned + counts.sent + counts.unknown
  // An open job waits for rows most of the day.
  const isIdle = isOpen && state === "running" && underWay === 0
  const busy = runs || looksUp || isOpen || counts.sent + counts.unknown + rereads + openCanaries > 0
  return {
    ...tallyTable.write(tally),
    open_canaries: openCanaries,
    busy: Number(busy),
    needs_person: Number(needs),
    open: Number((runs && !isIdle) || state === "paused" || needs),
  }
}

/** The tally of a job's rows. */
export function tallyOf(rows: readonly Parameters<typeof countRow>[1][]): RowTally {
  const tally: RowTally = {
    total: 0,
    counts: { planned: 0, sent: 0, confirmed: 0, failed: 0, unknown: 0, absent: 0, conflict: 0, excluded: 0 },
    attention: 0,
    rereads: 0,
    pointsTotal: 0,
    pointsConfirmed: 0,
    amount: 0,
    amountPlanned: 0,
  }
  for (const row of rows) countRow(tally, row, 1)
  return tally
}

/** Adds a row to a tally, or removes it (`by` is -1). Excluded rows are only counted as excluded. */
export function countRow(
  tally: RowTally,
  row: Pick<RowRecord, "state" | "decision" | "nextAt" | "points" | "input">,
  by: 1 | -1,
): void {
  tally.counts[row.state] += by
  if (row.state === "excluded") return
  // What a row moves counts towards limits unless it is known to have moved nothing.
  const moved = row.state === "failed" ? 0 : amountOf(row)
  const needsDecision = (row.state === "absent" || row.state === "conflict") && row.decision === null
  tally.total += by
  if (needsDecision) tally.attention += by
  if (row.state === "confirmed" && row.nextAt !== null) tally.rereads += by
  tally.pointsTotal += by * (row.points ?? 0)
  if (row.state === "confirmed") tally.pointsConfirmed += by * (row.points ?? 0)
  tally.amount += by * moved
  if (row.state === "planned") tally.amountPlanned += by * moved
}

/**
 * What a person's started jobs count towards limits, in points or cents: of a cancelled one only what was sent.
 * Reversals give back what was within limits before, so they do not count.
 */
export async function startedAmount(
  db: Kysely<Database>,
  makerId: string,
  { kinds, from, until }: StartedQuery,
): Promise<number> {
  const found = await db
    .selectFrom("job")
    .select(
      sql<number>`cast(coalesce(sum(case when state in ('cancelling', 'cancelled')
        then amount - amount_planned else amount end), 0) as bigint)`.as("sum"),
    )
    .where("created_by", "=", makerId)
    .where("started_at", ">=", wholeMs(from))
    .$if(until !== undefined, (query) => query.where("started_at", "<", wholeMs(until ?? 0)))
    .where("kind", "in", kinds)
    .where("reverses", "is", null)
    .executeTakeFirst()
  return found?.sum ?? 0
}

/** Whether a job counts towards the limit of a day. */
export function countsOn(
  { from, until = Infinity }: MostMoved["day"],
  { state, startedAt }: JobRecord,
): boolean {
  return state !== "draft" && startedAt !== null && startedAt >= from && startedAt < until
}

/**
 * The limit that is passed if a job moves `amount` in all, `added` of it more than is kept; undefined when none is.
 * Steps of one person come one after the other from here to the end of the transaction.
 */
export async function limitPassed(
  engine: Engine,
  within: Transaction<Database>,
  most: MostMoved | undefined,
  { makerId, amount, added }: { readonly makerId: string; readonly amount: number; readonly added: number },
) {
  if (most === undefined) return undefined
  await engine.lock(within, `amounts ${makerId}`)
  const day = (await startedAmount(within, makerId, most.day)) + added
  if (amount > most.job) return "over_job" as const
  return day > most.day.most ? ("over_day" as const) : undefined
}
