import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from "kysely"
import type { JobQuery, JobRecord, JobStore, MostMoved, NewJob, NewRow } from "../../core/jobs/job-store.ts"
import { isSameInput, jobIdOf, jobNumberOf } from "../../core/jobs/records.ts"
import { createKeyedLock } from "../../core/runtime.ts"
import { clockSql, type Engine, readClock } from "./engine.ts"
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
  tallyColumns,
  withJob,
} from "./held-job.ts"
import { jobControls, jobReport, rowReading } from "./job-rows.ts"
import { appendEntry } from "./plain-stores.ts"
import { insertRows, newRows, rowChanging } from "./row-changes.ts"
import { sameRows } from "./same-rows.ts"
import { type Database, jobTable, rowTable } from "./schema.ts"
import { given, wholeMs } from "./table.ts"

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

/** Rolls back a reversal of rows that another job takes back already. */
class AlreadyReversed extends Error {}

function jobMaking(engine: JobEngine) {
  const { db } = engine
  return {
    create: async (job, rows, most) => {
      try {
        return await db.transaction().execute((within) => create(engine, within, job, rows, most))
      } catch (error) {
        if (error instanceof AlreadyReversed) return "reversed"
        throw error
      }
    },
    twinOf: (makerId, request) => twinOf(db, makerId, request),
    append: (jobId, rows, firstRow, most, mostMoved) =>
      withJob(engine, jobId, "missing", async (job) => {
        const { record, kind, within, tally } = job
        if (record.state !== "draft") return "not_draft"
        const kept = record.total + record.counts.excluded
        const first = firstRow ?? kept + 1
        if (first > kept + 1) return "gap"
        const repeated = rows.slice(0, kept + 1 - first)
        if (!(await areKept(job, repeated, first))) return "different"
        const added = newRows(record.id, kept, rows.slice(repeated.length))
        if (kept + added.length > most) return "too_many"
        for (const row of added) countRow(tally, row, 1)
        if (mostMoved !== undefined && tally.amount > mostMoved) return "over_job"
        await insertRows(kind, within, added)
        return keepJob(job)
      }),
    start: (jobId, set, most, from = "draft") =>
      withJob(engine, jobId, "stale", async (job) => {
        const { record, within } = job
        if (record.state !== from) return "stale"
        const added = most === undefined || countsOn(most.day, record) ? 0 : record.amount
        const moved = { makerId: record.createdBy.id, amount: record.amount, added }
        const passed = added > 0 ? await limitPassed(engine, within, most, moved) : undefined
        return passed ?? keepJob(job, { ...set, state: "running" })
      }),
    startedAmount: (makerId, query) => startedAmount(db, makerId, query),
  } satisfies Partial<JobStore>
}

function countsOn({ from, until = Infinity }: MostMoved["day"], { state, startedAt }: JobRecord): boolean {
  return state !== "draft" && startedAt !== null && startedAt >= from && startedAt < until
}

