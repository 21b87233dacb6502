import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from "kysely"
import type {
  EntryBuilder,
  JobQuery,
  JobStore,
  LinkedJob,
  MostMoved,
  NewJob,
  NewRow,
} from "../../core/jobs/job-store.ts"
import { isSameInput, formatJobId, newBatchCode, parseJobId } from "../../core/jobs/job-record.ts"
import { createKeyedLock } from "../../core/runtime.ts"
import { clockSql, type Engine, readClock } from "./engine.ts"
import {
  countRow,
  countsOn,
  lockJob,
  type LockedJob,
  type JobEngine,
  saveJob,
  limitPassed,
  mayChange,
  readJob,
  startedAmount,
  tallyColumns,
  tallyOf,
  type WakeJob,
  withJob,
} from "./held-job.ts"
import { jobCanaries, jobReport, rowReading } from "./job-rows.ts"
import { appendEntry } from "./plain-stores.ts"
import { changeLockedRows, insertRows, newRows, rowChanging } from "./row-changes.ts"
import { sameRows } from "./same-rows.ts"
import { type Database, jobTable, rowTable } from "./schema.ts"
import { given, wholeMs } from "./table.ts"

export function jobStore(opened: Engine, wake?: WakeJob): JobStore {
  const engine: JobEngine = { ...opened, turns: createKeyedLock(), wake }
  return {
    wakes: wake !== undefined,
    now: () => engine.now(),
    ...jobMaking(engine),
    ...jobList(engine),
    ...jobLeases(engine),
    ...rowReading(engine),
    ...rowChanging(engine),
    ...sameRows(engine),
    ...jobCanaries(engine),
    ...jobReport(engine),
  }
}

/** Rolls a transaction back: a row is reversed already. */
class AlreadyReversed extends Error {}

function jobMaking(engine: JobEngine) {
  const { db } = engine
  return {
    create: async (job, rows, most, audit, linked) => {
      const inTransaction = () =>
        db.transaction().execute((within) => create(engine, within, { job, rows, linked }, most, audit))
      try {
        return await (job.closesAt == null
          ? inTransaction()
          : engine.turns.run(openJobOf(job.createdBy.id), inTransaction))
      } catch (error) {
        if (error instanceof AlreadyReversed) return "reversed"
        throw error
      }
    },
    twinOf: (makerId, request) => twinOf(db, makerId, request),
    append: (jobId, rows, firstRow, most, mostMoved) =>
      withJob(engine, jobId, "missing", async (job) => {
        const { record, tally } = job
        if (record.state !== "draft") return "not_draft"
        const saved = record.total + record.counts.excluded
        const first = firstRow ?? saved + 1
        if (first > saved + 1) return "gap"
        const repeated = rows.slice(0, saved + 1 - first)
        if (!(await areSaved(job, repeated, first))) return "different"
        const insert = countNewRows(job, rows.slice(repeated.length))
        if (saved + rows.length - repeated.length > most) return "too_many"
        if (mostMoved !== undefined && tally.amount > mostMoved) return "over_job"
        await insert()
        return saveJob(job)
      }),
    start: (jobId, set, most, from = "draft", audit, { changes = [], linked } = {}) =>
      withJob(engine, jobId, "stale", async (job) => {
        const { record, within } = job
        if (record.state !== from) return "stale"
        const changed = await changeLockedRows(job, changes)
        if (changed.results.some((result) => result !== "changed")) return "rows_changed"
        const taken = movedBy(linked)
        const { amount } = job.tally
        const maker = set.createdBy ?? record.createdBy
        const isSame = maker.id === record.createdBy.id
        const counts = most === undefined || (isSame && countsOn(most.day, record))
        const added = counts ? 0 : amount + taken
        const moved = { makerId: maker.id, amount: Math.max(amount, taken), added }
        const passed = added > 0 ? await limitPassed(engine, within, most, moved) : undefined
        if (passed !== undefined) return passed
        await changed.write()
        if (linked !== undefined) await insertLinked(engine, within, job.number, linked)
        const started = await saveJob(job, { ...set, state: "running" }, true)
        if (audit !== undefined) await appendEntry(within, audit(started))
        return started
      }),
    startedAmount: (makerId, query) => startedAmount(db, makerId, query),
  } satisfies Partial<JobStore>
}

