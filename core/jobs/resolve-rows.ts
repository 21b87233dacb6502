import { compareRows, type Comparison, otherAmountText } from "../../contract/earlier-awards.ts"
import { isReversible, jobKindDescriptors, type JobKind } from "../../contract/job-kinds.ts"
import { limits } from "../../contract/limits.ts"
import type { FieldProblem } from "../../contract/response.ts"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import { conflict, invalid, stored } from "../errors.ts"
import { changeInBatches, type EngineContext, rowBatches, storedRows } from "./engine-context.ts"
import type { RowOutcome } from "./job-kind.ts"
import type { JobRecord, NewRow, RowChange, RowCorrection, RowRecord } from "./job-store.ts"
import { kindRules, newRow } from "./kinds/kind-rules.ts"
import { correctionReason, cutText } from "./job-record.ts"
import {
  compareJob,
  findEarlier,
  hasReference,
  type JobRow,
  referenceOf,
  repeatedRow,
  toCompared,
  whyNot,
} from "./repeats.ts"
import { correctPlanned, excludeRow, updatePlanned } from "./transitions.ts"

// What becomes of rows that were compared with earlier ones: when a job is created or started, and when rows are retried.

/** What becomes of a planned award by its `correction` input; nothing: it is sent as it is. */
interface Resolved {
  /** A person included it although it repeats. */
  readonly repeat?: true
  readonly excluded?: RowOutcome
  /** What is left to award. */
  readonly award?: { readonly row: NewRow; readonly correction: RowCorrection }
  readonly deduction?: NewRow
}

type Award = Pick<
  RowRecord,
  "correction" | "input" | "reason" | "points" | "memberId" | "email" | "label" | "purpose"
>

/** @param comparison undefined for a row that is new */
function resolveAward(
  kind: JobKind,
  row: Award,
  comparison: Comparison | undefined,
  isFile: boolean,
): Resolved {
  const { correction: choice, ...input } = row.input
  const points = row.points ?? 0
  const reference = typeof input["reference"] === "string" ? input["reference"] : null
  if (comparison === undefined) {
    if (choice !== "difference") return {}
    return {
      award: { row: newRow(kind, input, {}), correction: { reference, net: 0, points, job: null } },
    }
  }
  // Repeats in a file are confirmed by number before the start.
  if (choice === "as_well" && !(isFile && comparison.kind === "repeat")) return { repeat: true }
  const excluded = whyNot(kind, row, comparison)
  if (choice !== "difference" || comparison.kind !== "other_amount" || comparison.difference === null)
    return { excluded }
  const { net, job, difference } = comparison
  if (difference === 0) return { excluded: repeatedRow(excluded.message) }
  const correction = { reference, net, points, job }
  if (difference > 0)
    return { award: { row: newRow(kind, { ...input, points: difference }, {}), correction } }
  const { reversedBy } = jobKindDescriptors[kind]
  if (reversedBy === undefined) return { excluded }
  const { member_id, email } = input
  const reason = cutText(correctionReason(row.reason ?? ""), limits.reason)
  const taken = { ...(email === undefined ? { member_id } : { email }), points: -difference, reason }
  const deduction = { ...newRow(reversedBy, taken, {}), label: row.label, purpose: row.purpose, correction }
  return { excluded: rowOutcome("corrected"), deduction }
}

/** The rows of a job that starts immediately, as stored, and the deductions that correct earlier awards. */
export async function resolveNewRows(
  context: EngineContext,
  kind: JobKind,
  rows: readonly NewRow[],
): Promise<{ readonly rows: readonly NewRow[]; readonly deductions: readonly NewRow[] }> {
  if (!isReversible(kind) || !rows.some((row) => hasReference(row) || row.input["correction"] !== undefined))
    return { rows, deductions: [] }
  const earlier = await findEarlier(context, rows.map(toCompared), { isFile: false })
  const comparisons = compareRows(rows.map(({ points }, at) => ({ points, earlier: earlier[at] })))
  const deductions: NewRow[] = []
  const resolved = rows.map((row, at): NewRow => {
    const { award, deduction, ...marks } = resolveAward(kind, asAward(row), comparisons[at], false)
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
    row?.input["correction"] === "difference" && isReversible(job.kind) ? { at, row } : [],
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
    const { award } = resolveAward(job.kind, candidate, comparison, true)
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
  if (expected === null && !isReversible(draft.kind)) return { changes, deductions }
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
    const { repeat, excluded, award, deduction } = resolveAward(
      draft.kind,
      row,
      comparison,
      expected !== null,
    )
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
