import { hasPoints, jobKindDescriptors, jobKinds, kindsWith } from "../../contract/job-kinds.ts"
import { type Selectable, type SelectQueryBuilder, sql } from "kysely"
import * as z from "zod/mini"
import type { Engine } from "./engine.ts"
import { type JobEngine, saveJob, withJob } from "./held-job.ts"
import { canaryTable, type Database, rowTable } from "./schema.ts"
import { containing, numberset, wholeMs } from "./table.ts"
import type { PointsReport, PointsReportQuery } from "../../contract/job.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import { endedWithResponse } from "../../core/jobs/job-kind.ts"
import { type JobStore, rowRecord, type RowQuery, type RowRecord } from "../../core/jobs/job-store.ts"
import { formatJobId, parseJobId } from "../../core/jobs/job-record.ts"
import type { JobReports, Reversal } from "../../core/reports/report-store.ts"

/** A service may say the same in many ways; beyond this many rows are decided one by one. */
const mostCauses = 50

const mostAbout = 20

/** Kinds whose rows may carry the address of an order. */
const orderKinds = kindsWith(({ record }) => record === "order")

/** Reads of rows, of one job and of all jobs. */
export function rowReading(engine: Engine) {
  return { ...readingOfJob(engine), ...readingOfAllJobs(engine) } satisfies Partial<JobStore>
}

function readingOfJob({ db }: Engine) {
  const rowsOfJob = (jobId: string) => db.selectFrom("job_row").where("job", "=", parseJobId(jobId) ?? 0)
  return {
    async rows(jobId, query) {
      const { state, page, perPage } = query
      const search = query.search?.trim().toLowerCase() ?? ""
      const before = (page - 1) * perPage
      const found = searched(inState(rowsOfJob(jobId), state), search)
      // Without a filter the rows of a page are known by their numbers.
      const paged =
        state === undefined && search === "" ? found.where("row", ">", before) : found.offset(before)
      const rows = await read(paged.orderBy("row").limit(perPage))
      const total = search === "" ? await keptCount(db, parseJobId(jobId) ?? 0, state) : await countOf(found)
      return { rows, total }
    },

    async row(jobId, row) {
      return (await read(rowsOfJob(jobId).where("row", "=", row)))[0]
    },

    causes: (jobId) =>
      inState(rowsOfJob(jobId), "attention")
        .select((eb) => [
          eb.fn.coalesce("outcome_code", sql.lit("")).as("code"),
          eb.fn.coalesce("outcome_message", sql.lit("")).as("message"),
          eb.fn.countAll<number>().as("rows"),
        ])
        .groupBy(["outcome_code", "outcome_message"])
        .orderBy("rows", "desc")
        .orderBy("outcome_code")
        .limit(mostCauses)
        .execute(),

    async rowsIn(jobId, states, after, limit) {
      // Each state is read along its own index: together they would be read whole and sorted.
      const ofState = (state: string) => {
        const some = rowsOfJob(jobId).selectAll().where("state", "=", state).where("row", ">", after)
        return db.selectFrom(some.orderBy("row").limit(limit).as("some")).selectAll()
      }
      const [first, ...others] = states.map(ofState)
      if (first === undefined) return []
      const all = others.reduce((all, other) => all.unionAll(other), first)
      return (await all.orderBy("row").limit(limit).execute()).map(rowTable.read)
    },

    due: (jobId, at, limit) =>
      read(inDueOrder(rowsOfJob(jobId)).where("next_at", "<=", wholeMs(at)).limit(limit)),

    async nextDue(jobId) {
      const row = await inDueOrder(rowsOfJob(jobId))
        .where("next_at", "is not", null)
        .select("next_at")
        .limit(1)
        .executeTakeFirst()
      const canary = await openCanaries(db, jobId)
        .select((eb) => eb.fn.min("next_at").as("next_at"))
        .executeTakeFirst()
      const times = [row?.next_at, canary?.next_at].filter((at) => at !== null && at !== undefined)
      return times.length === 0 ? null : Math.min(...times)
    },

    overdue(jobId, at, owners) {
      const sent = rowsOfJob(jobId).where("state", "=", "sent")
      const given = sent.where((eb) => {
        const isOver = eb("lease_until", "<", wholeMs(at))
        return owners.length === 0 ? isOver : eb.or([isOver, eb("owner", "in", owners)])
      })
      return read(given.orderBy("row"))
    },

    async edits(jobId) {
      const { edits } = await rowsOfJob(jobId)
        .select(sql<number>`cast(coalesce(sum(edits), 0) as bigint)`.as("edits"))
        .executeTakeFirstOrThrow()
      return edits
    },

    async unfoundMembers(jobId) {
      const { members } = await rowsOfJob(jobId)
        .select((eb) => eb.fn.count<number>("email").distinct().as("members"))
        .where("state", "=", "planned")
        .where("member_id", "is", null)
        .where("email", "is not", null)
        .executeTakeFirstOrThrow()
      return members
    },

    async mostRowsOfMember(jobId) {
      const most = await rowsOfJob(jobId)
        .select((eb) => eb.fn.countAll<number>().as("rows"))
        .where("state", "=", "planned")
        .groupBy((eb) => eb.fn.coalesce("member_id", "email"))
        .orderBy("rows", "desc")
        .limit(1)
        .executeTakeFirst()
      return most?.rows ?? 0
    },

    async endedSince(jobId, since) {
      const { ended } = await rowsOfJob(jobId)
        .select((eb) => eb.fn.countAll<number>().as("ended"))
        .where("closed_at", ">=", wholeMs(since))
        .executeTakeFirstOrThrow()
      return ended
    },

    async awaited(jobId) {
      const found = await rowsOfJob(jobId)
        .select((eb) => ["awaits", eb.fn.countAll<number>().as("rows")])
        .where("awaits", "is not", null)
        .where("state", "=", "planned")
        .groupBy("awaits")
        .execute()
      return found.flatMap(({ awaits, rows }) => (awaits === null ? [] : { job: formatJobId(awaits), rows }))
    },
  } satisfies Partial<JobStore>
}

