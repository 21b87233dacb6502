import { rowOutcome } from "../../contract/row-outcomes.ts"
import { stored } from "../errors.ts"
import {
  changeInBatches,
  type EngineContext,
  rowBatches,
  storedRows,
  yieldToEventLoop,
} from "./engine-context.ts"
import type { JobContext } from "./job-kind.ts"
import type { RelatedRow, RowRecord } from "./job-store.ts"
import { isForReference, isHeld } from "./job-record.ts"
import { excludeReversed } from "./transitions.ts"

// The rest of an award after corrections, which is what a reversal takes back (docs/jobs.md).

const batchSize = 1000

/** Points of a row without those that its reversal takes back. */
export const unreversedPoints = ({ points, taken }: RelatedRow) => (points ?? 0) - taken

/** The rest of an award. */
export interface NetAward {
  readonly points: number
  /** A job with a planned correction for the same member and reference. */
  readonly corrector: string | null
}

/**
 * The rest of each award after confirmed and possible corrections, by row. A correction reduces the newest award before
 * it. `own`: the reversal that the rows are compared for.
 */
export async function netAwards(
  { store: { jobs } }: Pick<EngineContext, "store">,
  rows: readonly RowRecord[],
  own?: string,
): Promise<ReadonlyMap<number, NetAward>> {
  const nets = new Map<number, NetAward>()
  const awards = rows.filter(({ purpose }) => purpose !== null && isForReference(purpose))
  for (let from = 0; from < awards.length; from += batchSize) {
    if (from > 0) await yieldToEventLoop()
    const part = awards.slice(from, from + batchSize)
    const compared = part.map(({ memberId, email, purpose }) => {
      return { memberId, email, purpose, effect: null, effectWithoutReference: null }
    })
    const same = await stored(
      jobs.sameRows(compared, 0, own === undefined ? own : { id: own, startedAt: null }),
    )
    for (const [at, { jobId, row, points }] of part.entries()) {
      const related = same[at]?.related ?? []
      const place = related.findIndex((one) => one.job === jobId && one.row === row)
      const left = leftOfEach(related, own)[place] ?? points ?? 0
      const corrector = related.find((one) => one.state === "planned" && (one.points ?? 0) < 0)
      nets.set(row, { points: left, corrector: corrector?.job ?? null })
    }
  }
  return nets
}

/** Whether less is left of an award than a row of a reversal takes back, or a correction is planned. */
export function isReduced({ points, corrector }: NetAward, row: Pick<RowRecord, "points">): boolean {
  return corrector !== null || points < -(row.points ?? 0)
}

function leftOfEach(related: readonly RelatedRow[], own: string | undefined): number[] {
  const left = related.map((row) => (row.reversal?.job === own ? (row.points ?? 0) : unreversedPoints(row)))
  const places = [...left.keys()]
  for (const at of places) {
    let rest = -Math.min(left[at] ?? 0, 0)
    for (const place of [...places.slice(0, at).toReversed(), ...places.slice(at + 1)]) {
      const used = Math.min(Math.max(left[place] ?? 0, 0), rest)
      left[place] = (left[place] ?? 0) - used
      rest -= used
    }
  }
  return left
}

/** Excludes rows of a reversal whose awards were corrected since it was created: they would deduct too much. */
export async function excludeCorrected({ job, store }: JobContext, reverses: string): Promise<void> {
  if (isHeld(job)) return
  for await (const rows of rowBatches(storedRows(store.jobs), job.id, ["planned"])) {
    const open = rows.filter(({ hadUnknownAttempt, decision }) => !hadUnknownAttempt && decision === null)
    const numbers = open.flatMap((row) => row.reverses?.row ?? [])
    const awards = await Promise.all(numbers.map(async (number) => stored(store.jobs.row(reverses, number))))
    const nets = await netAwards(
      { store },
      awards.filter((row) => row !== undefined),
      job.id,
    )
    const changes = open.flatMap((row) => {
      const net = nets.get(row.reverses?.row ?? 0)
      return net && isReduced(net, row) ? excludeReversed(row, rowOutcome("award_corrected")) : []
    })
    await stored(changeInBatches(store.jobs, job.id, changes))
  }
}
