import { resolveRequests, sendRequests } from "../../contract/estimates.ts"
import { hasPoints, isReversible, jobKindDescriptors, type JobKind } from "../../contract/job-kinds.ts"
import { secondsFor } from "../../contract/limits.ts"
import type { Job } from "../../contract/job.ts"
import type { DecisionCause, JobRow, LedgerOrigin, RowEvidence } from "../../contract/job-rows.ts"
import { redactCandidate, redactOutcome, redactRow } from "../../contract/job-rows.ts"
import { memberReader } from "../../contract/program/member.ts"
import { can, type Role } from "../../contract/roles.ts"
import type { SessionUser } from "../../contract/session.ts"
import type { CoreContext } from "../context.ts"
import { stored } from "../errors.ts"
import { isHeld, isHeldOpen } from "./job-record.ts"
import type { JobRecord, ReversingRow, RowRecord } from "./job-store.ts"
import type { Evidence } from "./decide.ts"
import { netAwards } from "./net-awards.ts"
import { reversedSoFar } from "./reverse.ts"
import { memberLabel } from "./service-reads.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { endedWithResponse } from "./job-kind.ts"
import { memberPlan } from "../gateway/upstream-read.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { seesJob } from "./job-access.ts"

const paceMs = 60_000
/** A job that began a moment ago says nothing about its next hour, in ms. */
const leastPaceMs = 3000

/** A job as it is answered, with how many of its confirmed rows the ledger does not show. */
export async function viewJob(context: CoreContext, job: JobRecord): Promise<Job> {
  const missing = await missingRows(context, job)
  const view = await viewWithPace(context, job)
  return missing.length === 0 ? view : { ...view, not_in_ledger: missing.length }
}

/** Numbers of confirmed rows that the ledger does not show beyond the patience. They are never sent again. */
async function missingRows(
  { store }: Pick<CoreContext, "store">,
  { id, kind, counts }: JobRecord,
): Promise<readonly number[]> {
  if (!hasPoints(kind) || counts.confirmed === 0) return []
  return stored(store.jobs.missingCanaries(id))
}

async function viewWithPace(context: CoreContext, job: JobRecord): Promise<Job> {
  const { jobs } = context.store
  const reversed = await reversedSoFar(context, job)
  const waits = await awaitedReversals(jobs, job)
  const waiting = waits.length === 0 ? {} : { waits_for: waits }
  if (job.state !== "running") return { ...jobView(job, null, reversed), ...waiting }
  const now = await stored(jobs.now())
  const ended = await stored(jobs.endedSince(job.id, now - paceMs))
  const isFinding = !job.prepared && hasPoints(job.kind)
  const finding = isFinding ? await stored(jobs.unfoundMembers(job.id)) : 0
  const needsEstimate = job.mode === "bulk" && !hasPace(job, ended, now)
  const mostRows = needsEstimate ? await stored(jobs.mostRowsOfMember(job.id)) : 1
  const estimate = estimateMs(context, job, finding, mostRows)
  const view = jobView(job, throughput(job, ended, now, estimate), reversed)
  return { ...view, ...waiting, ...(finding > 0 && { finding }) }
}

async function awaitedReversals(
  jobs: CoreContext["store"]["jobs"],
  { id, kind, state, counts }: JobRecord,
): Promise<NonNullable<Job["waits_for"]>> {
  const maySend = hasPoints(kind) && (state === "running" || state === "paused")
  if (!maySend || counts.planned === 0) return []
  const found = await stored(jobs.awaited(id))
  const reversals = await Promise.all(found.map(async ({ job }) => stored(jobs.get(job))))
  return reversals.flatMap((job, at) => {
    if (job === undefined || job.reverses === null) return []
    const { id, reverses, total, state, counts } = job
    return { job: id, reverses, rows: found[at]?.rows ?? 0, done: counts.confirmed, total, state }
  })
}

/** How long the rest of a job takes by its requests, as it was said before it started; null without a limit. */
function estimateMs(
  { config, reads }: CoreContext,
  job: JobRecord,
  finding: number,
  mostRows: number,
): number | null {
  const { kind, mode, counts, total } = job
  const { api } = jobKindDescriptors[kind]
  const perMinute = config.apis[api]?.rateLimit
  if (perMinute === undefined || counts.planned === 0) return null
  const totals = reads.cachedWithTag("members").flatMap(({ meta }) => meta?.total ?? [])
  const members = totals.length === 0 ? undefined : Math.max(...totals)
  const started = counts.planned < total
  const requests =
    resolveRequests(finding, members) + sendRequests({ kind, mode, rows: counts.planned, mostRows, started })
  return secondsFor(requests, perMinute, "jobs") * 1000
}

