import type { RowOutcomeCode } from "../../contract/row-outcomes.ts"
import type { AbsenceProof } from "./job-kind.ts"
import type { CanaryRecord } from "./job-store.ts"

// Decides what an empty lookup proves (docs/jobs.md, Absence). Times in ms.

/** What recent canaries say about a member history, from which absence is concluded. */
export interface HistoryState {
  /**
   * `found`: the history shows a canary confirmed after the row's call, and no older canary is missing. `not-yet`: it does
   * not show one yet. `none`: there is no later canary.
   */
  readonly canary: "found" | "not-yet" | "none"
  /** Largest delay from a response to its entry in the history, including entries not seen yet. */
  readonly lagMs: number
  readonly seenLagMs: number
}

/** Evaluates recent canaries for a row whose call ended at `endedAt`. */
export function historyStateFrom(
  recent: readonly Pick<CanaryRecord, "answeredAt" | "seenAt">[],
  endedAt: number,
  now: number,
): HistoryState {
  const lags = recent.map(({ answeredAt, seenAt }) => (seenAt ?? now) - answeredAt)
  const seenLags = recent.flatMap(({ answeredAt, seenAt }) => (seenAt === null ? [] : [seenAt - answeredAt]))
  const state = { lagMs: Math.max(0, ...lags), seenLagMs: Math.max(0, ...seenLags) }
  const after = recent.filter(({ answeredAt }) => answeredAt > endedAt)
  const shown = after.flatMap(({ answeredAt, seenAt }) => (seenAt === null ? [] : [answeredAt]))
  if (shown.length === 0) return { canary: after.length > 0 ? "not-yet" : "none", ...state }
  const latest = Math.max(...shown)
  const isMissing = recent.some(({ seenAt, answeredAt }) => seenAt === null && answeredAt < latest)
  return { canary: isMissing ? "not-yet" : "found", ...state }
}

interface CommonFacts extends Pick<HistoryState, "canary" | "lagMs"> {
  readonly lookedAt: number
  readonly lookups: number
  readonly settleMs: number
  readonly recheckMs: number
  readonly proof: AbsenceProof
  /** All of the service's entries were read. */
  readonly complete: boolean
  /** Largest observed delay from the end of an unanswered call to its entry. */
  readonly gapMs: number
  /** Points of the member that wait for approval; undefined: not read yet. */
  readonly pending: number | undefined
}

/** Facts about a row whose lookup found nothing. */
export interface AbsenceFacts extends CommonFacts, Pick<HistoryState, "seenLagMs"> {
  /** When the last call ended, or was proven to have; null while neither is known (docs/jobs.md, Whether a call has ended). */
  readonly endedAt: number | null
  /** Start of the waiting time; later than `endedAt` for a reopened row. */
  readonly waitedSince: number | null
  /** The job will soon have further confirmed rows, one of which may become a canary. */
  readonly moreToCome: boolean
}

/** Facts about a row whose job is held after a restore. */
export interface HeldFacts extends Omit<CommonFacts, "pending"> {
  /** When the restore was detected: all sends of the row were earlier. */
  readonly restoredAt: number
  /** Whether a lookup shows an own effect of the same form; undefined: not looked up yet. */
  readonly showsOwnEffect: boolean | undefined
  readonly pending: number | "unreadable" | undefined
}

/** What an empty lookup means for its row. */
export type AbsenceVerdict =
  | { readonly kind: "wait"; readonly until: number }
  | { readonly kind: "absent" }
  | { readonly kind: "person"; readonly code: RowOutcomeCode }

/** Minimum age of a call for a verdict, ms: an effect may be booked two settle times late and appear as late as canaries. */
export function decidingAge(times: Pick<AbsenceFacts, "settleMs" | "recheckMs" | "lagMs" | "gapMs">): number {
  return 2 * (times.settleMs + times.lagMs + times.gapMs) + times.recheckMs
}

/** Additional wait beyond the deciding age before a person must decide, ms. */
export function patienceFor(settleMs: number): number {
  return 10 * Math.max(settleMs, 1000)
}

function soonAfter({ lookedAt, settleMs }: Pick<AbsenceFacts, "lookedAt" | "settleMs">): number {
  return lookedAt + Math.max(settleMs / 2, 50)
}

/** The verdict on a row that was not found; only `absent` means that it was not carried out. */
export function classifyAbsence(facts: AbsenceFacts): AbsenceVerdict | { readonly kind: "read_balance" } {
  const { lookedAt, endedAt, settleMs } = facts
  const age = decidingAge(facts)
  const soon = soonAfter(facts)
  // Only the measured lag: the lag of missing canaries grows with time.
  const patience = patienceFor(settleMs) + decidingAge({ ...facts, lagMs: facts.seenLagMs })
  if (endedAt === null) return { kind: "wait", until: soon }
  // Two lookups, because this server may have been down during the wait.
  const since = facts.waitedSince ?? endedAt
  const isOutOfPatience = lookedAt > since + patience && facts.lookups >= 2
  const waitOr = (code: RowOutcomeCode, isOver: boolean, until = soon): AbsenceVerdict =>
    isOver ? { kind: "person", code } : { kind: "wait", until }
  if (lookedAt < endedAt + age) {
    const until = endedAt + Math.min(age, patience + soon - lookedAt)
    return waitOr("history_lagging", isOutOfPatience, Math.max(until, soon))
  }
  if (!facts.complete) return waitOr("history_lagging", isOutOfPatience)
  if (facts.proof === "settled") return { kind: "absent" }
  if (facts.canary === "none") return waitOr("no_canary", !facts.moreToCome || isOutOfPatience)
  if (facts.canary === "not-yet") return waitOr("history_lagging", isOutOfPatience)
  if (facts.pending === undefined) return { kind: "read_balance" }
  if (facts.pending > 0) return waitOr("points_pending", lookedAt > since + age + 2 * settleMs)
  return { kind: "absent" }
}

/**
 * The verdict on a row of a held job. Nothing was sent since the restore, so the wait is longer, and a lookup must show
 * an own effect of the same form.
 */
export function classifyHeldAbsence(
  facts: HeldFacts,
): AbsenceVerdict | { readonly kind: "read_balance" } | { readonly kind: "look_up_ours" } {
  const { lookedAt, lookups, restoredAt, settleMs, recheckMs } = facts
  // The last call before the restore may be booked two settle times late and appear two later.
  const age = 2 * settleMs + decidingAge(facts)
  const patience = patienceFor(settleMs) + 4 * settleMs + recheckMs
  const soon = soonAfter(facts)
  const orPerson = (until: number): AbsenceVerdict =>
    lookedAt > restoredAt + patience && lookups >= 2
      ? { kind: "person", code: "restore_unsure" }
      : { kind: "wait", until: Math.max(until, soon) }
  if (lookedAt < restoredAt + age) return orPerson(restoredAt + Math.min(age, patience + soon - lookedAt))
  if (!facts.complete) return orPerson(soon)
  if (facts.proof === "settled") return { kind: "absent" }
  // Require a second lookup: a single odd response proves nothing.
  if (lookups === 0) return { kind: "wait", until: lookedAt + recheckMs }
  if (facts.canary === "not-yet") return orPerson(soon)
  if (facts.canary === "none") {
    if (facts.showsOwnEffect === undefined) return { kind: "look_up_ours" }
    if (!facts.showsOwnEffect) return { kind: "person", code: "restore_unsure" }
  }
  if (facts.pending === undefined) return { kind: "read_balance" }
  if (facts.pending === "unreadable") return orPerson(soon)
  return facts.pending > 0 ? { kind: "person", code: "points_pending" } : { kind: "absent" }
}
