import type { Api } from "../../contract/status.ts"
import { createTakers, type Takers } from "../../core/memory/budget-store.ts"
import type { BudgetGrant, BudgetState, BudgetStore, Choice, WindowUse } from "../../core/ports.ts"
import { openBudgetFile } from "./budget-file.ts"

/** How long a place in hand may be used, ms. */
function inHandMs(windowMs: number): number {
  return windowMs / 6
}

/** By then the request that a place was taken for has gone out, ms. */
const afterMs = 2

const granted = { granted: true } as const

/** A place in the file that was taken before anybody asked for it. Times in ms since 1970. */
interface InHand {
  readonly from: number
  readonly until: number
  readonly limit: number
  readonly windowMs: number
}

/** Whether a place in hand may be used now. A clock that was set back may have moved it in the file. */
function fits(hand: InHand | undefined, limit: number, windowMs: number, now: number): boolean {
  if (hand?.limit !== limit || hand.windowMs !== windowMs) return false
  return now >= hand.from && now <= hand.until
}

/** A place in hand that was used, and when. */
interface Used {
  readonly hand: InHand
  readonly at: number
}

/**
 * The shared count of requests in a file of its own. Writing a place down takes a fifth of a millisecond on a machine
 * that has rested, and the request would have to wait for it. So after each request the place of the next one is
 * written down beforehand, for the longest it can count; when it is used, the file is corrected after the request has
 * gone out. A process that is killed at any moment leaves a place too many in the file for some seconds, never one
 * too few.
 */
export function openFileBudget(path: string): BudgetStore & { close(): void } {
  const file = openBudgetFile(path)
  const hands = new Map<Api, InHand>()
  /** What is written once the requests of this moment have gone out. */
  const due = new Map<Api, { readonly limit: number; readonly windowMs: number; readonly used?: Used }>()
  let soon: NodeJS.Timeout | undefined
  /** Who took what: this process has the file for itself, and after a start nobody is known to hold the permits. */
  const takers: Record<Api, Takers> = { program: createTakers(), giftcard: createTakers() }
  const clock = steadyClock()

  /** Has a place for the next request, once the one of this moment has gone out. */
  function prepare(api: Api, limit: number, windowMs: number, used?: Used): void {
    if (used === undefined && (due.has(api) || fits(hands.get(api), limit, windowMs, clock()))) return
    due.set(api, { limit, windowMs, ...(used !== undefined && { used }) })
    soon ??= setTimeout(writeDue, afterMs)
  }

  function writeDue(): void {
    soon = undefined
    for (const [api, { limit, windowMs, used }] of due) {
      const from = clock()
      const until = from + inHandMs(windowMs)
      try {
        const taken = file.alone(() => {
          drop(api)
          if (used !== undefined) correct(api, used)
          return file.takeOne(api, { now: from, until: until + windowMs }, limit - 1)
        })
        if (taken) hands.set(api, { from, until, limit, windowMs })
      } catch {
        // The place that was used counts some seconds longer, and the next request writes its own down.
      }
    }
    due.clear()
  }

  function correct(api: Api, { hand, at }: Used): void {
    putBack(api, hand)
    file.add(api, at + hand.windowMs)
  }

  function putBack(api: Api, { until, windowMs }: InHand): void {
    file.release(api, until + windowMs)
  }

  function drop(api: Api): void {
    const hand = hands.get(api)
    hands.delete(api)
    if (hand !== undefined) putBack(api, hand)
  }

  /** Places that are taken by somebody: the one in hand is free for whoever comes. */
  function taken(api: Api, windowMs: number, now: number): number {
    const places = file.taken(api, now, now + windowMs + inHandMs(windowMs))
    return Math.max(0, places - inHand(api, now))
  }

  function inHand(api: Api, now: number): 0 | 1 {
    const hand = hands.get(api)
    return hand !== undefined && now >= hand.from && now < hand.until + hand.windowMs ? 1 : 0
  }

  function takeExactly(
    api: Api,
    limit: number,
    windowMs: number,
    now: number,
    choose: (use: WindowUse) => Choice,
  ): BudgetGrant {
    const busy = taken(api, windowMs, now)
    const stopped = file.blockedFor(api, now)
    if (stopped > 0) return { granted: false, inMs: stopped }
    if (busy >= limit) return { granted: false, inMs: untilBusyAtMost(api, limit - 1, busy, now, windowMs) }
    const choice = choose({ free: limit - busy, held: takers[api].held(now, windowMs) })
    if (!("taker" in choice)) {
      const freed = busy === 0 ? windowMs : untilBusyAtMost(api, busy - 1, busy, now, windowMs)
      return { granted: false, inMs: Math.min(choice.inMs, freed) }
    }
    takers[api].add(choice.taker, now)
    // Together with this one all places are taken: it is the one in hand.
    if (busy + 1 >= limit) drop(api)
    file.add(api, now + windowMs)
    return granted
  }

  /** ms until no more than `mayBusy` places are taken; a whole window if that can never be. */
  function untilBusyAtMost(api: Api, mayBusy: number, busy: number, now: number, windowMs: number): number {
    let left = busy
    for (const { at, places } of mayBusy < 0 ? [] : file.moments(api)) {
      left -= places
      if (left <= mayBusy) return Math.min(windowMs, Math.max(1, at - now))
    }
    return windowMs
  }

  return {
    takeInHand(api, limit, windowMs, choose) {
      const now = clock()
      const hand = hands.get(api)
      if (hand === undefined || !fits(hand, limit, windowMs, now)) return false
      const held = takers[api].held(now, windowMs)
      const known = held.reduce((sum, { permits }) => sum + permits, 0)
      // The file knows better how many are free; the one in hand is, and for shares the known ones are near enough.
      const choice = choose({ free: Math.max(1, limit - known), held })
      if (!("taker" in choice)) return false
      takers[api].add(choice.taker, now)
      hands.delete(api)
      prepare(api, limit, windowMs, { hand, at: now })
      return true
    },
    async take(api, limit, windowMs, choose) {
      const now = clock()
      const grant = file.alone(() => takeExactly(api, limit, windowMs, now, choose))
      if (grant.granted) prepare(api, limit, windowMs)
      return grant
    },
    state: async (api, limit, windowMs) =>
      file.alone((): BudgetState => {
        const now = clock()
        const busy = taken(api, windowMs, now)
        const stopped = file.blockedFor(api, now)
        if (stopped > 0) return { left: 0, nextInMs: stopped, blocked: true }
        const left = Math.max(0, limit - busy)
        return { left, nextInMs: left > 0 ? 0 : untilBusyAtMost(api, limit - 1, busy, now, windowMs) }
      }),
    block: async (api, _limit, _windowMs, forMs) =>
      file.alone(() => {
        const now = clock()
        drop(api)
        if (file.blockedFor(api, now) < forMs) file.block(api, now, forMs)
      }),
    close() {
      clearTimeout(soon)
      try {
        for (const [api, { used }] of due) if (used !== undefined) correct(api, used)
        for (const api of hands.keys()) drop(api)
      } catch {
        // They become free by themselves some seconds later.
      }
      file.close()
    },
  }
}

/**
 * Time in ms since 1970 that goes on evenly while the process runs: a wall clock that is put forward would make every
 * permit free at once.
 */
function steadyClock(): () => number {
  const origin = Date.now() - performance.now()
  return () => Math.floor(origin + performance.now())
}
