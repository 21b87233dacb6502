import { type Insertable, type Kysely, type SelectQueryBuilder, sql, type Transaction } from "kysely"
import type {
  JobQuery,
  JobRecord,
  JobStore,
  MostMoved,
  NewJob,
  NewRow,
  RowRecord,
} from "../../core/jobs/job-store.ts"
import { jobIdOf, jobNumberOf, isSameInput } from "../../core/jobs/records.ts"
import { createKeyedLock } from "../../core/runtime.ts"
import { appendEntry } from "./plain-stores.ts"
import { clockSql, readClock, type Engine } from "./engine.ts"
import {
  countRow,
  emptyTally,
  type HeldJob,
  type JobEngine,
  keepJob,
  limitPassed,
  mayChange,
  readJob,
  startedAmount,
  type Tally,
  tallyColumns,
  withJob,
} from "./held-job.ts"
import { jobControls, rowReading } from "./job-rows.ts"
import { jobTable, rowTable } from "./job-tables.ts"
import { jobReport } from "./points-report.ts"
import { insertRows, newRows, rowChanging } from "./row-changes.ts"
import { sameRows } from "./same-rows.ts"
import type { Database } from "./schema.ts"
import { wholeMs } from "./table.ts"

/** Durable jobs, on either database. */
export function jobStore(opened: Engine): JobStore {
  const engine: JobEngine = { ...opened, turns: createKeyedLock() }
  return {
    now: () => engine.now(),
    ...jobMaking(engine),
    ...jobList(engine),
    ...jobLeases(engine),
    ...rowReading(engine),
    ...rowChanging(engine),
    ...sameRows(engine),
    ...jobControls(engine),
    ...jobReport(engine),
  }
}

/** Nothing of the transaction stays. */
class TakenBack extends Error {}

/** How jobs come to be. */
function jobMaking(
  engine: JobEngine,
): Pick<JobStore, "create" | "twinOf" | "append" | "start" | "startedAmount"> {
  return {
    create: async (job, rows, most) => {
      try {
        return await engine.db.transaction().execute((within) => create(engine, within, job, rows, most))
      } catch (error) {
        if (error instanceof TakenBack) return "reversed"
        throw error
      }
    },
    twinOf: (makerId, request) => twinOf(engine.db, makerId, request),
    append: (jobId, rows, firstRow, most, mostMoved) =>
      withJob(engine, jobId, "missing", (job) => append(job, rows, firstRow, most, mostMoved)),
    start: (jobId, set, most, from = "draft") =>
      withJob(engine, jobId, "stale", async (job) => {
        const { record, within } = job
        if (record.state !== from) return "stale"
        const { amount } = record
        const added = most === undefined ? 0 : addedByStart(record, most.day)
        const moved = { makerId: record.createdBy.id, amount, added }
        const passed = added > 0 ? await limitPassed(engine, within, most, moved) : undefined
        return passed ?? keepJob(job, { ...set, state: "running" })
      }),
    startedAmount: (makerId, query) => startedAmount(engine.db, makerId, query),
  }
}

/** What a job adds to a day on which it is started: nothing if it counts there already. In points or cents. */
function addedByStart(
  { state, startedAt, amount }: JobRecord,
  { from, until = Infinity }: MostMoved["day"],
): number {
  const counts = state !== "draft" && startedAt !== null && startedAt >= from && startedAt < until
  return counts ? 0 : amount
}

async function create(
  engine: JobEngine,
  within: Transaction<Database>,
  job: NewJob,
  rows: readonly NewRow[],
  most: MostMoved | undefined,
): ReturnType<JobStore["create"]> {
  const { request } = job
  const twin = request === null ? undefined : await twinOf(within, job.createdBy.id, request)
  if (twin !== undefined) return twin
  const tally = emptyTally()
  for (const row of newRows("", 0, rows)) countRow(tally, row, 1)
  const { amount } = tally
  const moved = { makerId: job.createdBy.id, amount, added: job.state === "draft" ? 0 : amount }
  const passed = await limitPassed(engine, within, most, moved)
  if (passed !== undefined) {
    // A twin that came at the same moment was waited for, and may have used up the rest.
    const late = request === null ? undefined : await twinOf(within, job.createdBy.id, request)
    return late ?? passed
  }
  const made = await within
    .insertInto("job")
    .values(newColumns(job, tally, await readClock(engine.kind, within)))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  // A twin that came at the same moment was waited for and is there now.
  if (made === undefined) {
    const late = request === null ? undefined : await twinOf(within, job.createdBy.id, request)
    return late ?? "code_taken"
  }
  if (job.reverses !== null) await noteReversal(within, job.reverses, made.number)
  const added = await insertRows(engine.kind, within, newRows(jobIdOf(made.number), 0, rows))
  if (added < rows.length) throw new TakenBack()
  return { job: readJob(made), made: true }
}

