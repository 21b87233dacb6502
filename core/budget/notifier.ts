import type { Clock } from "../ports.ts"

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
