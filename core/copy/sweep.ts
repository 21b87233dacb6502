import type { SyncProgress } from "./copy-store.ts"

// The rules of a pass (docs/local-copy.md, The pass). Each closes a way in which a copy goes wrong while pages shift.

/** One run through all pages of a list, forwards. */
export interface Sweep {
  /** On the copy's clock: what was held before and is not seen is missing. */
  readonly startedAt: number
  readonly seen: Set<string>
  /** Pages and rows read so far. */
  pages: number
  rows: number
  /** The service's count, as last sent. */
  total: number | undefined
  /** The list changed while it was read: an id came twice, or the count differs. Rows may have been skipped. */
  moved: boolean
}

export function startSweep(startedAt: number): Sweep {
  return { startedAt, seen: new Set(), pages: 0, rows: 0, total: undefined, moved: false }
}

/** Adds the next page and returns whether it was the last one. `ids`: of the rows that have a readable id. */
export function addPage(
  sweep: Sweep,
  {
    ids,
    rows,
    total,
  }: { readonly ids: readonly string[]; readonly rows: number; readonly total?: number | undefined },
): boolean {
  if (sweep.pages > 0 && sweep.total !== total) sweep.moved = true
  sweep.total = total
  sweep.pages += 1
  sweep.rows += rows
  const before = sweep.seen.size
  for (const id of ids) sweep.seen.add(id)
  const isNew = sweep.seen.size - before
  if (isNew < ids.length) sweep.moved = true
  // A short page alone is no end: a service may leave rows out of one.
  return isNew === 0 || (total !== undefined && sweep.rows >= total && !sweep.moved)
}

/** This number of records may always be missing, and this part of them. */
export const mayMiss = { records: 50, part: 0.1 }

/**
 * What becomes of the records that a sweep did not see. `hold`: nothing, a person decides; `drop`: a person has accepted
 * it; `ask`: each is read alone; `defer`: rows may have been skipped, so the next sweep looks again.
 */
export function judgeMissing(
  sweep: Pick<Sweep, "moved" | "pages">,
  missing: number,
  live: number,
  { acceptedDeletions, deferred }: Pick<SyncProgress, "acceptedDeletions" | "deferred">,
): "hold" | "drop" | "ask" | "defer" {
  const few = missing <= Math.max(mayMiss.records, live * mayMiss.part)
  if (!few && missing > acceptedDeletions) return "hold"
  if (!few && !sweep.moved) return "drop"
  return !sweep.moved || missing <= sweep.pages || deferred ? "ask" : "defer"
}

/** The progress after a sweep whose missing records were dealt with, or put off. `live`: records held then. */
export function finishSweep(
  progress: SyncProgress,
  { moved, startedAt, total }: Pick<Sweep, "moved" | "startedAt" | "total">,
  end: { readonly deferred: boolean; readonly live: number; readonly at: number },
): SyncProgress {
  const settledSweeps = end.deferred ? 0 : progress.settledSweeps + 1
  return {
    ...progress,
    sweptFrom: startedAt,
    syncedAt: end.at,
    total: total ?? null,
    settledSweeps,
    deferred: end.deferred,
    acceptedDeletions: end.deferred ? progress.acceptedDeletions : 0,
    complete: progress.complete || settledSweeps >= 2 || (!moved && end.live === total),
  }
}
