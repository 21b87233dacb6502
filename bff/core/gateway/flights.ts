import { reasonOf } from "../clock.ts"
import type { Copy } from "../cache/cache.ts"
import type { FetchOptions } from "./fetch-copy.ts"
import type { ReadPlan } from "./read-plan.ts"

/** One question on its way, with everybody who waits for its answer. */
export interface Flight {
  /** Whether it has left; before that it waits for a place. */
  sending(): boolean
  /**
   * Waits for the answer. When everybody left before it was sent, it is not sent.
   * @throws what the fetch threw, or the signal's reason
   */
  join(signal?: AbortSignal): Promise<Copy>
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
  fetch: (plan: ReadPlan, options: FetchOptions) => Promise<Copy>,
  landed: (plan: ReadPlan, copy: Copy) => void,
): Flights {
  /** The flight that takes whoever asks now. */
  const boarding = new Map<string, Airborne>()
  /** Every flight, those that a fresh question overtook included: a write concerns them all. */
  const airborne = new Set<Airborne>()

  function start(plan: ReadPlan, person: FetchOptions["person"]): Flight {
    const ground = new AbortController()
    let sending = false
    let spoiled = false
    let kept = false
    let waiting = 0

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
      },
    }).then(
      (copy) => {
        land()
        if (!spoiled) landed(plan, copy)
        return copy
      },
      (error: unknown) => {
        land()
        throw error
      },
    )
    // Somebody who waits hears of it through `join`; a kept flight has nobody left to tell.
    answer.catch(() => undefined)

    const left = () => {
      waiting -= 1
      if (waiting > 0 || sending || kept) return
      closeDoors()
      ground.abort()
    }
    const flight: Flight = {
      sending: () => sending,
      keep: () => {
        kept = true
      },
      async join(signal) {
        waiting += 1
        try {
          return await (signal === undefined ? answer : unlessAborted(answer, signal))
        } finally {
          left()
        }
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

function unlessAborted(answer: Promise<Copy>, signal: AbortSignal): Promise<Copy> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal))
    if (signal.aborted) {
      abort()
      return
    }
    const stay = () => signal.removeEventListener("abort", abort)
    signal.addEventListener("abort", abort, { once: true })
    answer.then(
      (copy) => {
        stay()
        return resolve(copy)
      },
      (error: unknown) => {
        stay()
        return reject(error)
      },
    )
  })
}
