import { limits } from "../../../contract/limits.ts"

/** Members in the first request of a bulk job, before it is known how the service bears more. */
const canary = 25

/**
 * Requests a bulk award takes: the first carries 25 members, and each after it twice as many up to 100
 * (docs/decisions/0002-money.md, single or bulk). A member stands at most once in each, because the answer names
 * successes only by member.
 * @param rows awards
 * @param mostRows most awards of one member
 */
export function bulkRequests(rows: number, mostRows = 1): number {
  let left = rows
  let requests = 0
  for (let size = canary; left > 0; size = Math.min(size * 2, limits.bulkRows)) {
    left -= size
    requests += 1
  }
  return Math.max(requests, rows === 0 ? 0 : mostRows)
}

/**
 * Requests that finding members by e-mail takes at most: one search each, or every page of members where the list's
 * total is known and that costs less.
 * @param emails distinct e-mails
 * @param total members there are; undefined where nobody counted them
 */
export function resolveRequests(emails: number, total: number | undefined): number {
  const pages = total === undefined ? Infinity : Math.ceil(total / limits.perPage.max)
  return Math.min(emails, pages)
}
