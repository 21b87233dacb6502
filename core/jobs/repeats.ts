import {
  compareRows,
  type Comparison,
  type EarlierRows,
  otherAmountText,
  recentDays,
  repeatDays,
  repeatText,
} from "../../contract/earlier-awards.ts"
import { type JobKind, type RepeatsBody, rowStates } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import type { FieldProblem } from "../../contract/response.ts"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import { AppError, conflict, invalid, stored } from "../errors.ts"
import {
  changeInBatches,
  type EngineContext,
  rowBatches,
  storedRows,
  yieldToEventLoop,
} from "./engine-context.ts"
import type { JobContext, Outcome, RowDefaults } from "./job-kind.ts"
import type {
  ComparedRow,
  JobRecord,
  NewRow,
  RelatedRow,
  RowChange,
  RowCorrection,
  RowRecord,
  SameRows,
} from "./job-store.ts"
import { rowDefaults, kindRules, newRow } from "./kinds/kind-rules.ts"
import { excludeCorrected, unreversedPoints } from "./net-awards.ts"
import { correctionReason, cutText, isForReference, isHeld } from "./records.ts"
import { correctPlanned, excludeDifference, excludeRow, updatePlanned } from "./transitions.ts"

const batchSize = 1000
const windowMs = repeatDays * 86_400_000

/** Earlier rows that rows of a file would repeat (docs/jobs.md, The same rows again). */
export async function findRepeats(context: EngineContext, { kind, rows }: RepeatsBody) {
  const defaults = await rowDefaults(context, kind)
  const repeats: EarlierRows[] = []
  for (let from = 0; from < rows.length; from += batchSize) {
    if (from > 0) await yieldToEventLoop()
    const compared = rows.slice(from, from + batchSize).map((row) => comparedRow(kind, row, defaults))
    const same = await stored(context.store.jobs.sameRows(compared, since(context)))
    for (const [at, row] of compared.entries()) {
      const earlier = earlierOf(row, same[at])
      if (earlier !== null) repeats.push({ at: from + at, ...earlier })
    }
  }
  return repeats
}

function since({ time }: EngineContext): number {
  return time.now() - windowMs
}

/** Summary of the earlier rows for one row; null: none. Unfinished reversals count as carried out. */
function earlierOf(
  { points, purpose }: Pick<RowRecord, "points" | "purpose">,
  same: SameRows | undefined,
): Omit<EarlierRows, "at"> | null {
  if (same === undefined) return null
  const { key, count, latest, related } = same
  const present = related.filter((row) => unreversedPoints(row) !== 0)
  const reversal = same.reversal ?? related.findLast((row) => row.reversal?.isUnderWay)?.reversal?.job
  const hasReference = purpose !== null && isForReference(purpose)
  const awarded = hasReference ? awardedBy(same.purposeKey, present) : undefined
  const recent = hasReference || count > 0 ? undefined : present.findLast((row) => row.points !== points)
  if (count === 0 && awarded === undefined && recent === undefined && reversal === undefined) return null
  return {
    key,
    count,
    job: latest?.job ?? null,
    row: latest === null ? null : (latest.row.line ?? latest.row.row),
    state: latest?.row.state ?? null,
    ...(latest && doneAt(latest.row)),
    ...(awarded && { awarded }),
    ...(recent && { recent: { ...named(recent), points: recent.points ?? 0 } }),
    ...(reversal !== undefined && { reversal }),
  }
}

function awardedBy(key: string, rows: readonly RelatedRow[]): EarlierRows["awarded"] {
  const newest = rows.at(-1)
  const amounts = rows.map(unreversedPoints)
  const net = amounts.reduce((sum, points) => sum + points, 0)
  // Corrections may be newer than the compared awards.
  if (newest === undefined || net <= 0) return undefined
  const isCorrected = rows.some(({ isCorrection }) => isCorrection)
  return { ...named(newest), key, net, sure: rows.every(wasDone), amounts: isCorrected ? [] : amounts }
}

const named = (related: RelatedRow) => {
  const { job, line, row, state } = related
  return { job, row: line ?? row, state, ...doneAt(related) }
}

function doneAt({ confirmedAt, sentAt }: Pick<RowRecord, "confirmedAt" | "sentAt">) {
  const at = confirmedAt ?? sentAt
  return at === null ? undefined : { done_at: new Date(at).toISOString() }
}

/** Whether the row was carried out and has no open reversal. */
function wasDone({ state, decision, reversal }: RelatedRow): boolean {
  const isDone = state === "confirmed" || decision?.decision === "happened"
  return (
    isDone && (reversal === null || reversal.isDecided || !["absent", "conflict"].includes(reversal.state))
  )
}

