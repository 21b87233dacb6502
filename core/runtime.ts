import type { AppEvent } from "../contract/status.ts"
import type { Clock, EventBus } from "./ports.ts"

/** The machine's own time, in Node and in a browser tab. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(reasonOf(signal))
        return
      }
      const stop = () => {
        clearTimeout(timer)
        if (signal !== undefined) reject(reasonOf(signal))
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop)
        resolve()
      }, ms)
      signal?.addEventListener("abort", stop, { once: true })
    })
  },
}

/** Why a signal was aborted, always as an error. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError")
}

/**
 * A bus within one process. A listener that throws is dropped from this event only: the others still hear it.
 * @param failed hears what a listener threw
 */
export function createEventBus(failed: (error: unknown) => void): EventBus {
  const listeners = new Set<(event: AppEvent) => void>()
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          failed(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** Tells at most once in a while that something changed; the last change is always told. */
export interface Notifier {
  changed(): void
}

/**
 * Makes one.
 * @param everyMs shortest time between two tellings
 */
export function createNotifier(
  clock: Clock,
  everyMs: number,
  signal: AbortSignal,
  tell: () => void,
): Notifier {
  let last = -Infinity
  let due = false
  const now = () => {
    last = clock.monotonic()
    due = false
    tell()
  }
  return {
    changed() {
      if (due || signal.aborted) return
      due = true
      const wait = last + everyMs - clock.monotonic()
      if (wait <= 0) now()
      else
        clock
          .sleep(wait, signal)
          .then(now)
          .catch(() => undefined)
    },
  }
}

/** Lets one piece of work at a time run for each key, in the order in which they came. */
export interface KeyedLock {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Makes one; it holds within this process only. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = last.get(key)
      const own = (before ?? Promise.resolve()).then(work, work)
      last.set(key, own)
      try {
        return await own
      } finally {
        if (last.get(key) === own) last.delete(key)
      }
    },
  }
}
