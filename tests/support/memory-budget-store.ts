import type { Api } from "../../contract/response.ts"
import type { BudgetStore, Clock, HeldPermits, PermitOwner } from "../../core/ports.ts"

/** One service's requests in the current window. */
class Count {
  /** Request times, monotonic ms, oldest first; those before `head` have left the window. */
  private taken: number[] = []
  private head = 0
  blockedUntil = 0
  readonly takers = createTakers()

  size(): number {
    return this.taken.length - this.head
  }

  /** Time of the request `at` places after the oldest. */
  nth(at: number): number | undefined {
    return this.taken[this.head + at]
  }

  add(at: number): void {
    this.taken.push(at)
  }

  evictUntil(at: number): void {
    while ((this.taken[this.head] ?? Infinity) <= at) this.head += 1
    if (this.head > 1000) {
      this.taken = this.taken.slice(this.head)
      this.head = 0
    }
  }
}

/** Permits that the same user took within this time are one entry, ms. */
const togetherMs = 100

interface Taken extends PermitOwner {
  permits: number
  /** Time of the last one, monotonic ms. */
  at: number
}

/** Who took the permits of one service in the current window. */
interface Takers {
  add(taker: PermitOwner, at: number): void
  held(now: number, windowMs: number): readonly HeldPermits[]
}

function createTakers(): Takers {
  let taken: Taken[] = []
  return {
    add({ lane, who }, at) {
      const moment = Math.floor(at / togetherMs)
      for (let index = taken.length - 1; index >= 0; index -= 1) {
        const before = taken[index]
        if (before === undefined || Math.floor(before.at / togetherMs) !== moment) break
        if (before.lane !== lane || before.who !== who) continue
        before.permits += 1
        before.at = at
        return
      }
      taken.push({ lane, who, permits: 1, at })
    },
    held(now, windowMs) {
      if ((taken[0]?.at ?? now) <= now - windowMs) taken = taken.filter(({ at }) => at > now - windowMs)
      return taken.map(({ lane, who, permits, at }) => ({
        lane,
        who,
        permits,
        freeInMs: at + windowMs - now,
      }))
    },
  }
}

/** An in-memory budget store for one process, on the monotonic clock. */
export function createMemoryBudgetStore(clock: Clock): BudgetStore {
  const counts: Record<Api, Count> = { program: new Count(), giftcard: new Count() }

  function current(api: Api, windowMs: number): Count {
    const count = counts[api]
    count.evictUntil(clock.monotonic() - windowMs)
    return count
  }

  /** ms until one of `places` is free; 0 if one is free now. */
  function freeIn(count: Count, places: number, windowMs: number): number {
    const now = clock.monotonic()
    const blocked = Math.max(0, count.blockedUntil - now)
    if (count.size() < places) return blocked
    // This entry must leave the window before fewer than `places` remain.
    const last = count.nth(Math.min(count.size() - places, count.size() - 1)) ?? now
    return Math.max(blocked, last + windowMs - now)
  }

  return {
    async take(api, limit, windowMs, choose) {
      const count = current(api, windowMs)
      const now = clock.monotonic()
      const inMs = freeIn(count, limit, windowMs)
      if (inMs > 0) return { granted: false, inMs }
      const choice = choose({ free: limit - count.size(), recentUse: count.takers.held(now, windowMs) })
      if (!("taker" in choice)) {
        const freed = (count.nth(0) ?? now) + windowMs - now
        return { granted: false, inMs: Math.min(choice.inMs, freed) }
      }
      count.add(now)
      count.takers.add(choice.taker, now)
      return { granted: true }
    },
    async state(api, limit, windowMs) {
      const count = current(api, windowMs)
      const nextInMs = freeIn(count, limit, windowMs)
      const blockedMs = count.blockedUntil - clock.monotonic()
      if (blockedMs > 0) return { left: 0, nextInMs: blockedMs, blocked: true }
      return { left: nextInMs > 0 ? 0 : Math.max(0, limit - count.size()), nextInMs }
    },
    async block(api, _limit, windowMs, forMs) {
      const count = current(api, windowMs)
      count.blockedUntil = Math.max(count.blockedUntil, clock.monotonic() + forMs)
    },
  }
}