async function create(
  engine: JobEngine,
  within: Transaction<Database>,
  job: NewJob,
  rows: readonly NewRow[],
  most: MostMoved | undefined,
): ReturnType<JobStore["create"]> {
  const { request, ...fields } = job
  const makerId = job.createdBy.id
  const isDraft = job.state === "draft"
  const findTwin = async () => (request === null ? undefined : twinOf(within, makerId, request))
  const twin = await findTwin()
  if (twin !== undefined) return twin
  const tally = emptyTally()
  for (const row of newRows("", 0, rows)) countRow(tally, row, 1)
  const { amount } = tally
  const passed = await limitPassed(engine, within, most, { makerId, amount, added: isDraft ? 0 : amount })
  // A twin that came at the same moment was waited for, and may have used up the rest.
  if (passed !== undefined) return (await findTwin()) ?? passed
  const now = await readClock(engine.kind, within)
  // The database gives the number.
  const { number: _, ...columns } = jobTable.write({
    ...fields,
    ...tally,
    id: "",
    pause: null,
    prepared: false,
    createdAt: now,
    startedAt: isDraft ? null : now,
    finishedAt: null,
    idleSince: null,
    idleMs: 0,
    repeats: null,
    reversedBy: [],
    hold: null,
  })
  const made = await within
    .insertInto("job")
    .values({
      ...columns,
      ...tallyColumns({ state: job.state, pause: null, hold: null }, tally, 0),
      request_key: request?.key ?? null,
      request_hash: request?.bodyHash ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  // A twin that came at the same moment was waited for and is there now.
  if (made === undefined) return (await findTwin()) ?? "code_taken"
  if (job.reverses !== null) {
    // Two jobs that take the same one back come one after the other from here on.
    await within
      .updateTable("job")
      .set({ reversed_by: sql`reversed_by || ${`${made.number},`}` })
      .where("number", "=", jobNumberOf(job.reverses) ?? 0)
      .execute()
  }
  const added = await insertRows(engine.kind, within, newRows(jobIdOf(made.number), 0, rows))
  if (added < rows.length) throw new AlreadyReversed()
  return { job: readJob(made), made: true }
}

async function twinOf(db: Kysely<Database>, makerId: string, request: NonNullable<NewJob["request"]>) {
  const twin = await db
    .selectFrom("job")
    .selectAll()
    .where((eb) => eb.and({ created_by: makerId, request_key: request.key }))
    .executeTakeFirst()
  if (twin === undefined) return undefined
  if (twin.request_hash !== request.bodyHash) return "other_body" as const
  return { job: readJob(twin), made: false } as const
}

async function areKept(job: HeldJob, rows: readonly NewRow[], first: number): Promise<boolean> {
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

const activeStates: readonly string[] = ["running", "paused", "cancelling"]
const endedStates: readonly string[] = ["cancelled", "done"]

function jobList(engine: JobEngine): Pick<JobStore, "get" | "list" | "summary" | "change" | "busy"> {
  const { db } = engine
  // Run every two seconds for as long as the process runs: compiled once.
  const busyJobs = db.selectFrom("job").selectAll().where("busy", "=", sql.lit(1)).orderBy("number").compile()
  return {
    async get(jobId) {
      const number = jobNumberOf(jobId) ?? 0
      const found = await db.selectFrom("job").selectAll().where("number", "=", number).executeTakeFirst()
      return found && readJob(found)
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
        if (audit === undefined) return changed
        const rows = job.within.selectFrom("job_row").selectAll()
        const first = await rows.where((eb) => eb.and({ job: job.number, row: 1 })).execute()
        const [only] = changed.total === 1 ? first.map(rowTable.read) : []
        await appendEntry(job.within, audit(changed, only))
        return changed
      }),

    async busy() {
      return (await db.executeQuery(busyJobs)).rows.map(readJob)
    },
  }
}

type Jobs = SelectQueryBuilder<Database, "job", object>

function inScope(jobs: Jobs, scope: JobQuery["scope"]): Jobs {
  if (scope === undefined) return jobs
  if (scope.kinds.length === 0) return jobs.where("created_by", "=", scope.maker)
  return jobs.where((eb) => eb.or([eb("created_by", "=", scope.maker), eb("kind", "in", scope.kinds)]))
}

function filtered(jobs: Jobs, query: JobQuery): Jobs {
  const { before, kind, state, createdBy, fingerprint, from, to } = query
  const asked = given({ kind, created_by: createdBy, file_fingerprint: fingerprint })
  let rows = jobs.where((eb) => eb.and(asked))
  // An id that is no job's comes before every job.
  if (before !== undefined) rows = rows.where("number", "<", jobNumberOf(before) ?? 0)
  if (state === "active" || state === "attention") rows = rows.where("open", "=", sql.lit(1))
  if (state === "active") rows = rows.where("state", "in", activeStates)
  else if (state === "attention") rows = rows.where("needs_person", "=", 1)
  else if (state === "failed") rows = rows.where("failed", ">", 0).where("state", "in", endedStates)
  else if (state !== undefined) rows = rows.where("state", "=", state)
  if (from !== undefined) rows = rows.where("created_at", ">=", wholeMs(from))
  if (to !== undefined) rows = rows.where("created_at", "<=", wholeMs(to))
  return rows
}

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
      const job = jobNumberOf(jobId) ?? 0
      await db.deleteFrom("job_lease").where("job", "=", job).where("owner", "=", owner).execute()
    },
  }
}
