import type { Selectable } from "kysely"
import { jobIdOf, jobNumberOf } from "../../../core/job-data/job-number.ts"
import { controlRecord } from "../../../core/job-data/record-schemas.ts"
import type { ControlRecord, JobStore } from "../../../core/jobs/job-store.ts"
import type { JobControlTable } from "../job-schema.ts"
import { wholeMs } from "../recordset.ts"
import { keepJob, withJob, type JobEngine } from "./held-job.ts"

const mostControls = 500

/** Watched effects. */
export function jobControls(
  engine: JobEngine,
): Pick<JobStore, "watch" | "noteControl" | "dueControls" | "controls"> {
  const { db } = engine
  return {
    async watch(controls) {
      for (const [jobId, ofJob] of Map.groupBy(controls, (control) => control.jobId)) {
        await withJob(engine, jobId, undefined, async (job) => {
          const added = await job.within
            .insertInto("job_control")
            .values(ofJob.map((control) => newColumns(control, job.number)))
            .onConflict((conflict) => conflict.doNothing())
            .returning("next_at")
            .execute()
          job.openControls += added.filter((control) => control.next_at !== null).length
          await keepJob(job)
        })
      }
    },

    noteControl: async ({ jobId, row }, set) => {
      await withJob(engine, jobId, undefined, async (job) => {
        const found = await job.within
          .selectFrom("job_control")
          .selectAll()
          .where("job", "=", job.number)
          .where("row", "=", row)
          .executeTakeFirst()
        if (found === undefined) return
        const noted = await job.within
          .updateTable("job_control")
          .set({ ...found, ...changeOf(set) })
          .where("job", "=", job.number)
          .where("row", "=", row)
          .returningAll()
          .executeTakeFirstOrThrow()
        job.openControls += Number(isOpen(noted)) - Number(isOpen(found))
        await keepJob(job)
      })
    },

    async dueControls(jobId, at, limit) {
      const found = await db
        .selectFrom("job_control")
        .selectAll()
        .where("job", "=", jobNumberOf(jobId) ?? 0)
        .where("next_at", "<=", wholeMs(at))
        .where("seen_at", "is", null)
        .where("void", "=", 0)
        .orderBy("next_at")
        .orderBy("row")
        .limit(limit)
        .execute()
      return found.map(controlOf)
    },

    async controls(type, since) {
      const found = await db
        .selectFrom("job_control")
        .selectAll()
        .where("type", "=", type)
        .where("answered_at", ">=", wholeMs(since))
        .where("void", "=", 0)
        .orderBy("answered_at", "desc")
        .orderBy("job", "desc")
        .orderBy("row", "desc")
        .limit(mostControls)
        .execute()
      return found.map(controlOf)
    },
  }
}

function isOpen(control: Selectable<JobControlTable>): boolean {
  return control.next_at !== null && control.seen_at === null && control.void === 0
}

function newColumns(
  control: Parameters<JobStore["watch"]>[0][number],
  job: number,
): Selectable<JobControlTable> {
  return {
    job,
    row: control.row,
    type: control.type,
    member_id: control.memberId,
    upstream_id: control.upstreamId,
    answered_at: wholeMs(control.answeredAt),
    seen_at: null,
    next_at: timeOf(control.nextAt),
    looks: 0,
    void: 0,
  }
}

function changeOf(set: Parameters<JobStore["noteControl"]>[1]): Partial<Selectable<JobControlTable>> {
  return {
    ...(set.seenAt !== undefined && { seen_at: timeOf(set.seenAt) }),
    ...(set.nextAt !== undefined && { next_at: timeOf(set.nextAt) }),
    ...(set.looks !== undefined && { looks: set.looks }),
    ...(set.void !== undefined && { void: set.void ? 1 : 0 }),
  }
}

function controlOf(columns: Selectable<JobControlTable>): ControlRecord {
  return controlRecord.parse({
    jobId: jobIdOf(columns.job),
    row: columns.row,
    type: columns.type,
    memberId: columns.member_id,
    upstreamId: columns.upstream_id,
    answeredAt: columns.answered_at,
    seenAt: columns.seen_at,
    nextAt: columns.next_at,
    looks: columns.looks,
    void: columns.void === 1,
  })
}

function timeOf(at: number | null): number | null {
  return at === null ? null : wholeMs(at)
}
