import { rowOutcome } from "../../contract/row-outcomes.ts"
import { AppError } from "../errors.ts"
import { patienceFor } from "./absence.ts"
import { historyState, pendingFor, showsOwnEffect } from "./canaries.ts"
import { isKeyRefused } from "./engine-context.ts"
import {
  isSentInBulk,
  type JobContext,
  type Lookup,
  lookUp,
  needsProofOfEnd,
  jobApi,
  notifyConfirmed,
  ownUnclaimed,
  restoredFacts,
  twiceCodeOf,
  withNotes,
} from "./job-kind.ts"
import type { RowChange, RowRecord } from "./job-store.ts"
import {
  type Decision,
  decideFromEvidence,
  type Evidence,
  isOutOfPatience,
  nextUsefulLookup,
  retryIn,
  retryMs,
} from "./reconcile-decision.ts"
import { engineNotes, notesOf, withoutNote } from "./row-notes.ts"
import { callKey, type RunState } from "./run-state.ts"
import * as transitions from "./transitions.ts"

/**
 * Marks `sent` rows unknown whose lease expired or whose process is dead; of kinds that detect repeats, plans them
 * again. A call ends with its owner's result or by one of the proofs of docs/jobs.md (Whether a call has ended), unless
 * its kind needs no proof (`needsProofOfEnd`).
 */
export async function recoverSentRows(context: JobContext, run: RunState): Promise<void> {
  const { instances, job, metrics, rules, self, store, time } = context
  if (job.counts.sent === 0) return
  const now = time.now()
  const changes: RowChange[] = []
  let isTakenOver = false
  for (const row of await store.jobs.overdue(job.id, now, await instances.dead())) {
    if (row.owner === self && run.inFlight.has(callKey(row))) continue
    const isOver = await instances.isOver(row, now)
    if (!isOver && row.leaseUntil !== null && row.leaseUntil >= now) continue
    isTakenOver ||= row.owner !== self
    const how = isOver
      ? "the server that sent it stopped before a response came"
      : "no contact with the server that sent it"
    if (isOver || !needsProofOfEnd(rules)) {
      changes.push(transitions.retryOrMarkUnknown(context, row, { at: now, how }))
    } else {
      const nextAt = transitions.firstLookupAt(context, now)
      changes.push(transitions.markUnknown(row, { at: null, how, nextAt }))
    }
  }
  if (changes.length === 0) return
  if (isTakenOver) metrics.runTakenOver()
  await store.jobs.changeRows(job.id, changes)
  context.jobChanged(job.id)
}

const maxStoredLookups = 20
const missesAllowed = 3

/**
 * Looks up whether an unknown row was carried out, then confirms it, plans it again, marks it absent or leaves it to a
 * person (docs/jobs.md, Absence).
 */
export async function reconcileRow(context: JobContext, stored: RowRecord): Promise<void> {
  const { job, rules, time } = context
  const { jobs } = context.store
  const lookedAt = time.now()
  const row = await withProvenEnd(context, stored, lookedAt)
  const nextAt = await waitsUntil(context, row, lookedAt)
  if (nextAt !== undefined) {
    await jobs.changeRows(job.id, [transitions.updateUnknown(row, { nextAt })])
    return
  }
  const lookup = await lookUpPatiently(context, row)
  if (lookup === undefined) return
  const evidence = await gatherEvidence(
    context,
    { ...row, notes: withoutNote(row.notes, "missed") },
    lookedAt,
    lookup,
  )
  const decision = await decideWithReads(context, evidence)
  const lookupTimes = [...row.lookupTimes, lookedAt].slice(-maxStoredLookups)
  if (decision.kind === "confirm") return confirmFound(context, evidence.row, decision, lookupTimes)
  const { notes } = evidence.row
  const noted = { lookupTimes, ...(notes !== stored.notes && { notes }) }
  await jobs.changeRows(job.id, [changeFor(context, evidence.row, decision, noted)])
  context.jobChanged(job.id)
  await rules.onResolved?.(context, row.row)
}

/** The row, with the end of its call stored if that is proven by now. */
async function withProvenEnd(context: JobContext, row: RowRecord, now: number): Promise<RowRecord> {
  const { instances, job, rules, store } = context
  if (row.endedAt !== null) return row
  if (needsProofOfEnd(rules) && !(await instances.isOver(row, now))) return row
  await store.jobs.changeRows(job.id, [transitions.updateUnknown(row, { endedAt: now })])
  return { ...row, endedAt: now }
}

/** When another lookup can decide something, for a row of a file that was looked up before; undefined: now. */
async function waitsUntil(context: JobContext, row: RowRecord, now: number): Promise<number | undefined> {
  if (row.lookupTimes.length === 0 || context.job.lane !== "jobs" || restoredFacts(row) !== undefined)
    return undefined
  const evidence = await gatherEvidence(context, row, now)
  const next = nextUsefulLookup(evidence)
  if (typeof next !== "object") return next
  const known = nextUsefulLookup({ ...evidence, ...(await readMissing(context, evidence, next.what)) })
  return typeof known === "number" ? known : undefined
}

const nothingFound: Lookup = { kind: "read", found: [], complete: true }

async function gatherEvidence(
  context: JobContext,
  row: RowRecord,
  lookedAt: number,
  lookup: Evidence["lookup"] = nothingFound,
): Promise<Evidence> {
  const { gaps, job, rules } = context
  const { settleMs, recheckMs } = context.config.jobs
  const found = lookup.kind === "read" ? lookup.found : []
  const unclaimed = await ownUnclaimed(context, row, found)
  const isUntagged = isSentInBulk(context, row) && !job.hasBatchCode
  const times = { settleMs, recheckMs, lookedAt, gapMs: gaps.largest() }
  return { row, job, rules, lookup, unclaimed, isUntagged, ...times }
}

