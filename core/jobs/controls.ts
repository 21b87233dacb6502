import { DeskFailure } from "../errors.ts"
import type { JobContext } from "./job-context.ts"
import { isKeyTrouble } from "./key-trouble.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import type { ControlRecord, JobRecord, RowRecord } from "./job-store.ts"
import { lookFrom } from "./look-from.ts"
import { tagForm } from "./correlation-tags.ts"
import { answeredWell } from "./job-kind.ts"

/** One in so many confirmed rows of a job is watched, so that the lag of the history is known. */
const oneIn = 50
/** Effects of one job that are watched at the same time at most. */
const mostOpen = 20
/** It is looked at less and less often, at least this often, ms. */
const longestWaitMs = 600_000
/** A watched effect that was not shown in so many looks is not looked for any more: it stays missing. */
const mostLooks = 18
/** When a watched effect is looked at first, in ms after its answer. */
const firstLookMs = 1000
/** A look that comes so much later than it was due was kept from being made, in ms. */
const awayMs = 60_000
/** Controls answered within this time say something about the history now, in ms. */
const recentMs = 7_200_000

/**
 * Watches a sample of rows that were just confirmed by their answers. A row from a form is watched only when it is
 * needed: its request would cost as much as the award.
 */
export async function sampleControls(
  context: JobContext,
  job: JobRecord,
  confirmed: readonly { readonly row: RowRecord; readonly upstreamId: string }[],
  answeredAt: number,
): Promise<void> {
  if (kindRules[job.kind].absence !== "control" || job.lane === "people" || !showsMarks(job)) return
  const picked = confirmed.filter(({ row }) => row.row % oneIn === 1)
  if (picked.length === 0) return
  // Looking costs places that the rows themselves need.
  const open = await context.store.jobs.dueControls(job.id, Number.MAX_SAFE_INTEGER, mostOpen)
  if (open.length >= mostOpen) return
  const at = context.time.now()
  const nextAt = at + Math.min(firstLookMs, context.config.jobs.settleMs / 4)
  // When the answer came, not when it was written down: a row whose call ended in between must not take it for later.
  const answered = picked.map(({ row, upstreamId }) => ({ row: { ...row, endedAt: answeredAt }, upstreamId }))
  await watchRows(context, job, answered, nextAt)
}

/** Whether effects of a job can be known again at all: bulk awards without their code cannot. */
function showsMarks(job: JobRecord): boolean {
  return job.marked || job.mode !== "bulk"
}

async function watchRows(
  context: JobContext,
  job: JobRecord,
  rows: readonly { readonly row: RowRecord; readonly upstreamId: string }[],
  nextAt: number,
): Promise<void> {
  const at = context.time.now()
  const controls = rows.flatMap(({ row, upstreamId }) =>
    row.memberId === null
      ? []
      : {
          jobId: job.id,
          row: row.row,
          type: tagForm(job, row),
          memberId: row.memberId,
          upstreamId,
          answeredAt: row.endedAt ?? at,
          nextAt,
        },
  )
  if (controls.length > 0) await context.store.jobs.watch(controls)
}

/** Looks whether the history shows a watched effect yet. */
export async function lookAtControl(
  context: JobContext,
  job: JobRecord,
  control: ControlRecord,
): Promise<void> {
  const { jobs } = context.store
  const { settleMs } = context.config.jobs
  const rules = kindRules[job.kind]
  const row = await jobs.row(control.jobId, control.row)
  const later = () => {
    const looks = control.looks + 1
    if (looks >= mostLooks) return { looks, nextAt: null }
    const wait = Math.min(firstLookMs, settleMs / 4) * 1.6 ** looks
    return { looks, nextAt: context.time.now() + Math.min(Math.max(wait, 50), longestWaitMs) }
  }
  if (row === undefined) return jobs.noteControl(control, { void: true, nextAt: null })
  try {
    const look = await rules.lookup(context, job, row, lookFrom(context, rules.api, row))
    if (look.kind !== "read") return await jobs.noteControl(control, { void: true, nextAt: null })
    const seen = look.found.some((found) => found.tagged && found.upstreamId === control.upstreamId)
    // How late we looked is no lag of the history: found at the first look, or after the desk was away, it was there
    // before.
    const now = context.time.now()
    const dueAt = control.nextAt !== null && now - control.nextAt > awayMs ? control.nextAt : now
    const seenAt = control.looks === 0 ? Math.min(now, control.answeredAt + firstLookMs) : dueAt
    await jobs.noteControl(control, seen ? { seenAt, nextAt: null, looks: control.looks + 1 } : later())
  } catch (error) {
    if (!(error instanceof DeskFailure) || isKeyTrouble(error)) throw error
    await jobs.noteControl(control, later())
  }
}

/** What the controls say about the history at this moment. */
export interface HistoryState {
  /**
   * `found`: an effect answered after the row's call is shown, and no older one is still missing. `not-yet`: one is
   * being waited for. `none`: there is nothing to compare with.
   */
  readonly control: "found" | "not-yet" | "none"
  /** Largest time from an answer to its first sight, effects not yet seen included, ms. */
  readonly lagMs: number
  /** The same of those that were seen. */
  readonly seenLagMs: number
}

/**
 * Asks what the history is worth for a row whose call ended at `endedAt`. Where nothing is watched that was answered
 * since, confirmed rows of ours that were are watched from now on.
 */
export async function historyState(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
  endedAt: number,
): Promise<HistoryState> {
  const { jobs } = context.store
  const now = context.time.now()
  const form = tagForm(job, row)
  const recent = await jobs.controls(form, Math.min(now - recentMs, endedAt))
  const lagMs = recent.reduce(
    (most, { seenAt, answeredAt }) => Math.max(most, (seenAt ?? now) - answeredAt),
    0,
  )
  const seenLagMs = recent.reduce(
    (most, { seenAt, answeredAt }) => (seenAt === null ? most : Math.max(most, seenAt - answeredAt)),
    0,
  )
  const after = recent.filter(({ answeredAt }) => answeredAt > endedAt)
  const seen = after.filter(({ seenAt }) => seenAt !== null)
  if (seen.length > 0) {
    const latest = Math.max(...seen.map(({ answeredAt }) => answeredAt))
    const missing = recent.some(({ seenAt, answeredAt }) => seenAt === null && answeredAt < latest)
    return { control: missing ? "not-yet" : "found", lagMs, seenLagMs }
  }
  if (after.length > 0) return { control: "not-yet", lagMs, seenLagMs }
  return {
    control: (await watchOneAfter(context, form, job, endedAt)) ? "not-yet" : "none",
    lagMs,
    seenLagMs,
  }
}

const candidates = 50

async function watchOneAfter(
  context: JobContext,
  form: string,
  job: JobRecord,
  endedAt: number,
): Promise<boolean> {
  const { jobs } = context.store
  for (const row of await jobs.confirmedAfter([job.kind], endedAt, candidates)) {
    const home = row.jobId === job.id ? job : await jobs.get(row.jobId)
    if (home === undefined || row.upstreamId === null || tagForm(home, row) !== form || !showsMarks(home)) {
      continue
    }
    // One that was found by looking may have been done before: it says nothing about what came after.
    if (row.endedHow !== answeredWell || (row.endedAt ?? 0) <= endedAt) continue
    await watchRows(context, home, [{ row, upstreamId: row.upstreamId }], context.time.now())
    return true
  }
  return false
}
