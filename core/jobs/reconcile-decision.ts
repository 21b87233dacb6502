import { rowOutcome, type RowOutcomeCode } from "../../contract/row-outcomes.ts"
import {
  type AbsenceVerdict,
  classifyAbsence,
  classifyHeldAbsence,
  decidingAge,
  type HistoryState,
  patienceFor,
} from "./absence.ts"
import {
  type FoundEffect,
  type KindRules,
  type Lookup,
  type NamedEffect,
  neverSentHere,
  type RowOutcome,
  restoredFacts,
} from "./job-kind.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"
import { engineNotes, notesOf, waitedSince } from "./row-notes.ts"

// What follows from the lookup of an unknown row. Pure; times are ms since 1970 on the store's clock.

/** What a lookup and the store say about an unknown row. */
export interface Evidence {
  readonly row: RowRecord
  readonly job: Pick<JobRecord, "state" | "lane" | "counts">
  readonly rules: Pick<KindRules, "absence" | "refusals" | "messages">
  readonly settleMs: number
  readonly recheckMs: number
  readonly lookedAt: number
  /** `given_up`: the lookup failed for too long. */
  readonly lookup: Lookup | { readonly kind: "given_up" }
  /** Found effects of this row's amount or another, without those that belong to other rows. */
  readonly unclaimed: readonly FoundEffect[]
  /** The row is sent in bulk and without batch code: nothing identifies its effect. */
  readonly isUntagged: boolean
  /** Largest observed delay from the end of an unanswered call to its entry. */
  readonly gapMs: number
  // Read only if the decision depends on it; undefined: not read yet.
  readonly history?: HistoryState | undefined
  readonly pending?: number | "unreadable" | undefined
  readonly showsOwnEffect?: boolean | undefined
}

/** What else must be read before the row can be decided. */
interface Missing {
  readonly kind: "read"
  readonly what: "history" | "balance" | "own_effect"
}

/** What becomes of an unknown row; `afterLookup` makes the change. */
export type Decision =
  | { readonly kind: "confirm"; readonly effect: FoundEffect; readonly outcome: RowRecord["outcome"] }
  | { readonly kind: "wait"; readonly until: number; readonly notes?: RowRecord["notes"] }
  /** A person decides. */
  | ({ readonly kind: "person"; readonly outcome: RowOutcome } & Pick<NamedEffect, "notes">)
  | {
      readonly kind: "failed"
      readonly outcome: RowOutcome
      readonly set?: Pick<RowChange["set"], "endedAt" | "decision">
    }
  | { readonly kind: "absent" }
  /** Proven never sent: planned as before. */
  | { readonly kind: "unsent" }

/** Delay before an unreadable record is read again, in ms. */
export const retryMs = 5000
const longestRetryMs = 120_000

/** Confirming is always allowed; everything else requires proof (docs/jobs.md, Absence). */
export function decideFromEvidence(evidence: Evidence): Decision | Missing {
  const { lookup, row, unclaimed } = evidence
  const [only, ...more] = unclaimed.filter(({ tagged }) => tagged)
  if (only !== undefined) return more.length === 0 ? confirm(only, row) : person("several_matches")
  // For example a row edited after the restored backup was made: the entry is this row's, so it is not absent.
  if (unclaimed.length > 0) return person("ledger_other_amount")
  if (lookup.kind === "given_up") return person("history_unreadable")
  return decidedByLookup(evidence, lookup) ?? decideAbsence(evidence, lookup)
}

function confirm(effect: FoundEffect, row: RowRecord): Decision {
  const afterRestore = restoredFacts(row) === undefined ? null : rowOutcome("found_after_restore")
  return { kind: "confirm", effect, outcome: effect.outcome ?? afterRestore }
}

function person(code: RowOutcomeCode): Decision {
  return { kind: "person", outcome: rowOutcome(code) }
}

/** The decision where what was read is enough, however old the call is. */
function decidedByLookup({ isUntagged, row }: Evidence, lookup: Lookup): Decision | undefined {
  if (lookup.kind === "read") {
    if (lookup.refused !== undefined)
      return { kind: "failed", outcome: lookup.refused, set: { endedAt: null } }
    if (lookup.person !== undefined) {
      const { notes, ...outcome } = lookup.person
      return { kind: "person", outcome, ...(notes !== undefined && { notes }) }
    }
  }
  if (isUntagged) return person(restoredFacts(row) === undefined ? "unmarked" : "restore_unsure")
  if (lookup.kind !== "changed") return undefined
  const { code = "changed_there", notes } = lookup
  return { kind: "person", outcome: rowOutcome(code), ...(notes !== undefined && { notes }) }
}

function decideAbsence(evidence: Evidence, lookup: Lookup): Decision | Missing {
  const { lookedAt, recheckMs, row, rules } = evidence
  const restored = restoredFacts(row)
  // The response did not name this row and its member does not exist: no need to wait.
  if (lookup.kind === "no_record" && row.sendAlone && restored === undefined)
    return provenAbsent(evidence, lookup)
  const verdict =
    restored === undefined ? verdictOn(evidence, lookup) : heldVerdictOn(evidence, lookup, restored.at)
  if (verdict.kind === "wait" || verdict.kind === "read") return verdict
  if (verdict.kind === "person")
    return person(
      verdict.code === "history_lagging" ? (rules.messages?.unsure ?? verdict.code) : verdict.code,
    )
  // Require a second empty lookup: a single odd response proves nothing.
  if (rules.absence === "canary" && restored === undefined) {
    const { empty_at: emptyAt } = notesOf(row)
    if (emptyAt === undefined || emptyAt < (row.endedAt ?? lookedAt))
      return { kind: "wait", until: lookedAt + recheckMs, notes: engineNotes({ empty_at: lookedAt }) }
    if (lookedAt < emptyAt + recheckMs) return { kind: "wait", until: emptyAt + recheckMs }
  }
  return provenAbsent(evidence, lookup)
}