function readingOfAllJobs({ db, kind }: Engine) {
  return {
    async claims(scope, keys) {
      if (keys.length === 0) return new Map()
      const claims = await db
        .selectFrom("job_claim")
        .selectAll()
        .where("scope", "=", scope)
        .where("key", "in", [...new Set(keys)])
        .execute()
      return new Map(claims.map(({ key, job, row }) => [key, { job: formatJobId(job), row }]))
    },

    addressed: (of) =>
      read(
        db
          .selectFrom("job_row")
          .innerJoin("job", "job.number", "job_row.job")
          .where((eb) => {
            if ("memberId" in of) return eb("job_row.member_id", "=", of.memberId)
            const until = wholeMs(of.until)
            const sent = eb.fn.coalesce("job_row.sent_at", "job.created_at")
            return eb.and([eb("job.created_at", "<=", until), eb(sent, "<=", until)])
          })
          // As in the condition of the index.
          .where("job_row.effect", "is", null)
          .where("job_row.member_id", "is not", null)
          .where("job.kind", "in", orderKinds)
          .where("job_row.input", "like", '%"shipping_address":%')
          .orderBy("job_row.job", "desc")
          .orderBy("job_row.row", "desc"),
      ),

    rowsAbout: (kind, { label, memberId }) =>
      read(
        db
          .selectFrom("job_row")
          .innerJoin("job", "job.number", "job_row.job")
          .where("job.kind", "=", kind)
          .$if(label != null, (query) => query.where("job_row.label", "=", label ?? ""))
          .$if(memberId != null, (query) => query.where("job_row.member_id", "=", memberId ?? ""))
          .orderBy("job_row.job", "desc")
          .limit(mostAbout),
      ),

    unfinishedRows: (kind) =>
      read(
        db
          .selectFrom("job_row")
          .innerJoin("job", "job.number", "job_row.job")
          .where("job.kind", "=", kind)
          .where((eb) =>
            eb.or([
              eb("job_row.state", "in", ["sent", "unknown"]),
              eb("job_row.state", "=", "planned").and("job.state", "in", ["running", "paused", "cancelling"]),
              eb("job_row.state", "in", ["absent", "conflict"]).and("job_row.decision", "is", null),
              eb("job_row.state", "=", "confirmed").and("job_row.next_at", "is not", null),
            ]),
          )
          .orderBy("job_row.job")
          .orderBy("job_row.row"),
      ),

    async reversedRows(jobId, rows) {
      const found = await db
        .selectFrom("job_row")
        .select(["job", "row", "state", "reverses_row"])
        .where("reverses_job", "=", parseJobId(jobId) ?? 0)
        .$if(rows !== undefined, (query) => query.where("reverses_row", "in", numberset(kind, rows ?? [])))
        .execute()
      return new Map(
        found.map(({ job, row, state, reverses_row: reversed }) => [
          reversed ?? 0,
          { job: formatJobId(job), row, state: rowRecord.shape.state.parse(state) },
        ]),
      )
    },

    async confirmedAfter(of, after, limit) {
      const rows = await db
        .selectFrom("job_row")
        .innerJoin("job", "job.number", "job_row.job")
        .selectAll("job_row")
        .where("job_row.state", "=", sql.lit("confirmed"))
        .where("job_row.closed_at", ">", wholeMs(after))
        .where("job_row.confirmed_at", "is not", null)
        .where("job_row.upstream_id", "is not", null)
        .where((eb) =>
          "job" in of ? eb("job_row.job", "=", parseJobId(of.job) ?? 0) : eb("job.kind", "=", of.kind),
        )
        .$if(of.answered === true, (query) =>
          query
            .where("job_row.ended_how", "=", endedWithResponse)
            .where("job_row.ended_at", ">", wholeMs(after)),
        )
        .orderBy("job_row.closed_at", "desc")
        .orderBy("job_row.job", "desc")
        .orderBy("job_row.row", "desc")
        .limit(limit)
        .execute()
      return rows.map(rowTable.read)
    },
  } satisfies Partial<JobStore>
}

