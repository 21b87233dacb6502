import type { KindRules, Lookup, RestoredFacts } from "./job-kind.ts"
import { historyState } from "./controls.ts"
import { decidingAge, patienceFor, type AbsenceVerdict } from "./judge-absence.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { lookFrom } from "./look-from.ts"
import { tagForm } from "./correlation-tags.ts"
import { pendingFor } from "./pending-points.ts"
import { answeredWell } from "./job-kind.ts"
import type { SettleDeps } from "./settle-row.ts"
import { DeskFailure } from "../errors.ts"
import { isKeyTrouble } from "./key-trouble.ts"

const candidates = 50
const unsure = { kind: "person", code: "restore_unsure" } as const

/**
 * Decides what it is worth that a row of a held job was not found. Nothing was sent since the restore was found, so
 * there may be no later effect of ours to compare with: instead twice the usual time has to pass, an effect of ours of
 * the same form must be shown by the same search, none may be missing, and a person has the last word for the job.
 */
export async function judgeHeld(
  deps: SettleDeps,
  {
    job,
    rules,
    row,
    restored,
  }: { job: JobRecord; rules: KindRules; row: RowRecord; restored: RestoredFacts },
  look: Lookup,
  lookedAt: number,
): Promise<AbsenceVerdict> {
  const { context, gaps } = deps
  const { settleMs, recheckMs } = context.config.jobs
  const { at } = restored
  const needsControl = look.kind === "read" && rules.absence === "control"
  const { control, lagMs } = needsControl
    ? await historyState(context, job, row, at)
    : ({ control: "found", lagMs: 0 } as const)
  // Booked up to two settle times late, and shown up to two later still, by the last call before the restore was found.
  const age = 2 * settleMs + decidingAge({ settleMs, recheckMs, lagMs, gapMs: gaps.largest() })
  const patience = patienceFor(settleMs) + 4 * settleMs + recheckMs
  const soon = Math.max(settleMs / 2, 50)
  const orPerson = (until: number): AbsenceVerdict =>
    lookedAt > at + patience && row.looks.length >= 2
      ? unsure
      : { kind: "wait", until: Math.max(until, lookedAt + soon) }
  if (lookedAt < at + age) return orPerson(at + Math.min(age, patience + soon))
  if (look.kind === "read" && !look.complete) return orPerson(lookedAt + soon)
  if (!needsControl) return { kind: "absent" }
  // One odd answer decides nothing.
  if (row.looks.length === 0) return { kind: "wait", until: lookedAt + recheckMs }
  if (control === "not-yet") return orPerson(lookedAt + soon)
  if (control === "none" && !(await showsOurs(deps, job, rules, row, at))) return unsure
  const pending = await pendingFor(context, job, row)
  if (pending === undefined) return orPerson(lookedAt + soon)
  return pending > 0 ? { kind: "person", code: "points_pending" } : { kind: "absent" }
}

/** Whether the search shows an effect of ours of the same form now: one that it found since, or the last confirmed one. */
async function showsOurs(
  { context, searches }: SettleDeps,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  since: number,
): Promise<boolean> {
  const { jobs } = context.store
  const form = tagForm(job, row)
  const key = `${form} since ${since}`
  if (searches.has(key)) return true
  if ((await jobs.controls(form, 0)).some(({ seenAt }) => seenAt !== null && seenAt >= since)) return true
  for (const other of await jobs.confirmedAfter([job.kind], 0, candidates)) {
    const home = other.jobId === job.id ? job : await jobs.get(other.jobId)
    if (home === undefined || other.upstreamId === null || tagForm(home, other) !== form) continue
    if (other.endedHow !== answeredWell) {
      if ((other.confirmedAt ?? 0) >= since) return true
      continue
    }
    if (other.memberId === null || (!home.marked && form === "award:reason")) continue
    try {
      const look = await rules.lookup(context, home, other, lookFrom(context, rules.api, other))
      if (look.kind !== "read") continue
      const seen = look.found.some(({ tagged, upstreamId }) => tagged && upstreamId === other.upstreamId)
      if (seen) searches.add(key)
      return seen
    } catch (error) {
      if (!(error instanceof DeskFailure) || isKeyTrouble(error)) throw error
      return false
    }
  }
  return false
}
