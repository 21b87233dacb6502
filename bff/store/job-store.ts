import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from "kysely"
import { rowStates } from "../../contract/job.ts"
import type {
  EntryBuilder,
  JobQuery,
  JobRecord,
  JobStore,
  LinkedJob,
  MostMoved,
  NewJob,
  NewRow,
} from "../../core/jobs/job-store.ts"
import {
  isSameInput,
  formatJobId,
  parseJobId,
  needsPerson,
  formatSittingId,
  parseSittingId,
} from "../../core/jobs/records.ts"
import { createKeyedLock } from "../../core/runtime.ts"
import { clockSql, type Engine, readClock } from "./engine.ts"
import {
  countRow,
  countsOn,
  emptyTally,
  type LockedJob,
  type JobEngine,
  saveJob,
  limitPassed,
  mayChange,
  readJob,
  startedAmount,
  tallyColumns,
  withJob,
} from "./held-job.ts"
import { jobControls, jobReport, rowReading } from "./job-rows.ts"
import { appendEntry } from "./plain-stores.ts"
import { changeLockedRows, insertRows, newRows, rowChanging } from "./row-changes.ts"
import { sameRows } from "./same-rows.ts"
import { type Database, jobTable, rowTable, tallyTable } from "./schema.ts"
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

/** Roll a transaction back: a row is reversed already, or a batch code is another job's. */
class AlreadyReversed extends Error {}
class CodeTaken extends Error {}

