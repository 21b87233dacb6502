import {
  compareRows,
  type Comparison,
  type EarlierRows,
  otherAmountText,
  recentDays,
  repeatDays,
  repeatText,
} from "../../contract/earlier-awards.ts"
import { type RepeatsBody, rowStates } from "../../contract/job.ts"
import { isReversible, type JobKind } from "../../contract/job-kinds.ts"
import { limits } from "../../contract/limits.ts"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import { AppError, stored } from "../errors.ts"
import {
  changeInBatches,
  type EngineContext,
  rowBatches,
  storedRows,
  yieldToEventLoop,
} from "./engine-context.ts"
import type { JobContext, RowOutcome, RowDefaults } from "./job-kind.ts"
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
import { rowDefaults, newRow } from "./kinds/kind-rules.ts"
import { excludeCorrected, unreversedPoints } from "./net-awards.ts"
import { cutText, isForReference, isHeld } from "./job-record.ts"
import { excludeDifference, excludeRow, updatePlanned } from "./transitions.ts"

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
export async function findEarlier(
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

/** Rows with a reference are compared by it, also outside files and however old. */
export function hasReference({ purpose }: Pick<NewRow, "purpose">): boolean {
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
export interface JobRow {
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
export async function compareJob(
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
  const comparisons =
    isReversible(job.kind) || isFile
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

/** The text that messages name an award by: its reference, otherwise its reason. */
export const referenceOf = ({
  correction,
  input,
  reason,
}: Pick<RowRecord, "correction" | "input" | "reason">) =>
  correction?.reference ?? (typeof input["reference"] === "string" ? input["reference"] : (reason ?? ""))

/** Why a compared row is not sent. */
export function whyNot(
  kind: JobKind,
  row: Pick<RowRecord, "correction" | "input" | "reason">,
  comparison: Comparison,
): RowOutcome {
  if (comparison.kind === "repeat")
    return repeatedRow(`${repeatText(kind, comparison)}. Nothing was sent for it here.`)
  const text =
    comparison.kind === "recent"
      ? `${comparison.points} awarded in ${comparison.job} with the same reason, less than ${recentDays} days ago`
      : otherAmountText(comparison, referenceOf(row))
  return { code: "other_amount", message: cutText(`${text}. Nothing was sent for this row.`, limits.reason) }
}

/** The outcome of a row that is left out as a repeat. */
export const repeatedRow = (message: string): RowOutcome => ({ code: "repeated_row", message })

/**
 * Excludes rows that repeat rows started or sent meanwhile, and differences whose earlier awards changed. Rows that replace an award wait for its reversal and are excluded if it did
 * not happen.
 */
export async function excludeRepeats(context: JobContext): Promise<void> {
  const { job, rules } = context
  if (job.reverses !== null) return excludeCorrected(context, job.reverses)
  const { planned, excluded: _excluded, ...started } = job.counts
  const hasStarted = Object.values(started).some((count) => count > 0)
  const mayRepeat = job.repeats !== null || isReversible(job.kind) || job.linked !== null
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
function isOpen({ state, repeat, hadUnknownAttempt, decision }: RowRecord): boolean {
  return state === "planned" && !repeat && !hadUnknownAttempt && decision === null
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
  const leave = (outcome: RowOutcome) =>
    isReversible(rules.kind) && row.correction !== null
      ? excludeDifference(rules, row, asInFile(rules.kind, row, row.correction), outcome)
      : excludeRow(rules, row, outcome)
  // The awaited reversal did not happen.
  if (row.awaits !== null) return leave(rowOutcome("not_reversed"))
  if (!isDifference(row)) return comparison && excludeRow(rules, row, whyNot(rules.kind, row, comparison))
  const message = `What was awarded for ${referenceOf(row)} has changed: ${net} by now. Nothing was sent for this row.`
  return leave({ code: "other_amount", message: cutText(message, limits.reason) })
}

const asInFile = (kind: JobKind, { input }: RowRecord, { points }: RowCorrection) =>
  newRow(kind, { ...input, points }, {})

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

/** The part of a row that decides whether an earlier one was the same. */
export function toCompared(row: NewRow): Compared {
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