type Rows = SelectQueryBuilder<Database, "job_row", object>

async function read(rows: Rows): Promise<RowRecord[]> {
  return (await rows.selectAll("job_row").execute()).map(rowTable.read)
}

function inDueOrder(rows: Rows): Rows {
  return (
    rows
      // As in the condition of the index.
      .where(sql<boolean>`state in ('unknown', 'confirmed')`)
      .orderBy("next_at")
      .orderBy("row")
  )
}

function inState(rows: Rows, state: RowQuery["state"]): Rows {
  if (state === undefined) return rows
  if (state !== "attention") return rows.where("state", "=", state)
  return rows.where("state", "in", ["absent", "conflict"]).where("decision", "is", null)
}

/** Rows with a text in lower case; with digits only the row of that number, too. */
function searched(rows: Rows, text: string): Rows {
  if (text === "") return rows
  const like = sql<boolean>`search like ${containing(text)} escape '\\'`
  if (!/^\d{1,9}$/.test(text)) return rows.where(like)
  return rows.where((eb) => eb.or([like, eb(eb.fn.coalesce("line", "row"), "=", Number(text))]))
}

async function keptCount(db: Engine["db"], number: number, state: RowQuery["state"]) {
  const job = await db.selectFrom("job").selectAll().where("number", "=", number).executeTakeFirst()
  if (job === undefined) return 0
  return state === undefined ? job.total + job.excluded : job[state]
}

async function countOf(rows: Rows): Promise<number> {
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow()
  return total
}