/** Whether the last minute's pace says how long the rest of a job takes. Before, its requests do. */
function hasPace(job: JobRecord, ended: number, now: number): boolean {
  return ended > 0 && now - (job.startedAt ?? now) >= paceMs
}

/**
 * How fast a job's rows end, by those that ended in the last minute, and how long the rest takes: by its requests in the
 * first minute, which says little of the next ones, then at that pace.
 */
export function throughput(job: JobRecord, ended: number, now: number, estimate: number | null): Job["pace"] {
  const ranMs = now - (job.startedAt ?? now)
  const perMs = ended / Math.min(paceMs, Math.max(1, ranMs))
  const isMeasured = ended > 0 && ranMs >= leastPaceMs
  const { planned, sent, unknown } = job.counts
  const msLeft = hasPace(job, ended, now) ? Math.ceil((planned + sent + unknown) / perMs) : estimate
  if (!isMeasured && msLeft === null) return null
  return { per_minute: isMeasured ? Math.round(perMs * 60_000 * 10) / 10 : null, ms_left: msLeft }
}

/** A job as it is answered, at a known pace. */
export function jobView(record: JobRecord, pace: Job["pace"], reversed?: Job["reversed"]): Job {
  const { counts, createdBy } = record
  return {
    id: record.id,
    kind: record.kind,
    title: record.title,
    state: record.state,
    pause: record.pause,
    phase: phaseOf(record),
    total: record.total,
    counts,
    attention: record.attention,
    batch_code: record.batchCode,
    created_at: isoTime(record.createdAt),
    created_by: { id: createdBy.id, name: createdBy.name },
    started_at: isoTimeOrNull(record.startedAt),
    finished_at: isoTimeOrNull(record.finishedAt),
    worked_ms: workedMs(record),
    mode: record.mode,
    file: record.file,
    points: record.points,
    pace,
    hold: holdOf(record),
    // Once no row is open, each row that was refused together succeeded or has its own reason.
    refusal: counts.unknown + record.attention > 0 ? record.refusal : null,
    reverses: record.reverses,
    reversed_by: [...record.reversedBy],
    ...(reversed && { reversed }),
    ...(record.linked !== null && { linked: record.linked }),
    ...(record.closesAt !== null && { open: record.isOpen, closes_at: isoTime(record.closesAt) }),
  }
}

function workedMs({ startedAt, finishedAt, idleSince, idleMs }: JobRecord): number | null {
  if (startedAt === null || finishedAt === null) return null
  return Math.max(0, (idleSince ?? finishedAt) - startedAt - idleMs)
}

/** Calls that were sent are looked up in every state; only a running job prepares and sends. */
export function phaseOf(job: Pick<JobRecord, "state" | "prepared" | "counts" | "hold">): Job["phase"] {
  const { state, prepared, counts } = job
  if (isHeld(job)) return counts.sent + counts.unknown > 0 ? "looking" : "idle"
  if (state === "running" && !prepared) return "preparing"
  if (counts.sent > 0 || (state === "running" && counts.planned > 0)) return "sending"
  return counts.unknown > 0 ? "looking" : "idle"
}

function holdOf(record: JobRecord): Job["hold"] {
  const { hold, counts, attention } = record
  if (hold === null || hold.state === "released" || !isHeldOpen(record)) return null
  return {
    state: hold.state,
    sign: hold.sign,
    at: isoTime(hold.at),
    found: counts.confirmed - hold.confirmedBefore,
    looking: counts.sent + counts.unknown,
    to_send: counts.planned,
    undecided: attention,
  }
}

function isoTime(at: number): string {
  return new Date(at).toISOString()
}

/** Causes as `role` may read them, each code once: a service says one thing in many ways. */
export function causesView(kind: JobKind, role: Role, causes: readonly DecisionCause[]): DecisionCause[] {
  const byCode = new Map<string, DecisionCause>()
  for (const cause of causes) {
    const before = byCode.get(cause.code)
    byCode.set(cause.code, { ...(before ?? cause), rows: (before?.rows ?? 0) + cause.rows })
  }
  return [...byCode.values()].map((cause) => ({ ...cause, ...redactOutcome(kind, role, cause) }))
}

