import { limits } from "../../contract/limits.ts"
import { bulkAwardReader } from "../../contract/program/points.ts"
import { announce } from "./announce.ts"
import { sampleControls } from "./controls.ts"
import type { JobContext } from "./job-context.ts"
import type { RowRequest } from "./job-kind.ts"
import { decidingAge } from "./judge-absence.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"
import { bulkReason } from "./kinds/award.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { notDone, pauseFor } from "./not-done.ts"
import { confirmation, doubt, firstLookAt, writeDown } from "./record.ts"
import type { Run } from "./run.ts"
import { holdAfter, noteEnd } from "./send-one.ts"
import { isUsableId } from "./usable-id.ts"
import { sendRows, waitForPlace, type Sent } from "./send-rows.ts"

/** When a row that an answer did not name is looked at first, ms. */
const soonMs = 1000
/** Rows of an unanswered request that are looked at before the others. */
const sampleSize = 3

function awardOf(job: JobRecord, row: RowRecord) {
  return { member_id: row.memberId, points: row.points, reason: bulkReason(job, row) }
}

function bulkEffect(job: JobRecord, rows: readonly RowRecord[]): RowRequest {
  return {
    operation: "POST /points/award/bulk",
    api: "program",
    method: "POST",
    path: "/points/award/bulk",
    body: { awards: rows.map((row) => awardOf(job, row)) },
  }
}

/**
 * Sends awards in one request, each member at most once in it, because the answer names successes by member only
 * (docs/api/program.md, Bulk award). Only rows that a success names are confirmed; no row ever fails by it.
 */
export async function sendBulk(
  context: JobContext,
  run: Run,
  job: JobRecord,
  planned: readonly RowRecord[],
): Promise<void> {
  run.bulk.sent()
  const request = crypto.randomUUID()
  const begun = await run.turn()
  const send = async () =>
    (await waitForPlace(context, run, job, "program"))
      ? await sendRows(
          context,
          run,
          job,
          planned,
          request,
          (rows) => bulkEffect(job, rows),
          (row) => awardOf(job, row),
          begun,
        )
      : undefined
  // However it ends, the next request must not wait for this one for ever.
  const sent = await send()
    .catch((error: unknown) => {
      run.bulk.notDone()
      throw error
    })
    .finally(begun)
  if (sent === undefined) return run.bulk.notDone()
  const { end } = sent
  // Whoever is not let in at all did nothing. Any other refusal may have come after some of the rows.
  const keyRefused = end.kind === "systemic" && end.status === 401
  if (end.kind === "not_done" || keyRefused) {
    run.bulk.notDone()
    await writeDown(
      context,
      job.id,
      sent.rows.map((row) => notDone(kindRules[job.kind], row, sent)),
    )
    if (end.kind === "systemic") await pauseFor(context, job, end)
    else holdAfter(context, run, sent)
    context.jobChanged(job.id)
    return
  }
  run.unreachable = 0
  run.proven = true
  noteEnd(context, run, sent)
  const named = end.kind === "success" ? namedMembers(end.data) : undefined
  if (named !== undefined) {
    run.bulk.answered(sent.ms, context.config.jobs.callMs)
    await confirmNamed(context, job, sent, named)
  } else {
    await doubtAll(context, run, job, sent)
    if (end.kind === "systemic") await pauseFor(context, job, end)
  }
  context.jobChanged(job.id)
}

/** Transaction ids by member; a member named twice names nobody. Undefined for an answer of another shape. */
function namedMembers(data: unknown): Map<string, string> | undefined {
  const read = bulkAwardReader.read(data)
  if (!read.ok) return undefined
  const named = new Map<string, string>()
  const twice = new Set<string>()
  for (const { member_id, transaction_id } of read.value.transactions) {
    if (named.has(member_id)) twice.add(member_id)
    if (isUsableId(transaction_id)) named.set(member_id, transaction_id)
  }
  for (const member of twice) named.delete(member)
  return named
}

async function confirmNamed(
  context: JobContext,
  job: JobRecord,
  sent: Sent,
  named: ReadonlyMap<string, string>,
): Promise<void> {
  const rules = kindRules[job.kind]
  const { endedAt: at } = sent
  // Most often the member does not exist, which one look tells at once.
  const nextAt = at + Math.min(context.config.jobs.settleMs, soonMs)
  // A row that an answer did not name goes alone next time, for the service's own words.
  const unnamed = (row: RowRecord, how: string) => doubt(row, { at, how, nextAt }, { singly: true })
  const changes = sent.rows.map((row): RowChange => {
    const upstreamId = named.get(row.memberId ?? "")
    if (upstreamId === undefined) return unnamed(row, "the response to its bulk request doesn’t name it")
    return confirmation(context, rules, row, { upstreamId, balanceAfter: null }, { at, byAnswer: true })
  })
  const results = await writeDown(context, job.id, changes)
  const confirmed = sent.rows.flatMap((row, index) => {
    const upstreamId = named.get(row.memberId ?? "")
    return results[index] === "changed" && upstreamId !== undefined ? [{ row, upstreamId }] : []
  })
  const contested = sent.rows.filter((_, index) => results[index] === "claimed")
  if (contested.length > 0) {
    const how = "the response names an entry that belongs to another row"
    await writeDown(
      context,
      job.id,
      contested.map((row) => unnamed(row, how)),
    )
  }
  await sampleControls(context, job, confirmed, at)
  announce(
    context,
    job,
    rules,
    confirmed.map(({ row }) => row),
  )
}

/**
 * Nobody knows which of them were carried out. A few are looked at first: if none of these is there, the others wait
 * for the look that decides and go back together.
 */
async function doubtAll(context: JobContext, run: Run, job: JobRecord, sent: Sent): Promise<void> {
  const { end, endedAt: at, rows } = sent
  const { settleMs, recheckMs } = context.config.jobs
  const refused = end.kind === "refused" || (end.kind === "unknown" && end.answered)
  if (refused) {
    const bulkSize = run.bulk.refused(rows.length)
    if (bulkSize < job.bulkSize)
      await context.store.jobs.change(job.id, ["running", "paused", "cancelling"], { bulkSize })
  } else if (end.kind === "systemic") run.bulk.notDone()
  else run.bulk.unknown()
  const how =
    end.kind === "unknown"
      ? end.how
      : end.kind === "refused"
        ? `refused: ${end.code}`
        : "a success in an unexpected format"
  const singly = refused && rows.length <= Math.ceil(limits.bulkRows / 8)
  const deciding = at + decidingAge({ settleMs, recheckMs, lagMs: 0, gapMs: 0 })
  const step = Math.max(1, Math.floor(rows.length / sampleSize))
  await writeDown(
    context,
    job.id,
    rows.map((row, index) => {
      const sampled = index % step === 0 && index / step < sampleSize
      return doubt(
        row,
        { at, how, nextAt: sampled ? firstLookAt(context, job, at) : deciding },
        singly ? { singly } : {},
      )
    }),
  )
}
