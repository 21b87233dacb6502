import { award } from "../../core/jobs/kinds/points.ts"
import type { JobContext, KindRules } from "../../core/jobs/job-kind.ts"
import type { RowRecord } from "../../core/jobs/job-store.ts"
import { jobOf, rowOf } from "./job-records.ts"
import { createFakeClock } from "./fake-clock.ts"

// Rows, rules and the engine's context for unit tests of transitions.

export const now = 5000
/** What a transition reads of the engine is little: the rest is not there. */
export function contextOf(rules = rulesOf(), job = jobOf(), settleMs = 1000): JobContext {
  const jobs = { settleMs, recheckMs: 700, leaseMs: 4000, callMs: 800 }
  return { time: { now: () => now }, clock: createFakeClock(), config: { jobs }, rules, job } as never
}

/** A kind that claims nothing, unless it says otherwise. */
export function rulesOf(over: Partial<KindRules> = {}): KindRules {
  return { ...award, claimScope: undefined, resends: 0, ...over }
}

export const whileSent = { scope: "while-sent", key: "a" }
export const untilEnd = { scope: "until-end", key: "b" }
export const claiming = rulesOf({ claimWhileSent: () => whileSent, claimUntilEnd: () => untilEnd })
export const holding = rulesOf({ claimUntilEnd: () => untilEnd })
export const planned = rowOf({ attempts: 2, edits: 3, work: { kept: 1 } })
export const sent = rowOf({ state: "sent", attempts: 1, sentAt: 100, firstSentAt: 100, work: { kept: 1 } })
export const unknown = rowOf({ ...sent, state: "unknown", doubtful: true, endedAt: 200, endedHow: "reset" })
export const outcome = { code: "closed", message: "It is closed." }
export const seen = (row: RowRecord) => ({ row: 7, attempt: row.attempts })
export const seenPlanned = { row: 7, from: ["planned"], attempt: 2, edits: 3 }
export const openStates = ["sent", "unknown", "absent"]
