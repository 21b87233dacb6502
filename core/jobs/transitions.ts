import type { RowDecision } from "../../contract/job-rows.ts"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import {
  endedWithResponse,
  type JobContext,
  type KindRules,
  type NamedEffect,
  type RowOutcome,
  type Precheck,
  twiceCodeOf,
  unnamedSuccess,
  withNotes,
} from "./job-kind.ts"
import type { Claim, JobRecord, NewRow, RowChange, RowCorrection, RowRecord } from "./job-store.ts"
import type { CallOutcome } from "./call-outcome.ts"
import { engineNotes, notesOf } from "./row-notes.ts"

// All row transitions (docs/jobs.md, Row states), void if the row changed since it was read. Times: ms, the store's clock.
// A row becomes planned again in `planUndone`, `afterLookup`, `retryOrMarkUnknown`, `planAgain`, `storeDecision` and
// `planUnproven` (docs/jobs.md, When a row is sent again).

type RowFields = RowChange["set"]

/** The part of a job's context that transitions read. */
export interface TransitionContext extends Pick<JobContext, "job" | "rules"> {
  readonly time: Pick<JobContext["time"], "now">
  readonly config: { readonly jobs: Pick<JobContext["config"]["jobs"], "settleMs"> }
}

/** With `attempts`, the change is void if the row was sent again since. */
type SeenRow = Pick<RowRecord, "row"> & { readonly attempts?: number }
type Terms = Pick<RowChange, "edits" | "claim" | "release">

function change({ row, attempts }: SeenRow, from: RowChange["from"], set: RowFields, terms: Terms = {}) {
  return { row, attempt: attempts, from, set, ...terms }
}

function claimOf(rules: KindRules, row: RowRecord): Claim | undefined {
  return rules.claims?.whileSent?.(row) ?? rules.claims?.untilEnd?.(row)
}

function effectClaim({ claims }: KindRules, key: string | null): Claim | undefined {
  const scope = claims?.effects
  return scope === undefined || key === null ? undefined : { scope, key }
}

// Before a call

/** Void if the row was edited since. */
type PlannedRow = SeenRow & Pick<RowRecord, "edits">
type PlannedFields = Omit<RowFields, "state" | "attempts" | "hadUnknownAttempt">

/** Updates a planned row and optionally takes a claim. */
export function updatePlanned(row: PlannedRow, set: PlannedFields, claim?: Claim): RowChange {
  return change(row, ["planned"], set, { edits: row.edits, claim })
}

/** Fails a planned row without sending it. */
export function refusePlanned(
  row: PlannedRow,
  outcome: RowOutcome,
  set: PlannedFields = {},
  release?: Claim,
) {
  return change(row, ["planned"], { ...set, state: "failed", outcome }, { edits: row.edits, release })
}

/** Leaves out a planned row before it is sent. */
export function excludeRow(
  rules: KindRules,
  { row, edits, email }: RowRecord,
  outcome: RowOutcome,
): RowChange {
  const release = rules.claims?.untilEnd?.({ email })
  return change({ row }, ["planned"], { state: "excluded", outcome, awaits: null }, { edits, release })
}

/** Excludes a row that would have awarded a difference, and restores the amount of the file. */
export function excludeDifference(rules: KindRules, row: RowRecord, inFile: NewRow, outcome: RowOutcome) {
  const excluded = excludeRow(rules, row, outcome)
  return { ...excluded, set: { ...excluded.set, ...inputFields(inFile) } } satisfies RowChange
}

/** Excludes a row of a reversal and releases its award, so that another reversal can take it back. */
export function excludeReversed({ row, edits }: RowRecord, outcome: RowOutcome): RowChange {
  return change({ row }, ["planned"], { state: "excluded", outcome, reverses: null }, { edits })
}

/** Fails a planned row of a new member whose e-mail an earlier row has. */
export function duplicateInJob({ row }: Pick<RowRecord, "row">): RowChange {
  return change({ row }, ["planned"], { state: "failed", outcome: rowOutcome("duplicate_in_job") })
}

/** Applies a person's edit to a planned row and clears what was read for the old input. */
export function editPlanned(rules: KindRules, row: RowRecord, edited: NewRow, notes: RowRecord["notes"]) {
  // The person confirmed the repeat for the old input only.
  const asNew = { edits: row.edits + 1, outcome: null, nextAt: null, repeat: false }
  const release = rules.claims?.untilEnd?.(row)
  return change(row, ["planned"], { ...asNew, ...inputFields(edited), notes }, { edits: row.edits, release })
}

