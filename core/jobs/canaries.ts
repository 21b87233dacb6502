import type { HistoryLag } from "../../contract/status.ts"
import { AppError } from "../errors.ts"
import { type HistoryState, historyStateFrom, patienceFor } from "./absence.ts"
import { isKeyRefused, rowBatches } from "./engine-context.ts"
import { endedWithResponse, isSentInBulk, type JobContext, type Lookup, lookUp } from "./job-kind.ts"
import type { CanaryChange, CanaryRecord, JobRecord, JobStore, RowRecord } from "./job-store.ts"
import { readsFor } from "./service-reads.ts"

// Canaries are own effects whose appearance in the history is watched (docs/jobs.md, Absence). They prove that lookups
// find recent entries, and measure the lag of the history. Times in ms.

/** One of this many confirmed rows is watched, to measure the lag. */
const oneIn = 50
const mostOpen = 20
/** Longest pause between lookups of an effect in its first 40 minutes; it grows with its age after that. */
const longestWaitMs = 600_000
/** Lookups, and multiples of the patience, after which a missing effect is no longer looked up. */
const leastLookups = 18
const leastPatiences = 18
/** Delay of the first lookup after the response. */
const firstLookupMs = 1000
/** A lookup that is later than this does not add its delay to the lag. */
const awayMs = 60_000
/** Age up to which canaries describe the current history. */
const recentMs = 7_200_000

interface Confirmed {
  readonly row: RowRecord
  readonly upstreamId: string
}

/** Watches a sample of just confirmed rows. Rows of forms only when needed, because each lookup costs a request. */
export async function sampleCanaries(
  context: JobContext,
  confirmed: readonly Confirmed[],
  answeredAt: number,
) {
  const { job, rules, store, time } = context
  if (rules.absence !== "canary" || job.lane === "people" || !showsTags(job)) return
  const picked = confirmed.filter(({ row }) => row.row % oneIn === 1)
  if (picked.length === 0) return
  // Lookups use permits that the rows need.
  const watched = await store.jobs.dueCanaries(job.id, Number.MAX_SAFE_INTEGER, mostOpen)
  if (watched.length >= mostOpen) return
  // The time of the response, not of its storage: a call that ended in between must not count as earlier.
  const answered = picked.map(({ row, upstreamId }) => ({ row: { ...row, endedAt: answeredAt }, upstreamId }))
  await watch(context, answered, time.now() + firstWait(context))
}

function firstWait({ config }: JobContext): number {
  return Math.min(firstLookupMs, config.jobs.settleMs / 4)
}

/** Whether effects of a job can be identified: bulk awards without a batch code cannot. */
function showsTags(job: JobRecord): boolean {
  return job.hasBatchCode || job.mode !== "bulk"
}

function tagForm({ job, rules }: JobContext, row: RowRecord): string {
  return rules.tags?.formOf(job, row) ?? ""
}

async function watch(context: JobContext, rows: readonly Confirmed[], nextAt: number) {
  const { job, store, time } = context
  const canaries = rows.flatMap(({ row, upstreamId }) => {
    const { memberId, endedAt } = row
    if (memberId === null) return []
    const answeredAt = endedAt ?? time.now()
    return {
      jobId: job.id,
      row: row.row,
      type: tagForm(context, row),
      memberId,
      upstreamId,
      answeredAt,
      nextAt,
    }
  })
  if (canaries.length > 0) await store.jobs.watch(canaries)
}

/** Undecided rows whose absence can be proven now, because one of `confirmed` was confirmed after their call. */
export async function waitingForCanary(
  context: JobContext,
  confirmed: readonly RowRecord[],
): Promise<readonly RowRecord[]> {
  const { job, rules, store } = context
  const isOver = job.state !== "running" && job.state !== "paused"
  if (rules.absence !== "canary" || job.counts.conflict === 0 || confirmed.length === 0 || isOver) return []
  const forms = new Set(confirmed.map((row) => tagForm(context, row)))
  const waiting: RowRecord[] = []
  for await (const rows of rowBatches(store.jobs, job.id, ["conflict"])) {
    for (const row of rows) {
      const isOpen = row.outcome?.code === "no_canary" && row.decision === null && row.endedAt !== null
      if (isOpen && forms.has(tagForm(context, row))) waiting.push(row)
    }
  }
  return waiting
}

