import * as z from "zod/mini"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import { AppError } from "../errors.ts"
import {
  type AbsenceFacts,
  type AbsenceVerdict,
  classifyAbsence,
  classifyHeldAbsence,
  decidingAge,
  type HeldFacts,
  type HistoryState,
  patienceFor,
} from "./absence.ts"
import { historyState, pendingFor, showsOwnEffect } from "./canaries.ts"
import { isKeyRefused } from "./engine-context.ts"
import {
  type FoundEffect,
  isSentInBulk,
  type JobContext,
  type Lookup,
  lookUp,
  needsProofOfEnd,
  neverSentHere,
  notifyConfirmed,
  restoredFacts,
  filterUnclaimed,
} from "./job-kind.ts"
import type { RowChange, RowRecord } from "./job-store.ts"
import type { RunState } from "./run-state.ts"
import * as transitions from "./transitions.ts"

/**
 * Marks `sent` rows unknown whose lease expired or whose process is dead. A call ends only with its owner's result or the
 * owner's proven death; before that a row can be confirmed but not resent, unless its kind detects repeats.
 */
export async function recoverSentRows(context: JobContext, run: RunState): Promise<void> {
  const { instances, job, rules, self, store, time } = context
  if (job.counts.sent === 0) return
  const now = time.now()
  const changes: RowChange[] = []
  for (const row of await store.jobs.overdue(job.id, now, await instances.dead())) {
    if (row.owner === self && run.inFlight.has(`${row.row}:${row.attempts}`)) continue
    const isOver = await instances.isOver(row.owner)
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
  await store.jobs.changeRows(job.id, changes)
  context.jobChanged(job.id)
}

const maxStoredLookups = 20
/** Delay before a failed lookup is repeated, in ms. */
const retryMs = 5000
const longestRetryMs = 120_000
const missesAllowed = 3

/**
 * Looks up whether an unknown row was carried out, then confirms it, plans it again, marks it absent or leaves it to a
 * person (docs/jobs.md, Absence). Confirming is always allowed; everything else requires proof.
 */
export async function reconcileRow(context: JobContext, stored: RowRecord): Promise<void> {
  const { gaps, job, rules, time } = context
  const { jobs } = context.store
  const { settleMs, recheckMs } = context.config.jobs
  const lookedAt = time.now()
  let row = stored
  if (row.endedAt === null && (!needsProofOfEnd(rules) || (await context.instances.isOver(row.owner)))) {
    row = { ...row, endedAt: lookedAt }
    await jobs.changeRows(job.id, [transitions.updateUnknown(row, { endedAt: lookedAt })])
  }
  const restored = restoredFacts(row)
  if (row.looks.length > 0 && restored === undefined && job.lane === "jobs") {
    const nextAt = await nextUsefulLookup()
    if (nextAt !== undefined) {
      await jobs.changeRows(job.id, [transitions.updateUnknown(row, { nextAt })])
      return
    }
  }
  const lookup = await lookUpPatiently()
  if (lookup === undefined) return
  const looks = [...row.looks, lookedAt].slice(-maxStoredLookups)
  row = { ...row, work: withoutMisses(row.work) }
  const found = lookup !== "given_up" && lookup.kind === "read" ? lookup.found : []
  const own = found.filter(({ tagged }) => tagged)
  const [only, ...more] = await filterUnclaimed(context, row, own)
  if (only !== undefined && more.length === 0) return confirmFound(only)
  const noted = { looks, ...(row.work !== stored.work && { work: row.work }) }
  const after = transitions.afterLookup(rules, row, noted)
  let change: RowChange
  if (lookup === "given_up") change = after.conflict(rowOutcome("history_unreadable"))
  else if (more.length > 0) change = after.conflict(rowOutcome("several_matches"))
  else change = await changeNotFound(lookup)
  await jobs.changeRows(job.id, [change])
  context.jobChanged(job.id)
  await rules.onResolved?.(context, row.row)

  async function confirmFound({ upstreamId, createdAt, work, outcome }: FoundEffect) {
    const effect = { upstreamId, balanceAfter: null, ...(work !== undefined && { work }) }
    const end = { at: row.endedAt ?? time.now(), byResponse: false }
    const afterRestore = restored === undefined ? null : rowOutcome("found_after_restore")
    const set = { looks, outcome: outcome ?? afterRestore }
    const confirmed = transitions.confirm(context, row, effect, end, set)
    const [result] = await jobs.changeRows(job.id, [confirmed])
    // Another row claimed it since the lookup: the next lookup shows that.
    if (result !== "changed") return
    const created = createdAt === undefined ? undefined : time.fromServiceTime(rules.api, createdAt)
    if (created !== undefined && row.endedAt !== null) gaps.record(created - row.endedAt)
    // If one row of an unanswered bulk request was carried out, the others likely were too.
    if (row.request !== null) await jobs.hurry(job.id, row.request, time.now())
    await rules.onResolved?.(context, row.row)
    notifyConfirmed(context, [row])
  }

  async function changeNotFound(shown: Lookup): Promise<RowChange> {
    if (shown.kind === "read") {
      // For example a row edited after the restored backup was made: the entry is this row's, so it is not absent.
      const others = shown.found.filter(({ otherAmount }) => otherAmount === true)
      if ((await filterUnclaimed(context, row, others)).length > 0)
        return after.conflict(rowOutcome("ledger_other_amount"))
      if (shown.refused !== undefined) return after.failed(shown.refused, { endedAt: null })
      if (shown.person !== undefined) {
        const { work, ...outcome } = shown.person
        return after.conflict(outcome, work)
      }
    }
    if (!job.marked && isSentInBulk(context, row))
      return after.conflict(rowOutcome(restored === undefined ? "unmarked" : "restore_unsure"))
    // The response did not name this row and its member does not exist: no need to wait.
    if (shown.kind === "no_record" && row.singly && restored === undefined) return provenAbsent(shown)
    if (shown.kind === "changed") return after.conflict(rowOutcome(shown.code ?? "changed_there"), shown.work)

    const verdict = restored === undefined ? await verdictOn(shown) : await heldVerdictOn(shown, restored.at)
    if (verdict.kind === "wait") return after.wait(verdict.until)
    if (verdict.kind === "person") {
      const { code } = verdict
      return after.conflict(rowOutcome(code === "history_lagging" ? (rules.unsureCode ?? code) : code))
    }
    // Require a second empty lookup: a single odd response proves nothing.
    if (rules.absence === "control" && restored === undefined) {
      const emptyAt = row.work?.["empty_at"]
      const isSecond = typeof emptyAt === "number" && emptyAt >= (row.endedAt ?? lookedAt)
      if (!isSecond) return after.wait(lookedAt + recheckMs, { empty_at: lookedAt })
      if (lookedAt < emptyAt + recheckMs) return after.wait(emptyAt + recheckMs)
    }
    return provenAbsent(shown)
  }

  function provenAbsent(shown: Lookup): RowChange {
    const refusal = transitions.inconclusiveRefusal(row)
    if (refusal !== undefined) {
      // For example a reference that another record already has: a person decides.
      const isInconclusive = rules.isInconclusive?.(refusal.code) === true
      return isInconclusive ? after.conflict(refusal) : after.failed(refusal, { decision: null })
    }
    if (shown.kind === "no_record") {
      // If it was booked, the entry disappeared with the member, who may have been merged or deleted.
      const isUnsure = rules.missingCode === undefined && row.attempts > 0 && !row.singly
      if (isUnsure) return after.conflict(rowOutcome("member_gone"))
      return after.failed(rowOutcome(rules.missingCode ?? "not_found_there"))
    }
    // Proven never sent: it stays planned until a person continues its job.
    return neverSentHere(row) === undefined ? after.absent(job) : after.unsent()
  }

  /** The earliest time at which another lookup could decide anything; undefined: now. */
  async function nextUsefulLookup(): Promise<number | undefined> {
    const facts = await factsOf({ kind: "read", found: [], complete: true })
    // With unlimited lookups, a `wait` verdict only depends on time or canaries.
    const verdict = classifyAbsence({ ...facts, lookups: Infinity })
    return verdict.kind === "wait" ? verdict.until : undefined
  }

  async function verdictOn(shown: Lookup): Promise<AbsenceVerdict> {
    const facts = await factsOf(shown)
    const verdict = classifyAbsence(facts)
    if (verdict.kind !== "read_balance") return verdict
    const pending = await pendingFor(context, row)
    if (pending === undefined)
      return isOutOfPatience(lookedAt)
        ? { kind: "person", code: "history_unreadable" }
        : { kind: "wait", until: lookedAt + retryIn(lookedAt, retryMs) }
    const known = classifyAbsence({ ...facts, pending })
    return known.kind === "read_balance" ? { kind: "wait", until: lookedAt + retryMs } : known
  }

  async function factsOf(shown: Lookup): Promise<AbsenceFacts> {
    const { endedAt } = row
    const common = commonFacts(shown)
    const nothing: HistoryState = { control: "none", lagMs: 0, seenLagMs: 0 }
    const history =
      common.proof === "control" && endedAt !== null ? await historyState(context, row, endedAt) : nothing
    const sentAt = row.sentAt ?? lookedAt
    const waitedSince = transitions.waitedSince(row)
    return {
      ...common,
      ...history,
      endedAt,
      waitedSince,
      sentAt,
      moreToCome: expectsCanary(),
      pending: undefined,
    }
  }

  function commonFacts(shown: Lookup) {
    return {
      lookedAt,
      lookups: row.looks.length,
      settleMs,
      recheckMs,
      proof: shown.kind === "read" ? rules.absence : "settled",
      complete: shown.kind !== "read" || shown.complete,
      gapMs: gaps.largest(),
    } as const
  }

  /** Whether another canary can be expected. A form does not wait for another job's canary. */
  function expectsCanary(): boolean {
    if (job.state === "running" && job.counts.planned + job.counts.sent > 0) return true
    return job.lane === "jobs" && lookedAt < (transitions.waitedSince(row) ?? lookedAt) + 5 * settleMs
  }

  async function heldVerdictOn(shown: Lookup, restoredAt: number): Promise<AbsenceVerdict> {
    const common = commonFacts(shown)
    const { control, lagMs } =
      common.proof === "control"
        ? await historyState(context, row, restoredAt)
        : ({ control: "found", lagMs: 0 } as const)
    let showsOwn: HeldFacts["showsOwnEffect"]
    let pending: HeldFacts["pending"]
    for (;;) {
      const verdict = classifyHeldAbsence({
        ...common,
        control,
        lagMs,
        restoredAt,
        showsOwnEffect: showsOwn,
        pending,
      })
      if (verdict.kind === "look_up_ours") showsOwn = await showsOwnEffect(context, row, restoredAt)
      else if (verdict.kind === "read_balance") pending = (await pendingFor(context, row)) ?? "unreadable"
      else return verdict
    }
  }

  /** Undefined: failed for now; `given_up`: failed for too long, a person decides. Throws when the key is refused. */
  async function lookUpPatiently(): Promise<Lookup | "given_up" | undefined> {
    try {
      return await lookUp(context, row)
    } catch (error) {
      if (!(error instanceof AppError) || isKeyRefused(error)) throw error
      const now = time.now()
      const missed = missesOf(row, now)
      const lastedLong = now - missed.since > patienceFor(settleMs)
      if (isOutOfPatience(now) && lastedLong && missed.looks >= missesAllowed) return "given_up"
      const nextAt = now + retryIn(now, Math.max(Math.min(retryMs, settleMs / 2), 50))
      const work = { ...row.work, missed }
      await jobs.changeRows(job.id, [transitions.updateUnknown(row, { nextAt, work })])
      return undefined
    }
  }

  /** Delay of the next attempt in ms; grows with the time since the call. */
  function retryIn(now: number, least: number): number {
    return Math.min(longestRetryMs, Math.max(least, (now - endOr(now)) / 4))
  }

  function isOutOfPatience(now: number): boolean {
    return now > endOr(now) + patienceFor(settleMs) + decidingAge({ settleMs, recheckMs, lagMs: 0, gapMs: 0 })
  }

  function endOr(now: number): number {
    return transitions.waitedSince(row) ?? row.sentAt ?? now
  }
}

function withoutMisses(work: RowRecord["work"]): RowRecord["work"] {
  if (work === null || !("missed" in work)) return work
  const { missed: _missed, ...rest } = work
  return rest
}

const savedMisses = z.object({ since: z.number(), looks: z.number() })

function missesOf({ work }: RowRecord, now: number) {
  const { since, looks } = savedMisses.safeParse(work?.["missed"]).data ?? { since: now, looks: 0 }
  return { since, looks: looks + 1 }
}

/** Checks a resent row ten settle times later: a second entry with its tag means that the first attempt was carried out. */
export async function recheckRow(context: JobContext, row: RowRecord): Promise<void> {
  const { config, job, rules, store, time } = context
  const change = (made: RowChange) => store.jobs.changeRows(job.id, [made])
  const readLater = () =>
    change(transitions.readAgainAt(row, time.now() + Math.max(config.jobs.settleMs, 1000)))
  try {
    const lookup = await lookUp(context, row)
    const isTwice =
      lookup.kind === "read" &&
      lookup.found.some(({ tagged, upstreamId }) => tagged && upstreamId !== row.upstreamId)
    if (lookup.kind === "read" && !lookup.complete && !isTwice) {
      await readLater()
      return
    }
    await change(isTwice ? transitions.markDuplicated(rules, row) : transitions.readAgainAt(row, null))
    context.jobChanged(job.id)
  } catch (error) {
    if (!(error instanceof AppError) || isKeyRefused(error)) throw error
    await readLater()
  }
}