function provenAbsent({ row, rules }: Evidence, lookup: Lookup): Decision {
  const { refusal } = notesOf(row)
  if (refusal !== undefined) {
    // For example a reference that another record already has: a person decides.
    if (rules.refusals?.isInconclusive?.(refusal.code) === true) return { kind: "person", outcome: refusal }
    return { kind: "failed", outcome: refusal, set: { decision: null } }
  }
  if (lookup.kind === "no_record") {
    // If it was booked, the entry disappeared with the member, who may have been merged or deleted.
    const isUnsure = rules.messages?.missing === undefined && row.attempts > 0 && !row.sendAlone
    if (isUnsure) return person("member_gone")
    return { kind: "failed", outcome: rowOutcome(rules.messages?.missing ?? "not_found_there") }
  }
  return { kind: neverSentHere(row) === undefined ? "absent" : "unsent" }
}

/** The earliest time at which another lookup could decide anything; undefined: now. */
export function nextUsefulLookup(evidence: Evidence): number | Missing | undefined {
  // With unlimited lookups, a `wait` verdict only depends on time or canaries.
  const verdict = verdictOn(evidence, { kind: "read", found: [], complete: true }, Infinity)
  if (verdict.kind === "read" && verdict.what === "history") return verdict
  return verdict.kind === "wait" ? verdict.until : undefined
}

function verdictOn(
  evidence: Evidence,
  lookup: Lookup,
  lookups = evidence.row.lookupTimes.length,
): AbsenceVerdict | Missing {
  const { history, lookedAt, pending, row } = evidence
  const common = commonFacts(evidence, lookup)
  const needsHistory = common.proof === "canary" && row.endedAt !== null
  if (needsHistory && history === undefined) return { kind: "read", what: "history" }
  const verdict = classifyAbsence({
    ...common,
    ...((needsHistory && history) || { canary: "none", lagMs: 0, seenLagMs: 0 }),
    lookups,
    endedAt: row.endedAt,
    waitedSince: waitedSince(row),
    moreToCome: expectsCanary(evidence),
    pending: pending === "unreadable" ? undefined : pending,
  })
  if (verdict.kind !== "read_balance") return verdict
  if (pending !== "unreadable") return { kind: "read", what: "balance" }
  return isOutOfPatience(evidence, lookedAt)
    ? { kind: "person", code: "history_unreadable" }
    : { kind: "wait", until: lookedAt + retryIn(row, lookedAt, retryMs) }
}

function heldVerdictOn(evidence: Evidence, lookup: Lookup, restoredAt: number): AbsenceVerdict | Missing {
  const { history, pending, showsOwnEffect } = evidence
  const common = commonFacts(evidence, lookup)
  const needsHistory = common.proof === "canary"
  if (needsHistory && history === undefined) return { kind: "read", what: "history" }
  const { canary, lagMs } = (needsHistory && history) || ({ canary: "found", lagMs: 0 } as const)
  const verdict = classifyHeldAbsence({ ...common, canary, lagMs, restoredAt, showsOwnEffect, pending })
  if (verdict.kind === "look_up_ours") return { kind: "read", what: "own_effect" }
  return verdict.kind === "read_balance" ? { kind: "read", what: "balance" } : verdict
}

function commonFacts({ gapMs, lookedAt, recheckMs, row, rules, settleMs }: Evidence, lookup: Lookup) {
  const isRead = lookup.kind === "read"
  return {
    lookedAt,
    lookups: row.lookupTimes.length,
    settleMs,
    recheckMs,
    proof: isRead ? rules.absence : "settled",
    complete: !isRead || lookup.complete,
    gapMs,
  } as const
}

/** Whether another canary can be expected. A form does not wait for another job's canary. */
function expectsCanary({ job, lookedAt, row, settleMs }: Evidence): boolean {
  if (job.state === "running" && job.counts.planned + job.counts.sent > 0) return true
  return job.lane === "jobs" && lookedAt < (waitedSince(row) ?? lookedAt) + 5 * settleMs
}

/** Delay of the next attempt in ms; grows with the time since the call. */
export function retryIn(row: RowRecord, now: number, least: number): number {
  return Math.min(longestRetryMs, Math.max(least, (now - endOr(row, now)) / 4))
}

/** Whether the row was looked up for so long that a person decides instead. */
export function isOutOfPatience(
  { row, settleMs, recheckMs }: Pick<Evidence, "row" | "settleMs" | "recheckMs">,
  now: number,
): boolean {
  const age = decidingAge({ settleMs, recheckMs, lagMs: 0, gapMs: 0 })
  return now > endOr(row, now) + patienceFor(settleMs) + age
}

function endOr(row: RowRecord, now: number): number {
  return waitedSince(row) ?? row.sentAt ?? now
}
