import * as z from "zod/mini"
import type { RowDecision } from "../../contract/job-rows.ts"
import { rowOutcome, type RowOutcomeCode } from "../../contract/row-outcomes.ts"
import {
  answeredWell,
  type JobContext,
  type KindRules,
  type NamedEffect,
  type Outcome,
  type Precheck,
  unnamedSuccess,
  withWork,
} from "./job-kind.ts"
import type { Claim, JobRecord, NewRow, RowChange, RowCorrection, RowRecord } from "./job-store.ts"
import type { CallOutcome } from "./outcome.ts"

// Every change of a row is made here and nowhere else (docs/decisions/0002-money.md, Rows and their states). Each holds
// only if the row is still as it was seen. Times in ms since 1970, the store's clock.

type RowFields = RowChange["set"]

/** What a transition reads of a job's context. */
export interface TransitionContext extends Pick<JobContext, "job" | "rules"> {
  readonly time: Pick<JobContext["time"], "now">
  readonly config: { readonly jobs: Pick<JobContext["config"]["jobs"], "settleMs"> }
}

/** Nothing follows from it once it was sent again, where `attempts` is given. */
type SeenRow = Pick<RowRecord, "row"> & { readonly attempts?: number }
type Terms = Pick<RowChange, "edits" | "claim" | "release">

function change({ row, attempts }: SeenRow, from: RowChange["from"], set: RowFields, terms: Terms = {}) {
  return { row, attempt: attempts, from, set, ...terms }
}

function claimOf(rules: KindRules, row: RowRecord): Claim | undefined {
  return rules.claimWhileSent?.(row) ?? rules.claimUntilEnd?.(row)
}

function effectClaim({ claimScope: scope }: KindRules, key: string | null): Claim | undefined {
  return scope === undefined || key === null ? undefined : { scope, key }
}

// Before a call

/** Nothing follows from it once it was edited either. */
type PlannedRow = SeenRow & Pick<RowRecord, "edits">
type PlannedFields = Omit<RowFields, "state" | "attempts" | "doubtful">

/** Keeps with a planned row what was found about it, and takes a claim with it. */
export function notePlanned(row: PlannedRow, set: PlannedFields, claim?: Claim): RowChange {
  return change(row, ["planned"], set, { edits: row.edits, claim })
}

/** Ends a planned row that cannot be sent: nothing was done for it. */
export function refusePlanned(row: PlannedRow, outcome: Outcome, set: PlannedFields = {}, release?: Claim) {
  return change(row, ["planned"], { ...set, state: "failed", outcome }, { edits: row.edits, release })
}

export function excludeRow(rules: KindRules, { row, edits, email }: RowRecord, outcome: Outcome): RowChange {
  const release = rules.claimUntilEnd?.({ email })
  return change({ row }, ["planned"], { state: "excluded", outcome, awaits: null }, { edits, release })
}

/** Leaves out a row that was to award a difference; it is again what the file says. */
export function excludeDifference(rules: KindRules, row: RowRecord, inFile: NewRow, outcome: Outcome) {
  const left = excludeRow(rules, row, outcome)
  return { ...left, set: { ...left.set, ...askedOf(inFile) } } satisfies RowChange
}

/** Leaves out a row of a reversal, which gives its award back: another reversal may take it. */
export function leaveReversed({ row, edits }: RowRecord, outcome: Outcome): RowChange {
  return change({ row }, ["planned"], { state: "excluded", outcome, reverses: null }, { edits })
}

export function duplicateInJob({ row }: Pick<RowRecord, "row">): RowChange {
  return change({ row }, ["planned"], { state: "failed", outcome: rowOutcome("duplicate_in_job") })
}

/** A planned row as a person corrected it; whatever was read of it before is void. */
export function editPlanned(rules: KindRules, row: RowRecord, edited: NewRow, work: RowRecord["work"]) {
  // It was chosen as the row it was.
  const asNew = { edits: row.edits + 1, outcome: null, nextAt: null, repeat: false }
  const release = rules.claimUntilEnd?.(row)
  return change(row, ["planned"], { ...asNew, ...askedOf(edited), work }, { edits: row.edits, release })
}

function askedOf({ effect = null, effectWithoutReference = null, purpose = null, ...edited }: NewRow) {
  const { input, memberId, email, label, points, reason, correction = null } = edited
  const compared = { effect, effectWithoutReference, purpose, correction, awaits: null }
  return { input, memberId, email, label, points, reason, ...compared }
}

