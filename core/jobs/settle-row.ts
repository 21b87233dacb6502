import { rowOutcomeWords } from "../../contract/row-outcomes.ts"
import type { RowOutcomeCode } from "../../contract/job-rows.ts"
import { announce } from "./announce.ts"
import { historyState } from "./controls.ts"
import type { Gaps } from "./gaps.ts"
import type { JobContext } from "./job-context.ts"
import { type FoundEffect, type KindRules, type Lookup, neverSentHere, restoredFacts } from "./job-kind.ts"
import { judgeAbsence, type AbsenceVerdict } from "./judge-absence.ts"
import { judgeHeld } from "./judge-held.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { goesInBulk } from "./correlation-tags.ts"
import type { Owners } from "./owners.ts"
import { pendingFor } from "./pending-points.ts"
import { confirmation } from "./record.ts"
import { isOutOfPatience, retryIn, retryMs, tryLook, withoutMisses } from "./try-look.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"

/** What settling stands on. */
export interface SettleDeps {
  readonly context: JobContext
  readonly owners: Owners
  readonly gaps: Gaps
  /** Forms of marks that the search was seen to show after a restore. */
  readonly searches: Set<string>
}

const looksKept = 20

/**
 * Looks whether an unknown row was carried out, and moves it on: confirmed, planned again, absent, or to a person
 * (docs/decisions/0008-jobs.md, Absence). Reading and confirming is always allowed; everything else waits for proof.
 */
export async function settleRow(deps: SettleDeps, job: JobRecord, seen: RowRecord): Promise<void> {
  const { context, owners } = deps
  const { jobs } = context.store
  const rules = kindRules[job.kind]
  const lookedAt = context.time.now()
  let row = seen
  if (row.endedAt === null && (await owners.ended(row.owner))) {
    row = { ...row, endedAt: lookedAt }
    await jobs.changeRows(job.id, [
      { row: row.row, from: ["unknown"], attempt: row.attempts, set: { endedAt: lookedAt } },
    ])
  }
  const restored = restoredFacts(row)
  const notYet =
    row.looks.length > 0 && restored === undefined
      ? await tooEarly(deps, job, rules, row, lookedAt)
      : undefined
  if (notYet !== undefined) {
    await jobs.changeRows(job.id, [
      { row: row.row, from: ["unknown"], attempt: row.attempts, set: { nextAt: notYet } },
    ])
    return
  }
  const look = await tryLook(context, job, rules, row)
  if (look === undefined) return
  row = { ...row, work: withoutMisses(row.work) }
  const looks = [...row.looks, lookedAt].slice(-looksKept)
  const change = (set: RowChange["set"], release = false): RowChange => {
    const leaves = set.state !== undefined && set.state !== "unknown"
    const held =
      (leaves ? rules.claimWhileSent?.(row) : undefined) ?? (release ? rules.claimUntilEnd?.(row) : undefined)
    const kept = { looks, ...(row.work !== seen.work && { work: row.work }), ...set }
    const base: RowChange = { row: row.row, from: ["unknown"], attempt: row.attempts, set: kept }
    return held === undefined ? base : { ...base, release: held }
  }
  // Whoever had decided before decided about an earlier attempt.
  const asked = { nextAt: null, decision: null }
  const person = (code: RowOutcomeCode, work?: RowRecord["work"]) => {
    const outcome = { code, message: rowOutcomeWords[code] }
    return change({ ...asked, state: "conflict", outcome, ...(work && { work: { ...row.work, ...work } }) })
  }
  const apply = async (made: RowChange) => {
    await jobs.changeRows(job.id, [made])
    context.jobChanged(job.id)
    await rules.onResolved?.(context, job, row.row)
  }

  if (look === "given_up") return apply(person("history_unreadable"))
  const found = look.kind === "read" ? look.found : []
  const mine = await freeOnes(
    context,
    rules,
    row,
    found.filter(({ tagged }) => tagged),
  )
  const [only] = mine
  if (only !== undefined && mine.length === 1) return confirmFound(deps, job, rules, { ...row, looks }, only)
  if (mine.length > 1) return apply(person("several_matches"))
  // Such as a row that was edited after the backup that was restored: that entry is this row's, so it is not missing.
  const others = found.filter(({ otherAmount }) => otherAmount === true)
  if ((await freeOnes(context, rules, row, others)).length > 0) return apply(person("other_amount"))
  if (look.kind === "read" && look.refused !== undefined)
    return apply(change({ state: "failed", nextAt: null, outcome: look.refused, endedAt: null }, true))
  if (look.kind === "read" && look.person !== undefined) {
    const { work, ...outcome } = look.person
    const kept = work && { work: { ...row.work, ...work } }
    return apply(change({ state: "conflict", nextAt: null, outcome, ...kept }))
  }
  if (!job.marked && goesInBulk(job, row))
    return apply(person(restored === undefined ? "unmarked" : "restore_unsure"))

  // An answer came, without this row, and its member is not there: no time has to pass for that.
  if (look.kind === "no_record" && row.singly && restored === undefined)
    return apply(absent(job, rules, row, look, change))
  if (look.kind === "changed") return apply(person(look.code ?? "changed_there", look.work))

  const verdict =
    restored === undefined
      ? await judge(deps, job, rules, row, look, lookedAt)
      : await judgeHeld(deps, { job, rules, row, restored }, look, lookedAt)
  if (verdict.kind === "wait") return apply(change({ nextAt: verdict.until }))
  if (verdict.kind === "person") {
    const { code } = verdict
    return apply(person(code === "history_lagging" ? (rules.unsureCode ?? code) : code))
  }
  // One odd answer decides nothing: what was not there has to be missing a second time.
  const emptyAt = row.work?.["empty_at"]
  if (rules.absence === "control" && restored === undefined) {
    const { recheckMs } = context.config.jobs
    const isSecond = typeof emptyAt === "number" && emptyAt >= (row.endedAt ?? lookedAt)
    if (!isSecond) {
      return apply(change({ nextAt: lookedAt + recheckMs, work: { ...row.work, empty_at: lookedAt } }))
    }
    if (lookedAt < emptyAt + recheckMs) return apply(change({ nextAt: emptyAt + recheckMs }))
  }
  return apply(absent(job, rules, row, look, change))
}