/** Columns of a new job; the database gives its number. */
function newColumns(job: NewJob, tally: Tally, now: number): Insertable<Database["job"]> {
  const { request, ...given } = job
  const { number: _, ...columns } = jobTable.write({
    ...given,
    id: "",
    pause: null,
    prepared: false,
    createdAt: now,
    startedAt: job.state === "draft" ? null : now,
    finishedAt: null,
    repeats: null,
    reversedBy: [],
    hold: null,
    total: tally.total,
    counts: tally.counts,
    attention: tally.attention,
    amount: tally.amount,
  })
  return {
    ...columns,
    ...tallyColumns({ state: job.state, pause: null, hold: null }, tally, 0),
    request_key: request?.key ?? null,
    request_hash: request?.bodyHash ?? null,
  }
}

async function twinOf(db: Kysely<Database>, maker: string, request: NonNullable<NewJob["request"]>) {
  const twin = await db
    .selectFrom("job")
    .selectAll()
    .where("created_by", "=", maker)
    .where("request_key", "=", request.key)
    .executeTakeFirst()
  if (twin === undefined) return undefined
  if (twin.request_hash !== request.bodyHash) return "other_body" as const
  return { job: readJob(twin), made: false } as const
}

/** Two jobs that take the same one back come one after the other from here on. */
async function noteReversal(within: Transaction<Database>, reversed: string, by: number): Promise<void> {
  await within
    .updateTable("job")
    .set({ reversed_by: sql`reversed_by || ${`${by},`}` })
    .where("number", "=", jobNumberOf(reversed) ?? 0)
    .execute()
}

async function append(
  job: HeldJob,
  rows: readonly NewRow[],
  firstRow: number | undefined,
  most: number,
  mostMoved: number | undefined,
): ReturnType<JobStore["append"]> {
  const { record, kind, within, tally } = job
  if (record.state !== "draft") return "not_draft"
  const kept = record.total + record.counts.excluded
  const first = firstRow ?? kept + 1
  if (first > kept + 1) return "gap"
  const there = rows.slice(0, kept + 1 - first)
  if (!(await areThere(job, there, first))) return "different"
  const added = newRows(record.id, kept, rows.slice(there.length))
  if (kept + added.length > most) return "too_many"
  for (const row of added) countRow(tally, row, 1)
  if (mostMoved !== undefined && tally.amount > mostMoved) return "over_job"
  await insertRows(kind, within, added)
  return keepJob(job)
}

/** Whether rows that came before came with the same input. */
async function areThere(job: HeldJob, rows: readonly NewRow[], first: number): Promise<boolean> {
  if (rows.length === 0) return true
  const found = await job.within
    .selectFrom("job_row")
    .selectAll()
    .where("job", "=", job.number)
    .where("row", ">=", first)
    .where("row", "<", first + rows.length)
    .orderBy("row")
    .execute()
  return rows.every((row, at) => {
    const kept = found[at]
    return kept !== undefined && isSameInput(rowTable.read(kept).input, row.input)
  })
}

