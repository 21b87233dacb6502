import type { AwardMode, JobKind } from "./job.ts"
import { limits } from "./limits.ts"

// Every estimate of how long work takes comes from here: before it starts, on pages, and while it runs, on the server.

/** What work in the background has of a key's requests while people work (docs/budget.md). */
const jobsShare = 5 / 6

/** Whole seconds that requests take at the rate that a key allows. */
export function secondsFor(requests: number, perMinute: number, lane: "people" | "jobs"): number {
  return Math.ceil((requests * 60) / (perMinute * (lane === "jobs" ? jobsShare : 1)))
}

/** Members in the first request of a bulk job, before it is known how the service bears more. */
export const firstBulkRows = 25

/**
 * Requests a bulk award takes: the first carries 25 members, and each after it twice as many up to 100
 * (docs/jobs.md, Single or bulk). Each names a member at most once, because the response names
 * successes only by member; `mostRows` is how many rows one of them has.
 */
export function bulkRequests(rows: number, mostRows = 1): number {
  let left = rows
  let requests = 0
  for (let size = firstBulkRows; left > 0; size = Math.min(size * 2, limits.bulkRows)) {
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

/** Requests that one row takes when it goes singly: an order and a new member's e-mail are read first. */
const requestsPerRow: Partial<Record<JobKind, number>> = { "order-update": 2, "member-create": 2 }

/** Requests that sending rows of a job takes; `started` when some of it was sent before. */
export function sendRequests(of: { kind: JobKind; mode: AwardMode | null; rows: number; started?: boolean }) {
  const { kind, mode, rows, started = false } = of
  if (mode !== "bulk") return rows * (requestsPerRow[kind] ?? 1)
  return started ? Math.ceil(rows / limits.bulkRows) : bulkRequests(rows)
}