/** A row as `role` may see it. */
export function rowView(
  { kind }: Pick<JobRecord, "kind">,
  row: RowRecord,
  role: Role,
  reversing?: ReversingRow,
): JobRow {
  const label = row.label ?? row.email
  return redactRow(kind, role, {
    row: row.row,
    ...(row.line !== null && { line: row.line }),
    state: row.state,
    input: row.input,
    outcome: row.outcome,
    upstream_id: row.upstreamId,
    attempts: row.attempts,
    ...(row.state === "planned" && { can_edit: !row.hadUnknownAttempt }),
    ...(row.decision !== null && { decision: row.decision }),
    ...kindRules[kind].view?.(row),
    member: row.memberId === null && label === null ? null : { id: row.memberId, label },
    sent_at: isoTimeOrNull(row.sentAt),
    ended_at: isoTimeOrNull(row.endedAt),
    // A confirmed row may be read again too: that is the engine's matter.
    ...(row.state === "confirmed" && { known_by: row.endedHow === endedWithResponse ? "answer" : "look" }),
    next_look_at: row.state === "unknown" ? isoTimeOrNull(row.nextAt) : null,
    balance_after: row.balanceAfter,
    ...(row.reverses && { reverses: row.reverses }),
    ...(reversing && { reversed_by: reversing }),
  })
}

/** Rows as `role` may see them, each with the row that takes it back. */
export async function viewRows(
  context: Pick<CoreContext, "reads" | "store">,
  job: JobRecord,
  rows: readonly RowRecord[],
  role: Role,
): Promise<JobRow[]> {
  const numbers = rows.map(({ row }) => row)
  const isReversed = job.reversedBy.length > 0 && numbers.length > 0
  const reversing = isReversed ? await stored(context.store.jobs.reversedRows(job.id, numbers)) : undefined
  const missing = new Set(await missingRows(context, job))
  return rows.map((row) => {
    const view = rowView(job, namedRow(context, row), role, reversing?.get(row.row))
    return row.state === "confirmed" && missing.has(row.row) ? { ...view, not_in_ledger: true } : view
  })
}

/** The row with its member's name as far as the cache knows it: a name is not worth a request. */
export function namedRow({ reads }: Pick<CoreContext, "reads">, row: RowRecord): RowRecord {
  if (row.label !== null || row.memberId === null) return row
  const cached = reads.cached(memberPlan(row.memberId))
  const member = cached === undefined ? undefined : memberReader.tolerant.safeParse(cached.data)
  return member?.success === true ? { ...row, label: memberLabel(member.data) } : row
}

/** Evidence as a role may see it: redacted rows and candidates, a balance only with `ledger.read`. */
export function evidenceView(job: Pick<JobRecord, "kind">, evidence: Evidence, role: Role): RowEvidence {
  return {
    ...evidence,
    row: rowView(job, evidence.row, role),
    balance: can(role, "ledger.read") ? evidence.balance : null,
    candidates: evidence.candidates.map((one) => redactCandidate(job.kind, role, one)),
  }
}

/** Which row of ours made each of these ledger entries, and whether it can be reversed; jobs that the person sees. */
export async function ledgerOrigins(
  { store }: Pick<CoreContext, "store">,
  user: SessionUser,
  ids: readonly string[],
): Promise<LedgerOrigin[]> {
  const { jobs } = store
  const claims = await stored(jobs.claims("program:transaction", ids))
  const byJob = Map.groupBy(claims, ([, { job }]) => job)
  const found = await Promise.all(
    Array.from(byJob, async ([id, claimed]): Promise<LedgerOrigin[]> => {
      const job = await stored(jobs.get(id))
      if (job === undefined || !hasPoints(job.kind) || !seesJob(user, job)) return []
      const reversing = await stored(
        jobs.reversedRows(
          id,
          claimed.map(([, { row }]) => row),
        ),
      )
      const rows = await Promise.all(claimed.map(([, { row }]) => stored(jobs.row(id, row))))
      const nets = await netAwards(
        { store },
        rows.filter((row) => row !== undefined),
      )
      return rows.flatMap((row, at) => {
        const entry = claimed[at]?.[0]
        if (row === undefined || entry === undefined) return []
        const { line, reverses } = row
        const reversed_by = reversing.get(row.row)
        const { planned, sent, unknown } = job.counts
        const isOpen = sent + unknown > 0 || (planned > 0 && job.state !== "cancelled")
        const points = nets.get(row.row)?.points ?? row.points ?? 0
        const can_reverse =
          isReversible(job.kind) &&
          row.state === "confirmed" &&
          reversed_by === undefined &&
          !isOpen &&
          points > 0
        return {
          transaction_id: entry,
          job: { id, kind: job.kind, title: job.title },
          row: row.row,
          ...(line !== null && { line }),
          created_by: { id: job.createdBy.id, name: job.createdBy.name },
          can_reverse,
          ...(can_reverse && { reversible_points: points }),
          ...(reverses && { reverses }),
          ...(reversed_by && { reversed_by }),
        }
      })
    }),
  )
  return found.flat()
}