function inputFields({ effect = null, effectWithoutReference = null, purpose = null, ...edited }: NewRow) {
  const { input, memberId, email, label, points, reason, correction = null } = edited
  const compared = { effect, effectWithoutReference, purpose, correction, awaits: null }
  return { input, memberId, email, label, points, reason, ...compared }
}

/** Turns a planned award into the difference to earlier awards. */
export function correctPlanned({ row, edits }: RowRecord, difference: NewRow, correction: RowCorrection) {
  return change({ row }, ["planned"], { ...inputFields(difference), correction }, { edits })
}

/** `planned → sent`: the intent, stored before the call. Returns the changed row too. */
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
    lookupTimes: [],
    outcome: null,
    notes: row.notes,
  } as const
  const sent: RowRecord = { ...row, ...set }
  const claim = rules.claims?.whileSent?.(sent)
  return { sent, change: change(row, ["planned"], set, { edits: row.edits, claim }) }
}

/** Ends a row by the result of its precheck, without sending it. */
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
  const { kind: state, outcome, notes } = precheck
  // An earlier decision was made without this information.
  const set = { state, outcome, nextAt: null, decision: null, ...withNotes(row, notes) }
  const release = state === "failed" ? claimOf(rules, row) : rules.claims?.whileSent?.(row)
  return change(row, ["planned"], set, { edits, release })
}

// After a call

/** States to which a late response of the same attempt still applies. */
const open: RowChange["from"] = ["sent", "unknown", "absent"]

/** Confirms a row by its own response or by a lookup. */
export function confirm(
  { rules, time, config }: TransitionContext,
  row: RowRecord,
  { upstreamId, balanceAfter, notes }: NamedEffect,
  end: { readonly at: number; readonly byResponse: boolean },
  found: Pick<RowFields, "lookupTimes" | "outcome"> = {},
): RowChange {
  // Check resent rows later for a second entry; an idempotent repeat cannot create one.
  const wasResent = row.hadUnknownAttempt && row.attempts > 1 && rules.resendSafety !== "idempotent"
  const set: RowFields = {
    state: "confirmed",
    upstreamId,
    balanceAfter,
    confirmedAt: time.now(),
    ...((end.byResponse || row.endedAt === null) && { endedAt: end.at }),
    ...(end.byResponse && { endedHow: endedWithResponse }),
    outcome: null,
    ...withNotes(row, notes),
    nextAt: rules.recheck || wasResent ? end.at + (rules.recheck ? 0 : 10 * config.jobs.settleMs) : null,
    ...found,
  }
  return change(row, open, set, { claim: effectClaim(rules, upstreamId), release: claimOf(rules, row) })
}

/** Returns a row to `planned` after a call that provably did nothing. */
export function planUndone(rules: KindRules, row: RowRecord, outcome: CallOutcome, at: number): RowChange {
  const ended = { endedAt: at, endedHow: describeOutcome(outcome), nextAt: null, outcome: null }
  return change(row, open, { state: "planned", ...ended }, { release: rules.claims?.whileSent?.(row) })
}

/** `endedHow` for an outcome. `unnamed`: for a success that does not confirm the row. */
export function describeOutcome(outcome: CallOutcome, unnamed: string = unnamedSuccess): string {
  if (outcome.kind === "success") return unnamed
  return "how" in outcome ? outcome.how : `refused: ${outcome.code}`
}

