import type { AwardMode } from "./job.ts"
import { jobKindDescriptors, type JobKind } from "./job-kinds.ts"
import { limits } from "./limits.ts"

// Requests that work takes: before it starts, on pages, and while it runs, on the server.

/** Members in the first request of a bulk job, before larger ones are tried. */
export const firstBulkRows = 25

/**
 * Requests a bulk award takes: the first carries 25 members, and each after it twice as many up to 100
 * (docs/jobs.md, Single or bulk); all carry 100 when some of it was sent before. Each names a member at
 * most once, because the response names successes only by member.
 */
function bulkRequests({ rows, mostRows = 1, started = false }: RowsToSend): number {
  let left = rows
  let requests = 0
  for (
    let size = started ? limits.bulkRows : firstBulkRows;
    left > 0;
    size = Math.min(size * 2, limits.bulkRows)
  ) {
    left -= size
    requests += 1
  }
  return Math.max(requests, rows === 0 ? 0 : mostRows)
}

/**
 * Requests that finding members by e-mail takes at most: one search each, or every page of members where the list's
 * total is known and that costs less.
 */
export function resolveRequests(emails: number, total: number | undefined): number {
  const pages = total === undefined ? Infinity : Math.ceil(total / limits.perPage.max)
  return Math.min(emails, pages)
}

interface RowsToSend {
  readonly kind: JobKind
  readonly mode: AwardMode | null
  readonly rows: number
  /** The most rows that one member has; 1 without it. */
  readonly mostRows?: number
  /** Whether some of the job was sent before. */
  readonly started?: boolean
}

/** Requests that sending rows of a job takes: before it starts, on pages, and while it runs, on the server. */
export function sendRequests(of: RowsToSend): number {
  return of.mode === "bulk" ? bulkRequests(of) : of.rows * jobKindDescriptors[of.kind].requestsPerRow
}
