import type { DecisionBody, RowDecision, RowEvidence } from "../../contract/job-rows.ts"
import { rowStateLabels } from "../../contract/job.ts"
import { type Act, type ActContext, entryOf } from "../audit/audit-log.ts"
import { AppError, conflict, notFound, stored } from "../errors.ts"
import { type AmountRules, amountRules, noAmountRules } from "./amount-limits.ts"
import { auditAmounts } from "./job-actions.ts"
import { historyState } from "./canaries.ts"
import { type EngineContext, resetDeadline } from "./engine-context.ts"
import {
  asPerson,
  earliestEffect,
  type FoundEffect,
  jobApi,
  type JobContext,
  type Lookup,
  lookUp,
  needsProofOfEnd,
} from "./job-kind.ts"
import type { JobChange, JobRecord, RowChanged, RowRecord } from "./job-store.ts"
import { jobContext } from "./kinds/kind-rules.ts"
import { newOwner } from "./maker-left.ts"
import { endWithoutProof } from "./instances.ts"
import { isOwnedByAnotherRow } from "./job-record.ts"
import { isReduced, netAwards } from "./net-awards.ts"
import { readsFor } from "./service-reads.ts"
import { storeDecision } from "./transitions.ts"

/** `RowEvidence` before redaction by role. */
export type Evidence = Omit<RowEvidence, "row"> & { readonly row: RowRecord }

/** Evidence for deciding a row: possible effects, the balance and how its call ended. */
export async function rowEvidence(
  engine: EngineContext,
  requester: ActContext,
  id: string,
  number: number,
): Promise<Evidence> {
  const { context, row } = await requireRow(engine, id, number)
  const { rules } = context
  const own = asPerson(context, requester)
  const lookup = await lookUp(own, row)
  const earliest = earliestEffect(own, row)
  const candidates = (lookup.kind === "read" ? lookup.found : []).filter((one) =>
    isCandidate(one, row, earliest),
  )
  const scope = rules.claims?.effects
  const ids = candidates.map(({ upstreamId }) => upstreamId)
  const claims = scope === undefined ? new Map() : await stored(context.store.jobs.claims(scope, ids))
  const sentThere = row.sentAt === null ? undefined : context.time.toServiceTime(jobApi(context), row.sentAt)
  const mayHaveCanary = rules.absence === "canary" && row.endedAt !== null
  return {
    row,
    call_ended: row.endedHow,
    looked_at: row.lookupTimes.map((at) => new Date(at).toISOString()),
    balance: await balanceOf(own, row),
    canary: mayHaveCanary ? (await historyState(context, row, row.endedAt)).canary : "none",
    candidates: candidates.map(
      ({ upstreamId, createdAt, points = null, text = null, reference = null, tagged }) => ({
        upstream_id: upstreamId,
        created_at: createdAt === undefined ? null : new Date(createdAt).toISOString(),
        points,
        text,
        reference,
        after_ms: createdAt === undefined || sentThere === undefined ? null : createdAt - sentThere,
        has_batch_code: tagged,
        claimed_by: claims.get(upstreamId) ?? null,
      }),
    ),
    resend: await checkResend(context, row),
  }
}

async function requireRow(engine: EngineContext, id: string, number: number) {
  const { jobs } = engine.store
  const job = await stored(jobs.get(id))
  const row = job && (await stored(jobs.row(id, number)))
  if (job === undefined || row === undefined) throw notFound("Row not found.")
  return { context: jobContext(engine, job), row }
}

/** Whether an entry could be the row's effect: tagged, or of its amount and not older than its first send. */
export function isCandidate(effect: FoundEffect, { points }: RowRecord, earliest: number): boolean {
  if (effect.tagged || effect.otherAmount === true || points === null) return true
  return effect.points === points && (effect.createdAt ?? Infinity) >= earliest
}

