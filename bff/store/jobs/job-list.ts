import { sql, type SelectQueryBuilder } from "kysely"
import { mayChange } from "../../../core/job-data/job-change.ts"
import { jobNumberOf } from "../../../core/job-data/job-number.ts"
import type { JobQuery, JobRecord, JobStore, RowRecord } from "../../../core/jobs/job-store.ts"
import { appendEntry } from "../audit-store.ts"
import { wholeMs } from "../recordset.ts"
import type { Database } from "../schema.ts"
import { changeHeldJob } from "./change-held-job.ts"
import { withJob, type HeldJob, type JobEngine } from "./held-job.ts"
import { jobOf } from "./job-columns.ts"
import { rowOf } from "./row-columns.ts"

/** Whole jobs. */
export function jobList(engine: JobEngine): Pick<JobStore, "get" | "list" | "summary" | "change" | "busy"> {
  const { db } = engine
  return {
    async get(jobId) {
      const number = jobNumberOf(jobId)
      if (number === undefined) return undefined
      const found = await db.selectFrom("job").selectAll().where("number", "=", number).executeTakeFirst()
      return found === undefined ? undefined : jobOf(found)
    },

    async list(query) {
      const found = await filtered(inScope(db.selectFrom("job"), query.scope), query)
        .selectAll()
        .orderBy("number", "desc")
        .limit(query.perPage + 1)
        .execute()
      return found.map(jobOf)
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
        if (!mayChange({ state: job.record.state, counts: job.tally.counts }, { from, set })) return undefined
        const changed = await changeHeldJob(job, { from, set })
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
      return found.map(jobOf)
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
  return found === undefined ? undefined : rowOf(found)
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