/** A planned award that becomes the difference to what was awarded before. */
export function correctPlanned({ row, edits }: RowRecord, difference: NewRow, correction: RowCorrection) {
  return change({ row }, ["planned"], { ...askedOf(difference), correction }, { edits })
}

/** `planned → sent`: the intent, stored before the call. Gives the row as it is then. */
export function intent(
  rules: KindRules,
  row: RowRecord,
  attempt: Pick<RowRecord, "owner" | "leaseUntil" | "bodyHash" | "request"> & { readonly sentAt: number },
) {
  const set = {
    ...attempt,
    state: "sent",
    attempts: row.attempts + 1,
    firstSentAt: row.firstSentAt ?? attempt.sentAt,
    endedAt: null,
    endedHow: null,
    nextAt: null,
    looks: [],
    outcome: null,
    work: row.work,
  } as const
  const sent: RowRecord = { ...row, ...set }
  const claim = rules.claimWhileSent?.(sent)
  return { sent, change: change(row, ["planned"], set, { edits: row.edits, claim }) }
}

/** The end of a row that its precheck brought to one: nothing is sent. */
export function endBeforeSending(
  context: TransitionContext,
  row: RowRecord,
  precheck: Exclude<Precheck, { kind: "go" }>,
): RowChange {
  const { rules, time } = context
  const { edits } = row
  if (precheck.kind === "done") {
    const made = confirm(context, row, precheck.done, { at: time.now(), byResponse: false })
    return { ...made, from: ["planned"], edits }
  }
  const { kind: state, outcome, work } = precheck
  // Whoever had decided before did not know this.
  const set = { state, outcome, nextAt: null, decision: null, ...withWork(row, work) }
  const release = state === "failed" ? claimOf(rules, row) : rules.claimWhileSent?.(row)
  return change(row, ["planned"], set, { edits, release })
}

// After a call

/** States to which a late response of the same attempt still applies. */
const open: RowChange["from"] = ["sent", "unknown", "absent"]

/** Confirms a row by its own response, or by what a lookup found. */
export function confirm(
  { rules, time, config }: TransitionContext,
  row: RowRecord,
  { upstreamId, balanceAfter, work }: NamedEffect,
  end: { readonly at: number; readonly byResponse: boolean },
  found: Pick<RowFields, "looks" | "outcome"> = {},
): RowChange {
  const readAgain = row.doubtful && row.attempts > 1 && rules.idempotent !== true
  const set: RowFields = {
    state: "confirmed",
    upstreamId,
    balanceAfter,
    confirmedAt: time.now(),
    ...((end.byResponse || row.endedAt === null) && { endedAt: end.at }),
    ...(end.byResponse && { endedHow: answeredWell }),
    outcome: null,
    ...withWork(row, work),
    // What was sent again is read once more, much later: an extra entry means twice. An identical repeat makes none.
    nextAt: readAgain ? end.at + 10 * config.jobs.settleMs : null,
    ...found,
  }
  return change(row, open, set, { claim: effectClaim(rules, upstreamId), release: claimOf(rules, row) })
}

/** Plans a row as before whose call provably did nothing. */
export function planUndone(rules: KindRules, row: RowRecord, outcome: CallOutcome, at: number): RowChange {
  const ended = { endedAt: at, endedHow: howOf(outcome), nextAt: null, outcome: null }
  return change(row, open, { state: "planned", ...ended }, { release: rules.claimWhileSent?.(row) })
}

export function howOf(outcome: CallOutcome, unnamed: string = unnamedSuccess): string {
  if (outcome.kind === "success") return unnamed
  return "how" in outcome ? outcome.how : `refused: ${outcome.code}`
}

/** `failed` on a definite refusal of a first attempt, else open. */
export function endUnconfirmed(context: TransitionContext, row: RowRecord, outcome: CallOutcome, at: number) {
  const { rules } = context
  if (outcome.kind !== "refused") {
    const isUnknown = outcome.kind === "unknown"
    const how = isUnknown ? outcome.how : unnamedSuccess
    if (isUnknown && outcome.sendOnce === true) {
      const said = outcome.said ?? rowOutcome("looking")
      return markUnknown(
        row,
        { at, how, nextAt: firstLookupAt(context, at) },
        { ...withWork(row, { sendOnce: said }), outcome: said },
      )
    }
    return leaveOpen(context, row, { at, how, waitsFor: (isUnknown && outcome.said) || null })
  }
  const how = howOf(outcome)
  const refusal = { code: outcome.code, message: outcome.message }
  if (rules.isInProgress?.(outcome.code) === true)
    return leaveOpen(context, row, { at, how, waitsFor: refusal })
  // After an unknown attempt a refusal alone proves nothing: it is looked up first.
  if (row.doubtful || rules.isInconclusive?.(outcome.code) === true)
    return markUnknown(row, { at, how, nextAt: firstLookupAt(context, at) }, withWork(row, { refusal }))
  const set = { state: "failed", endedAt: at, endedHow: how, outcome: refusal, nextAt: null } as const
  return change(row, open, set, { release: claimOf(rules, row) })
}

