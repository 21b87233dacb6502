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

type Earlier = Omit<EarlierRows, "at">

interface ComparedWith {
  /** Rows of a file are compared in full, others only as awards for a reference. */
  readonly isFile: boolean
  /** The job of the rows; with `startedAt`, planned rows of jobs started later do not count. */
  readonly own?: { readonly id: string; readonly startedAt: number | null }
}

/**
 * What earlier jobs did that each row would repeat; null: nothing. Called at upload, start, retry, after the members
 * were found by e-mail, and on resume (docs/jobs.md, The same rows again).
 */
async function findEarlier(
  { store, time }: EngineContext,
  rows: readonly Compared[],
  { isFile, own }: ComparedWith,
): Promise<(Earlier | null)[]> {
  const found: (Earlier | null)[] = []
  const since = time.now() - windowMs
  for (let from = 0; from < rows.length; from += batchSize) {
    if (from > 0) await yieldToEventLoop()
    const part = rows.slice(from, from + batchSize)
    const compared = part.map((row) => (isFile || hasReference(row) ? row : nothingCompared))
    const same = await stored(store.jobs.sameRows(compared, since, own))
    for (const [at, row] of part.entries()) {
      const earlier = summarize(row, same[at], isFile)
      found.push(earlier)
    }
  }
  return found
}

/** Earlier rows that rows of a file would repeat. */
export async function findRepeats(
  context: EngineContext,
  { kind, rows }: RepeatsBody,
): Promise<EarlierRows[]> {
  const defaults = await rowDefaults(context, kind)
  const compared = rows.map((row) => comparedRow(kind, row, defaults))
  const earlier = await findEarlier(context, compared, { isFile: true })
  return earlier.flatMap((each, at) => (each === null ? [] : { at, ...each }))
}

function hasReference({ purpose }: Pick<NewRow, "purpose">): boolean {
  return purpose != null && isForReference(purpose)
}

/** Unfinished reversals count as carried out. */
function summarize(row: Compared, same: SameRows | undefined, isFile: boolean): Earlier | null {
  if (same === undefined) return null
  const { key, latest, related } = same
  const count = isFile ? same.count : 0
  const present = related.filter((each) => unreversedPoints(each) !== 0)
  const awarded = hasReference(row) ? awardedBy(same.purposeKey, present) : undefined
  const isRecentCompared = isFile && count === 0 && !hasReference(row)
  const recent = isRecentCompared ? present.findLast(({ points }) => points !== row.points) : undefined
  const reversal = same.reversal ?? related.findLast((each) => each.reversal?.isUnderWay)?.reversal?.job
  if (count === 0 && (awarded ?? recent ?? reversal) === undefined) return null
  return {
    key,
    count,
    ...(latest === null ? { job: null, row: null, state: null } : named({ job: latest.job, ...latest.row })),
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

type Named = Pick<RelatedRow, "job" | "line" | "row" | "state" | "confirmedAt" | "sentAt">

function named({ job, line, row, state, confirmedAt, sentAt }: Named) {
  const at = confirmedAt ?? sentAt
  return { job, row: line ?? row, state, ...(at !== null && { done_at: new Date(at).toISOString() }) }
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
  readonly earlier: Earlier | null
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
  const related: Omit<JobRow, "comparison">[] = []
  const sameInFile = new SameInFile()
  for await (const rows of rowBatches(storedRows(context.store.jobs), job.id, rowStates)) {
    if (isFile) sameInFile.add(rows)
    const compared = rows.filter(
      (row) => isCompared(row) && (isFile || hasReference(row) || isDifference(row)),
    )
    if (compared.length === 0) continue
    // For retried rows, jobs started later count too: they could not wait for a failed row.
    const isRetry = rows.some(({ attempts }) => attempts > 0)
    const startedAt = isRetry ? null : (own?.startedAt ?? null)
    const earlier = await findEarlier(context, compared, { isFile, own: { id: job.id, startedAt } })
    const found = compared.map((row, at) => ({ row, earlier: earlier[at] ?? null }))
    related.push(
      ...found.filter(({ row, earlier }) => earlier !== null || row.awaits !== null || isDifference(row)),
    )
  }
  // A deduction is no award.
  const comparisons =
    job.kind === "award" || isFile
      ? compareRows(related.map(({ row, earlier }) => ({ points: row.points, earlier, rank: rankOf(row) })))
      : []
  const rows = related.map((each, at): JobRow => ({ ...each, comparison: comparisons[at] }))
  const repeated = new Set(rows.flatMap(({ row, comparison }) => (comparison === undefined ? [] : row)))
  return { rows, inFile: sameInFile.except(repeated) }
}

function isCompared({ repeat, state, outcome }: RowRecord): boolean {
  return repeat || state === "planned" || comparedCodes.has(outcome?.code ?? "")
}

/** Excluded rows count as repeats first, then those that a person included. */
function rankOf({ state, repeat }: RowRecord): number {
  if (state !== "planned") return 0
  return repeat ? 1 : 2
}

/** A file may give a member by id and by e-mail: such repeats are visible once the e-mail is resolved. */
class SameInFile {
  readonly #byId = new Map<string, RowRecord>()
  readonly #byEmail: RowRecord[] = []

  add(rows: readonly RowRecord[]): void {
    for (const row of rows) {
      const key = repeatKey(row)
      if (row.memberId === null || key === undefined) continue
      if (row.email !== null) {
        if (row.state === "planned") this.#byEmail.push(row)
      } else if (row.state !== "failed" && row.state !== "excluded") this.#byId.set(key, row)
    }
  }

  /** Planned rows by e-mail with the row by id that is the same. */
  except(repeated: ReadonlySet<RowRecord>): ReadonlyMap<RowRecord, RowRecord> {
    const pairs = this.#byEmail.flatMap((row) => {
      const same = repeated.has(row) ? undefined : this.#byId.get(repeatKey(row) ?? "")
      return same === undefined ? [] : [[row, same] as const]
    })
    return new Map(pairs)
  }
}