/** A row of a job with its earlier rows. */
interface JobRow {
  readonly row: RowRecord
  readonly earlier: Omit<EarlierRows, "at"> | null
  readonly comparison: Comparison | undefined
}

const comparedCodes: ReadonlySet<string> = new Set(["repeated_row", "other_amount"])

/**
 * Compares planned rows of a job with earlier ones: all rows of a file, otherwise only awards with a reference. With
 * `own`, rows of jobs started after it are ignored, so that of two jobs with the same row one sends it. Returns only rows
 * that are not new.
 */
async function compareJob(
  context: EngineContext,
  job: JobRecord,
  { own, isFile }: { readonly own: JobRecord | undefined; readonly isFile: boolean },
): Promise<{ readonly rows: JobRow[]; readonly inFile: ReadonlyMap<RowRecord, RowRecord> }> {
  const { jobs } = context.store
  const related: (Omit<JobRow, "comparison"> & { readonly rank: number })[] = []
  // A file may give a member by id and by e-mail: such repeats are visible once the e-mail is resolved.
  const byId = new Map<string, RowRecord>()
  const byEmail: RowRecord[] = []
  for await (const rows of rowBatches(storedRows(jobs), job.id, rowStates)) {
    for (const row of rows) {
      const name = repeatKey(row)
      if (!isFile || row.memberId === null || name === undefined) continue
      if (row.email === null && row.state !== "failed" && row.state !== "excluded") byId.set(name, row)
      if (row.email !== null && row.state === "planned") byEmail.push(row)
    }
    const compared = rows.filter(
      (row) =>
        (row.repeat || row.state === "planned" || comparedCodes.has(row.outcome?.code ?? "")) &&
        (isFile || (row.purpose !== null && isForReference(row.purpose)) || isDifference(row)),
    )
    if (compared.length === 0) continue
    // For retried rows, jobs started later count too: they could not wait for a failed row.
    const isRetry = rows.some(({ attempts }) => attempts > 0)
    const startedAt = isRetry ? null : (own?.startedAt ?? null)
    const same = await stored(jobs.sameRows(compared, since(context), { id: job.id, startedAt }))
    for (const [at, row] of compared.entries()) {
      const all = earlierOf(row, same[at])
      const earlier = isFile || all === null ? all : onlyReference(all)
      // Excluded rows count as repeats first, then those that a person included.
      const rank = row.state === "planned" ? (row.repeat ? 1 : 2) : 0
      if (earlier !== null || row.awaits !== null || isDifference(row)) related.push({ row, earlier, rank })
    }
  }
  // A deduction is no award.
  const comparisons =
    job.kind === "award" || isFile
      ? compareRows(related.map(({ row, earlier, rank }) => ({ points: row.points, earlier, rank })))
      : []
  const rows = related.map((each, at): JobRow => ({ ...each, comparison: comparisons[at] }))
  const repeated = new Set(rows.flatMap(({ row, comparison }) => (comparison === undefined ? [] : row)))
  const inFile = new Map<RowRecord, RowRecord>()
  for (const row of byEmail) {
    const same = byId.get(repeatKey(row) ?? "")
    if (same !== undefined && !repeated.has(row)) inFile.set(row, same)
  }
  return { rows, inFile }
}

function isDifference({ correction, input }: RowRecord): boolean {
  return correction !== null || input["correction"] === "difference"
}

function onlyReference(earlier: Omit<EarlierRows, "at">) {
  const { recent: _, ...rest } = earlier
  return { ...rest, count: 0 }
}

const referenceOf = ({ correction, input, reason }: Pick<RowRecord, "correction" | "input" | "reason">) =>
  correction?.reference ?? (typeof input["reference"] === "string" ? input["reference"] : (reason ?? ""))

/** Why a compared row is not sent. */
function whyNot(
  kind: JobKind,
  row: Pick<RowRecord, "correction" | "input" | "reason">,
  comparison: Comparison,
): Outcome {
  if (comparison.kind === "repeat")
    return repeatedRow(`${repeatText(kind, comparison)}. Nothing was sent for it here.`)
  const text =
    comparison.kind === "recent"
      ? `${comparison.points} awarded in ${comparison.job} with the same reason, less than ${recentDays} days ago`
      : otherAmountText(comparison, referenceOf(row))
  return { code: "other_amount", message: cutText(`${text}. Nothing was sent for this row.`, limits.reason) }
}

const repeatedRow = (message: string): Outcome => ({ code: "repeated_row", message })

