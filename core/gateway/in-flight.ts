import type { CachedResponse } from "../cache/cache.ts"
import { reasonOf } from "../runtime.ts"
import type { Requester } from "./caller.ts"
import type { FetchOptions, ReadPlan } from "./upstream-read.ts"

/** One read on its way, with everybody who waits for its response. */
export interface InFlightRequest {
  /** Whether it was sent; before that it waits for a permit. */
  isSent(): boolean
  /**
   * Waits for the response. When everybody left while it waited for a permit, it is not sent.
   * @throws what the fetch threw, or the signal's reason
   */
  join(signal?: AbortSignal): Promise<CachedResponse>
  /** Sees it through though nobody waits, to have a younger response. */
  keep(): void
}

/** The reads on their way: equal ones are sent once. */
export interface InFlightRequests {
  /**
   * The request that answers this plan, started if there is none.
   * @param fresh only one that was not sent yet will do, because its response must be younger than the request
   */
  to(
    plan: ReadPlan,
    person: Requester,
    fresh: boolean,
  ): { readonly request: InFlightRequest; readonly shared: boolean }
  /** A write happened: responses about these may be older than it and are not cached. */
  invalidate(tags: readonly string[]): void
}

interface Entry {
  readonly request: InFlightRequest
  readonly tags: readonly string[]
  /** Nobody joins any more and its response is not cached. */
  readonly invalidate: () => void
}

/**
 * Makes the register of in-flight reads.
 * @param onResponse called with each response that may be cached
 */
export function createInFlightRequests(
  fetch: (plan: ReadPlan, options: FetchOptions) => Promise<CachedResponse>,
  onResponse: (plan: ReadPlan, response: CachedResponse) => void,
): InFlightRequests {
  /** The request that whoever asks now joins. */
  const joinable = new Map<string, Entry>()
  /** Every request, those that a fresh one overtook included: a write concerns them all. */
  const all = new Set<Entry>()

  function start(plan: ReadPlan, person: Requester): InFlightRequest {
    const abandoned = new AbortController()
    /** Makes each waiter leave whose signal was aborted, unless the request was sent. */
    const leavers = new Set<() => void>()
    let [sent, kept, invalidated] = [false, false, false]

    const close = () => {
      if (joinable.get(plan.key) === entry) joinable.delete(plan.key)
    }
    const response = fetch(plan, {
      person,
      signal: abandoned.signal,
      onSending(sending) {
        sent = sending
        for (const leave of Array.from(leavers)) leave()
      },
    })
      .finally(() => {
        all.delete(entry)
        close()
      })
      .then((found) => {
        if (!invalidated) onResponse(plan, found)
        return found
      })
    // Whoever waits hears of it through `join`; a kept request has nobody left to hear.
    response.catch(() => undefined)

    const request: InFlightRequest = {
      isSent: () => sent,
      keep() {
        kept = true
      },
      join(signal) {
        signal?.throwIfAborted()
        const { promise, resolve, reject } = Promise.withResolvers<CachedResponse>()
        const leave = () => {
          if (sent || signal?.aborted !== true) return
          stopListening()
          reject(reasonOf(signal))
          if (leavers.size > 0 || kept) return
          close()
          abandoned.abort()
        }
        const stopListening = () => {
          leavers.delete(leave)
          signal?.removeEventListener("abort", leave)
        }
        leavers.add(leave)
        signal?.addEventListener("abort", leave, { once: true })
        response.then(resolve, reject).finally(stopListening)
        return promise
      },
    }
    const entry: Entry = {
      request,
      tags: plan.tags,
      invalidate() {
        invalidated = true
        close()
      },
    }
    joinable.set(plan.key, entry)
    all.add(entry)
    return request
  }

  return {
    to(plan, person, fresh) {
      const found = joinable.get(plan.key)?.request
      if (found !== undefined && !(fresh && found.isSent())) return { request: found, shared: true }
      return { request: start(plan, person), shared: false }
    },
    invalidate(tags) {
      for (const entry of all) if (entry.tags.some((tag) => tags.includes(tag))) entry.invalidate()
    },
  }
}
