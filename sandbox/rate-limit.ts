import type { SandboxSettings } from "./settings.ts"

const minute = 60_000

/**
 * One key's requests in a minute. "sliding" counts the last 60 s, "fixed" the minute of the clock; a request that
 * is refused is not counted.
 */
export class RateLimit {
  private accepted: number[] = []

  /** Whether a request at a time (ms) is within the limit; counts it if so. Limit 0 lets everything through. */
  take(now: number, limit: number, window: SandboxSettings["rateWindow"]): boolean {
    if (limit === 0) return true
    const since = window === "sliding" ? now - minute : Math.floor(now / minute) * minute - 1
    this.accepted = this.accepted.filter((at) => at > since)
    if (this.accepted.length >= limit) return false
    this.accepted.push(now)
    return true
  }

  clear(): void {
    this.accepted = []
  }
}