/** How to resolve a planned award by its `correction` input. */
type Resolved =
  | { readonly kind: "send" }
  /** A person included it although it repeats. */
  | { readonly kind: "repeat" }
  | { readonly kind: "leave"; readonly outcome: Outcome }
  | { readonly kind: "award"; readonly row: NewRow; readonly correction: RowCorrection }
  | { readonly kind: "deduct"; readonly row: NewRow }

/** @param comparison undefined for a row that is new */
function resolveAward(
  row: Pick<
    RowRecord,
    "correction" | "input" | "reason" | "points" | "memberId" | "email" | "label" | "purpose"
  >,
  comparison: Comparison | undefined,
  isFile: boolean,
): Resolved {
  const { correction: choice, ...input } = row.input
  const points = row.points ?? 0
  const reference = typeof input["reference"] === "string" ? input["reference"] : null
  if (comparison === undefined || comparison.kind === "repeat") {
    if (choice === "difference" && comparison === undefined)
      return {
        kind: "award",
        row: newRow("award", input, {}),
        correction: { reference, net: 0, points, job: null },
      }
    if (comparison === undefined) return { kind: "send" }
    // Repeats in a file are confirmed by number before the start.
    return choice === "as_well" && !isFile
      ? { kind: "repeat" }
      : { kind: "leave", outcome: whyNot("award", row, comparison) }
  }
  if (choice === "as_well") return { kind: "repeat" }
  const outcome = whyNot("award", row, comparison)
  if (choice !== "difference" || comparison.kind === "recent" || comparison.difference === null)
    return { kind: "leave", outcome }
  const { net, job, difference } = comparison
  if (difference === 0) return { kind: "leave", outcome: repeatedRow(outcome.message) }
  const correction = { reference, net, points, job }
  if (difference > 0)
    return { kind: "award", row: newRow("award", { ...input, points: difference }, {}), correction }
  const { member_id, email } = input
  const reason = cutText(correctionReason(row.reason ?? ""), limits.reason)
  const taken = { ...(email === undefined ? { member_id } : { email }), points: -difference, reason }
  return {
    kind: "deduct",
    row: { ...newRow("deduct", taken, {}), label: row.label, purpose: row.purpose, correction },
  }
}

function hasReference({ purpose }: NewRow): boolean {
  return purpose != null && isForReference(purpose)
}

/** The rows of a job that starts immediately, as stored, and the deductions that correct earlier awards. */
export async function resolveNewRows(
  { store, ...context }: EngineContext,
  kind: JobRecord["kind"],
  rows: readonly NewRow[],
): Promise<{ readonly rows: readonly NewRow[]; readonly deductions: readonly NewRow[] }> {
  if (kind !== "award" || !rows.some((row) => hasReference(row) || row.input["correction"] !== undefined))
    return { rows, deductions: [] }
  const compared = rows.map((row) => (hasReference(row) ? toCompared(row) : nothingCompared))
  const same = await stored(store.jobs.sameRows(compared, since({ store, ...context })))
  const earlier = compared.map((row, at) => {
    const summary = earlierOf({ ...row, points: rows[at]?.points ?? null }, same[at])
    return summary === null ? null : onlyReference(summary)
  })
  const comparisons = compareRows(rows.map(({ points }, at) => ({ points, earlier: earlier[at] })))
  const deductions: NewRow[] = []
  const resolved = rows.map((row, at): NewRow => {
    const candidate = { ...row, correction: null, purpose: row.purpose ?? null }
    const resolution = resolveAward(candidate, comparisons[at], false)
    if (resolution.kind === "repeat") return { ...row, repeat: true }
    if (resolution.kind === "leave") return { ...row, excluded: resolution.outcome }
    if (resolution.kind === "award") return { ...resolution.row, correction: resolution.correction }
    if (resolution.kind === "send") return row
    deductions.push(resolution.row)
    return { ...row, excluded: rowOutcome("corrected") }
  })
  return { rows: resolved, deductions }
}

/**
 * Retried or edited rows as stored, with awards of a difference resolved.
 * @throws AppError 422 where there is no difference to award
 */