const mostCanaries = 500

export function jobCanaries(engine: JobEngine) {
  const { db } = engine
  return {
    async watch(canaries) {
      for (const [jobId, ofJob] of Map.groupBy(canaries, (canary) => canary.jobId)) {
        await withJob(engine, jobId, undefined, async (job) => {
          const unseen = { seenAt: null, lookups: 0, void: false, missing: false }
          const added = await job.within
            .insertInto("job_canary")
            .values(ofJob.map((canary) => canaryTable.write({ ...canary, ...unseen })))
            .onConflict((conflict) => conflict.doNothing())
            .returning("next_at")
            .execute()
          job.openCanaries += added.filter((canary) => canary.next_at !== null).length
          await saveJob(job)
        })
      }
    },

    updateCanary: async ({ jobId, row }, set) => {
      await withJob(engine, jobId, undefined, async (job) => {
        const one = { job: job.number, row }
        const found = await job.within
          .selectFrom("job_canary")
          .selectAll()
          .where((eb) => eb.and(one))
          .executeTakeFirst()
        if (found === undefined) return
        const noted = { ...found, ...canaryTable.writeSome(set) }
        await job.within
          .updateTable("job_canary")
          .set(noted)
          .where((eb) => eb.and(one))
          .execute()
        job.openCanaries += Number(isOpen(noted)) - Number(isOpen(found))
        await saveJob(job)
      })
    },

    async dueCanaries(jobId, at, limit) {
      const due = openCanaries(db, jobId).where("next_at", "<=", wholeMs(at))
      const found = due.selectAll().orderBy("next_at").orderBy("row").limit(limit)
      return (await found.execute()).map(canaryTable.read)
    },

    async missingCanaries(jobId) {
      const missing = openCanaries(db, jobId).where("missing", "=", 1)
      return (await missing.select("row").orderBy("row").execute()).map(({ row }) => row)
    },

    async canaries(type, since) {
      const found = await db
        .selectFrom("job_canary")
        .selectAll()
        .where("type", "=", type)
        .where("answered_at", ">=", wholeMs(since))
        .where("void", "=", 0)
        .orderBy("answered_at", "desc")
        .orderBy("job", "desc")
        .orderBy("row", "desc")
        .limit(mostCanaries)
        .execute()
      return found.map(canaryTable.read)
    },
  } satisfies Partial<JobStore>
}

function openCanaries(db: Engine["db"], jobId: string) {
  const ofJob = db.selectFrom("job_canary").where("job", "=", parseJobId(jobId) ?? 0)
  return ofJob.where("seen_at", "is", null).where("void", "=", 0)
}

function isOpen(canary: Selectable<Database["job_canary"]>): boolean {
  return canary.next_at !== null && canary.seen_at === null && canary.void === 0
}

/** Confirmed points of one kind, and one reason, one person or one quarter of an hour (its start in ms since 1970). */
const pointsSum = z.object({
  kind: z.enum(jobKinds),
  group: z.union([z.string(), z.number()]),
  reason: z.nullable(z.string()),
  points: z.number(),
  rows: z.number(),
})

/** Every time zone is a whole number of these away from UTC, so none of them lies in two days. */
const quarterHourMs = 900_000
// Whole numbers are divided: the start of the quarter of an hour.
const quarterHour = sql`job_row.closed_at / ${sql.lit(quarterHourMs)} * ${sql.lit(quarterHourMs)}`

const groups = {
  reason: sql`coalesce(job_row.reason, '')`,
  person: sql`job.created_by_name`,
  month: quarterHour,
  day: quarterHour,
}