/** `failed` after a definite refusal if no earlier attempt is unknown; otherwise retried or looked up. */
export function endUnconfirmed(context: TransitionContext, row: RowRecord, outcome: CallOutcome, at: number) {
  const { rules } = context
  if (outcome.kind !== "refused") {
    const isUnknown = outcome.kind === "unknown"
    const how = isUnknown ? outcome.how : unnamedSuccess
    if (isUnknown && outcome.sendOnce === true) {
      const serviceError = outcome.serviceError ?? rowOutcome("looking")
      return markUnknown(
        row,
        { at, how, nextAt: firstLookupAt(context, at) },
        { ...withNotes(row, engineNotes({ sendOnce: serviceError })), outcome: serviceError },
      )
    }
    return retryOrMarkUnknown(context, row, {
      at,
      how,
      waitsFor: (isUnknown && outcome.serviceError) || null,
    })
  }
  const how = describeOutcome(outcome)
  const refusal = { code: outcome.code, message: outcome.message }
  if (rules.refusals?.isInProgress?.(outcome.code) === true)
    return retryOrMarkUnknown(context, row, { at, how, waitsFor: refusal })
  // After an unknown attempt a refusal alone proves nothing: look it up first.
  if (row.hadUnknownAttempt || rules.refusals?.isInconclusive?.(outcome.code) === true)
    return markUnknown(
      row,
      { at, how, nextAt: firstLookupAt(context, at) },
      withNotes(row, engineNotes({ refusal })),
    )
  const set = { state: "failed", endedAt: at, endedHow: how, outcome: refusal, nextAt: null } as const
  return change(row, open, set, { release: claimOf(rules, row) })
}

/** Automatic repeats of an idempotent request, with growing pauses; after the last one the row is looked up. */
const mostRepeats = 12
const repeatMs = { first: 1000, longest: 300_000 }

/** Sends the row again if its kind is idempotent, otherwise marks it unknown for a lookup. */
export function retryOrMarkUnknown(
  context: TransitionContext,
  row: RowRecord,
  { at, how, waitsFor = null }: { at: number; how: string; waitsFor?: RowOutcome | null },
): RowChange {
  const { rules } = context
  if (rules.resendSafety !== "idempotent" || row.attempts >= mostRepeats)
    return markUnknown(row, { at, how, nextAt: firstLookupAt(context, at) })
  const wait = Math.min(repeatMs.first * 2 ** (row.attempts - 1), repeatMs.longest)
  const ended = { hadUnknownAttempt: true, endedAt: at, endedHow: how, nextAt: at + wait, outcome: waitsFor }
  const set = { state: "planned", ...ended } as const
  return change(row, ["sent", "unknown"], set, { release: rules.claims?.whileSent?.(row) })
}

/** Schedules a lookup at `nextAt`; `at` is null while the end of the call is not known. */
export function markUnknown(
  row: RowRecord,
  end: { readonly at: number | null; readonly how: string; readonly nextAt: number },
  set: Pick<RowFields, "notes" | "sendAlone" | "outcome"> = {},
): RowChange {
  return change(row, end.at === null ? ["sent"] : ["sent", "unknown"], {
    state: "unknown",
    hadUnknownAttempt: true,
    endedAt: end.at,
    endedHow: end.how,
    nextAt: end.nextAt,
    outcome: rowOutcome("looking"),
    ...set,
  })
}

/** Marks a row of a refused bulk request as unknown: the service may have processed some of the rows. */
export function markRefusedTogether(
  row: RowRecord,
  { code, message }: RowOutcome,
  end: { readonly at: number; readonly nextAt: number },
): RowChange {
  // Sent alone, the row succeeds or gets its own reason.
  const set = {
    sendAlone: true,
    notes: { ...row.notes, ...engineNotes({ refused_together: { code, message } }) },
  }
  const result = markUnknown(row, { ...end, how: `refused: ${code}` }, set)
  const outcome = withRefusal({ ...row, notes: set.notes }, rowOutcome("refused_together"))
  return { ...result, set: { ...result.set, outcome } }
}

/** Appends the service's message to the outcome if the row's last bulk request was refused. */
function withRefusal(row: Pick<RowRecord, "notes" | "request">, outcome: RowOutcome): RowOutcome {
  const refusal = row.request === null ? undefined : notesOf(row).refused_together
  if (refusal === undefined) return outcome
  const { code, message } = refusal
  return { ...outcome, message: `${outcome.message} The service said: “${message}” (${code}).` }
}

/** Time of the first lookup of an unknown row; early for forms, where a person waits. */
export function firstLookupAt({ config, job }: TransitionContext, endedAt: number): number {
  const { settleMs } = config.jobs
  return endedAt + (job.lane === "people" ? Math.min(settleMs, 2000) : settleMs)
}

// After a lookup

/** Notes something about an unknown row that stays unknown. */
export function updateUnknown(
  row: RowRecord,
  set: Pick<RowFields, "endedAt" | "nextAt" | "notes">,
): RowChange {
  return change(row, ["unknown"], set)
}