function jobMaking(engine: JobEngine) {
  const { db } = engine
  return {
    create: async (job, rows, most, audit, linked) => {
      try {
        return await db
          .transaction()
          .execute((within) => create(engine, within, { job, rows, linked }, most, audit))
      } catch (error) {
        if (error instanceof AlreadyReversed) return "reversed"
        if (error instanceof CodeTaken) return "code_taken"
        throw error
      }
    },
    twinOf: (makerId, request) => twinOf(db, makerId, request),
    append: (jobId, rows, firstRow, most, mostMoved) =>
      withJob(engine, jobId, "missing", async (job) => {
        const { record, kind, within, tally } = job
        if (record.state !== "draft") return "not_draft"
        const saved = record.total + record.counts.excluded
        const first = firstRow ?? saved + 1
        if (first > saved + 1) return "gap"
        const repeated = rows.slice(0, saved + 1 - first)
        if (!(await areSaved(job, repeated, first))) return "different"
        const added = newRows(record.id, saved, rows.slice(repeated.length))
        if (saved + added.length > most) return "too_many"
        for (const row of added) countRow(tally, row, 1)
        if (mostMoved !== undefined && tally.amount > mostMoved) return "over_job"
        await insertRows(kind, within, added)
        return saveJob(job)
      }),
    start: async (jobId, set, most, from = "draft", audit, { changes = [], linked } = {}) => {
      try {
        return await withJob(engine, jobId, "stale", async (job) => {
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
          const started = await saveJob(job, { ...set, state: "running" })
          if (audit !== undefined) await appendEntry(within, audit(started))
          return started
        })
      } catch (error) {
        if (error instanceof CodeTaken) return "code_taken"
        throw error
      }
    },
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
  const findTwin = async () => (request === null ? undefined : twinOf(within, makerId, request))
  const twin = await findTwin()
  if (twin !== undefined) return twin
  const [own, taken] = [movedBy({ rows }), movedBy(linked)]
  const moved = { makerId, amount: Math.max(own, taken), added: isDraft ? 0 : own + taken }
  const passed = await limitPassed(engine, within, most, moved)
  // A twin that came at the same moment may have used up the rest.
  if (passed !== undefined) return (await findTwin()) ?? passed
  const partOf = job.sitting === undefined ? null : await sittingBegun(engine, within, makerId, job.sitting)
  const made = await insertJob(engine, within, job, rows, partOf)
  // A twin that came at the same moment was waited for and is there now.
  if (made === undefined) return (await findTwin()) ?? "code_taken"
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
  return { job: record, made: true }
}

type NewJobs = Pick<LinkedJob, "job" | "rows"> & { readonly linked?: LinkedJob | undefined }

function movedBy(made: Pick<LinkedJob, "rows"> | undefined): number {
  return tallyOf(made?.rows ?? []).amount
}

function tallyOf(rows: readonly NewRow[]) {
  const tally = emptyTally()
  for (const row of newRows("", 0, rows)) countRow(tally, row, 1)
  return tally
}

/** Keeps the deductions that belong to the awards of a job, and lets both name each other; gives their number. */
async function insertLinked(
  engine: Engine,
  within: Transaction<Database>,
  to: number,
  { job, rows, audit }: LinkedJob,
): Promise<number> {
  const made = await insertJob(engine, within, job, rows, null, to)
  if (made === undefined) throw new CodeTaken()
  await insertRows(engine.kind, within, newRows(formatJobId(made.number), 0, rows))
  await within.updateTable("job").set({ linked: made.number }).where("number", "=", to).execute()
  if (audit !== undefined) await appendEntry(within, audit(readJob(made)))
  return made.number
}

/** Undefined when the request or the batch code is another job's. */
async function insertJob(
  engine: Engine,
  within: Transaction<Database>,
  { request, ...job }: NewJob,
  rows: readonly NewRow[],
  partOf: string | null,
  linked: number | null = null,
) {
  const isDraft = job.state === "draft"
  const tally = tallyOf(rows)
  const now = await readClock(engine.kind, within)
  // The database gives the number.
  const { number: _, ...columns } = jobTable.write({
    ...job,
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
    linked: linked === null ? null : formatJobId(linked),
    hold: null,
    refusal: null,
    sitting: job.sitting ?? null,
    partOf,
  })
  return within
    .insertInto("job")
    .values({
      ...columns,
      ...tallyColumns({ state: job.state, pause: null, hold: null }, tally, 0),
      request_by: request === null ? null : job.createdBy.id,
      request_key: request?.key ?? null,
      request_hash: request?.bodyHash ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** The first job of a person's sitting; null for the one that begins it. Parallel ones are serialized. */
async function sittingBegun(
  engine: JobEngine,
  within: Transaction<Database>,
  makerId: string,
  sitting: string,
) {
  await engine.lock(within, `sitting ${makerId} ${sitting}`)
  const { first } = await within
    .selectFrom("job")
    .where((eb) => eb.and({ created_by: makerId, sitting }))
    .select((eb) => eb.fn.min("number").as("first"))
    .executeTakeFirstOrThrow()
  return first === null ? null : formatJobId(first)
}

async function twinOf(db: Kysely<Database>, makerId: string, request: NonNullable<NewJob["request"]>) {
  const twin = await db
    .selectFrom("job")
    .selectAll()
    .where((eb) => eb.and({ request_by: makerId, request_key: request.key }))
    .executeTakeFirst()
  if (twin === undefined) return undefined
  if (twin.request_hash !== request.bodyHash) return "other_body" as const
  return { job: readJob(twin), made: false } as const
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
): Pick<JobStore, "get" | "sitting" | "list" | "summary" | "change" | "busy"> {
  const { db } = engine
  // Compiled once, because it runs every two seconds.
  const busyJobs = db.selectFrom("job").selectAll().where("busy", "=", sql.lit(1)).orderBy("number").compile()
  return {
    async get(jobId) {
      const number = parseJobId(jobId) ?? 0
      const found = await db.selectFrom("job").selectAll().where("number", "=", number).executeTakeFirst()
      return found && readJob(found)
    },

    async sitting(id) {
      const found = await db
        .selectFrom("job")
        .selectAll()
        .where("number", "=", parseSittingId(id) ?? 0)
        .where("sitting", "is not", null)
        .where("part_of", "is", null)
        .execute()
      return (await withSittings(db, found.map(readJob)))[0]
    },

    async list(query) {
      const { scope, perPage, bySitting = false } = query
      const matches = filtered(inScope(db.selectFrom("job"), scope), query)
      const found = await (bySitting ? firstOnes(db, query) : matches)
        .selectAll()
        .orderBy("number", "desc")
        .limit(perPage + 1)
        .execute()
      const jobs = found.map(readJob)
      return bySitting ? withSittings(db, jobs) : jobs
    },

    async summary(scope) {
      const found = await inScope(db.selectFrom("job"), scope)
        .where("open", "=", sql.lit(1))
        .select(["state", "needs_person", "hold", firstOne.as("first")])
        .execute()
      const count = (jobs: typeof found) => new Set(jobs.map(({ first }) => first)).size
      const active = found.filter(({ state }) => activeStates.includes(state))
      const held = active.filter(({ hold }) => hold === "looking" || hold === "ready")
      return {
        active: count(active),
        attention: count(found.filter((job) => job.needs_person === 1)),
        held: count(held),
        looking: count(held.filter(({ hold }) => hold === "looking")),
      }
    },

    change: (jobId, from, set, audit) =>
      withJob(engine, jobId, undefined, async (job) => {
        if (!mayChange(job, { from, set })) return undefined
        const changed = await saveJob(job, set)
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
  const { before, kind, state, createdBy, fingerprint, from, to } = query
  const columns = given({ kind, created_by: createdBy, file_fingerprint: fingerprint })
  let rows = jobs.where((eb) => eb.and(columns))
  // An id that is no job's comes before every job.
  if (before !== undefined)
    rows = rows.where("number", "<", parseJobId(before) ?? parseSittingId(before) ?? 0)
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

/** A job of no sitting itself, else the sitting's first. */
const firstOne = sql<number>`coalesce(job.part_of, job.number)`

/** Jobs of no sitting, and of each sitting the first, where one of its jobs matches. */
function firstOnes(db: Kysely<Database>, query: JobQuery): Jobs {
  const { scope, state, from, to } = query
  const all = db.selectFrom("job")
  // All jobs of a sitting are of one kind and one person.
  const groupedSittings = { ...query, state: undefined, from: undefined, to: undefined }
  const first = filtered(inScope(all, scope), groupedSittings).where("part_of", "is", null)
  if ((state ?? from ?? to) === undefined) return first
  const matching = filtered(inScope(all, scope), { ...query, before: undefined })
  const found = first.where("number", "in", matching.select(firstOne.as("first")))
  if (state !== "done" && state !== "cancelled") return found
  // It reads as ended once none is under way, as cancelled where nothing else became of any.
  const others = state === "done" ? activeStates : [...activeStates, "done"]
  return found
    .where("state", "not in", others)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("job as other")
            .select("other.number")
            .whereRef("other.part_of", "=", "job.number")
            .where("other.state", "in", others),
        ),
      ),
    )
}

const tallied = [
  ...rowStates,
  ...([
    "total",
    "attention",
    "amount",
    "rereads",
    "points_total",
    "points_confirmed",
    "amount_planned",
  ] as const),
] as const

/** Replaces first jobs of sittings by their sittings: totals of all their jobs, and the state of the active one. */
async function withSittings(db: Kysely<Database>, jobs: readonly JobRecord[]): Promise<JobRecord[]> {
  const firsts = jobs.flatMap(({ sitting, id }) => (sitting === null ? [] : [parseJobId(id) ?? 0]))
  if (firsts.length === 0) return [...jobs]
  const parts = db
    .selectFrom("job")
    .where((eb) => eb.or([eb("job.number", "in", firsts), eb("job.part_of", "in", firsts)]))
  const sums = await parts
    .innerJoin("job_row", (join) => join.onRef("job_row.job", "=", "job.number").on("job_row.row", "=", 1))
    .groupBy(firstOne)
    .select(firstOne.as("first"))
    .select((eb) => [
      eb.fn.max("job.finished_at").as("finished_at"),
      sql<number>`count(distinct job_row.label)`.as("parcels"),
      sql<number>`max(case job.state when 'cancelled' then 0 else 1 end)`.as("ran"),
      ...tallied.map((name) => sql<number>`cast(sum(${sql.ref(`job.${name}`)}) as bigint)`.as(name)),
    ])
    .execute()
  const open = await parts.selectAll("job").where("job.open", "=", sql.lit(1)).orderBy("job.number").execute()
  const underWay = open.map(readJob).filter(({ state }) => activeStates.includes(state))
  return jobs.map((job) => {
    const sum = sums.find(({ first }) => formatJobId(first) === job.id)
    if (sum === undefined) return job
    const ofIt = underWay.filter(({ id, partOf }) => (partOf ?? id) === job.id)
    const [now] = [...ofIt.filter(needsPerson), ...ofIt.filter(({ state }) => state === "running"), ...ofIt]
    return {
      ...job,
      ...tallyTable.read(sum),
      id: formatSittingId(job.id),
      title: null,
      state: now?.state ?? (sum.ran === 1 ? "done" : "cancelled"),
      pause: now?.pause ?? null,
      hold: now?.hold ?? null,
      prepared: true,
      finishedAt: now === undefined ? sum.finished_at : null,
      idleSince: null,
      idleMs: 0,
      parcels: sum.parcels,
    }
  })
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