async function decideWithReads(context: JobContext, evidence: Evidence): Promise<Decision> {
  const decision = decideFromEvidence(evidence)
  if (decision.kind !== "read") return decision
  return decideWithReads(context, { ...evidence, ...(await readMissing(context, evidence, decision.what)) })
}

async function readMissing(
  context: JobContext,
  { lookedAt, row }: Evidence,
  what: "history" | "balance" | "own_effect",
): Promise<Pick<Evidence, "history" | "pending" | "showsOwnEffect">> {
  if (what === "balance") return { pending: (await pendingFor(context, row)) ?? "unreadable" }
  const since = restoredFacts(row)?.at ?? row.endedAt ?? lookedAt
  return what === "history"
    ? { history: await historyState(context, row, since) }
    : { showsOwnEffect: await showsOwnEffect(context, row, since) }
}

function changeFor(
  { job, rules }: JobContext,
  row: RowRecord,
  decision: Exclude<Decision, { readonly kind: "confirm" }>,
  noted: Pick<RowRecord, "lookupTimes"> & { readonly notes?: RowRecord["notes"] },
): RowChange {
  const after = transitions.afterLookup(rules, row, noted)
  switch (decision.kind) {
    case "wait":
      return after.wait(decision.until, decision.notes)
    case "person":
      return after.conflict(decision.outcome, decision.notes)
    case "failed":
      return after.failed(decision.outcome, decision.set)
    case "absent":
      return after.absent(job)
    case "unsent":
      return after.unsent()
    default:
      return decision satisfies never
  }
}

async function confirmFound(
  context: JobContext,
  row: RowRecord,
  { effect, outcome }: Extract<Decision, { readonly kind: "confirm" }>,
  lookupTimes: readonly number[],
): Promise<void> {
  const { gaps, job, rules, time } = context
  const { jobs } = context.store
  const { upstreamId, createdAt, notes } = effect
  const named = { upstreamId, balanceAfter: null, ...(notes !== undefined && { notes }) }
  const end = { at: row.endedAt ?? time.now(), byResponse: false }
  const confirmed = transitions.confirm(context, row, named, end, { lookupTimes, outcome })
  const [result] = await jobs.changeRows(job.id, [confirmed])
  // Another row claimed it since the lookup: the next lookup shows that.
  if (result !== "changed") return
  const created = createdAt === undefined ? undefined : time.fromServiceTime(jobApi(context), createdAt)
  if (created !== undefined && row.endedAt !== null) gaps.record(created - row.endedAt)
  // If one row of an unanswered bulk request was carried out, the others likely were too.
  if (row.request !== null) await jobs.hurry(job.id, row.request, time.now())
  await rules.onResolved?.(context, row.row)
  notifyConfirmed(context, [row])
}

/** Undefined: failed for now; `given_up`: failed for too long. Throws when the key is refused. */
async function lookUpPatiently(context: JobContext, row: RowRecord): Promise<Evidence["lookup"] | undefined> {
  const { config, job, store, time } = context
  const { settleMs, recheckMs } = config.jobs
  try {
    return await lookUp(context, row)
  } catch (error) {
    if (!(error instanceof AppError) || isKeyRefused(error)) throw error
    const now = time.now()
    const { since, lookups } = notesOf(row).missed ?? { since: now, lookups: 0 }
    const missed = { since, lookups: lookups + 1 }
    const lastedLong = now - missed.since > patienceFor(settleMs)
    const isOver = lastedLong && missed.lookups >= missesAllowed
    if (isOver && isOutOfPatience({ row, settleMs, recheckMs }, now)) return { kind: "given_up" }
    const nextAt = now + retryIn(row, now, Math.max(Math.min(retryMs, settleMs / 2), 50))
    const set = { nextAt, ...withNotes(row, engineNotes({ missed })) }
    await store.jobs.changeRows(job.id, [transitions.updateUnknown(row, set)])
    return undefined
  }
}

/**
 * Reads a confirmed row again: by the rules of its kind, or a resent row ten settle times later, when a second entry with
 * its tag means that the first attempt was carried out.
 */
export async function recheckRow(context: JobContext, row: RowRecord): Promise<void> {
  const { config, job, rules, store, time } = context
  const change = (made: RowChange) => store.jobs.changeRows(job.id, [made])
  const readLater = () =>
    change(transitions.readAgainAt(row, time.now() + Math.max(config.jobs.settleMs, 1000)))
  try {
    if (rules.recheck !== undefined) {
      await store.jobs.changeRows(job.id, await rules.recheck(context, row))
      context.jobChanged(job.id)
      return
    }
    const lookup = await lookUp(context, row)
    const isTwice =
      lookup.kind === "read" &&
      lookup.found.some(({ tagged, upstreamId }) => tagged && upstreamId !== row.upstreamId)
    if (lookup.kind === "read" && !lookup.complete && !isTwice) {
      await readLater()
      return
    }
    const twice = () => transitions.askAboutConfirmed(row, rowOutcome(twiceCodeOf(rules)))
    await change(isTwice ? twice() : transitions.readAgainAt(row, null))
    context.jobChanged(job.id)
  } catch (error) {
    if (!(error instanceof AppError) || isKeyRefused(error)) throw error
    await readLater()
  }
}
