import { sql } from "kysely"
import { jobIdOf, jobNumberOf } from "../../../core/job-data/job-number.ts"
import type { JobStore } from "../../../core/jobs/job-store.ts"
import type { Engine } from "../engine.ts"
import { wholeMs } from "../recordset.ts"
import { rowOf } from "./row-columns.ts"

type Reading = Pick<
  JobStore,
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
    async row(jobId, row) {
      const found = await rowsOfJob(jobId).selectAll().where("row", "=", row).executeTakeFirst()
      return found === undefined ? undefined : rowOf(found)
    },

    async rowsIn(jobId, states, after, limit) {
      // Each state is read along its own index: together they would be read whole and sorted.
      const [first, ...others] = states.map((state) =>
        db
          .selectFrom(
            rowsOfJob(jobId)
              .selectAll()
              .where("state", "=", state)
              .where("row", ">", after)
              .orderBy("row")
              .limit(limit)
              .as("some"),
          )
          .selectAll(),
      )
      if (first === undefined) return []
      const all = others.reduce((all, other) => all.unionAll(other), first)
      const rows = await all.orderBy("row").limit(limit).execute()
      return rows.map(rowOf)
    },

    async due(jobId, at, limit) {
      const rows = await rowsOfJob(jobId)
        .selectAll()
        .where("next_at", "<=", wholeMs(at))
        .where(isLookedAtAgain)
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
        .where(isLookedAtAgain)
        .orderBy("next_at")
        .orderBy("row")
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

/** As the index says it. */
const isLookedAtAgain = sql<boolean>`state in ('unknown', 'confirmed')`