/** The possible changes after the lookup of an unknown row; each includes `noted`. */
export function afterLookup(
  rules: KindRules,
  row: RowRecord,
  noted: Pick<RowRecord, "lookupTimes"> & { readonly notes?: RowRecord["notes"] },
) {
  const leave = (set: RowFields, release = rules.claims?.whileSent?.(row)) =>
    change(row, ["unknown"], { ...noted, nextAt: null, ...set }, { release })
  return {
    wait: (nextAt: number, notes?: RowRecord["notes"]) =>
      change(row, ["unknown"], { ...noted, nextAt, ...withNotes(row, notes) }),
    /** A person decides. An earlier decision was about an earlier attempt. */
    conflict: (outcome: RowOutcome, notes?: RowRecord["notes"]) =>
      leave({
        state: "conflict",
        outcome: withRefusal(row, outcome),
        decision: null,
        ...withNotes(row, notes),
      }),
    failed: (outcome: RowOutcome, set?: Pick<RowFields, "endedAt" | "decision">) =>
      leave({ state: "failed", outcome, ...set }, claimOf(rules, row)),
    /** Proven absent: sent again if its kind allows it, otherwise a person decides. */
    absent(job: JobRecord) {
      const canRun = job.state === "running" || job.state === "paused" || job.state === "done"
      const { sendOnce: refusal } = notesOf(row)
      if (canRun && refusal === undefined && row.resends < rules.resends)
        return leave({ state: "planned", outcome: null, resends: row.resends + 1 })
      const { code, message } = rowOutcome(rules.messages?.absent ?? "left_to_person")
      const outcome = {
        code,
        message: refusal === undefined ? message : `${message} It said: “${refusal.message}”`,
      }
      return leave({ state: "absent", outcome, decision: null })
    },
    /** Proven never sent: planned as before. */
    unsent: () => leave({ state: "planned", outcome: null, endedAt: null, endedHow: null }),
  }
}

/** Returns a row from a person's decision to `unknown`, for another lookup; its waiting time starts again. */
export function lookUpAgain(row: RowRecord, at: number): RowChange {
  const outcome = withRefusal(row, rowOutcome("looking"))
  const set = {
    state: "unknown",
    outcome,
    nextAt: at,
    lookupTimes: [],
    ...withNotes(row, engineNotes({ reopened_at: at })),
    ...(row.decision !== null && { decision: null }),
  } as const
  return change(row, [row.state], set, { edits: row.edits })
}

/** Schedules the recheck of a confirmed row; null: no further recheck. `set`: what is known by now. */
export function readAgainAt(row: RowRecord, nextAt: number | null, set: RowFields = {}, terms: Terms = {}) {
  return change(row, [row.state], { ...set, nextAt }, terms)
}

/** A recheck of a confirmed row found what a person decides, such as a second effect of a resent row. */
export function askAboutConfirmed(row: RowRecord, outcome: RowOutcome, set: Pick<RowFields, "notes"> = {}) {
  return change(row, ["confirmed"], { ...set, state: "conflict", outcome, nextAt: null, decision: null })
}
// What a person decides

/** Plans a failed or excluded row again, unchanged or corrected. No attempt of it can have had an effect. */
export function planAgain(
  { row, edits, state }: Pick<RowRecord, "row" | "edits" | "state">,
  corrected: NewRow | undefined,
  notes: RowRecord["notes"],
): RowChange {
  const again = {
    state: "planned",
    outcome: null,
    // An earlier decision to skip it no longer applies.
    decision: null,
    nextAt: null,
    hadUnknownAttempt: false,
    edits: edits + 1,
    notes,
  } as const
  // The person confirmed the repeat for the old input only.
  const edited = corrected && { ...inputFields(corrected), repeat: false }
  return change({ row }, [state], { ...again, ...edited }, { edits })
}

/** Excludes a failed row by a person's choice; it can still be corrected. A reversal releases its award. */
export function excludeFailed({ row, edits, outcome, reverses }: RowRecord, by: string): RowChange {
  const { code } = rowOutcome("excluded_by_person")
  const message = `Left out by ${by}. ${outcome?.message ?? ""}`.trim()
  const set = { state: "excluded", outcome: { code, message }, decision: null, edits: edits + 1 } as const
  return change({ row }, ["failed"], { ...set, ...(reverses && { reverses: null }) }, { edits })
}

