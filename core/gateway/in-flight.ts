import { reasonOf } from "../runtime.ts"
import type { CachedResponse } from "../cache/cache.ts"
import type { FetchOptions, ReadPlan } from "./upstream-read.ts"

/** One question on its way, with everybody who waits for its answer. */
export interface Flight {
  /** Whether it has left; before that it waits for a place. */
  sending(): boolean
  /**
   * Waits for the answer. When everybody left while it waited for a place, it is not sent.
   * @throws what the fetch threw, or the signal's reason
   */
  join(signal?: AbortSignal): Promise<CachedResponse>
  /** Sees it through though nobody waits, to have a younger copy. */
  keep(): void
}

/** The questions on their way: equal ones are asked once. */
export interface Flights {
  /**
   * The flight that answers this plan, started if there is none.
   * @param fresh only a flight that has not left yet will do, because its answer must be younger than the request
   */
  to(plan: ReadPlan, person: FetchOptions["person"], fresh: boolean): { flight: Flight; shared: boolean }
  /** A write happened: answers of flights about these may be older than it and are not kept. */
  spoil(tags: readonly string[]): void
}

interface Waiter {
  readonly listen: (wanted: boolean) => void
}

interface Airborne {
  readonly flight: Flight
  readonly tags: readonly string[]
  /** Nobody boards any more and its answer is not kept. */
  readonly spoil: () => void
}

/**
 * Makes the keeper of flights.
 * @param fetch asks the service
 * @param landed hears of each copy that may be kept
 */
export function createFlights(
  fetch: (plan: ReadPlan, options: FetchOptions) => Promise<CachedResponse>,
  landed: (plan: ReadPlan, response: CachedResponse) => void,
): Flights {
  /** The flight that takes whoever asks now. */
  const boarding = new Map<string, Airborne>()
  /** Every flight, those that a fresh question overtook included: a write concerns them all. */
  const airborne = new Set<Airborne>()

  function start(plan: ReadPlan, person: FetchOptions["person"]): Flight {
    const ground = new AbortController()
    const waiters = new Set<Waiter>()
    let [sending, queued, spoiled, kept] = [false, false, false, false]

    const closeDoors = () => {
      if (boarding.get(plan.key) === entry) boarding.delete(plan.key)
    }
    const land = () => {
      airborne.delete(entry)
      closeDoors()
    }
    const answer = fetch(plan, {
      person,
      signal: ground.signal,
      onSending: (now) => {
        sending = now
        queued = !now
        for (const waiter of waiters) waiter.listen(queued)
      },
    }).then(
      (response) => {
        land()
        if (!spoiled) landed(plan, response)
        return response
      },
      (error: unknown) => {
        land()
        throw error
      },
    )
    // Somebody who waits hears of it through `join`; a kept flight has nobody left to tell.
    answer.catch(() => undefined)

    const left = (waiter: Waiter) => {
      waiters.delete(waiter)
      if (waiters.size > 0 || sending || kept) return
      closeDoors()
      ground.abort()
    }
    const flight: Flight = {
      sending: () => sending,
      keep: () => {
        kept = true
      },
      join(signal) {
        const { promise, resolve, reject } = Promise.withResolvers<CachedResponse>()
        const waiter = waiterOf(signal, () => {
          left(waiter)
          reject(signal === undefined ? undefined : reasonOf(signal))
        })
        waiters.add(waiter)
        if (queued || signal?.aborted === true) waiter.listen(true)
        answer.then(resolve, reject).finally(() => {
          waiter.listen(false)
          waiters.delete(waiter)
        })
        return promise
      },
    }
    const entry: Airborne = {
      flight,
      tags: plan.tags,
      spoil: () => {
        spoiled = true
        closeDoors()
      },
    }
    boarding.set(plan.key, entry)
    airborne.add(entry)
    return flight
  }

  return {
    to(plan, person, fresh) {
      const found = boarding.get(plan.key)
      if (found !== undefined && !(fresh && found.flight.sending())) {
        return { flight: found.flight, shared: true }
      }
      return { flight: start(plan, person), shared: false }
    },
    spoil(tags) {
      for (const entry of airborne) {
        if (entry.tags.some((tag) => tags.includes(tag))) entry.spoil()
      }
    },
  }
}

/**
 * Somebody who waits. Whether they leave is only heard while the question has to wait for a place: most find one at
 * once, and once it was sent it is seen through for the cache.
 */
function waiterOf(signal: AbortSignal | undefined, leave: () => void): Waiter {
  let listening = false
  return {
    listen(wanted) {
      if (signal === undefined || wanted === listening) return
      listening = wanted
      if (!wanted) signal.removeEventListener("abort", leave)
      else if (signal.aborted) leave()
      else signal.addEventListener("abort", leave, { once: true })
    },
  }
}
