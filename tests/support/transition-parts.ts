import { award } from "../../core/jobs/kinds/points.ts"
import type { KindRules } from "../../core/jobs/job-kind.ts"
import type { RowRecord } from "../../core/jobs/job-store.ts"
import type { TransitionContext } from "../../core/jobs/transitions.ts"
import { jobOf, rowOf } from "./job-records.ts"

// Rows, rules and the engine's context for unit tests of transitions.

export const now = 5000
export function jobContext(rules = rulesOf(), job = jobOf(), settleMs = 1000): TransitionContext {
  return { time: { now: () => now }, config: { jobs: { settleMs } }, rules, job }
}

/** A kind without claims by default. */
export function rulesOf(over: Partial<KindRules> = {}): KindRules {
  const { claims: _awards, ...rules } = award
  return { ...rules, resends: 0, ...over }
}

export const whileSent = { scope: "while-sent", key: "a" }
export const untilEnd = { scope: "until-end", key: "b" }
export const claiming = rulesOf({ claims: { whileSent: () => whileSent, untilEnd: () => untilEnd } })
export const holding = rulesOf({ claims: { untilEnd: () => untilEnd } })
export const planned = rowOf({ attempts: 2, edits: 3, notes: { note: 1 } })
export const sent = rowOf({ state: "sent", attempts: 1, sentAt: 100, firstSentAt: 100, notes: { note: 1 } })
export const unknown = rowOf({
  ...sent,
  state: "unknown",
  hadUnknownAttempt: true,
  endedAt: 200,
  endedHow: "reset",
})
export const outcome = { code: "closed", message: "It is closed." }
export const seen = (row: RowRecord) => ({ row: 7, attempt: row.attempts })
export const seenPlanned = { row: 7, from: ["planned"], attempt: 2, edits: 3 }
export const openStates = ["sent", "unknown", "absent"]
