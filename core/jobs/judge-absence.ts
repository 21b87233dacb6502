import type { RowOutcomeCode } from "../../contract/job-rows.ts"
import type { AbsenceProof } from "./job-kind.ts"

/** What is known when a look found nothing. Times in ms, the store's clock. */
export interface AbsenceFacts {
  /** When the look began. */
  readonly lookedAt: number
  /** When the last call ended, or its process was proven dead; null while neither is known. */
  readonly endedAt: number | null
  readonly sentAt: number
  /** Looks before this one. */
  readonly looks: number
  readonly settleMs: number
  readonly recheckMs: number
  readonly proof: AbsenceProof
  /** Every row the service has was seen. */
  readonly complete: boolean
  /** Largest lag of recent controls, those not yet seen included. */
  readonly lagMs: number
  /** The same of those that were seen. */
  readonly seenLagMs: number
  /** Largest time seen from the end of a call without a usable answer to the entry it made after all. */
  readonly gapMs: number
  readonly control: "found" | "not-yet" | "none"
  /** The job will soon have further answered rows, one of which may become a control. */
  readonly moreToCome: boolean
  /** Points of the member that wait for approval; undefined: not read yet. */
  readonly pending: number | undefined
}

/** What follows from it. */
export type AbsenceVerdict =
  /** Look again then. */
  | { readonly kind: "wait"; readonly until: number }
  /** All that is missing is the balance. */
  | { readonly kind: "read_balance" }
  /** It was not done. */
  | { readonly kind: "absent" }
  /** It cannot be known from here. */
  | { readonly kind: "person"; readonly code: RowOutcomeCode }

/**
 * How old a row's call must be before nothing found can mean that nothing was done: an effect may be booked up to twice
 * the settle time after the call ended, and shown as late as the controls were.
 */
export function decidingAge({
  settleMs,
  recheckMs,
  lagMs,
  gapMs,
}: Pick<AbsenceFacts, "settleMs" | "recheckMs" | "lagMs" | "gapMs">): number {
  return 2 * settleMs + 2 * lagMs + 2 * gapMs + recheckMs
}

/** How long what is missing is waited for, beyond the age that decides, before a person is asked, ms. */
export function patienceFor(settleMs: number): number {
  return 10 * Math.max(settleMs, 1000)
}

/** Decides what a look that found nothing is worth (docs/decisions/0008-jobs.md, Absence). */
export function judgeAbsence(facts: AbsenceFacts): AbsenceVerdict {
  const { lookedAt, endedAt, settleMs } = facts
  const age = decidingAge(facts)
  const soon = Math.max(settleMs / 2, 50)
  // Only the lag that was measured: an assumed one grows as fast as time passes.
  const patience = patienceFor(settleMs) + decidingAge({ ...facts, lagMs: facts.seenLagMs })
  if (endedAt === null) {
    return lookedAt - facts.sentAt > patience
      ? { kind: "person", code: "owner_unknown" }
      : { kind: "wait", until: lookedAt + soon }
  }
  // A desk that was away for an hour has not been patient yet.
  const outOfPatience = lookedAt > endedAt + patience && facts.looks >= 2
  if (lookedAt < endedAt + age) {
    return outOfPatience
      ? { kind: "person", code: "history_lagging" }
      : { kind: "wait", until: Math.max(endedAt + Math.min(age, patience + soon), lookedAt + soon) }
  }
  if (!facts.complete) {
    return outOfPatience
      ? { kind: "person", code: "history_lagging" }
      : { kind: "wait", until: lookedAt + soon }
  }
  if (facts.proof === "settled") return { kind: "absent" }
  if (facts.control === "none") {
    return facts.moreToCome && !outOfPatience
      ? { kind: "wait", until: lookedAt + soon }
      : { kind: "person", code: "no_control" }
  }
  if (facts.control === "not-yet") {
    return outOfPatience
      ? { kind: "person", code: "history_lagging" }
      : { kind: "wait", until: lookedAt + soon }
  }
  if (facts.pending === undefined) return { kind: "read_balance" }
  if (facts.pending > 0) {
    return lookedAt > endedAt + age + 2 * settleMs
      ? { kind: "person", code: "points_pending" }
      : { kind: "wait", until: lookedAt + soon }
  }
  return { kind: "absent" }
}
