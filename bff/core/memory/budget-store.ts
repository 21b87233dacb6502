import type { Api } from "../../../contract/desk/status.ts"
import type { BudgetStore, Clock } from "../ports.ts"

interface Count {
  /** When places were taken, monotonic ms, oldest first. */
  taken: number[]
  blockedUntil: number
}

/** The budget's count for one process: in memory, on the monotonic clock. */
export function createMemoryBudgetStore(clock: Clock): BudgetStore {
  const counts: Record<Api, Count> = {
    program: { taken: [], blockedUntil: 0 },
    giftcard: { taken: [], blockedUntil: 0 },
  }

  function current(api: Api, windowMs: number): Count {
    const count = counts[api]
    const from = clock.monotonic() - windowMs
    const gone = count.taken.findIndex((at) => at > from)
    count.taken = gone === -1 ? [] : count.taken.slice(gone)
    return count
  }

  /** ms until one of `places` is free: 0 while one is. */
  function freeIn(count: Count, places: number, windowMs: number): number {
    const now = clock.monotonic()
    const blocked = Math.max(0, count.blockedUntil - now)
    if (count.taken.length < places) return blocked
    // So many have to leave the window before there are fewer than `places` in it.
    const last = count.taken[Math.min(count.taken.length - places, count.taken.length - 1)] ?? now
    return Math.max(blocked, last + windowMs - now)
  }

  return {
    async take(api, limit, windowMs, keepFree) {
      const count = current(api, windowMs)
      const inMs = freeIn(count, limit - keepFree, windowMs)
      if (inMs > 0) return { granted: false, inMs }
      count.taken.push(clock.monotonic())
      return { granted: true }
    },
    async state(api, limit, windowMs) {
      const count = current(api, windowMs)
      const nextInMs = freeIn(count, limit, windowMs)
      return { left: nextInMs > 0 ? 0 : Math.max(0, limit - count.taken.length), nextInMs }
    },
    async block(api, _limit, windowMs, forMs) {
      const count = current(api, windowMs)
      count.blockedUntil = Math.max(count.blockedUntil, clock.monotonic() + forMs)
    },
  }
}