const keptRefusal = z.object({ code: z._default(z.string(), ""), message: z._default(z.string(), "") })

/** The refusal of an attempt that came after an unknown one: it alone proved nothing. */
export function inconclusiveRefusal({ work }: RowRecord): Outcome | undefined {
  return keptRefusal.safeParse(work?.["refusal"]).data
}

/** What the service said in an undocumented refusal: the row is sent again only if a person decides that. */
function undocumentedRefusal({ work }: RowRecord): Outcome | undefined {
  return keptRefusal.safeParse(work?.["sendOnce"]).data
}

/** A row goes out again with growing pauses, up to so often; then it is looked up. */
const mostRepeats = 12
const repeatMs = { first: 1000, longest: 300_000 }

/** It is looked up, or, where the service knows a repeat of the identical request, goes out again. */
export function leaveOpen(
  context: TransitionContext,
  row: RowRecord,
  { at, how, waitsFor = null }: { at: number; how: string; waitsFor?: Outcome | null },
): RowChange {
  const { rules } = context
  if (rules.idempotent !== true || row.attempts >= mostRepeats)
    return markUnknown(row, { at, how, nextAt: firstLookupAt(context, at) })
  const wait = Math.min(repeatMs.first * 2 ** (row.attempts - 1), repeatMs.longest)
  const ended = { doubtful: true, endedAt: at, endedHow: how, nextAt: at + wait, outcome: waitsFor }
  const set = { state: "planned", ...ended } as const
  return change(row, ["sent", "unknown"], set, { release: rules.claimWhileSent?.(row) })
}

/** It is looked up from `nextAt` on; `at` is null while the end of the call is not known. */
export function markUnknown(
  row: RowRecord,
  end: { readonly at: number | null; readonly how: string; readonly nextAt: number },
  set: Pick<RowFields, "work" | "singly" | "outcome"> = {},
): RowChange {
  return change(row, end.at === null ? ["sent"] : ["sent", "unknown"], {
    state: "unknown",
    doubtful: true,
    endedAt: end.at,
    endedHow: end.how,
    nextAt: end.nextAt,
    outcome: rowOutcome("looking"),
    ...set,
  })
}

const refusedTogether = z.object({ code: z.string(), message: z.string() })

/** Marks a row whose bulk request was refused as a whole: some of its rows may have been carried out all the same. */
export function markRefusedTogether(
  row: RowRecord,
  { code, message }: Outcome,
  end: { readonly at: number; readonly nextAt: number },
): RowChange {
  // Alone it gets the service's reason for this row, or goes through.
  const set = { singly: true, work: { ...row.work, refused_together: { code, message } } }
  const result = markUnknown(row, { ...end, how: `refused: ${code}` }, set)
  const outcome = withRefusal({ ...row, work: set.work }, rowOutcome("refused_together"))
  return { ...result, set: { ...result.set, outcome } }
}

/** An outcome with what the service said when it refused the row's last request, a bulk request, as a whole. */
function withRefusal({ work, request }: Pick<RowRecord, "work" | "request">, outcome: Outcome): Outcome {
  const refusal = request === null ? undefined : refusedTogether.safeParse(work?.["refused_together"]).data
  if (refusal === undefined) return outcome
  const { code, message } = refusal
  return { ...outcome, message: `${outcome.message} The service said: “${message}” (${code}).` }
}

/** When an unknown row is looked up first. Somebody who waits at a form is told as soon as something is found. */
export function firstLookupAt({ config, job }: TransitionContext, endedAt: number): number {
  const { settleMs } = config.jobs
  return endedAt + (job.lane === "people" ? Math.min(settleMs, 2000) : settleMs)
}

// After a lookup

export function noteUnknown(row: RowRecord, set: Pick<RowFields, "endedAt" | "nextAt" | "work">): RowChange {
  return change(row, ["unknown"], set)
}

