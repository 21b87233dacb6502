import { type JobState, pauseCodes, type RetryJobBody } from "../../contract/job.ts"
import type { AuditAction, AuditChange } from "../../contract/audit.ts"
import { type ActContext, entryOf } from "../audit-log.ts"
import { DeskFailure, invalid, notFound, stored } from "../errors.ts"
import { amountRules, noAmountRules, type AmountRules } from "./amount-limits.ts"
import { begunAnew } from "./begun-anew.ts"
import { releaseJob, requireNotHeld } from "./held-job.ts"
import type { JobContext } from "./job-context.ts"
import type { JobRecord } from "./job-store.ts"
import type { Jobs } from "./jobs.ts"
import { requireRepeats } from "./repeats.ts"
import { editRows, retryRows } from "./retry-rows.ts"

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

  async function refused(id: string, no: string): Promise<DeskFailure> {
    const job = await stored(jobs.get(id))
    if (job === undefined) return notFound("Job not found.")
    const message = `This job is ${words[job.state]}, so it can’t be ${no}. Nothing was done.`
    return new DeskFailure({ status: 409, code: "conflict", message, details: { state: job.state } })
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
        throw new DeskFailure({ status: 409, code: "conflict", message })
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
      const begun = begunAnew(context, job)
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
          ...begunAnew(context, before),
        },
      } as const
      const planned = await retryRows(context, before, body, again)
      if (planned === 0) {
        const message = "None of these rows is still failed. Nothing was done."
        throw new DeskFailure({ status: 409, code: "conflict", message })
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
