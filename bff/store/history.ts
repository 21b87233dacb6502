import { hasPoints } from "../../contract/job-kinds.ts"
import { endedWithResponse } from "../../core/jobs/job-kind.ts"
import { jobEndEntry } from "../../core/jobs/job-actions.ts"
import { type JobRecord, type RowRecord, rowRecord } from "../../core/jobs/job-store.ts"
import { kindRules, newRow } from "../../core/jobs/kinds/kind-rules.ts"
import { bodyHash, firstJobNumber, formatJobId } from "../../core/jobs/job-record.ts"
import { kindOf, noticeKey, readName } from "../../core/notices/notices.ts"
import type { History, PastJob } from "../../sandbox/seed/history.ts"
import type { Engine } from "./engine.ts"
import { tallyColumns, tallyOf } from "./held-job.ts"
import { appendEntry } from "./plain-stores.ts"
import { insertRows } from "./row-changes.ts"
import { jobTable } from "./schema.ts"
import { sqlStore } from "./sql-store.ts"

const dayMs = 86_400_000

/**
 * Stores the history of a sandbox, made by `makeHistory`, in a store without audit entries. Nothing in it is sent: what is unfinished is paused
 * or waits for a decision. SQLite only, like the sandbox.
 */
export async function storeHistory(engine: Engine, makeHistory: () => History): Promise<void> {
  const { audit, names, notes, settings, snapshots } = sqlStore(engine)
  if ((await audit.list({ per_page: 1 }, {})).length > 0) return
  const history = makeHistory()
  const jobs = await Promise.all(history.jobs.map((past, index) => recordsOf(past, firstJobNumber + index)))
  // An interrupted start repeats these; the audit log comes last, in one transaction with the jobs.
  await names.put(history.names)
  for (const note of history.notes) await notes.save(note)
  for (const snapshot of history.snapshots) await snapshots.add(snapshot)
  const read = Map.groupBy(
    jobs.map(({ job }) => job).filter((job) => isRead(job, history.until)),
    ({ createdBy }) => readName(createdBy),
  )
  for (const [name, finished] of read)
    await settings.put(name, { read: finished.map((job) => noticeKey("finished", job)) })
  const entries = [...history.audit, ...jobs.flatMap(({ entries }) => entries)]
  await engine.db.transaction().execute(async (within) => {
    await within
      .insertInto("job")
      .values(jobs.map(({ columns }) => columns))
      .execute()
    const rows = jobs.flatMap((job) => job.rows)
    await insertRows(engine.kind, within, rows, ({ state, endedAt }) =>
      state === "confirmed" || state === "failed" ? endedAt : null,
    )
    const claims = jobs.flatMap((job) => job.claims)
    await within.insertInto("job_claim").values(claims).execute()
    for (const entry of entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)))
      await appendEntry(within, entry)
  })
}

/** Finished jobs are read by their makers, except those of the last day. */
function isRead(job: JobRecord, until: number): boolean {
  const isOld = (job.finishedAt ?? until) < until - dayMs
  return isOld && kindOf(job, job.createdBy, 0) === "finished"
}

async function recordsOf(past: PastJob, number: number) {
  const { kind, at, by, pause = null, file = null } = past
  const rows = await Promise.all(rowsOf(past, formatJobId(number)))
  const tally = tallyOf(rows)
  const finishedAt = Math.max(...rows.map(({ endedAt }) => endedAt ?? at)) + 300
  const points = { total: tally.pointsTotal, confirmed: tally.pointsConfirmed }
  const job: JobRecord = {
    id: formatJobId(number),
    kind,
    title: past.title ?? null,
    state: pause === null ? "done" : "paused",
    pause,
    prepared: pause === null,
    total: tally.total,
    counts: tally.counts,
    attention: tally.attention,
    amount: tally.amount,
    batchCode: past.batch_code ?? "",
    createdAt: at,
    createdBy: { id: by.id, name: by.name, role: by.role },
    startedAt: at + 200,
    finishedAt: pause === null ? finishedAt : null,
    idleSince: finishedAt,
    idleMs: 0,
    mode: past.mode ?? null,
    bulkSize: 100,
    lane: rows.length > 1 ? "jobs" : "people",
    hasBatchCode: true,
    file,
    repeats: file === null ? null : 0,
    reverses: past.reversal === "reverses" ? formatJobId(firstJobNumber) : null,
    reversedBy: past.reversal === "reversed" ? [formatJobId(number + 1)] : [],
    hold: null,
    refusal: null,
    closesAt: null,
    isOpen: false,
    linked: null,
    points: hasPoints(kind) ? points : null,
  }
  const request = { request_key: null, request_hash: null }
  const columns = { ...jobTable.write(job), ...tallyColumns(job, tally, 0), ...request }
  const scope = kindRules[kind].claims?.effects
  const claims = rows.flatMap(({ row, upstreamId }) =>
    scope === undefined || upstreamId === null ? [] : [{ scope, key: upstreamId, job: number, row }],
  )
  const end = { ...jobEndEntry(job, rows.length === 1 ? rows[0] : undefined), source: null }
  const entries =
    job.finishedAt === null
      ? []
      : [{ ...end, id: `past-${job.id}`, at: new Date(job.finishedAt).toISOString() }]
  return { job, columns, rows, claims, entries }
}

function rowsOf({ kind, at, rows, file, reversal }: PastJob, jobId: string): Promise<RowRecord>[] {
  const isReversal = reversal === "reverses"
  const ordinals = new Map<unknown, number>()
  return rows.map(async ({ input, label, done, state = "confirmed", attempts = 1, ...more }, index) => {
    const row = index + 1
    const memberId = typeof input["member_id"] === "string" ? input["member_id"] : null
    // A file may have a member twice.
    const ordinal = (ordinals.get(memberId) ?? 0) + 1
    ordinals.set(memberId, ordinal)
    const isSent = attempts > 0
    const endedAt = isSent ? (done?.at ?? at + row * 1000) : null
    const sentAt = endedAt === null ? null : endedAt - 400
    const body = more.answer?.["body"]
    return rowRecord.parse({
      email: null,
      reason: typeof input["reason"] === "string" ? input["reason"] : null,
      // Rows of a reversal repeat nothing: they are never compared.
      ...(isReversal ? { input, points: -Number(input["points"]) } : newRow(kind, input, {})),
      reverses: isReversal ? { job: formatJobId(firstJobNumber), row } : null,
      memberId,
      label,
      jobId,
      row,
      line: file ? row : null,
      state,
      ordinal: isSent ? ordinal : null,
      attempts,
      edits: attempts > 1 ? 1 : 0,
      firstSentAt: sentAt,
      sentAt,
      endedAt,
      bodyHash: body === undefined ? null : await bodyHash(body),
      outcome: more.outcome ?? null,
      notes: more.answer ?? null,
      ...lookupFields(more.lookups),
      ...confirmedFields(done),
    })
  })
}

const lookupFields = (lookups: PastJob["rows"][number]["lookups"]) => ({
  hadUnknownAttempt: lookups !== undefined,
  lookupTimes: lookups ?? [],
})

const confirmedFields = (done: PastJob["rows"][number]["done"]) => ({
  endedHow: done === undefined ? null : endedWithResponse,
  upstreamId: done?.id ?? null,
  confirmedAt: done?.at ?? null,
  balanceAfter: done?.balanceAfter ?? null,
})
