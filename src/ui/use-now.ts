import { useSyncExternalStore } from "react"

/** One timer for each step however many components follow it. */
function ticker(step: number) {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      timer ??= setInterval(() => {
        for (const each of listeners) each()
      }, step)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
    // The same value within a step, as React asks of an external store.
    read: () => Math.floor(Date.now() / step) * step,
  }
}

const everySecond = ticker(1000)
const everyHalfMinute = ticker(30_000)

/**
 * The time now in ms, kept current while a component shows it.
 * @param step `second` for countdowns and ages under a minute, `half-minute` for everything older
 */
export function useNow(step: "second" | "half-minute"): number {
  const source = step === "second" ? everySecond : everyHalfMinute
  return useSyncExternalStore(source.subscribe, source.read)
}
