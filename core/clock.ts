import type { Clock } from "./ports.ts"

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