async function create(
  engine: JobEngine,
  within: Transaction<Database>,
  { job, rows, linked }: NewJobs,
  most: MostMoved | undefined,
  audit: EntryBuilder | undefined,
): ReturnType<JobStore["create"]> {
  const { request } = job
  const makerId = job.createdBy.id
  const isDraft = job.state === "draft"
  // Two first parcels sent together open one job.
  if (job.closesAt != null) await engine.lock(within, openJobOf(makerId))
  const findTwin = async () => (request === null ? undefined : twinOf(within, makerId, request))
  const twin = await findTwin()
  if (twin !== undefined) return twin
  const appended = job.closesAt == null ? undefined : await addToOpenJob(engine, within, job, rows)
  if (appended !== undefined) return appended
  const [own, taken] = [movedBy({ rows }), movedBy(linked)]
  const moved = { makerId, amount: Math.max(own, taken), added: isDraft ? 0 : own + taken }
  const passed = await limitPassed(engine, within, most, moved)
  // A twin that came at the same moment may have used up the rest.
  if (passed !== undefined) return (await findTwin()) ?? passed
  const made = await insertJob(engine, within, job, rows)
  if ("twin" in made) return made.twin
  if (job.reverses !== null) {
    // Two jobs that take the same one back come one after the other from here on.
    await within
      .updateTable("job")
      .set({ reversed_by: sql`reversed_by || ${`${made.number},`}` })
      .where("number", "=", parseJobId(job.reverses) ?? 0)
      .execute()
  }
  const added = await insertRows(engine.kind, within, newRows(formatJobId(made.number), 0, rows))
  if (added < rows.length) throw new AlreadyReversed()
  const number = linked && (await insertLinked(engine, within, made.number, linked))
  const record = readJob(number === undefined ? made : { ...made, linked: number })
  if (audit !== undefined) await appendEntry(within, audit(record))
  if (!isDraft) await engine.wake?.(within, record.id)
  if (!record.isOpen) return { job: record, made: true }
  await saveRequest(within, job, made.number, 1)
  return { job: record, made: true, row: 1 }
}

const openJobOf = (makerId: string) => `open job ${makerId}`

/** Adds rows to the maker's open job; undefined, with that job closed, if a new one has to be opened. */
async function addToOpenJob(
  engine: JobEngine,
  within: Transaction<Database>,
  job: NewJob,
  rows: readonly NewRow[],
) {
  const found = await within
    .selectFrom("job")
    .select("number")
    .where("created_by", "=", job.createdBy.id)
    .where("is_open", "=", 1)
    .executeTakeFirst()
  const open = found && (await lockJob(engine, within, found.number))
  if (open?.record.isOpen !== true) return undefined
  const { record, now, number } = open
  if ((record.closesAt ?? 0) <= now) {
    await saveJob(open, { isOpen: false }, true)
    return undefined
  }
  const saved = record.total + record.counts.excluded
  await countNewRows(open, rows)()
  await saveRequest(within, job, number, saved + 1)
  return { job: await saveJob(open, {}, true), made: true, row: saved + 1 } as const
}

/** Adds rows to the tally of a job; what it returns inserts them behind those that are there. */
function countNewRows({ kind, record, tally, within }: LockedJob, rows: readonly NewRow[]) {
  const added = newRows(record.id, record.total + record.counts.excluded, rows)
  for (const row of added) countRow(tally, row, 1)
  return () => insertRows(kind, within, added)
}

async function saveRequest(
  within: Transaction<Database>,
  { request, createdBy }: NewJob,
  job: number,
  row: number,
) {
  if (request === null) return
  const saved = { request_by: createdBy.id, request_key: request.key, request_hash: request.bodyHash }
  await within
    .insertInto("open_job_row")
    .values({ ...saved, job, row })
    .execute()
}

type NewJobs = Pick<LinkedJob, "job" | "rows"> & { readonly linked?: LinkedJob | undefined }

function movedBy(made: Pick<LinkedJob, "rows"> | undefined): number {
  return tallyOf(newRows("", 0, made?.rows ?? [])).amount
}

