import { type EndedCall, makeCall, namesOther, persist, postpone, reopenWaiting, settleCall } from "./call.ts"
import { sampleCanaries } from "./canaries.ts"
import { holdAfterFailure } from "./engine-context.ts"
import { isUsableId, type JobContext, notifyConfirmed, withNotes } from "./job-kind.ts"
import type { RowRecord } from "./job-store.ts"
import { isOwnedByAnotherRow } from "./job-record.ts"
import type { RunState } from "./run-state.ts"
import * as transitions from "./transitions.ts"

/** Sends a row alone, after its precheck, and stores the outcome. */
export async function sendSingle(context: JobContext, run: RunState, planned: RowRecord): Promise<void> {
  const call = await makeCall(context, run, { rows: () => precheckRow(context, run, planned) })
  if (call === undefined) return
  const { kind } = call.outcome
  const isUndone = kind === "not_done" || kind === "systemic"
  await settleCall(context, run, call, isUndone, () => endSingle(context, run, call))
}

/** The row with the result of its precheck; nothing if it ended or could not be checked. */
async function precheckRow(
  context: JobContext,
  run: RunState,
  row: RowRecord,
): Promise<readonly RowRecord[]> {
  const { job, rules, store } = context
  if (rules.precheck === undefined) return [row]
  const claim = rules.claims?.whileSent?.(row)
  const owner = claim && (await store.jobs.claims(claim.scope, [claim.key])).get(claim.key)
  // Wait for the row ahead, for example of the same order.
  if (isOwnedByAnotherRow(owner, row)) {
    await postpone(context, [row])
    return []
  }
  try {
    const checked = await rules.precheck(context, row)
    if (checked.kind === "go") return [{ ...row, ...withNotes(row, checked.notes) }]
    await store.jobs.changeRows(job.id, [transitions.endBeforeSending(context, row, checked)])
    notifyConfirmed(context, [row])
  } catch (error) {
    await holdAfterFailure(context, run, error)
  }
  return []
}

async function endSingle(context: JobContext, run: RunState, call: EndedCall): Promise<void> {
  const { rules } = context
  const {
    outcome,
    endedAt: at,
    request,
    rows: [row],
  } = call
  if (row === undefined) return
  const effect =
    outcome.kind === "success" ? rules.readResponse(outcome.data, row, request, outcome.response) : undefined
  if (effect === undefined || !isUsableId(effect.upstreamId)) {
    await persist(context, [transitions.endUnconfirmed(context, row, outcome, at)])
    await rules.onResolved?.(context, row.row)
    return
  }
  const { upstreamId } = effect
  const confirmed = transitions.confirm(context, row, effect, { at, byResponse: true })
  const [result] = await persist(context, [confirmed, ...(await reopenWaiting(context, [row], at))])
  if (result !== "changed") {
    const how = result === "claimed" ? namesOther : "the response came too late"
    const nextAt = transitions.firstLookupAt(context, at)
    await persist(context, [transitions.markUnknown(row, { at, how, nextAt })])
    const details = { job: context.job.id, row: row.row, id: upstreamId, result }
    context.log.warn(details, "the response couldn’t be used")
    return
  }
  run.bulk.confirmedAlone()
  await sampleCanaries(context, [{ row, upstreamId }], at)
  await rules.onResolved?.(context, row.row)
  const { startedAt: requestedAt } = call
  notifyConfirmed(
    context,
    [row],
    outcome.kind === "success" ? { data: outcome.data, requestedAt } : undefined,
  )
}
