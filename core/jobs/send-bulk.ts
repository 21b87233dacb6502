import { limits } from "../../contract/limits.ts"
import { decidingAge } from "./absence.ts"
import { type EndedCall, makeCall, namesOther, persist, reopenWaiting, settleCall } from "./call.ts"
import { sampleCanaries } from "./canaries.ts"
import { type BulkRules, type JobContext, notifyConfirmed } from "./job-kind.ts"
import type { RowChange, RowRecord } from "./job-store.ts"
import type { CallOutcome } from "./call-outcome.ts"
import type { RunState } from "./run-state.ts"
import * as transitions from "./transitions.ts"

/** Delay of the first lookup of rows that a response does not name, in ms. */
const soonMs = 1000
/** Rows of an unanswered request that are looked up before the others. */
const sampleSize = 3
/** Rows of a refused request up to this size are sent alone. */
const smallRequest = Math.ceil(limits.bulkRows / 8)

/**
 * Sends rows in one request and stores the outcome. A success confirms only the rows that it names, and a refusal fails no
 * row (docs/api/program.md, Bulk award).
 */
export async function sendBulk(
  context: JobContext,
  run: RunState,
  bulk: BulkRules,
  planned: readonly RowRecord[],
): Promise<void> {
  run.bulk.sent()
  let call: EndedCall | undefined
  try {
    call = await makeCall(context, run, { rows: async () => planned, bulk })
  } finally {
    if (call === undefined) run.bulk.notDone()
  }
  if (call === undefined) return
  const undone = isUndone(call.outcome)
  if (undone) run.bulk.notDone()
  await settleCall(context, run, call, undone, () => endBulk(context, run, bulk, call))
}

/** 401 means nothing was done. Any other refusal may have come after some of the rows. */
function isUndone(outcome: CallOutcome): boolean {
  return outcome.kind === "not_done" || (outcome.kind === "systemic" && outcome.status === 401)
}

async function endBulk(context: JobContext, run: RunState, bulk: BulkRules, call: EndedCall): Promise<void> {
  const ids = call.outcome.kind === "success" ? bulk.readResponse(call.outcome.data) : undefined
  if (ids !== undefined) {
    run.bulk.answered(call.ms, context.config.jobs.callMs)
    await confirmNamed(context, call, ids)
    return
  }
  const isRefused = await resizeBulk(context, run, call)
  await lookUpUnnamed(context, call, isRefused)
}

/** Confirms the rows that a response names; the others are looked up and then sent alone. */
async function confirmNamed(
  context: JobContext,
  { rows, endedAt: at }: EndedCall,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  // Usually the member does not exist, which the first lookup shows.
  const nextAt = at + Math.min(context.config.jobs.settleMs, soonMs)
  const unnamed = (row: RowRecord, how: string) =>
    transitions.markUnknown(row, { at, how, nextAt }, { sendAlone: true })
  const idOf = (row: RowRecord) => ids.get(row.memberId ?? "")
  const changes = rows.map((row): RowChange => {
    const upstreamId = idOf(row)
    if (upstreamId === undefined) return unnamed(row, "the response to its bulk request doesn’t name it")
    return transitions.confirm(context, row, { upstreamId, balanceAfter: null }, { at, byResponse: true })
  })
  const named = rows.filter((row) => idOf(row) !== undefined)
  const results = await persist(context, [...changes, ...(await reopenWaiting(context, named, at))])
  const contested = rows.filter((_, index) => results[index] === "claimed")
  if (contested.length > 0)
    await persist(
      context,
      contested.map((row) => unnamed(row, namesOther)),
    )
  const confirmed = rows.flatMap((row, index) => {
    const upstreamId = idOf(row)
    return results[index] === "changed" && upstreamId !== undefined ? [{ row, upstreamId }] : []
  })
  await sampleCanaries(context, confirmed, at)
  notifyConfirmed(
    context,
    confirmed.map(({ row }) => row),
  )
}

/** Makes the next requests smaller after one without a usable response. Returns whether it was refused as a whole. */
async function resizeBulk(
  context: JobContext,
  run: RunState,
  { outcome, rows }: EndedCall,
): Promise<boolean> {
  const { job, store } = context
  const isRefused = outcome.kind === "refused" || (outcome.kind === "unknown" && outcome.responded)
  if (isRefused) {
    const bulkSize = Math.min(run.bulk.refused(rows.length), job.bulkSize)
    const refusal =
      outcome.kind === "refused" ? { code: outcome.code, message: outcome.message } : job.refusal
    if (bulkSize < job.bulkSize || refusal !== job.refusal)
      await store.jobs.change(job.id, ["running", "paused", "cancelling"], { bulkSize, refusal })
  } else if (outcome.kind === "systemic") run.bulk.notDone()
  else run.bulk.unknown()
  return isRefused
}

/** Looks up a sample of the rows first; the others wait for the deciding lookup unless the sample is found. */
async function lookUpUnnamed(context: JobContext, call: EndedCall, isRefused: boolean): Promise<void> {
  const { outcome, endedAt: at, rows } = call
  const { settleMs, recheckMs } = context.config.jobs
  const how = transitions.describeOutcome(outcome, "a success in an unexpected format")
  const sendAlone = isRefused && rows.length <= smallRequest
  const deciding = at + decidingAge({ settleMs, recheckMs, lagMs: 0, gapMs: 0 })
  const step = Math.max(1, Math.floor(rows.length / sampleSize))
  const changes = rows.map((row, index) => {
    const isSampled = index % step === 0 && index / step < sampleSize
    const nextAt = isSampled ? transitions.firstLookupAt(context, at) : deciding
    if (outcome.kind === "refused") return transitions.markRefusedTogether(row, outcome, { at, nextAt })
    return transitions.markUnknown(row, { at, how, nextAt }, sendAlone ? { sendAlone } : {})
  })
  await persist(context, changes)
}