/**
 * Until when another look could not decide anything: what is missing is time or a control, and asking the service once
 * more would only cost requests.
 */
async function tooEarly(
  deps: SettleDeps,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  now: number,
): Promise<number | undefined> {
  if (job.lane === "people") return undefined
  // As if it had been looked at often enough: only what time or a control would change keeps a look from being made.
  const verdict = await judge(deps, job, rules, row, { kind: "read", found: [], complete: true }, now, true)
  return verdict.kind === "wait" ? verdict.until : undefined
}

/** Those of the entries that are no other row's. */
export async function freeOnes(
  context: JobContext,
  rules: KindRules,
  row: RowRecord,
  found: readonly FoundEffect[],
): Promise<readonly FoundEffect[]> {
  const scope = rules.claimScope
  if (found.length === 0 || scope === undefined) return found
  const claims = await context.store.jobs.claims(
    scope,
    found.map(({ upstreamId }) => upstreamId),
  )
  return found.filter(({ upstreamId }) => {
    const owner = claims.get(upstreamId)
    return owner === undefined || (owner.job === row.jobId && owner.row === row.row)
  })
}

const foundAfterRestore = { code: "found_after_restore", message: rowOutcomeWords.found_after_restore }

async function confirmFound(
  { context, gaps }: SettleDeps,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  found: FoundEffect,
): Promise<void> {
  const at = row.endedAt ?? context.time.now()
  const made = confirmation(
    context,
    rules,
    row,
    {
      upstreamId: found.upstreamId,
      balanceAfter: null,
      ...(found.work !== undefined && { work: found.work }),
    },
    { at, byAnswer: false },
  )
  const { outcome = null } = found
  const after = restoredFacts(row) === undefined ? null : foundAfterRestore
  const change: RowChange = { ...made, set: { ...made.set, looks: row.looks, outcome: outcome ?? after } }
  const [result] = await context.store.jobs.changeRows(job.id, [change])
  // Somebody else's row took it between looking and claiming: the next look sees that.
  if (result !== "changed") return
  const created =
    found.createdAt === undefined ? undefined : context.time.fromServiceTime(rules.api, found.createdAt)
  if (created !== undefined && row.endedAt !== null) gaps.seen(created - row.endedAt)
  // Where one row of an unanswered bulk request was carried out, the others likely were too.
  if (row.request !== null) await context.store.jobs.hurry(job.id, row.request, context.time.now())
  await rules.onResolved?.(context, job, row.row)
  announce(context, job, rules, [row])
}

