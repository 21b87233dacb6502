const firstMs = 1000
const longestMs = 30_000
const longestAskedMs = 120_000

/** How long to leave a service alone after it said 429. */
export interface BackOff {
  /**
   * A 429 to a call that began at `startedAt` (monotonic ms). Several calls refused together count once: returns
   * undefined for those that began before the last pause was decided.
   * @param asked what `Retry-After` said, in seconds
   */
  refused(startedAt: number, now: number, asked: number | undefined): number | undefined
  /** A call that was not refused. */
  answered(startedAt: number): void
}

/**
 * Doubles from a second to half a minute with jitter, because no header is documented (docs/api/program.md,
 * Limits); what a `Retry-After` asks is honoured up to two minutes.
 * @param random a number from 0 to 1
 */
export function createBackOff(random: () => number = Math.random): BackOff {
  let streak = 0
  let decidedAt = -Infinity
  return {
    refused(startedAt, now, asked) {
      if (startedAt < decidedAt) return undefined
      const own = Math.min(longestMs, firstMs * 2 ** streak) * (0.5 + random() / 2)
      streak += 1
      decidedAt = now
      return Math.max(own, Math.min((asked ?? 0) * 1000, longestAskedMs))
    },
    answered(startedAt) {
      if (startedAt >= decidedAt) streak = 0
    },
  }
}