export function jobReport({ patient }: Engine): JobReports {
  return {
    async pointsReport({ by = "reason", split, from, to }, timeZone) {
      const reason = split === undefined ? sql`null` : groups.reason
      const group = groups[by]
      const { rows } = await sql`
        select job.kind as kind, ${group} as "group", ${reason} as reason, count(*) as rows,
          cast(coalesce(sum(job_row.points + coalesce(back.points, 0)), 0) as bigint) as points
        from job_row inner join job on job.number = job_row.job
        left join job_row as back on back.reverses_job = job_row.job and back.reverses_row = job_row.row
          and back.state = 'confirmed'
        where job_row.state = 'confirmed' and job.kind in (${sql.join(jobKinds.filter(hasPoints))})
          and job_row.reverses_job is null
          -- Of an award that was corrected only the rest is reversed: what the deduction took still counts.
          and (back.row is null or job_row.points + back.points <> 0)
          and job_row.closed_at >= ${from === undefined ? 0 : Date.parse(from)}
          and job_row.closed_at <= ${to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to)}
        group by job.kind, ${group}${split === undefined ? sql`` : sql`, ${reason}`}`.execute(patient)
      return pointsReportOf(z.array(pointsSum).parse(rows), { by, split }, timeZone)
    },
    async reversals() {
      const { rows } = await sql<Reversal>`
        select job_row.member_id as "memberId", job_row.upstream_id as "reversedId",
          back.member_id as "reversingMemberId", back.upstream_id as "reversingId", back.points as points
        from job_row as back inner join job_row on job_row.job = back.reverses_job and job_row.row = back.reverses_row
          inner join job on job.number = job_row.job
        where back.reverses_job is not null and back.state = 'confirmed' and job_row.state = 'confirmed'
          and job.kind in (${sql.join(jobKinds.filter(hasPoints))})
          and job_row.member_id is not null and job_row.upstream_id is not null
          and back.member_id is not null and back.upstream_id is not null and back.points is not null`.execute(
        patient,
      )
      return rows
    },
  }
}

/** Reasons that a line is split by: the most a chart can distinguish, plus the rest. */
const leadingReasons = 4

/** Lines of the report: months and days in order, reasons and people by points. */
function pointsReportOf(
  sums: readonly z.output<typeof pointsSum>[],
  { by, split }: Pick<PointsReportQuery, "by" | "split">,
  timeZone: string,
): PointsReport["rows"] {
  const leading = split === undefined ? undefined : mostAwarded(sums)
  const timed = by === "month" || by === "day"
  const nameOf = (group: string | number) =>
    timed ? dayAt(Number(group), timeZone).slice(0, by === "month" ? 7 : 10) : String(group)
  const lines = new Map<string, PointsReport["rows"][number]>()
  for (const { kind, group, reason, points, rows } of sums) {
    const name = {
      group: nameOf(group),
      ...(leading && { reason: reason !== null && leading.has(reason) ? reason : null }),
    }
    const key = JSON.stringify(name)
    const line = lines.get(key) ?? { ...name, awarded: 0, deducted: 0, awards: 0, deductions: 0 }
    const added =
      jobKindDescriptors[kind].sign === 1
        ? { awarded: line.awarded + Math.abs(points), awards: line.awards + rows }
        : { deducted: line.deducted + Math.abs(points), deductions: line.deductions + rows }
    lines.set(key, { ...line, ...added })
  }
  return [...lines.values()].toSorted((one, other) => {
    const more = other.awarded + other.deducted - one.awarded - one.deducted
    if (more !== 0 && (!timed || one.group === other.group)) return more
    return one.group < other.group ? -1 : 1
  })
}

/** The reasons that most points were awarded for. */
function mostAwarded(sums: readonly z.output<typeof pointsSum>[]): ReadonlySet<string | null> {
  const awarded = new Map<string | null, number>()
  for (const { kind, reason, points } of sums) {
    if (jobKindDescriptors[kind].sign === 1) awarded.set(reason, (awarded.get(reason) ?? 0) + points)
  }
  const leading = [...awarded].toSorted(([, one], [, other]) => other - one).slice(0, leadingReasons)
  return new Set(leading.map(([reason]) => reason))
}
