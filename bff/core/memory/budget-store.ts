import type { Api } from "../../../contract/desk/status.ts"
import type { BudgetStore, Clock } from "../ports.ts"

/** One service's taken places. */
class Count {
  /** When places were taken, monotonic ms, oldest first; those before `head` have left the window. */
  private taken: number[] = []
  private head = 0
  blockedUntil = 0

  size(): number {
    return this.taken.length - this.head
  }

  /** Time of the place that is `at` places younger than the oldest. */
  nth(at: number): number | undefined {
    return this.taken[this.head + at]
  }

  add(at: number): void {
    this.taken.push(at)
  }

  forgetUntil(at: number): void {
    while ((this.taken[this.head] ?? Infinity) <= at) this.head += 1
    if (this.head > 1000) {
      this.taken = this.taken.slice(this.head)
      this.head = 0
    }
  }
}

/** The budget's count for one process: in memory, on the monotonic clock. */
export function createMemoryBudgetStore(clock: Clock): BudgetStore {
  const counts: Record<Api, Count> = { program: new Count(), giftcard: new Count() }

  function current(api: Api, windowMs: number): Count {
    const count = counts[api]
    count.forgetUntil(clock.monotonic() - windowMs)
    return count
  }

  /** ms until one of `places` is free: 0 while one is. */
  function freeIn(count: Count, places: number, windowMs: number): number {
    const now = clock.monotonic()
    const blocked = Math.max(0, count.blockedUntil - now)
    if (count.size() < places) return blocked
    // So many have to leave the window before there are fewer than `places` in it.
    const last = count.nth(Math.min(count.size() - places, count.size() - 1)) ?? now
    return Math.max(blocked, last + windowMs - now)
  }

  return {
    async take(api, limit, windowMs, keepFree) {
      const count = current(api, windowMs)
      const inMs = freeIn(count, limit - keepFree, windowMs)
      if (inMs > 0) return { granted: false, inMs }
      count.add(clock.monotonic())
      return { granted: true }
    },
    async state(api, limit, windowMs) {
      const count = current(api, windowMs)
      const nextInMs = freeIn(count, limit, windowMs)
      return { left: nextInMs > 0 ? 0 : Math.max(0, limit - count.size()), nextInMs }
    },
    async block(api, _limit, windowMs, forMs) {
      const count = current(api, windowMs)
      count.blockedUntil = Math.max(count.blockedUntil, clock.monotonic() + forMs)
    },
  }
}