function isShown(lookup: Lookup, effect: string): boolean {
  return lookup.kind === "read" && lookup.found.some((one) => one.tagged && one.upstreamId === effect)
}

/** Looks whether the history shows a canary yet, and schedules the next lookup. @throws AppError when the store fails */
export async function lookUpCanary(context: JobContext, canary: CanaryRecord): Promise<void> {
  const { jobs } = context.store
  const row = await jobs.row(canary.jobId, canary.row)
  const lookups = canary.lookups + 1
  try {
    const lookup = row && (await lookUp(context, row))
    if (lookup?.kind !== "read") return await updateCanary(context, canary, { void: true, nextAt: null })
    // A late lookup is no lag of the history: an entry found by the first lookup was there before.
    const now = context.time.now()
    const dueAt = canary.nextAt !== null && now - canary.nextAt > awayMs ? canary.nextAt : now
    const seenAt = canary.lookups === 0 ? Math.min(now, canary.answeredAt + firstLookupMs) : dueAt
    if (isShown(lookup, canary.upstreamId)) {
      return await updateCanary(context, canary, { seenAt, nextAt: null, lookups, missing: false })
    }
    const isOutOfPatience = now >= canary.answeredAt + patienceFor(context.config.jobs.settleMs)
    const missing = canary.missing || (isOutOfPatience && lookup.complete)
    await updateCanary(context, canary, { lookups, nextAt: nextLookup(context, canary), missing })
  } catch (error) {
    if (!(error instanceof AppError) || isKeyRefused(error)) throw error
    await updateCanary(context, canary, { lookups, nextAt: nextLookup(context, canary) })
  }
}

/** Time of the next lookup of a missing effect; one falls exactly on the end of the patience. */
function nextLookup(context: JobContext, { lookups, answeredAt }: CanaryRecord): number | null {
  const now = context.time.now()
  const age = now - answeredAt
  const patience = patienceFor(context.config.jobs.settleMs)
  if (lookups + 1 >= leastLookups && age >= leastPatiences * patience) return null
  const wait = Math.min(firstWait(context) * 1.6 ** (lookups + 1), Math.max(longestWaitMs, age / 4))
  const next = now + Math.max(wait, 50)
  return age < patience ? Math.min(next, answeredAt + patience) : next
}

/** Stores the result and publishes a change of the job when `missing` changes. */
async function updateCanary(context: JobContext, canary: CanaryRecord, set: CanaryChange) {
  await context.store.jobs.updateCanary(canary, set)
  const isMissing = set.void !== true && (set.missing ?? canary.missing)
  if (isMissing !== canary.missing) context.jobChanged(canary.jobId)
}

/** The state of the history for a call that ended at `endedAt`. Starts watching a later confirmed row if there is none. */
export async function historyState(
  context: JobContext,
  row: RowRecord,
  endedAt: number,
): Promise<HistoryState> {
  const now = context.time.now()
  const form = tagForm(context, row)
  const recent = await context.store.jobs.canaries(form, Math.min(now - recentMs, endedAt))
  const state = historyStateFrom(recent, endedAt, now)
  if (state.canary !== "none") return state
  return (await watchOneAfter(context, form, endedAt)) ? { ...state, canary: "not-yet" } : state
}

const candidates = 50

/**
 * Confirmed rows of a tag form with the contexts of their jobs, latest first. The job's own come first: after its last
 * row other jobs may confirm any number of another form.
 */
