import type { Clock } from "../ports.ts"

/** A row, and who made it. */
interface CodeOwner {
  readonly job: string
  readonly row: number
  readonly makerId: string
}

/**
 * Digital codes of redemptions that were answered a moment ago: some services show a code only then. They are held in
 * this process's memory, for whoever redeemed, until they are asked for once or their time is over
 * (docs/decisions/0010-orders.md, Digital codes).
 */
export interface FreshCodes {
  keep(owner: CodeOwner, code: string): void
  /** Gives a code out, to its owner only and only once. */
  take(owner: CodeOwner): string | undefined
}

/** How long a code is held, ms, and how many are at most. */
const heldMs = 600_000
const mostHeld = 1000

/** Makes the memory. */
export function createFreshCodes(clock: Clock): FreshCodes {
  const held = new Map<string, { readonly code: string; readonly makerId: string; readonly until: number }>()

  function forgetOld(): void {
    const now = clock.monotonic()
    for (const [key, { until }] of held) if (until <= now || held.size > mostHeld) held.delete(key)
  }

  return {
    keep({ job, row, makerId }, code) {
      held.set(`${job}/${row}`, { code, makerId, until: clock.monotonic() + heldMs })
      forgetOld()
    },
    take({ job, row, makerId }) {
      forgetOld()
      const key = `${job}/${row}`
      const found = held.get(key)
      if (found?.makerId !== makerId) return undefined
      held.delete(key)
      return found.code
    },
  }
}