async function balanceOf(own: JobContext, { memberId }: RowRecord): Promise<Evidence["balance"]> {
  if (memberId === null) return null
  try {
    const { balance, pending } = await readsFor(own).balance(memberId)
    return { balance, pending: pending ?? null }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Whether a row of a reversal exceeds what corrections left of its award. */
async function exceedsAward({ job, store }: JobContext, row: RowRecord): Promise<boolean> {
  const { reverses } = row
  if (reverses === null) return false
  const award = await stored(store.jobs.row(reverses.job, reverses.row))
  const net = award && (await netAwards({ store }, [award], job.id)).get(award.row)
  return net !== undefined && isReduced(net, row)
}

/**
 * Resending is refused while the last call may still reach the service: until a settle time after its end
 * (docs/jobs.md, Whether a call has ended).
 */
export async function checkResend(context: JobContext, row: RowRecord): Promise<RowEvidence["resend"]> {
  const { config, instances, job, time } = context
  const { settleMs } = config.jobs
  const now = time.now()
  if (isCancelled(job)) {
    const next =
      job.reverses === null
        ? "Create it again if it’s still needed."
        : `If it wasn’t carried out, leave this row, then reverse ${job.reverses} again.`
    return no(`The job was cancelled, so nothing more is sent. ${next}`)
  }
  const never = row.outcome === null ? undefined : resendRefusals[row.outcome.code]
  if (never !== undefined) return no(never)
  if (await exceedsAward(context, row))
    return no(
      "The award was corrected after this row was made, so sending it again would deduct too much. Deduct what is left by itself. Nothing was done.",
    )
  if (row.attempts === 0) return { allowed: true, why_not: null }
  const isOver = row.endedAt !== null || !needsProofOfEnd(context.rules) || (await instances.isOver(row, now))
  const since = row.endedAt ?? row.leaseUntil ?? row.sentAt ?? now
  const wait = (isOver ? since + settleMs : endWithoutProof(row, settleMs)) - now
  if (wait <= 0) return { allowed: true, why_not: null }
  const seconds = Math.ceil(wait / 1000)
  const left = seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} s`
  const stated = isOver
    ? ""
    : " Sooner, if an administrator states under Settings, Status that the server that sent it is stopped."
  return no(`Its last request may still be processed. Check again in ${left}.${stated} Nothing was done.`)
}

/** Planned rows of such a job are not sent any more. */
export const isCancelled = ({ state }: JobRecord) => state === "cancelling" || state === "cancelled"

const no = (why_not: string) => ({ allowed: false, why_not })

/** Refusals by outcome code, where a resend would duplicate the effect. */
export const resendRefusals: Readonly<Record<string, string>> = {
  redeemed_twice: "The order already exists twice. Cancel the second one in the program’s dashboard.",
  several_matches: "Several entries already carry its batch code. Link the right one.",
  ledger_other_amount:
    "The ledger already has an entry with its batch code. Award or deduct the difference instead.",
  awarded_twice: "It was awarded twice. Reverse the second one with a deduction.",
}

interface Rerun {
  readonly again: JobChange | undefined
  readonly amounts: AmountRules
  readonly startedAt: number | undefined
}

/** For decisions after which nothing is sent or looked up. */
export const noRerun: Rerun = { again: undefined, amounts: noAmountRules, startedAt: undefined }

/**
 * The change of a job together with rows that are resent or looked up again: an ended or cancelled job must not get a
 * planned row that is never sent.
 */
export async function rerunChange(
  context: JobContext,
  requester: ActContext,
  isResend: boolean,
): Promise<Rerun> {
  const { job } = context
  const isOver = job.state === "done"
  const deadline = isOver ? await resetDeadline(context, job) : {}
  const owner = isOver && isResend ? await newOwner(context, requester, job) : {}
  const set = { state: "running", pause: null, finishedAt: null, ...deadline, ...owner } as const
  // A job that now counts for another day must fit into that day's limit.
  const isLimited = isResend && job.reverses === null
  const amounts = isLimited ? await amountRules(context, job.kind) : noAmountRules
  const { startedAt } = deadline
  if (isCancelled(job)) {
    const cancelling = { state: "cancelling", finishedAt: null } as const
    return { again: { from: ["cancelling", "cancelled"], only: true, set: cancelling }, amounts, startedAt }
  }
  const again: JobChange = isOver
    ? { from: ["running", "done"], only: true, set }
    : { from: ["running", "paused"], only: true, set: {} }
  return { again, amounts, startedAt }
}

/** @throws AppError 422 if a limit was passed: then nothing was decided */
export async function requireWithinLimits(
  { again, amounts, startedAt }: Rerun,
  job: JobRecord,
  result: RowChanged | undefined,
): Promise<void> {
  if (result !== "over_job" && result !== "over_day") return
  const maker = again?.set.createdBy ?? job.createdBy
  const moved = { job: job.amount, added: job.amount, startedAt }
  throw await amounts.refusal(result, maker.id, moved, "Nothing was decided.")
}

/**
 * Stores a person's decision about an absent or conflict row, or excludes a planned row of a paused job. Throws AppError
 * 404; 409 when there is nothing to decide or the service does not show the linked entry as the row's.
 */
export async function decideRow(
  engine: EngineContext,
  requester: ActContext,
  id: string,
  number: number,
  body: DecisionBody,
): Promise<RowRecord> {
  const { jobs } = engine.store
  const { context, row } = await requireRow(engine, id, number)
  const { job, rules } = context
  requireUndecided(job, row, body)
  const isResend = body.decision === "resend"
  if (isResend) {
    const { allowed, why_not } = await checkResend(context, row)
    if (!allowed) throw conflict(why_not ?? "This row can’t be sent again now. Nothing was done.")
  }
  const linked = body.decision === "happened" ? (body.upstream_id ?? null) : null
  if (linked !== null) await requireShown(asPerson(context, requester), row, linked)
  const decision: RowDecision = {
    decision: body.decision,
    upstream_id: linked,
    at: new Date(context.time.now()).toISOString(),
    by: { id: requester.user.id, name: requester.user.name },
  }
  const rerun = isResend ? await rerunChange(context, requester, true) : noRerun
  const { again, amounts, startedAt } = rerun
  const change = storeDecision(rules, row, decision, isCancelled(job))
  const entry = entryOf(requester, decisionAct(context, row, body, linked))
  const changing = context.audit.together(
    () => entry,
    (audit) => jobs.changeRows(id, [change], again, amounts.most(startedAt), audit),
  )
  const [result] = await stored(changing)
  await requireWithinLimits(rerun, job, result)
  if (result === "claimed") throw claimed(linked ?? "It")
  if (result !== "changed") throw decidedAlready()
  await rules.onResolved?.(context, number)
  context.jobMoved(id)
  return (await stored(jobs.row(id, number))) ?? row
}

/** Throws 409 where there is nothing to decide; only the decision `leave` can be changed. */
function requireUndecided(job: JobRecord, row: RowRecord, { decision }: DecisionBody): void {
  const isPlanned = job.state === "paused" && row.state === "planned" && !row.hadUnknownAttempt
  if (decision === "leave" && isPlanned) return
  if (row.state !== "absent" && row.state !== "conflict")
    throw conflict(
      `There’s nothing to decide about row ${row.row}, its state is “${rowStateLabels[row.state]}”. Nothing was done.`,
    )
  if (row.decision !== null && row.decision.decision !== "leave") throw decidedAlready()
}

function decisionAct(
  { job, rules }: JobContext,
  row: RowRecord,
  body: DecisionBody,
  linked: string | null,
): Act {
  const about = row.label ?? row.email ?? row.memberId ?? job.title ?? job.id
  return {
    action: "job.decide",
    on: { kind: "job", id: job.id, label: `Row ${row.line ?? row.row}, ${about}` },
    outcome: "done",
    note: body.reason || null,
    changes: [
      { field: "decision", from: row.decision?.decision ?? null, to: body.decision },
      ...(linked === null ? [] : [{ field: "upstream_id", from: row.upstreamId, to: linked }]),
      ...(row.memberId === null ? [] : [{ field: "member_id", from: null, to: row.memberId }]),
      ...auditAmounts(rules, row),
    ],
  }
}

/** Throws 409 unless the service shows the linked entry, of this kind and amount, and no other row has it. */
async function requireShown(context: JobContext, row: RowRecord, effect: string): Promise<void> {
  const scope = context.rules.claims?.effects
  const claims = scope === undefined ? undefined : await stored(context.store.jobs.claims(scope, [effect]))
  if (isOwnedByAnotherRow(claims?.get(effect), row)) throw claimed(effect)
  const lookup = await lookUpEffect(context, row, effect)
  // An order that was changed since still exists.
  if (lookup.kind === "changed" && effect === row.label) return
  const { found: entries, complete } = lookup.kind === "read" ? lookup : { found: [], complete: true }
  const match = entries.find(({ upstreamId }) => upstreamId === effect)
  if (match === undefined) {
    const next = complete
      ? "Check the id, or decide without one."
      : "Its records couldn’t be read completely: try again."
    throw conflict(
      `The service doesn’t show ${effect} as something this row could have made. Nothing was decided. ${next}`,
    )
  }
  if (match.not !== undefined)
    throw conflict(`${effect} is of another ${match.not} than this row. Nothing was decided. Check the id.`)
}

async function lookUpEffect(context: JobContext, row: RowRecord, effect: string): Promise<Lookup> {
  try {
    return await lookUp(context, row)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, code, details, headers } = error
    const message = `${effect} couldn’t be looked up at the service just now, so nothing was decided. Try again in a moment.`
    throw new AppError({ status, code, message, details, headers, cause: error })
  }
}

function decidedAlready(): AppError {
  return conflict("Someone else just decided this row. Nothing was done. Reload to see it.")
}

function claimed(linked: string): AppError {
  return conflict(`${linked} already belongs to another row. Nothing was done.`)
}
