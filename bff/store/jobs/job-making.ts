import { sql, type Kysely, type Transaction } from "kysely"
import { jobIdOf, jobNumberOf } from "../../../core/job-data/job-number.ts"
import { isSameInput } from "../../../core/job-data/same-input.ts"
import { addedByStart, countRow, emptyTally } from "../../../core/job-data/tally.ts"
import type { JobStore, MostMoved, NewJob, NewRow } from "../../../core/jobs/job-store.ts"
import { readClock } from "../clock-sql.ts"
import type { Database } from "../schema.ts"
import { changeHeldJob } from "./change-held-job.ts"
import { keepJob, limitPassed, startedAmount, withJob, type HeldJob, type JobEngine } from "./held-job.ts"
import { insertRows, newRows } from "./insert-rows.ts"
import { jobOf, newJobColumns } from "./job-columns.ts"
import { rowOf } from "./row-columns.ts"

/** Nothing of the transaction stays. */
class TakenBack extends Error {}

/** How jobs come to be. */
export function jobMaking(
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
        return passed ?? changeHeldJob(job, { from: [from], set: { ...set, state: "running" } })
      }),
    startedAmount: (makerId, query) => startedAmount(engine.db, makerId, query),
  }
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
    .values(newJobColumns(job, tally, await readClock(engine.kind, within)))
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
  return { job: jobOf(made), made: true }
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
  return { job: jobOf(twin), made: false } as const
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
    return kept !== undefined && isSameInput(rowOf(kept).input, row.input)
  })
}