/** Keeps the deductions that belong to the awards of a job, and lets both name each other; gives their number. */
async function insertLinked(
  engine: JobEngine,
  within: Transaction<Database>,
  to: number,
  { job, rows, audit }: LinkedJob,
): Promise<number> {
  const made = await insertJob(engine, within, job, rows, to)
  if ("twin" in made) throw new Error("A linked job has no request of its own.")
  await insertRows(engine.kind, within, newRows(formatJobId(made.number), 0, rows))
  await within.updateTable("job").set({ linked: made.number }).where("number", "=", to).execute()
  if (audit !== undefined) await appendEntry(within, audit(readJob(made)))
  if (job.state !== "draft") await engine.wake?.(within, formatJobId(made.number))
  return made.number
}

const codeTries = 5

/** The new job with an unused batch code, or the job that the same request made at the same moment. */
async function insertJob(
  engine: Engine,
  within: Transaction<Database>,
  { request, ...job }: NewJob,
  rows: readonly NewRow[],
  linked: number | null = null,
) {
  const isDraft = job.state === "draft"
  const { closesAt = null } = job
  const isOpen = closesAt !== null
  const tally = tallyOf(newRows("", 0, rows))
  const now = await readClock(engine.kind, within)
  // The database gives the number.
  const { number: _, ...columns } = jobTable.write({
    ...job,
    ...tally,
    id: "",
    batchCode: "",
    pause: null,
    prepared: false,
    createdAt: now,
    startedAt: isDraft ? null : now,
    finishedAt: null,
    idleSince: null,
    idleMs: 0,
    repeats: null,
    reversedBy: [],
    linked: linked === null ? null : formatJobId(linked),
    hold: null,
    refusal: null,
    closesAt,
    isOpen,
  })
  // The requests of an open job are those of its rows.
  const jobRequest = isOpen ? null : request
  const values = {
    ...columns,
    ...tallyColumns({ state: job.state, pause: null, hold: null, isOpen }, tally, 0),
    request_by: jobRequest === null ? null : job.createdBy.id,
    request_key: jobRequest?.key ?? null,
    request_hash: jobRequest?.bodyHash ?? null,
  }
  for (let tried = 0; tried < codeTries; tried += 1) {
    const made = await within
      .insertInto("job")
      .values({ ...values, batch_code: newBatchCode() })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made !== undefined) return made
    // A twin that came at the same moment was waited for and is there now.
    const twin = jobRequest === null ? undefined : await twinOf(within, job.createdBy.id, jobRequest)
    if (twin !== undefined) return { twin }
  }
  throw new Error("No unused batch code was found.")
}

async function twinOf(db: Kysely<Database>, makerId: string, request: NonNullable<NewJob["request"]>) {
  const twin = await db
    .selectFrom("job")
    .selectAll()
    .where((eb) => eb.and({ request_by: makerId, request_key: request.key }))
    .executeTakeFirst()
  if (twin === undefined) return twinRowOf(db, makerId, request)
  if (twin.request_hash !== request.bodyHash) return "other_body" as const
  return { job: readJob(twin), made: false } as const
}

async function twinRowOf(db: Kysely<Database>, makerId: string, request: NonNullable<NewJob["request"]>) {
  const twin = await db
    .selectFrom("open_job_row")
    .innerJoin("job", "job.number", "open_job_row.job")
    .selectAll("job")
    .select(["open_job_row.row as added_row", "open_job_row.request_hash as row_hash"])
    .where("open_job_row.request_by", "=", makerId)
    .where("open_job_row.request_key", "=", request.key)
    .executeTakeFirst()
  if (twin === undefined) return undefined
  if (twin.row_hash !== request.bodyHash) return "other_body" as const
  return { job: readJob(twin), made: false, row: twin.added_row } as const
}

async function areSaved(job: LockedJob, rows: readonly NewRow[], first: number): Promise<boolean> {
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
    const saved = found[at]
    return saved !== undefined && isSameInput(rowTable.read(saved).input, row.input)
  })
}

const activeStates: readonly string[] = ["running", "paused", "cancelling"]
const endedStates: readonly string[] = ["cancelled", "done"]

