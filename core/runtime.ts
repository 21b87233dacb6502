import type { AppEvent } from "../contract/events.ts"
import type { Clock, EventBus } from "./ports.ts"

/** The system clock, in Node and in a browser tab. */
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

/** ms since 1970 as ISO 8601; null stays null. */
export function isoTimeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** Why a signal was aborted, always as an error. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError")
}

/** A bus within one process. Errors of a listener go to `failed`; the other listeners still get the event. */
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
      return () => void listeners.delete(listener)
    },
  }
}

export type Notifier = ReturnType<typeof createNotifier>

/** Calls `notify` at most once in `everyMs` after something changed; the last change is always notified. */
export function createNotifier(clock: Clock, everyMs: number, signal: AbortSignal, notify: () => void) {
  let last = -Infinity
  let due = false
  const now = () => {
    last = clock.monotonic()
    due = false
    notify()
  }
  return {
    changed(): void {
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

export type KeyedLock = ReturnType<typeof createKeyedLock>

/** Serializes work per key, in order of arrival; within this process only. */
export function createKeyedLock() {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
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

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** A 64-bit hash as hexadecimal text, to compare long texts; not for security. */
export function textHash(text: string): string {
  let high = 0xde_ad_be_ef
  let low = 0x41_c6_ce_57
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  return [high, low].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
}
