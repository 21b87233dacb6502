import type { Clock } from "../ports.ts"

/** How long after the end of their calls effects were still booked. */
export interface Gaps {
  /** One was found `ms` after its call ended; negative: before. */
  seen(ms: number): void
  /** The largest of the last hours, ms. */
  largest(): number
}

const keptMs = 7_200_000

/** Starts to remember. */
export function createGaps(clock: Clock): Gaps {
  let kept: { readonly at: number; readonly ms: number }[] = []
  return {
    seen(ms) {
      if (ms > 0) kept.push({ at: clock.monotonic(), ms })
    },
    largest() {
      kept = kept.filter(({ at }) => clock.monotonic() - at < keptMs)
      return kept.reduce((most, { ms }) => Math.max(most, ms), 0)
    },
  }
}
