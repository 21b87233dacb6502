import { sql } from "kysely"
import { mayChangeRows } from "../../../core/job-data/job-change.ts"
import { changedBy, endOf } from "../../../core/job-data/row-change.ts"
import type {
  JobChange,
  JobStore,
  MostMoved,
  RowChange,
  RowChanged,
  RowRecord,
} from "../../../core/jobs/job-store.ts"
import { numberset, recordset, wholeMs } from "../recordset.ts"
import { limitPassed, recount, withJob, type HeldJob, type JobEngine } from "./held-job.ts"
import { changeHeldJob } from "./change-held-job.ts"
import { holdClaims } from "./row-claims.ts"
import { columnsOf, rowKeys, rowOf, rowValues, valueNames } from "./row-columns.ts"

/** Changing rows of jobs: the changes of one job come one after the other. */
export function rowChanging(engine: JobEngine): Pick<JobStore, "changeRows" | "hurry" | "giveOrdinals"> {
  return {
    changeRows: async (jobId, changes, jobChange, most) => {
      const stale = changes.map((): RowChanged => "stale")
      const work = (job: HeldJob) => changeRows(engine, job, changes, jobChange, most)
      return changes.length === 0 ? [] : withJob(engine, jobId, stale, work)
    },

    hurry: async (jobId, request, at) => {
      await withJob(engine, jobId, undefined, ({ within, number }) =>
        within
          .updateTable("job_row")
          .set({ next_at: wholeMs(at) })
          .where("job", "=", number)
          .where("state", "=", "unknown")
          .where("request", "=", request)
          .where("next_at", ">", wholeMs(at))
          .execute(),
      )
    },

    giveOrdinals: async (jobId) => {
      await withJob(engine, jobId, undefined, giveOrdinals)
    },
  }
}

/** A row as it was when the transaction began, and as it is now. */
interface Changing {
  readonly before: RowRecord
  readonly end: number | null
  now: RowRecord
}

async function changeRows(
  engine: JobEngine,
  job: HeldJob,
  changes: readonly RowChange[],
  jobChange: JobChange | undefined,
  most: MostMoved | undefined,
): Promise<RowChanged[]> {
  if (!mayChangeRows(job.record, jobChange)) return changes.map(() => "stale")
  const rows = await readRows(job, changes)
  const claims = await holdClaims(job, changes)
  const results = changes.map((change): RowChanged => {
    const row = rows.get(change.row)
    const changed = changedBy(row?.now, change, claims)
    if (row === undefined || typeof changed === "string")
      return typeof changed === "string" ? changed : "stale"
    row.now = changed
    return "changed"
  })
  const changed = [...rows.values()].filter(({ before, now }) => before !== now)
  const kept = job.tally.amount
  for (const { before, now } of changed) recount(job, before, now)
  const { amount } = job.tally
  const moved = { makerId: job.record.createdBy.id, amount, added: amount - kept }
  // What moves less than before is within every limit, also one that was lowered meanwhile.
  const passed = amount > kept ? await limitPassed(engine, job.within, most, moved) : undefined
  if (passed !== undefined) return changes.map(() => passed)
  await claims.keep()
  if (changed.length === 0) return results
  await writeRows(job, changed)
  await changeHeldJob(job, jobChange)
  return results
}

async function readRows(job: HeldJob, changes: readonly RowChange[]): Promise<Map<number, Changing>> {
  const numbers = [...new Set(changes.map(({ row }) => row))]
  const found = await job.within
    .selectFrom("job_row")
    .selectAll()
    .where("job", "=", job.number)
    .where("row", "in", numberset(job.kind, numbers))
    .execute()
  return new Map(
    found.map((columns) => {
      const before = rowOf(columns)
      return [columns.row, { before, end: columns.closed_at, now: before }]
    }),
  )
}

/** Writes the columns that changed in any of the rows, all rows at once. */
async function writeRows(job: HeldJob, rows: readonly Changing[]): Promise<void> {
  const written = rows.map(({ before, end, now }) => ({
    before: columnsOf(before, end),
    now: columnsOf(now, endOf({ state: before.state, end }, now, job.now)),
  }))
  const names = valueNames.filter((name) => written.some(({ before, now }) => before[name] !== now[name]))
  if (names.length === 0) return
  const columns = { ...rowKeys, ...Object.fromEntries(names.map((name) => [name, rowValues[name]])) }
  const sets = names.map((name) => sql`${sql.ref(name)} = given.${sql.ref(name)}`)
  const given = written.map(({ now }) =>
    Object.fromEntries(Object.keys(columns).map((name) => [name, Reflect.get(now, name)])),
  )
  await sql`
    update job_row set ${sql.join(sets)} from ${recordset(job.kind, columns, given)}
    where job_row.job = given.job and job_row.row = given.row`.execute(job.within)
}

async function giveOrdinals({ within, number }: HeldJob): Promise<void> {
  await sql`
    update job_row set ordinal = given.ordinal from (
      select job, row, row_number() over (partition by member_id order by row) + coalesce((
        select max(other.ordinal) from job_row as other
        where other.job = bare.job and other.member_id = bare.member_id and other.ordinal is not null
      ), 0) as ordinal
      from job_row as bare
      where job = ${number} and state = 'planned' and member_id is not null and ordinal is null
    ) as given
    where job_row.job = given.job and job_row.row = given.row`.execute(within)
}
