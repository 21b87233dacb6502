import { sql, type SelectQueryBuilder } from "kysely"
import { jobIdOf, jobNumberOf } from "../../core/job-data/job-number.ts"
import { rowSearchOf, type RowSearch } from "../../core/job-data/row-search.ts"
import type { JobStore, RowQuery } from "../../core/jobs/job-store.ts"
import type { Engine } from "../engine.ts"
import { wholeMs } from "../recordset.ts"
import type { Database } from "../schema.ts"
import { rowOf } from "./row-columns.ts"

type Reading = Pick<
  JobStore,
  | "rows"
  | "row"
  | "rowsIn"
  | "due"
  | "nextDue"
  | "overdue"
  | "endedSince"
  | "claims"
  | "reversedRows"
  | "confirmedAfter"
>

/** Reading rows of jobs. */
export function rowReading({ db }: Engine): Reading {
  const rowsOfJob = (jobId: string) => db.selectFrom("job_row").where("job", "=", jobNumberOf(jobId) ?? 0)
  return {
    async rows(jobId, { state, search, page, perPage }) {
      const found = searched(inState(rowsOfJob(jobId), state), rowSearchOf({ search }))
      const { total } = await found
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow()
      const rows = await found
        .selectAll()
        .orderBy("row")
        .offset((page - 1) * perPage)
        .limit(perPage)
        .execute()
      return { rows: rows.map(rowOf), total }
    },

    async row(jobId, row) {
      const found = await rowsOfJob(jobId).selectAll().where("row", "=", row).executeTakeFirst()
      return found === undefined ? undefined : rowOf(found)
    },

    async rowsIn(jobId, states, after, limit) {
      if (states.length === 0) return []
      const rows = await rowsOfJob(jobId)
        .selectAll()
        .where("state", "in", states)
        .where("row", ">", after)
        .orderBy("row")
        .limit(limit)
        .execute()
      return rows.map(rowOf)
    },

    async due(jobId, at, limit) {
      const rows = await rowsOfJob(jobId)
        .selectAll()
        .where("next_at", "<=", wholeMs(at))
        .where("state", "in", ["unknown", "confirmed"])
        .orderBy("next_at")
        .orderBy("row")
        .limit(limit)
        .execute()
      return rows.map(rowOf)
    },

    async nextDue(jobId) {
      const row = await rowsOfJob(jobId)
        .select("next_at")
        .where("next_at", "is not", null)
        .where("state", "in", ["unknown", "confirmed"])
        .orderBy("next_at")
        .limit(1)
        .executeTakeFirst()
      const control = await db
        .selectFrom("job_control")
        .select((eb) => eb.fn.min("next_at").as("next_at"))
        .where("job", "=", jobNumberOf(jobId) ?? 0)
        .where("seen_at", "is", null)
        .where("void", "=", 0)
        .executeTakeFirst()
      const times = [row?.next_at, control?.next_at].filter((at) => at !== null && at !== undefined)
      return times.length === 0 ? null : Math.min(...times)
    },

    async overdue(jobId, at, owners) {
      const rows = await rowsOfJob(jobId)
        .selectAll()
        .where("state", "=", "sent")
        .where((eb) =>
          eb.or([
            eb("lease_until", "<", wholeMs(at)),
            ...(owners.length === 0 ? [] : [eb("owner", "in", owners)]),
          ]),
        )
        .orderBy("row")
        .execute()
      return rows.map(rowOf)
    },

    async endedSince(jobId, since) {
      const { ended } = await rowsOfJob(jobId)
        .select((eb) => eb.fn.countAll<number>().as("ended"))
        .where("closed_at", ">=", wholeMs(since))
        .executeTakeFirstOrThrow()
      return ended
    },

    async claims(scope, keys) {
      if (keys.length === 0) return new Map()
      const claims = await db
        .selectFrom("job_claim")
        .selectAll()
        .where("scope", "=", scope)
        .where("key", "in", [...new Set(keys)])
        .execute()
      return new Map(claims.map(({ key, job, row }) => [key, { job: jobIdOf(job), row }]))
    },

    async reversedRows(jobId) {
      const rows = await db
        .selectFrom("job_row")
        .select("reverses_row")
        .where("reverses_job", "=", jobNumberOf(jobId) ?? 0)
        .execute()
      return new Set(rows.flatMap((row) => row.reverses_row ?? []))
    },

    async confirmedAfter(kinds, after, limit) {
      if (kinds.length === 0) return []
      const rows = await db
        .selectFrom("job_row")
        .innerJoin("job", "job.number", "job_row.job")
        .selectAll("job_row")
        .where("job_row.state", "=", sql.lit("confirmed"))
        .where("job_row.closed_at", ">", wholeMs(after))
        .where("job_row.confirmed_at", "is not", null)
        .where("job_row.upstream_id", "is not", null)
        .where("job.kind", "in", kinds)
        .orderBy("job_row.closed_at", "desc")
        .orderBy("job_row.job", "desc")
        .orderBy("job_row.row", "desc")
        .limit(limit)
        .execute()
      return rows.map(rowOf)
    },
  }
}

type Rows = SelectQueryBuilder<Database, "job_row", object>

function inState(rows: Rows, state: RowQuery["state"]): Rows {
  if (state === undefined) return rows
  if (state !== "attention") return rows.where("state", "=", state)
  return rows.where("state", "in", ["absent", "conflict"]).where("decision", "is", null)
}

function searched(rows: Rows, search: RowSearch | undefined): Rows {
  if (search === undefined) return rows
  const pattern = `%${search.text.replace(/[\\%_]/g, String.raw`\$&`)}%`
  const like = sql<boolean>`search like ${pattern} escape '\\'`
  const { row } = search
  return row === undefined ? rows.where(like) : rows.where((eb) => eb.or([like, eb("row", "=", row)]))
}