/** The changes of an unknown row that was looked up; `kept` goes with each of them. */
export function afterLookup(
  rules: KindRules,
  row: RowRecord,
  kept: Pick<RowRecord, "looks"> & { readonly work?: RowRecord["work"] },
) {
  const leave = (set: RowFields, release = rules.claimWhileSent?.(row)) =>
    change(row, ["unknown"], { ...kept, nextAt: null, ...set }, { release })
  return {
    wait: (nextAt: number, work?: RowRecord["work"]) =>
      change(row, ["unknown"], { ...kept, nextAt, ...withWork(row, work) }),
    /** A person decides. Whoever had decided before decided about an earlier attempt. */
    conflict: (outcome: Outcome, work?: RowRecord["work"]) =>
      leave({
        state: "conflict",
        outcome: withRefusal(row, outcome),
        decision: null,
        ...withWork(row, work),
      }),
    failed: (outcome: Outcome, set?: Pick<RowFields, "endedAt" | "decision">) =>
      leave({ state: "failed", outcome, ...set }, claimOf(rules, row)),
    /** It was proven not to have been carried out: sent again where its kind allows, else left to a person. */
    absent(job: JobRecord) {
      const mayGo = job.state === "running" || job.state === "paused" || job.state === "done"
      const said = undocumentedRefusal(row)
      if (mayGo && said === undefined && row.resends < rules.resends)
        return leave({ state: "planned", outcome: null, resends: row.resends + 1 })
      const { code, message } = rowOutcome(rules.absentCode ?? "left_to_person")
      const outcome = {
        code,
        message: said === undefined ? message : `${message} It said: “${said.message}”`,
      }
      return leave({ state: "absent", outcome, decision: null })
    },
    /** Never sent by this store nor by anybody else: it is planned as before. */
    unsent: () => leave({ state: "planned", outcome: null, endedAt: null, endedHow: null }),
  }
}

/**
 * A row that went to a person is looked up again, because a later effect of ours can prove its absence now or because
 * the person wants it. The waiting time starts again.
 */
export function lookUpAgain(row: RowRecord, at: number): RowChange {
  const outcome = withRefusal(row, rowOutcome("looking"))
  const set = {
    state: "unknown",
    outcome,
    nextAt: at,
    looks: [],
    work: { ...row.work, reopened_at: at },
    ...(row.decision !== null && { decision: null }),
  } as const
  return change(row, [row.state], set, { edits: row.edits })
}

/** Since when an unknown row has been waited for: the end of its call, or the later time it was looked up again. */
export function waitedSince({ work, endedAt }: Pick<RowRecord, "work" | "endedAt">): number | null {
  const at = work?.["reopened_at"]
  return endedAt === null ? null : Math.max(endedAt, typeof at === "number" ? at : endedAt)
}

/** When a row that was sent again and confirmed is read once more; null: it was. */
export function readAgainAt(row: RowRecord, nextAt: number | null): RowChange {
  return change(row, ["confirmed"], { nextAt })
}

/** A row that was sent again and of which a further effect appeared: a person decides whether to take one back. */
export function foundTwice(rules: KindRules, row: RowRecord): RowChange {
  const outcome = rowOutcome(twiceCodeOf(rules))
  return change(row, ["confirmed"], { state: "conflict", outcome, nextAt: null, decision: null })
}

const twiceCodeOf = ({ twiceCode = "awarded_twice" }: KindRules): RowOutcomeCode => twiceCode

// What a person decides

/**
 * A failed row, or one that was left out, is planned again, as it was or corrected. Its earlier attempts were all definitely refused, so nothing of
 * them is in doubt; and what was about to send it as it stood then does not.
 */
export function planAgain(
  { row, edits, state }: Pick<RowRecord, "row" | "edits" | "state">,
  corrected: NewRow | undefined,
  work: RowRecord["work"],
): RowChange {
  const again = {
    state: "planned",
    outcome: null,
    // Whoever skipped it did not decide how it ends now.
    decision: null,
    nextAt: null,
    doubtful: false,
    edits: edits + 1,
    work,
  } as const
  // It was chosen as the row it was.
  const edited = corrected && { ...askedOf(corrected), repeat: false }
  return change({ row }, [state], { ...again, ...edited }, { edits })
}