async function* confirmedOf(context: JobContext, form: string, after: number, answered = false) {
  const { job: own, store } = context
  for (const source of [{ job: own.id }, { kind: own.kind }]) {
    for (const row of await store.jobs.confirmedAfter({ ...source, answered }, after, candidates)) {
      const job = row.jobId === own.id ? own : await store.jobs.get(row.jobId)
      const { upstreamId } = row
      if (job === undefined || upstreamId === null) continue
      const home = { ...context, job }
      if (tagForm(home, row) === form) yield { home, row, upstreamId }
    }
  }
}

async function watchOneAfter(context: JobContext, form: string, endedAt: number): Promise<boolean> {
  // An effect found by a lookup may be older than the call.
  for await (const { home, ...confirmed } of confirmedOf(context, form, endedAt, true)) {
    if (!showsTags(home.job)) continue
    await watch(home, [confirmed], context.time.now())
    return true
  }
  return false
}

/** Whether lookups show an own effect of the same form. For held jobs, which sent nothing since the restore. */
export async function showsOwnEffect(context: JobContext, row: RowRecord, since: number): Promise<boolean> {
  const form = tagForm(context, row)
  const key = `${form} since ${since}`
  if (context.shownForms.has(key)) return true
  const canaries = await context.store.jobs.canaries(form, 0)
  if (canaries.some(({ seenAt }) => seenAt !== null && seenAt >= since)) return true
  for await (const { home, row: other, upstreamId } of confirmedOf(context, form, 0)) {
    if (other.endedHow !== endedWithResponse) {
      if ((other.confirmedAt ?? 0) >= since) return true
      continue
    }
    if (other.memberId === null || (!home.job.hasBatchCode && isSentInBulk(home, other))) continue
    try {
      const lookup = await lookUp(home, other)
      if (lookup.kind !== "read") continue
      if (isShown(lookup, upstreamId)) context.shownForms.add(key)
      return isShown(lookup, upstreamId)
    } catch (error) {
      if (!(error instanceof AppError) || isKeyRefused(error)) throw error
      return false
    }
  }
  return false
}

const mostCompared = 50

/**
 * Pending points of the member that may be the row's: an award that waits for approval is not in the history. 0 if the
 * history shows an award of this size. Undefined: the balance cannot be read now.
 */
export async function pendingFor(context: JobContext, row: RowRecord): Promise<number | undefined> {
  const points = row.points ?? 0
  // Deductions need no approval.
  if (points <= 0 || row.memberId === null) return 0
  try {
    const { pending } = await readsFor(context).balance(row.memberId)
    if (pending === undefined || pending === null || pending < points) return 0
    return (await showsAmount(context, row, points)) ? 0 : pending
  } catch (error) {
    if (error instanceof AppError && !isKeyRefused(error)) return undefined
    throw error
  }
}

async function showsAmount(context: JobContext, row: RowRecord, points: number): Promise<boolean> {
  const { jobs } = context.store
  const canaries = await jobs.canaries(tagForm(context, row), (row.sentAt ?? 0) - recentMs)
  const visible = canaries.filter(({ seenAt }) => seenAt !== null).slice(0, mostCompared)
  for (const { jobId, row: number } of visible) {
    const visibleRow = await jobs.row(jobId, number)
    if ((visibleRow?.points ?? 0) >= points) return true
  }
  return false
}

/** Recent delays from a response to its entry in the history, for tags of these forms; null without canaries. */
export async function historyLag(jobs: JobStore, forms: readonly string[]): Promise<HistoryLag | null> {
  const now = await jobs.now()
  const watched = await Promise.all(forms.map((form) => jobs.canaries(form, now - recentMs)))
  const lags = watched.flat().map(({ answeredAt, seenAt }) => ({
    ms: Math.max(0, (seenAt ?? now) - answeredAt),
    isSeen: seenAt !== null,
  }))
  if (lags.length === 0) return null
  const shown = lags.flatMap(({ ms, isSeen }) => (isSeen ? [ms] : [])).toSorted((a, b) => a - b)
  return {
    watched: lags.length,
    usual_ms: shown[Math.floor(shown.length / 2)] ?? null,
    largest_ms: Math.max(...lags.map(({ ms }) => ms)),
    missing: lags.length - shown.length,
  }
}
