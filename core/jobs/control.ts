import { type JobState, pauseCodes, type RetryJobBody } from "../../contract/job.ts"
import type { AuditAction, AuditChange, AuditEntry } from "../../contract/audit.ts"
import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import { type ActContext, entryOf, type NewAuditEntry } from "../audit-log.ts"
import { AppError, invalid, notFound, stored } from "../errors.ts"
import { isHeld } from "./records.ts"
import { amountRules, noAmountRules, type AmountRules } from "./amount-limits.ts"
import { type JobContext, plannedRows, resetDeadline, rowPortions } from "./job-context.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"
import type { Jobs } from "./jobs.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { outcomeOf } from "./outcome.ts"
import { requireRepeats } from "./repeats.ts"
import { releaseJob, requireNotHeld } from "./restore.ts"
import { editRows, retryRows } from "./retry.ts"

type Set = Parameters<JobContext["store"]["jobs"]["change"]>[2]

/** Changed fields that one entry of the log names. */
const changesNamed = 200

/** What people do with a job: each only from the states that allow it. */
export function controlJob(
  context: JobContext,
  wake: (jobId: string) => void,
): Pick<Jobs, "start" | "pause" | "resume" | "cancel" | "retry" | "edit" | "release"> {
  const { jobs } = context.store

  async function move(
    asker: ActContext,
    id: string,
    act: {
      readonly action: AuditAction
      readonly from: readonly JobState[]
      readonly set: Set
      readonly no: string
    },
    reason?: string,
  ): Promise<JobRecord> {
    const job = await stored(jobs.change(id, act.from, act.set))
    if (job === undefined) throw await refused(id, act.no)
    await note(asker, act.action, job, reason)
    context.jobChanged(id)
    wake(id)
    return job
  }

  /** Lets a job run within the limits of the day it then counts for. */
  async function letRun(
    asker: ActContext,
    before: JobRecord,
    act: {
      readonly action: AuditAction
      readonly from: "draft" | "paused"
      readonly set: Omit<Set, "state">
      readonly startedAt: number
      readonly amounts: AmountRules
      /** What it is not, and what was not done. */
      readonly no: { readonly word: string; readonly rest: string }
    },
    reason?: string,
  ): Promise<JobRecord> {
    const { id, amount, createdBy } = before
    const { startedAt, amounts, no } = act
    const job = await stored(jobs.start(id, act.set, amounts.most(startedAt), act.from))
    if (job === "stale") throw await refused(id, no.word)
    if (job === "over_job" || job === "over_day")
      throw await amounts.refusal(job, createdBy.id, { job: amount, added: amount, startedAt }, no.rest)
    await note(asker, act.action, job, reason)
    context.jobChanged(id)
    wake(id)
    return job
  }

  async function refused(id: string, no: string): Promise<AppError> {
    const job = await stored(jobs.get(id))
    if (job === undefined) return notFound("Job not found.")
    const message = `This job is ${words[job.state]}, so it can’t be ${no}. Nothing was done.`
    return new AppError({ status: 409, code: "conflict", message, details: { state: job.state } })
  }

  async function note(
    asker: ActContext,
    action: AuditAction,
    job: JobRecord,
    reason?: string,
    changes: readonly AuditChange[] = [],
  ): Promise<void> {
    const on = { kind: "job", id: job.id, label: job.title }
    const entry = entryOf(asker, {
      action,
      on,
      outcome: "done",
      note: reason === undefined || reason === "" ? null : reason,
      changes: changes.slice(0, changesNamed),
    })
    await context.audit.record(entry).catch((error: unknown) => {
      context.log.error({ err: error, requestId: asker.requestId }, "audit entry lost")
    })
  }

  return {
    async start(asker, id, { total, repeats: asked }) {
      const draft = await stored(jobs.get(id))
      if (draft === undefined) throw notFound("Job not found.")
      if (draft.state === "draft" && draft.total === 0) {
        throw invalid(422, [{ field: "rows", message: "This draft has no rows. Nothing was started." }])
      }
      if (total !== undefined && total !== draft.total) {
        const message = `This draft has ${draft.total} rows, not ${total}. Nothing was started. Add the rest first.`
        throw new AppError({ status: 409, code: "conflict", message })
      }
      // The rows of a file are compared whoever starts it; others only where the request says how many repeat.
      const repeats = asked ?? (draft.file === null ? null : 0)
      if (draft.state === "draft" && repeats !== null) await requireRepeats(context, draft, repeats)
      const said = repeats === null || repeats === 0 ? undefined : repeatsSaid(repeats)
      const startedAt = context.time.now()
      const amounts = await amountRules(context, draft.kind)
      const set = { startedAt, repeats }
      const no = { word: "started", rest: "Nothing was started." }
      return letRun(asker, draft, { action: "job.start", from: "draft", set, startedAt, amounts, no }, said)
    },
    pause: (asker, id, reason) => {
      const pause = { code: pauseCodes.person, message: `${asker.user.name} paused it.` }
      const set = { state: "paused", pause } as const
      return move(asker, id, { action: "job.pause", from: ["running"], set, no: "paused" }, reason)
    },
    async resume(asker, id, reason) {
      const job = await stored(jobs.get(id))
      if (job === undefined) throw notFound("Job not found.")
      const begun = resetDeadline(context, job)
      // What counts for another day from now on is held to that day's limit.
      const amounts =
        begun.startedAt === undefined || job.reverses !== null
          ? noAmountRules
          : await amountRules(context, job.kind)
      const startedAt = begun.startedAt ?? context.time.now()
      // Looked up again where that was done before sending: it may have stood still for a week.
      const set = { pause: null, prepared: false, ...begun }
      const no = { word: "resumed", rest: "It was not resumed. Nothing was sent." }
      return letRun(asker, job, { action: "job.resume", from: "paused", set, startedAt, amounts, no }, reason)
    },
    cancel: (asker, id, reason) => {
      const set = { state: "cancelling", pause: null } as const
      const from = ["draft", "running", "paused"] as const
      return move(asker, id, { action: "job.cancel", from, set, no: "cancelled" }, reason)
    },
    async release(asker, id, body) {
      const { job, found, sent, unproven } = await releaseJob(context, asker, id, body)
      const numbers = `${found} rows were found at the service, ${sent} are sent, ${unproven} of them without proof.`
      await note(
        asker,
        "job.release",
        job,
        body.reason === undefined ? numbers : `${body.reason} (${numbers})`,
      )
      context.jobChanged(id)
      wake(id)
      return job
    },
    async edit(asker, id, body) {
      const before = await stored(jobs.get(id))
      if (before === undefined) throw notFound("There is no such job.")
      requireNotHeld(before, "its rows can’t be edited yet")
      if (before.state !== "paused") throw await refused(id, "edited")
      const changes = await editRows(context, before, body)
      const job = (await stored(jobs.get(id))) ?? before
      await note(asker, "job.edit", job, body.reason, changes)
      context.jobChanged(id)
      return job
    },
    async retry(asker, id, body: RetryJobBody) {
      const before = await stored(jobs.get(id))
      if (before === undefined) throw notFound("Job not found.")
      requireNotHeld(before, "its rows can’t be retried yet")
      // Running again, a cancelled job would send its rest too, which somebody decided not to send.
      if (before.state === "draft" || before.state === "cancelling" || before.state === "cancelled") {
        throw await refused(id, "tried again")
      }
      const again = {
        from: ["running", "paused", "done"],
        set: {
          state: "running",
          pause: null,
          prepared: false,
          finishedAt: null,
          ...resetDeadline(context, before),
        },
      } as const
      const planned = await retryRows(context, before, body, again)
      if (planned === 0) {
        const message = "None of these rows is still failed. Nothing was done."
        throw new AppError({ status: 409, code: "conflict", message })
      }
      const job = (await stored(jobs.get(id))) ?? before
      await note(asker, "job.retry", job, body.reason)
      context.jobChanged(id)
      wake(id)
      return job
    },
  }
}

/** What the audit log says of rows that were included on purpose. */
function repeatsSaid(count: number): string {
  return count === 1
    ? "1 row repeats an earlier one and was included on purpose."
    : `${count} rows repeat earlier ones and were included on purpose.`
}

const words: Readonly<Record<JobState, string>> = {
  draft: "a draft",
  running: "running",
  paused: "paused",
  cancelling: "being cancelled",
  cancelled: "cancelled",
  done: "done",
}

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
      // After a restore a row can be marked doubtful without an attempt.
      if (row.doubtful && row.attempts > 0)
        return [
          {
            row: row.row,
            from: ["planned"],
            set: { state: "absent", outcome: outcomeOf("left_to_person"), decision: null },
          },
        ]
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
  for await (const rows of rowPortions(store.jobs, job.id, ["failed"])) {
    const changes = rows.map(({ row }): RowChange => ({ row, from: ["failed"], set: { reverses: null } }))
    await store.jobs.changeRows(job.id, changes)
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
    action: jobKindDescriptors[job.kind].auditAction,
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