export async function resolveCorrected(
  { store, ...context }: EngineContext,
  job: JobRecord,
  rows: readonly { readonly row: RowRecord | undefined; readonly corrected: NewRow | undefined }[],
): Promise<(NewRow | undefined)[]> {
  const resolved = rows.map(({ corrected }) => corrected)
  const differences = [...resolved.entries()].flatMap(([at, row]) =>
    row?.input["correction"] === "difference" && job.kind === "award" ? { at, row } : [],
  )
  if (differences.length === 0) return resolved
  const problems: FieldProblem[] = []
  const places = new Map<string, number>()
  const compared = differences.map(({ row }) => (hasReference(row) ? toCompared(row) : nothingCompared))
  const own = { id: job.id, startedAt: null }
  const same = await stored(store.jobs.sameRows(compared, since({ store, ...context }), own))
  for (const [index, { at, row }] of differences.entries()) {
    const candidate = { ...row, correction: null, purpose: row.purpose ?? null }
    const earlier = earlierOf(candidate, same[index])
    const [comparison] = compareRows([{ points: row.points, earlier: earlier && onlyReference(earlier) }])
    const resolution = resolveAward(candidate, comparison, true)
    if (resolution.kind === "award") resolved[at] = { ...resolution.row, correction: resolution.correction }
    else problems.push({ field: `rows.${at}.input.points`, message: notAwarded(candidate, comparison) })
    if (places.has(purposeOf(row))) problems.push(sameReference(at, "Another row"))
    places.set(purposeOf(row), at)
  }
  // The difference only includes other jobs, so no other row of this job may have the same purpose.
  const numbers = new Set(rows.map(({ row }) => row?.row))
  for await (const page of rowBatches(storedRows(store.jobs), job.id, carriedOut)) {
    for (const row of page) {
      const at = numbers.has(row.row) ? undefined : places.get(purposeOf(row))
      if (at !== undefined) problems.push(sameReference(at, `Row ${row.line ?? row.row}`))
    }
  }
  if (problems.length > 0) throw invalid(422, problems)
  return resolved
}

/** States of rows that were, may have been or will be carried out. */
export const carriedOut = ["planned", "sent", "confirmed", "unknown", "absent", "conflict"] as const

const purposeOf = ({ memberId, email, purpose = null }: NewRow | RowRecord) =>
  JSON.stringify([memberId ?? email, purpose])

function sameReference(at: number, row: string): FieldProblem {
  const message = `${row} of this job is for the same reference. Nothing was sent. Award the difference in a new job.`
  return { field: `rows.${at}.input.reference`, message }
}

/** Why a retried row has no difference to award. */
function notAwarded(
  row: Pick<RowRecord, "correction" | "input" | "reason" | "points">,
  comparison: Comparison | undefined,
): string {
  const net = comparison?.kind === "other_amount" ? comparison : { net: row.points ?? 0, sure: true }
  const text = otherAmountText({ ...net, job: comparison?.job ?? "" }, referenceOf(row))
  const difference = comparison?.kind === "other_amount" ? comparison.difference : 0
  if (difference === 0) return `${text}, so nothing is left to award. Nothing was sent.`
  if (difference === null) return `${text}. Nothing was sent. Try again when that award is confirmed.`
  return `${text}. The difference of ${-difference} can’t be deducted from this job. Nothing was sent. Award the row in a new job by the difference: that deducts ${-difference}.`
}

/**
 * Compares the rows of a draft with earlier ones and stores which repeats a person included. Throws 409 if their number
 * is not `expected` (null: the draft has no file). Returns the other changes of the start: rows that become differences
 * or are excluded, and deductions that correct earlier awards.
 */
export async function resolveDraft(
  context: EngineContext,
  draft: JobRecord,
  expected: number | null,
): Promise<{ readonly changes: RowChange[]; readonly deductions: NewRow[] }> {
  const changes: RowChange[] = []
  const deductions: NewRow[] = []
  if (expected === null && draft.kind !== "award") return { changes, deductions }
  const { rows, inFile } = await compareJob(context, draft, { own: undefined, isFile: expected !== null })
  const planned = rows.filter(({ row }) => row.state === "planned")
  const isRepeat = ({ row, comparison }: JobRow) =>
    expected !== null && comparison?.kind === "repeat" && row.input["correction"] === undefined
  const repeated = [...planned.filter(isRepeat).map(({ row }) => row), ...inFile.keys()]
  if (expected !== null && repeated.length !== expected) {
    const count = repeated.length
    const rows = count === 1 ? "1 row repeats" : `${count} rows repeat`
    const message = `${rows} earlier ones, not ${expected}. Nothing was started. Check the rows again, then start.`
    throw conflict(message, { repeats: count })
  }
  const chosen = [...repeated]
  const rules = kindRules[draft.kind]
  for (const each of planned) {
    if (isRepeat(each)) continue
    const { row, comparison } = each
    const resolution = resolveAward(row, comparison, expected !== null)
    if (resolution.kind === "repeat") chosen.push(row)
    else if (resolution.kind === "leave") changes.push(excludeRow(rules, row, resolution.outcome))
    else if (resolution.kind === "award")
      changes.push(correctPlanned(row, resolution.row, resolution.correction))
    else if (resolution.kind === "deduct") {
      deductions.push(resolution.row)
      changes.push(excludeRow(rules, row, rowOutcome("corrected")))
    }
  }
  const marks = chosen
    .filter((row) => !row.repeat)
    .map(({ row, edits }) => updatePlanned({ row, edits }, { repeat: true }))
  await stored(changeInBatches(context.store.jobs, draft.id, marks))
  return { changes, deductions }
}

