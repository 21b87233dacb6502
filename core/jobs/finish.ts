import { rowOutcomeWords } from "../../contract/row-outcomes.ts"
import type { AuditAction, AuditEntry } from "../../contract/audit.ts"
import { isHeld } from "../job-data/job-needs.ts"
import type { NewAuditEntry } from "../audit-log.ts"
import { type JobContext, plannedRows } from "./job-context.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"

/**
 * Brings a job to its end once nothing is sent or unknown: `done` when nothing is planned either, `cancelled` when it
 * was being cancelled. Gives the job as it is now.
 */
export async function finishIfOver(context: JobContext, jobId: string): Promise<JobRecord | undefined> {
  const { jobs } = context.store
  const job = await jobs.get(jobId)
  if (job === undefined || job.counts.sent > 0 || job.counts.unknown > 0) return job
  if (job.state === "cancelling") return cancelRest(context, job)
  if (job.counts.planned > 0 || (job.state !== "running" && job.state !== "paused")) return job
  // A person may decide all of them with one word.
  if (isHeld(job) && job.attention > 0) return job
  return (await end(context, job, "done")) ?? job
}

/**
 * The rest stays planned and gives back what it held. A row that was sent before is not dropped unseen: it was proven
 * absent, and a person says what becomes of it.
 */
async function cancelRest(context: JobContext, job: JobRecord): Promise<JobRecord> {
  const { jobs } = context.store
  const hold = kindRules[job.kind].claimUntilEnd
  for await (const rows of plannedRows(jobs, job.id)) {
    const changes = rows.flatMap((row): RowChange[] => {
      const release = hold?.(row)
      const outcome = { code: "left_to_person", message: rowOutcomeWords.left_to_person }
      // After a restore a row can be marked doubtful without an attempt.
      if (row.doubtful && row.attempts > 0)
        return [{ row: row.row, from: ["planned"], set: { state: "absent", outcome, decision: null } }]
      if (release !== undefined) return [{ row: row.row, from: ["planned"], set: {}, release }]
      // Another reversal may take it back later.
      return row.reverses === null ? [] : [{ row: row.row, from: ["planned"], set: { reverses: null } }]
    })
    if (changes.length > 0) await jobs.changeRows(job.id, changes)
  }
  if (job.reverses !== null) await giveBackFailed(context, job)
  return (await end(context, job, "cancelled")) ?? job
}

/** A cancelled reversal is not tried again: what it could not take back is left to another one. */
async function giveBackFailed({ store }: JobContext, job: JobRecord): Promise<void> {
  for (let after = 0; ;) {
    const rows = await store.jobs.rowsIn(job.id, ["failed"], after, 1000)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.row
    const set = { reverses: null }
    await store.jobs.changeRows(
      job.id,
      rows.map(({ row }) => ({ row, from: ["failed"], set })),
    )
  }
}

async function end(
  context: JobContext,
  job: JobRecord,
  state: "done" | "cancelled",
): Promise<JobRecord | undefined> {
  const from = state === "done" ? (["running", "paused"] as const) : (["cancelling"] as const)
  const finishedAt = context.time.now()
  let entry: AuditEntry | undefined
  const ended = await context.store.jobs.change(
    job.id,
    from,
    { state, pause: null, finishedAt },
    (after, only) => {
      entry = context.audit.make(entryOfEnd(after, only))
      return entry
    },
  )
  if (ended === undefined) return undefined
  if (entry !== undefined) context.audit.written(entry)
  context.jobChanged(job.id)
  return ended
}

const actions: Readonly<Record<JobRecord["kind"], AuditAction>> = {
  award: "points.award",
  deduct: "points.deduct",
  "member-create": "member.create",
  redeem: "reward.redeem",
  "order-update": "order.update",
  giftcard: "card.issue",
}

/** The log names the member where there is one, and the job with its counts where there are many. */
function entryOfEnd(job: JobRecord, only: RowRecord | undefined): NewAuditEntry {
  return {
    actor: job.createdBy,
    area: "program",
    request_id: job.id,
    source: null,
    ...(only === undefined ? manyOf(job) : oneOf(job, only)),
  }
}

type Said = Pick<AuditEntry, "action" | "on" | "outcome" | "note" | "changes">

function oneOf(job: JobRecord, row: RowRecord): Said {
  const outcomes = { confirmed: "done", failed: "refused", planned: "refused" } as const
  const changes = row.points === null ? [] : [{ field: "points", from: null, to: String(row.points) }]
  const reason = row.reason === null ? [] : [{ field: "reason", from: null, to: row.reason }]
  return {
    action: actions[job.kind],
    on: onWhat(job, row),
    outcome: row.state in outcomes ? outcomes[row.state as keyof typeof outcomes] : "unknown",
    note: row.outcome === null ? null : row.outcome.message,
    changes: [
      ...changes,
      ...reason,
      ...(kindRules[job.kind].auditChanges?.(row) ?? []),
      { field: "job", from: null, to: job.id },
    ],
  }
}

function onWhat(job: JobRecord, row: RowRecord): AuditEntry["on"] {
  if (job.kind === "order-update") return { kind: "order", id: row.label ?? "", label: null }
  if (job.kind === "giftcard")
    return { kind: "card", id: row.upstreamId ?? "", label: row.label ?? row.email }
  const made = job.kind === "member-create" ? row.upstreamId : null
  return { kind: "member", id: row.memberId ?? made ?? "", label: row.label ?? row.email }
}

function manyOf(job: JobRecord): Said {
  const { confirmed, failed, planned } = job.counts
  return {
    action: "job.finish",
    on: { kind: "job", id: job.id, label: job.title },
    outcome: job.attention > 0 ? "unknown" : confirmed > 0 ? "done" : "failed",
    note: `${confirmed} confirmed, ${failed} failed, ${job.attention} need a decision${planned > 0 ? `, ${planned} not sent` : ""}.`,
    changes: [],
  }
}