/**
 * Stores a person's decision; of two concurrent decisions the second is stale. The state changes only for a resend
 * (planned), a planned row that is left out (excluded) and one with a recheck (confirmed). `isCancelled`: of its job.
 */
export function storeDecision(
  rules: KindRules,
  row: RowRecord,
  decision: RowDecision,
  isCancelled = false,
): RowChange {
  const { upstream_id: linked } = decision
  // What follows from the row is due now; a record is its own effect.
  const follows = rules.recheck && decision.decision === "happened" && row.confirmedAt === null
  const [effect, at] = [linked ?? (follows ? row.label : null), Date.parse(decision.at)]
  const claim = effectClaim(rules, effect)
  const { edits } = row
  const decided = { decision, edits: edits + 1 }
  if (decision.decision === "resend") {
    const again = { state: "planned", outcome: null, nextAt: null, sendAlone: true, ...decided } as const
    return change(row, [row.state], again, { edits })
  }
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
          ...(effect !== null && row.outcome?.code !== twiceCodeOf(rules) && { upstreamId: effect }),
          ...(follows && { state: "confirmed", outcome: null, confirmedAt: at, nextAt: at }),
          ...(isCancelled && isLeftAbsent({ ...row, decision }) && { reverses: null }),
        }
  return change(row, [row.state], set, { edits, claim, release: rules.claims?.untilEnd?.(row) })
}

/** Looks up a planned row whose earlier attempt may have been carried out; undefined for any other row. */
export function lookUpPlanned(row: RowRecord): RowChange | undefined {
  // After a restore a row can be doubtful without an attempt.
  if (!row.hadUnknownAttempt || row.attempts === 0) return undefined
  const looked = { outcome: rowOutcome("looking"), nextAt: row.endedAt ?? row.sentAt, decision: null }
  return change({ row: row.row }, ["planned"], { state: "unknown", ...looked })
}

/** Releases the claims of a planned row of a cancelled job, or looks it up if it may have been carried out. */
export function cancelPlanned(rules: KindRules, row: RowRecord): RowChange | undefined {
  const lookup = lookUpPlanned(row)
  if (lookup !== undefined) return lookup
  const release = rules.claims?.untilEnd?.(row)
  if (release !== undefined) return change({ row: row.row }, ["planned"], {}, { release })
  return row.reverses === null ? undefined : releaseReversed(row)
}

/** Releases the award of a cancelled reversal's row; an absent one, which may still be confirmed, is first left by a person. */
export function releaseReversed(row: RowRecord): RowChange | undefined {
  if (row.state === "absent" && !isLeftAbsent(row)) return undefined
  return change({ row: row.row }, [row.state], { reverses: null })
}

function isLeftAbsent({ state, decision }: Pick<RowRecord, "state" | "decision">): boolean {
  return state === "absent" && decision?.decision === "leave"
}

/** Gives a claim back for other rows, whatever the row's state. */
export function releaseClaim(row: RowRecord, release: Claim): RowChange {
  return change(row, [row.state], {}, { release })
}

// After a restore

/** Marks a row for a lookup whatever its state. `restore`: when it was detected, and when the store was last complete. */
export function unknownSinceRestore(
  { job, rules, time }: TransitionContext,
  row: RowRecord,
  restore: { readonly at: number; readonly since: number },
): RowChange {
  const restored = { ...restore, made: job.createdAt, attempts: row.attempts, sample: false }
  const set = {
    state: "unknown",
    hadUnknownAttempt: true,
    endedAt: restore.at,
    endedHow: row.endedHow ?? "Laurel’s store was restored from a backup",
    nextAt: time.now(),
    lookupTimes: [],
    outcome: rowOutcome("restore_looking"),
    notes: { ...row.notes, ...rules.restore?.notes?.(job, row, restore.since), ...engineNotes({ restored }) },
  } as const
  const claim = row.attempts === 0 ? rules.claims?.untilEnd?.(row) : undefined
  return change(row, [row.state], set, { claim })
}

/** Plans a row that this store never sent, after a person decided to send it without proof. */
export function planUnproven(row: RowRecord, decision: RowDecision): RowChange {
  const unsent = { outcome: null, nextAt: null, endedAt: null, endedHow: null }
  return change({ row: row.row, attempts: 0 }, [row.state], { state: "planned", ...unsent, decision })
}