/**
 * Excludes rows that repeat rows started or sent meanwhile (`found`: only rows whose member was found by e-mail), and
 * differences whose earlier awards changed. Rows that replace an award wait for its reversal and are excluded if it did
 * not happen. Rows that a person decided to send, or that may have been carried out, stay.
 */
export async function excludeRepeats(context: JobContext, which: "all" | "found"): Promise<void> {
  const { job, rules } = context
  if (job.reverses !== null) return which === "all" ? excludeCorrected(context, job.reverses) : undefined
  const { planned, excluded: _excluded, ...started } = job.counts
  const hasStarted = Object.values(started).some((count) => count > 0)
  const isCompared = job.repeats !== null || job.kind === "award" || job.linked !== null
  if (!isCompared || planned === 0) return
  // After a restore planned rows may have been carried out: they are looked up, not compared.
  if (hasStarted && isHeld(job)) return
  const how = { own: hasStarted ? undefined : job, isFile: job.repeats !== null }
  const { rows, inFile } = await compareJob(context, job, how)
  const isOpen = ({ state, repeat, doubtful, decision, memberId, email }: RowRecord) =>
    state === "planned" &&
    !repeat &&
    !doubtful &&
    decision === null &&
    (which === "all" || (memberId !== null && email !== null))
  const changes = rows.flatMap((each) => (isOpen(each.row) ? (changeOf(rules, each, how.isFile) ?? []) : []))
  for (const [row, same] of inFile) {
    if (!isOpen(row)) continue
    const message = `Same as row ${same.line ?? same.row} of this file. Nothing was sent for it here.`
    changes.push(excludeRow(rules, row, repeatedRow(message)))
  }
  await stored(changeInBatches(context.store.jobs, job.id, changes))
}

function changeOf(
  rules: JobContext["rules"],
  { row, earlier, comparison }: JobRow,
  isFile: boolean,
): RowChange | undefined {
  // In a file, repeats are only included by their confirmed number.
  if (row.input["correction"] === "as_well" && !(isFile && comparison?.kind === "repeat")) return undefined
  const awaits = earlier?.reversal ?? null
  const net = earlier?.awarded?.net ?? 0
  const isVoid = isDifference(row) ? row.correction?.net !== net : comparison !== undefined
  if (!isVoid) return awaits === row.awaits ? undefined : updatePlanned(row, { awaits })
  const leave = (outcome: Outcome) =>
    rules.kind === "award" && row.correction !== null
      ? excludeDifference(rules, row, asInFile(row, row.correction), outcome)
      : excludeRow(rules, row, outcome)
  // The awaited reversal did not happen.
  if (row.awaits !== null) return leave(rowOutcome("not_reversed"))
  if (!isDifference(row)) return comparison && excludeRow(rules, row, whyNot(rules.kind, row, comparison))
  const message = `What was awarded for ${referenceOf(row)} has changed: ${net} by now. Nothing was sent for this row.`
  return leave({ code: "other_amount", message: cutText(message, limits.reason) })
}

const asInFile = ({ input }: RowRecord, { points }: RowCorrection) =>
  newRow("award", { ...input, points }, {})

/** Equal for rows of one job with the same effect and the same member id or e-mail; undefined: not compared. */
export function repeatKey({ memberId, email, effect = null }: NewRow | RowRecord): string | undefined {
  return effect === null ? undefined : JSON.stringify([memberId ?? email, effect])
}

type Compared = ComparedRow & Pick<RowRecord, "points">

const nothingCompared: Compared = {
  memberId: null,
  email: null,
  effect: null,
  effectWithoutReference: null,
  purpose: null,
  points: null,
}

function toCompared(row: NewRow): Compared {
  const { memberId, email, points, effect = null, effectWithoutReference = null, purpose = null } = row
  return { memberId, email, points, effect, effectWithoutReference, purpose }
}

function comparedRow(kind: JobRecord["kind"], row: unknown, defaults: RowDefaults): Compared {
  try {
    return toCompared(newRow(kind, row, defaults))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return nothingCompared
  }
}