function jobList(
  engine: JobEngine,
): Pick<JobStore, "get" | "closeOpen" | "list" | "summary" | "change" | "busy"> {
  const { db } = engine
  // Compiled once, because it runs every two seconds.
  const busyJobs = db.selectFrom("job").selectAll().where("busy", "=", sql.lit(1)).orderBy("number").compile()
  return {
    async get(jobId) {
      const number = parseJobId(jobId) ?? 0
      const found = await db.selectFrom("job").selectAll().where("number", "=", number).executeTakeFirst()
      return found && readJob(found)
    },

    async closeOpen(makerId) {
      const open = await db
        .selectFrom("job")
        .select("number")
        .where("created_by", "=", makerId)
        .where("is_open", "=", 1)
        .executeTakeFirst()
      if (open === undefined) return undefined
      const id = formatJobId(open.number)
      await withJob(engine, id, undefined, (job) => saveJob(job, { isOpen: false }, true))
      return id
    },

    async list(query) {
      const { scope, perPage } = query
      const found = await filtered(inScope(db.selectFrom("job"), scope), query)
        .selectAll()
        .orderBy("number", "desc")
        .limit(perPage + 1)
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
        const isEnd = set.state === "done" || set.state === "cancelled"
        const changed = await saveJob(job, set, audit !== undefined && !isEnd)
        if (audit === undefined) return changed
        const rows = job.within.selectFrom("job_row").selectAll().where("job", "=", job.number)
        const sent = rows.where("state", "<>", "excluded").orderBy("row").limit(1)
        const [only] = changed.total === 1 ? (await sent.execute()).map(rowTable.read) : []
        await appendEntry(job.within, audit(changed, only))
        return changed
      }),

    async busy() {
      return (await db.executeQuery(busyJobs)).rows.map(readJob)
    },
  }
}

/** Not most of it was reversed (`reversalState`): its failed rows may still be sent. */
const isNotReversed = sql<boolean>`(job.reversed_by = '' or job.confirmed >= 2 * (
  select coalesce(sum(
    back.confirmed + back.sent + back.unknown
    + case when back.state in ('cancelling', 'cancelled') then 0 else back.planned end
  ), 0) from job as back where back.reverses = job.number
))`

type Jobs = SelectQueryBuilder<Database, "job", object>

function inScope(jobs: Jobs, scope: JobQuery["scope"]): Jobs {
  if (scope === undefined) return jobs
  if (scope.kinds.length === 0) return jobs.where("created_by", "=", scope.maker)
  return jobs.where((eb) => eb.or([eb("created_by", "=", scope.maker), eb("kind", "in", scope.kinds)]))
}

function filtered(jobs: Jobs, query: JobQuery): Jobs {
  const { before, kinds, state, createdBy, fingerprint, from, to } = query
  const columns = given({ created_by: createdBy, file_fingerprint: fingerprint })
  let rows = jobs.where((eb) => eb.and(columns))
  if (kinds !== undefined) rows = rows.where("kind", "in", kinds)
  // An id that is no job's comes before every job.
  if (before !== undefined) rows = rows.where("number", "<", parseJobId(before) ?? 0)
  if (state === "active" || state === "attention") rows = rows.where("open", "=", sql.lit(1))
  if (state === "active") rows = rows.where("state", "in", activeStates)
  else if (state === "attention") rows = rows.where("needs_person", "=", 1)
  else if (state === "failed") {
    rows = rows.where("failed", ">", 0).where("state", "in", endedStates).where(isNotReversed)
  } else if (state !== undefined) rows = rows.where("state", "=", state)
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
        select number, ${owner}, ${now} + ${length}, ${length} from job where number = ${parseJobId(jobId) ?? 0}
        on conflict (job) do update
          set owner = excluded.owner, until_at = excluded.until_at, for_ms = excluded.for_ms
        where job_lease.owner = excluded.owner or job_lease.until_at <= ${now}
          or job_lease.until_at > ${now} + job_lease.for_ms
        returning job`.execute(db)
      return rows.length > 0
    },
    async release(jobId, owner) {
      const job = parseJobId(jobId) ?? 0
      await db.deleteFrom("job_lease").where("job", "=", job).where("owner", "=", owner).execute()
    },
  }
}