/** Whole jobs. */
function jobList(engine: JobEngine): Pick<JobStore, "get" | "list" | "summary" | "change" | "busy"> {
  const { db } = engine
  return {
    async get(jobId) {
      const number = jobNumberOf(jobId)
      if (number === undefined) return undefined
      const found = await db.selectFrom("job").selectAll().where("number", "=", number).executeTakeFirst()
      return found === undefined ? undefined : readJob(found)
    },

    async list(query) {
      const found = await filtered(inScope(db.selectFrom("job"), query.scope), query)
        .selectAll()
        .orderBy("number", "desc")
        .limit(query.perPage + 1)
        .execute()
      return found.map(readJob)
    },

    async summary(scope) {
      const found = await inScope(db.selectFrom("job"), scope)
        .where("open", "=", sql.lit(1))
        .select(["state", "needs_person", "hold"])
        .execute()
      const active = found.filter(({ state }) => activeStates.includes(state))
      const held = active.filter(({ hold }) => hold === "looking" || hold === "ready")
      return {
        active: active.length,
        attention: found.filter((job) => job.needs_person === 1).length,
        held: held.length,
        looking: held.filter(({ hold }) => hold === "looking").length,
      }
    },

    change: (jobId, from, set, audit) =>
      withJob(engine, jobId, undefined, async (job) => {
        if (!mayChange(job, { from, set })) return undefined
        const changed = await keepJob(job, set)
        if (audit !== undefined) await appendEntry(job.within, audit(changed, await onlyRow(job, changed)))
        return changed
      }),

    async busy() {
      const found = await db
        .selectFrom("job")
        .selectAll()
        .where("busy", "=", sql.lit(1))
        .orderBy("number")
        .execute()
      return found.map(readJob)
    },
  }
}

/** The row of a job that has one only. */
async function onlyRow({ within, number }: HeldJob, { total }: JobRecord): Promise<RowRecord | undefined> {
  if (total !== 1) return undefined
  const found = await within
    .selectFrom("job_row")
    .selectAll()
    .where("job", "=", number)
    .where("row", "=", 1)
    .executeTakeFirst()
  return found === undefined ? undefined : rowTable.read(found)
}

const activeStates: readonly string[] = ["running", "paused", "cancelling"]

type JobRows = SelectQueryBuilder<Database, "job", object>

function inScope(jobs: JobRows, scope: JobQuery["scope"]): JobRows {
  if (scope === undefined) return jobs
  if (scope.kinds.length === 0) return jobs.where("created_by", "=", scope.maker)
  return jobs.where((eb) => eb.or([eb("created_by", "=", scope.maker), eb("kind", "in", scope.kinds)]))
}

function filtered(jobs: JobRows, query: JobQuery): JobRows {
  let rows = jobs
  // An id that is no job's comes before every job.
  if (query.before !== undefined) rows = rows.where("number", "<", jobNumberOf(query.before) ?? 0)
  if (query.kind !== undefined) rows = rows.where("kind", "=", query.kind)
  if (query.state === "active") rows = rows.where("open", "=", sql.lit(1)).where("state", "in", activeStates)
  else if (query.state === "attention")
    rows = rows.where("open", "=", sql.lit(1)).where("needs_person", "=", 1)
  else if (query.state !== undefined) rows = rows.where("state", "=", query.state)
  if (query.createdBy !== undefined) rows = rows.where("created_by", "=", query.createdBy)
  if (query.fingerprint !== undefined) rows = rows.where("file_fingerprint", "=", query.fingerprint)
  if (query.from !== undefined) rows = rows.where("created_at", ">=", wholeMs(query.from))
  if (query.to !== undefined) rows = rows.where("created_at", "<=", wholeMs(query.to))
  return rows
}

/** Who works on which job, on the database's clock. */
function jobLeases({ db, kind }: Engine): Pick<JobStore, "lease" | "release"> {
  const now = clockSql[kind]
  return {
    async lease(jobId, owner, forMs) {
      const length = wholeMs(forMs)
      // One that ends later than it is long is from before the clock was set back.
      const { rows } = await sql`
        insert into job_lease (job, owner, until_at, for_ms)
        select number, ${owner}, ${now} + ${length}, ${length} from job where number = ${jobNumberOf(jobId) ?? 0}
        on conflict (job) do update
          set owner = excluded.owner, until_at = excluded.until_at, for_ms = excluded.for_ms
        where job_lease.owner = excluded.owner or job_lease.until_at <= ${now}
          or job_lease.until_at > ${now} + job_lease.for_ms
        returning job`.execute(db)
      return rows.length > 0
    },
    async release(jobId, owner) {
      await db
        .deleteFrom("job_lease")
        .where("job", "=", jobNumberOf(jobId) ?? 0)
        .where("owner", "=", owner)
        .execute()
    },
  }
}
