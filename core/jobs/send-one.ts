import { announce } from "./announce.ts"
import { sampleControls } from "./controls.ts"
import type { JobContext } from "./job-context.ts"
import { unnamedSuccess, type KindRules, type NamedEffect, type RowRequest } from "./job-kind.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { notDone, pauseFor, released } from "./not-done.ts"
import { readyRow } from "./ready-row.ts"
import { confirmation, doubt, firstLookAt, heldBy, leftOpen, writeDown } from "./record.ts"
import type { Run } from "./run.ts"
import { isUsableId } from "./usable-id.ts"
import { sendRows, waitForPlace, type Sent } from "./send-rows.ts"

/** Sends one row in a request of its own and writes down how that ended. */
export async function sendOne(
  context: JobContext,
  run: Run,
  job: JobRecord,
  planned: RowRecord,
): Promise<void> {
  const rules = kindRules[job.kind]
  // What is looked up first takes as long as its reads do: it need not wait for the reads of others.
  const begun = rules.precheck === undefined ? await run.turn() : undefined
  const sending = await sendInPlace(context, run, job, planned, begun).finally(() => begun?.())
  if (sending === undefined) return
  const { sent, effect, row } = sending
  const { end } = sent
  if (end.kind === "not_done" || end.kind === "systemic") {
    await writeDown(context, job.id, [notDone(rules, row, sent)])
    if (end.kind === "systemic") await pauseFor(context, job, end)
    else holdAfter(context, run, sent)
    context.jobChanged(job.id)
    return
  }
  run.unreachable = 0
  run.proven = true
  noteEnd(context, run, sent)
  if (end.kind === "success") {
    const done = rules.readResponse(end.data, row, effect, end.answer)
    if (done !== undefined && isUsableId(done.upstreamId))
      return confirm(context, job, rules, row, done, sent)
  }
  await writeDown(context, job.id, [ended(context, job, rules, row, sent)])
  context.jobChanged(job.id)
  await rules.onResolved?.(context, job, row.row)
}

async function sendInPlace(
  context: JobContext,
  run: Run,
  job: JobRecord,
  planned: RowRecord,
  begun: (() => void) | undefined,
): Promise<{ readonly sent: Sent; readonly effect: RowRequest; readonly row: RowRecord } | undefined> {
  const ready = await readyInPlace(context, run, job, planned)
  if (ready === undefined) return undefined
  const effect = kindRules[job.kind].request(job, ready)
  const sent = await sendRows(
    context,
    run,
    job,
    [ready],
    null,
    () => effect,
    () => effect.body,
    begun,
  )
  const row = sent?.rows[0]
  return sent === undefined || row === undefined ? undefined : { sent, effect, row }
}

/** What was looked up before a row is sent is looked up again if the wait for a place took longer, in ms. */
const freshMs = 12_000

/** Looks before the row is sent and waits for its place; undefined when it is not to be sent now. */
async function readyInPlace(
  context: JobContext,
  run: Run,
  job: JobRecord,
  planned: RowRecord,
): Promise<RowRecord | undefined> {
  const { api, precheck } = kindRules[job.kind]
  const row = await readyRow(context, run, job, planned)
  if (row === undefined) return undefined
  const at = context.clock.monotonic()
  if (!(await waitForPlace(context, run, job, api))) return undefined
  return precheck === undefined || context.clock.monotonic() - at <= freshMs
    ? row
    : readyRow(context, run, job, planned)
}

/** A call that proved nothing was done makes the row failed; every other end without a named effect leaves it open. */
function ended(context: JobContext, job: JobRecord, rules: KindRules, row: RowRecord, sent: Sent): RowChange {
  const { end, endedAt: at } = sent
  if (end.kind !== "refused") {
    const { how, said } = end.kind === "unknown" ? end : { how: unnamedSuccess }
    return leftOpen(context, job, rules, row, { at, how, waitsFor: said ?? null })
  }
  const how = `refused: ${end.code}`
  const refusal = { code: end.code, message: end.message }
  if (rules.isInProgress?.(end.code) === true) {
    return leftOpen(context, job, rules, row, { at, how, waitsFor: refusal })
  }
  // After an unknown attempt a refusal alone proves nothing: it is looked up first.
  if (row.doubtful || rules.isInconclusive?.(end.code) === true) {
    return doubt(row, { at, how, nextAt: firstLookAt(context, job, at) }, { work: { ...row.work, refusal } })
  }
  return {
    row: row.row,
    from: ["sent", "unknown", "absent"],
    attempt: row.attempts,
    set: { state: "failed", endedAt: at, endedHow: how, outcome: refusal, nextAt: null },
    ...released(heldBy(rules, row)),
  }
}

async function confirm(
  context: JobContext,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  done: NamedEffect,
  { endedAt }: Sent,
): Promise<void> {
  const change = confirmation(context, rules, row, done, { at: endedAt, byAnswer: true })
  const [result] = await writeDown(context, job.id, [change])
  if (result === "changed") {
    await sampleControls(context, job, [{ row, upstreamId: done.upstreamId }], endedAt)
    await rules.onResolved?.(context, job, row.row)
    announce(context, job, rules, [row])
  } else {
    await writeDown(context, job.id, [contested(context, job, row, endedAt, result === "claimed")])
    context.log.warn(
      { job: job.id, row: row.row, id: done.upstreamId, result },
      "the response couldn’t be used",
    )
  }
}

/** Its answer names an effect that is another row's already: what happened to this one is looked up. */
function contested(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
  at: number,
  claimed: boolean,
): RowChange {
  const how = claimed
    ? "the response names an entry that belongs to another row"
    : "the response came too late"
  return doubt(row, { at, how, nextAt: firstLookAt(context, job, at) })
}

const unreachableMs = { first: 1000, longest: 30_000 }

/** So many calls in a row may end without a usable answer before the run slows down. */
const doubtsAllowed = 3

/**
 * Slows the run down while no call gets a usable answer: each would become a row that somebody has to look at, and the
 * one that gets through is the control for those before it.
 */
export function noteEnd({ clock }: JobContext, run: Run, { end }: Sent): void {
  if (end.kind !== "unknown") {
    run.doubts = 0
    return
  }
  // Calls that were under way together fail together: they count once.
  if (clock.monotonic() < run.holdUntil) return
  run.doubts += 1
  if (run.doubts < doubtsAllowed) return
  run.proven = false
  const wait = Math.min(1000 * 2 ** (run.doubts - doubtsAllowed), 60_000)
  run.holdUntil = Math.max(run.holdUntil, clock.monotonic() + wait)
}

/**
 * Keeps the run from sending for a while when the service could not be reached. One that asked to wait is waited for by
 * the budget; many calls that failed at the same moment count once.
 */
export function holdAfter({ clock }: JobContext, run: Run, { end, tooLate }: Sent): void {
  const now = clock.monotonic()
  if (end.kind !== "not_done" || end.limited || tooLate || now < run.holdUntil) return
  run.holdUntil = now + Math.min(unreachableMs.first * 2 ** run.unreachable, unreachableMs.longest)
  run.unreachable += 1
}
