import { amountOf } from "../../contract/limits.ts"
import type { JobKind, RowState } from "../../contract/job.ts"
import type { JobRecord, MostMoved, OverLimit, RowRecord, StartedQuery } from "../jobs/job-store.ts"

/** What a job knows of its rows without reading them; kept with every change of a row. */
export interface Tally {
  total: number
  readonly counts: Record<RowState, number>
  /** Absent and conflict rows that nobody has decided. */
  attention: number
  /** Confirmed rows that are read again. */
  rereads: number
  pointsTotal: number
  pointsConfirmed: number
  /** What the rows move that are not known to have moved nothing, in points or cents; counted towards limits. */
  amount: number
  /** The part of it that was not sent. */
  amountPlanned: number
}

/** The tally of a job without rows. */
export function emptyTally(): Tally {
  return {
    total: 0,
    counts: { planned: 0, sent: 0, confirmed: 0, failed: 0, unknown: 0, absent: 0, conflict: 0, excluded: 0 },
    attention: 0,
    rereads: 0,
    pointsTotal: 0,
    pointsConfirmed: 0,
    amount: 0,
    amountPlanned: 0,
  }
}

/** What a tally needs of a row. */
type Counted = Pick<RowRecord, "state" | "decision" | "nextAt" | "points" | "input">

/** Adds a row to a tally, or takes it out (`by` is -1). Excluded rows are counted by themselves and nowhere else. */
export function countRow(tally: Tally, row: Counted, by: 1 | -1): void {
  tally.counts[row.state] += by
  if (row.state === "excluded") return
  tally.total += by
  if (needsSomebody(row)) tally.attention += by
  if (row.state === "confirmed" && row.nextAt !== null) tally.rereads += by
  tally.pointsTotal += by * (row.points ?? 0)
  if (row.state === "confirmed") tally.pointsConfirmed += by * (row.points ?? 0)
  tally.amount += by * countedAmount(row)
  if (row.state === "planned") tally.amountPlanned += by * countedAmount(row)
}

/** What a row counts towards limits, in points or cents: nothing once it failed. */
function countedAmount(row: Pick<RowRecord, "state" | "points" | "input">): number {
  return row.state === "failed" || row.state === "excluded" ? 0 : amountOf(row)
}

/** What a job adds to a day on which it is started: nothing if it counts there already. In points or cents. */
export function addedByStart(
  { state, startedAt, amount }: Pick<JobRecord, "state" | "startedAt" | "amount">,
  { from, until = Infinity }: StartedQuery,
): number {
  const counts = state !== "draft" && startedAt !== null && startedAt >= from && startedAt < until
  return counts ? 0 : amount
}

/** Whether only a person can settle the row, and nobody has yet. */
function needsSomebody(row: Pick<RowRecord, "state" | "decision">): boolean {
  return (row.state === "absent" || row.state === "conflict") && row.decision === null
}

/** Whether the engine has something to do for the job. */
export function isBusy(
  { state, hold }: Pick<JobRecord, "state" | "hold">,
  { counts, rereads }: Tally,
  openControls: number,
): boolean {
  if (state === "running" || state === "cancelling") return true
  // After a restore the rows of a paused job are looked up too.
  if (state === "paused" && hold?.state === "looking") return true
  return counts.sent + counts.unknown + rereads + openControls > 0
}

const kindsWithPoints: Readonly<Record<JobKind, boolean>> = {
  award: true,
  deduct: true,
  "member-create": false,
  redeem: false,
  "order-update": false,
  giftcard: false,
}

/** Sums of points as a job shows them. */
export function pointsOf(kind: JobKind, tally: Tally): JobRecord["points"] {
  return kindsWithPoints[kind] ? { total: tally.pointsTotal, confirmed: tally.pointsConfirmed } : null
}

/**
 * The limit that is passed, if one is.
 * @param job what the job would move
 * @param day what its maker's day would come to
 */
export function passedLimit(most: MostMoved, job: number, day: number): OverLimit | undefined {
  if (job > most.job) return "over_job"
  return day > most.day.most ? "over_day" : undefined
}