async function judge(
  { context, gaps }: SettleDeps,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  look: Lookup,
  lookedAt: number,
  onlyAsks = false,
): Promise<AbsenceVerdict> {
  const { settleMs, recheckMs } = context.config.jobs
  const proof = look.kind === "read" ? rules.absence : "settled"
  const history =
    proof === "control" && row.endedAt !== null
      ? await historyState(context, job, row, row.endedAt)
      : ({ control: "none", lagMs: 0, seenLagMs: 0 } as const)
  const facts = {
    lookedAt,
    endedAt: row.endedAt,
    sentAt: row.sentAt ?? lookedAt,
    looks: onlyAsks ? Infinity : row.looks.length,
    settleMs,
    recheckMs,
    proof,
    complete: look.kind !== "read" || look.complete,
    ...history,
    gapMs: gaps.largest(),
    moreToCome: mayCome(context, job, row, lookedAt),
    pending: undefined,
  }
  const verdict = judgeAbsence(facts)
  if (verdict.kind !== "read_balance" || onlyAsks) return verdict
  const pending = await pendingFor(context, job, row)
  return pending === undefined
    ? isOutOfPatience(context, row, lookedAt)
      ? { kind: "person", code: "history_unreadable" }
      : {
          kind: "wait",
          until: lookedAt + retryIn(row, lookedAt, retryMs),
        }
    : judgeAbsence({ ...facts, pending })
}

/**
 * Whether an effect that could be a control is still to be expected: from this job, or for a while from another one. A
 * person at a form is not kept waiting for that.
 */
function mayCome(context: JobContext, job: JobRecord, row: RowRecord, now: number): boolean {
  if (job.state === "running" && job.counts.planned + job.counts.sent > 0) return true
  const { settleMs } = context.config.jobs
  return job.lane === "jobs" && now < (row.endedAt ?? now) + 5 * settleMs
}

/** What happens with a row that was proven not to have been carried out. */
function absent(
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  look: Lookup,
  change: (set: RowChange["set"], release?: boolean) => RowChange,
): RowChange {
  const refusal = refusalOf(row)
  if (refusal !== undefined) {
    // Such as a reference that somebody else's record has already: it is for a person to say what that means.
    const state = rules.isInconclusive?.(refusal.code) === true ? "conflict" : "failed"
    return change({ state, nextAt: null, outcome: refusal, decision: null }, state === "failed")
  }
  if (look.kind === "no_record") {
    const code = rules.missingCode ?? "not_found_there"
    const outcome = { code, message: rowOutcomeWords[code] }
    return change({ state: "failed", nextAt: null, outcome }, true)
  }
  // This store never sent it, and nobody else did: it waits with its job for a person's word.
  if (neverSentHere(row) !== undefined) {
    return change({ state: "planned", nextAt: null, outcome: null, endedAt: null, endedHow: null })
  }
  const mayGo = job.state === "running" || job.state === "paused" || job.state === "done"
  if (mayGo && row.resends < rules.resends) {
    return change({ state: "planned", nextAt: null, outcome: null, resends: row.resends + 1 })
  }
  const code = rules.absentCode ?? "left_to_person"
  const outcome = { code, message: rowOutcomeWords[code] }
  return change({ state: "absent", nextAt: null, outcome, decision: null })
}

/** The refusal of an attempt that came after an unknown one: it alone proved nothing. */
function refusalOf({ work }: RowRecord): { code: string; message: string } | undefined {
  const refusal = work?.["refusal"]
  if (typeof refusal !== "object" || refusal === null) return undefined
  return { code: "", message: "", ...refusal }
}
