import { sql, type Kysely, type Selectable, type Transaction } from "kysely"
import { jobNumberOf } from "../../../core/job-data/job-number.ts"
import { countRow, passedLimit, type Tally } from "../../../core/job-data/tally.ts"
import type {
  JobRecord,
  MostMoved,
  OverLimit,
  RowRecord,
  StartedQuery,
} from "../../../core/jobs/job-store.ts"
import { clockSql } from "../clock-sql.ts"
import type { KeyedLock } from "../../../core/runtime.ts"
import type { Engine } from "../engine.ts"
import type { JobTable } from "../job-schema.ts"
import type { Database } from "../schema.ts"
import { wholeMs } from "../recordset.ts"
import { jobOf, tallyColumns, tallyOf } from "./job-columns.ts"

/** A database, and a queue for each job, so that waiting for one job takes one connection of this process at most. */
export interface JobEngine extends Engine {
  readonly turns: KeyedLock
}

/** A job that nobody else changes before the transaction ends, nor its rows. */
export interface HeldJob {
  readonly kind: Engine["kind"]
  readonly within: Transaction<Database>
  readonly number: number
  readonly record: JobRecord
  /** Counted on with every changed row; kept by `keepJob`. */
  readonly tally: Tally
  openControls: number
  /** The database's time when the transaction began its work. */
  readonly now: number
}

/** Does work on a job in one transaction, one after the other for each job; `missing` when there is no such job. */
export async function withJob<T, M>(
  engine: JobEngine,
  jobId: string,
  missing: M,
  work: (job: HeldJob) => Promise<T>,
): Promise<T | M> {
  const number = jobNumberOf(jobId)
  if (number === undefined) return missing
  return engine.turns.run(jobId, () => inTransaction(engine, number, missing, work))
}

async function inTransaction<T, M>(
  engine: Engine,
  number: number,
  missing: M,
  work: (job: HeldJob) => Promise<T>,
): Promise<T | M> {
  return engine.db.transaction().execute(async (within) => {
    const columns = await within
      .selectFrom("job")
      .selectAll()
      .select(clockSql[engine.kind].as("now"))
      .where("number", "=", number)
      // In a file the transaction itself keeps everybody else out.
      .$if(engine.kind === "postgres", (query) => query.forUpdate())
      .executeTakeFirst()
    if (columns === undefined) return missing
    return work({
      kind: engine.kind,
      within,
      number,
      record: jobOf(columns),
      tally: tallyOf(columns),
      openControls: columns.open_controls,
      now: columns.now,
    })
  })
}

/** Counts a row that changed. */
export function recount({ tally }: HeldJob, before: RowRecord, after: RowRecord): void {
  countRow(tally, before, -1)
  countRow(tally, after, 1)
}

/** Keeps what the job knows of its rows, with other fields of it. */
export async function keepJob(
  job: HeldJob,
  set: Partial<Selectable<JobTable>> = {},
  state: Pick<JobRecord, "state" | "pause" | "hold"> = job.record,
): Promise<JobRecord> {
  const columns = await job.within
    .updateTable("job")
    .set({ ...set, ...tallyColumns(state, job.tally, job.openControls) })
    .where("number", "=", job.number)
    .returningAll()
    .executeTakeFirstOrThrow()
  return jobOf(columns)
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

/**
 * The limit that is passed if a job moves `amount` in all, `added` of it more than is kept; undefined when none is.
 * Steps of one person come one after the other from here to the end of the transaction.
 */
export async function limitPassed(
  engine: Engine,
  within: Transaction<Database>,
  most: MostMoved | undefined,
  { makerId, amount, added }: { readonly makerId: string; readonly amount: number; readonly added: number },
): Promise<OverLimit | undefined> {
  if (most === undefined) return undefined
  await engine.lock(within, `amounts ${makerId}`)
  return passedLimit(most, amount, (await startedAmount(within, makerId, most.day)) + added)
}