function isDifference({ correction, input }: RowRecord): boolean {
  return correction !== null || input["correction"] === "difference"
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

/** What becomes of a planned award by its `correction` input; nothing: it is sent as it is. */
interface Resolved {
  /** A person included it although it repeats. */
  readonly repeat?: true
  readonly excluded?: Outcome
  /** What is left to award. */
  readonly award?: { readonly row: NewRow; readonly correction: RowCorrection }
  readonly deduction?: NewRow
}

type Award = Pick<
  RowRecord,
  "correction" | "input" | "reason" | "points" | "memberId" | "email" | "label" | "purpose"
>

/** @param comparison undefined for a row that is new */
function resolveAward(row: Award, comparison: Comparison | undefined, isFile: boolean): Resolved {
  const { correction: choice, ...input } = row.input
  const points = row.points ?? 0
  const reference = typeof input["reference"] === "string" ? input["reference"] : null
  if (comparison === undefined) {
    if (choice !== "difference") return {}
    return {
      award: { row: newRow("award", input, {}), correction: { reference, net: 0, points, job: null } },
    }
  }
  // Repeats in a file are confirmed by number before the start.
  if (choice === "as_well" && !(isFile && comparison.kind === "repeat")) return { repeat: true }
  const excluded = whyNot("award", row, comparison)
  if (choice !== "difference" || comparison.kind !== "other_amount" || comparison.difference === null)
    return { excluded }
  const { net, job, difference } = comparison
  if (difference === 0) return { excluded: repeatedRow(excluded.message) }
  const correction = { reference, net, points, job }
  if (difference > 0)
    return { award: { row: newRow("award", { ...input, points: difference }, {}), correction } }
  const { member_id, email } = input
  const reason = cutText(correctionReason(row.reason ?? ""), limits.reason)
  const taken = { ...(email === undefined ? { member_id } : { email }), points: -difference, reason }
  const deduction = { ...newRow("deduct", taken, {}), label: row.label, purpose: row.purpose, correction }
  return { excluded: rowOutcome("corrected"), deduction }
}

/** The rows of a job that starts immediately, as stored, and the deductions that correct earlier awards. */
export async function resolveNewRows(
  context: EngineContext,
  kind: JobRecord["kind"],
  rows: readonly NewRow[],
): Promise<{ readonly rows: readonly NewRow[]; readonly deductions: readonly NewRow[] }> {
  if (kind !== "award" || !rows.some((row) => hasReference(row) || row.input["correction"] !== undefined))
    return { rows, deductions: [] }
  const earlier = await findEarlier(context, rows.map(toCompared), { isFile: false })
  const comparisons = compareRows(rows.map(({ points }, at) => ({ points, earlier: earlier[at] })))
  const deductions: NewRow[] = []
  const resolved = rows.map((row, at): NewRow => {
    const { award, deduction, ...marks } = resolveAward(asAward(row), comparisons[at], false)
    if (deduction !== undefined) deductions.push(deduction)
    return award === undefined ? { ...row, ...marks } : { ...award.row, correction: award.correction }
  })
  return { rows: resolved, deductions }
}

const asAward = (row: NewRow): Award => ({ ...row, correction: null, purpose: row.purpose ?? null })

/**
 * Retried or edited rows as stored, with awards of a difference resolved.
 * @throws AppError 422 where there is no difference to award
 */
export async function resolveCorrected(
  context: EngineContext,
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
  const compared = differences.map(({ row }) => toCompared(row))
  const own = { id: job.id, startedAt: null }
  const earlier = await findEarlier(context, compared, { isFile: false, own })
  for (const [index, { at, row }] of differences.entries()) {
    const candidate = asAward(row)
    const [comparison] = compareRows([{ points: row.points, earlier: earlier[index] }])
    const { award } = resolveAward(candidate, comparison, true)
    if (award !== undefined) resolved[at] = { ...award.row, correction: award.correction }
    else problems.push({ field: `rows.${at}.input.points`, message: notAwarded(candidate, comparison) })
    if (places.has(purposeOf(row))) problems.push(sameReference(at, "Another row"))
    places.set(purposeOf(row), at)
  }
  // The difference only includes other jobs, so no other row of this job may have the same purpose.
  const numbers = new Set(rows.map(({ row }) => row?.row))
  for await (const page of rowBatches(storedRows(context.store.jobs), job.id, carriedOut)) {
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
    const { repeat, excluded, award, deduction } = resolveAward(row, comparison, expected !== null)
    if (repeat) chosen.push(row)
    if (excluded !== undefined) changes.push(excludeRow(rules, row, excluded))
    if (award !== undefined) changes.push(correctPlanned(row, award.row, award.correction))
    if (deduction !== undefined) deductions.push(deduction)
  }
  const marks = chosen
    .filter((row) => !row.repeat)
    .map(({ row, edits }) => updatePlanned({ row, edits }, { repeat: true }))
  await stored(changeInBatches(context.store.jobs, draft.id, marks))
  return { changes, deductions }
}

/**
 * Excludes rows that repeat rows started or sent meanwhile, and differences whose earlier awards changed. Rows that replace an award wait for its reversal and are excluded if it did
 * not happen.
 */
export async function excludeRepeats(context: JobContext): Promise<void> {
  const { job, rules } = context
  if (job.reverses !== null) return excludeCorrected(context, job.reverses)
  const { planned, excluded: _excluded, ...started } = job.counts
  const hasStarted = Object.values(started).some((count) => count > 0)
  const mayRepeat = job.repeats !== null || job.kind === "award" || job.linked !== null
  if (!mayRepeat || planned === 0) return
  // After a restore planned rows may have been carried out: they are looked up, not compared.
  if (hasStarted && isHeld(job)) return
  const how = { own: hasStarted ? undefined : job, isFile: job.repeats !== null }
  const { rows, inFile } = await compareJob(context, job, how)
  const changes = rows.flatMap((each) => (isOpen(each.row) ? (changeOf(rules, each, how.isFile) ?? []) : []))
  for (const [row, same] of inFile) {
    if (!isOpen(row)) continue
    const message = `Same as row ${same.line ?? same.row} of this file. Nothing was sent for it here.`
    changes.push(excludeRow(rules, row, repeatedRow(message)))
  }
  await stored(changeInBatches(context.store.jobs, job.id, changes))
}

/** Rows that a person decided to send, or that may have been carried out, stay. */
function isOpen({ state, repeat, doubtful, decision }: RowRecord): boolean {
  return state === "planned" && !repeat && !doubtful && decision === null
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