/** Settles a failed row that a person leaves out; it can still be corrected. A reversal gives its award back. */
export function excludeFailed({ row, edits, outcome, reverses }: RowRecord, by: string): RowChange {
  const { code } = rowOutcome("excluded_by_person")
  const message = `Left out by ${by}. ${outcome?.message ?? ""}`.trim()
  const left = { state: "excluded", outcome: { code, message }, decision: null, edits: edits + 1 } as const
  return change({ row }, ["failed"], { ...left, ...(reverses && { reverses: null }) }, { edits })
}

/**
 * It holds once: whoever decides too sees that it was decided. The row keeps its state, but one to be sent again is
 * planned, and a planned one that is left out is excluded. `isCancelled`: its job is, so that it is never sent again.
 */
export function decide(
  rules: KindRules,
  row: RowRecord,
  decision: RowDecision,
  isCancelled = false,
): RowChange {
  const { upstream_id: linked } = decision
  const claim = effectClaim(rules, linked)
  const { edits } = row
  const decided = { decision, edits: edits + 1 }
  if (decision.decision === "resend") {
    const again = { state: "planned", outcome: null, nextAt: null, singly: true, ...decided } as const
    return change(row, [row.state], again, { edits })
  }
  const isTwice = row.outcome?.code === twiceCodeOf(rules)
  const set: RowFields =
    row.state === "planned"
      ? {
          state: "excluded",
          outcome: rowOutcome("left_out"),
          nextAt: null,
          awaits: null,
          ...decided,
          ...(row.reverses && { reverses: null }),
        }
      : {
          ...decided,
          ...(linked !== null && !isTwice && { upstreamId: linked }),
          ...(isCancelled && isLeftAbsent({ ...row, decision }) && { reverses: null }),
        }
  return change(row, [row.state], set, { edits, claim, release: rules.claimUntilEnd?.(row) })
}

/** A planned row that may have been done is looked up now, whatever was decided before; undefined for any other. */
export function lookUpPlanned(row: RowRecord): RowChange | undefined {
  // After a restore a row can be marked doubtful without an attempt.
  if (!row.doubtful || row.attempts === 0) return undefined
  const looked = { outcome: rowOutcome("looking"), nextAt: row.endedAt ?? row.sentAt, decision: null }
  return change({ row: row.row }, ["planned"], { state: "unknown", ...looked })
}

/** A planned row stays planned and gives back what it held; undefined where it held nothing. None is dropped unseen. */
export function cancelPlanned(rules: KindRules, row: RowRecord): RowChange | undefined {
  const looked = lookUpPlanned(row)
  if (looked !== undefined) return looked
  const release = rules.claimUntilEnd?.(row)
  if (release !== undefined) return change({ row: row.row }, ["planned"], {}, { release })
  return row.reverses === null ? undefined : giveBackReversed(row)
}

/**
 * A row of a cancelled reversal leaves what it could not take back to another one; an absent one, which a late response
 * may still confirm, only when a person leaves it.
 */
export function giveBackReversed(row: RowRecord): RowChange | undefined {
  if (row.state === "absent" && !isLeftAbsent(row)) return undefined
  return change({ row: row.row }, [row.state], { reverses: null })
}

function isLeftAbsent({ state, decision }: Pick<RowRecord, "state" | "decision">): boolean {
  return state === "absent" && decision?.decision === "leave"
}

export function releaseClaim(row: RowRecord, release: Claim): RowChange {
  return change(row, [row.state], {}, { release })
}

// After a restore

/** Looked up whatever the store believes; `held`: when the restore was found, and the store last known complete. */
export function unknownSinceRestore(
  { job, rules, time }: TransitionContext,
  row: RowRecord,
  held: { readonly at: number; readonly since: number },
): RowChange {
  const restored = { ...held, made: job.createdAt, attempts: row.attempts, sample: false }
  const set = {
    state: "unknown",
    doubtful: true,
    endedAt: held.at,
    endedHow: row.endedHow ?? "Laurel’s store was restored from a backup",
    nextAt: time.now(),
    looks: [],
    outcome: rowOutcome("restore_looking"),
    work: { ...row.work, ...rules.workForRestore?.(job, row, held.since), restored },
  } as const
  const claim = row.attempts === 0 ? rules.claimUntilEnd?.(row) : undefined
  return change(row, [row.state], set, { claim })
}

/** After a restore a person says that a row that this store never sent was not done: it is sent. */
export function planUnproven(row: RowRecord, decision: RowDecision): RowChange {
  const unsent = { outcome: null, nextAt: null, endedAt: null, endedHow: null }
  return change({ row: row.row, attempts: 0 }, [row.state], { state: "planned", ...unsent, decision })
}
