import type { Clock } from "../../core/ports.ts"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A manually advanced clock. */
export interface FakeClock extends Clock {
  /**
   * Advances time, waking sleepers in order and running what they start in between. `everyMs`: sleepers wake only at
   * its multiples, as on a busy machine, so that hours cost few wakes.
   */
  advance(ms: number, everyMs?: number): Promise<void>
  /** Runs pending microtasks and immediates without advancing time. */
  settle(): Promise<void>
  /** Shifts the wall clock without changing `monotonic`. */
  shiftWall(ms: number): void
}

/** `start`: wall time, ms since 1970. */
export function createFakeClock(start = Date.parse("2026-11-20T00:00:00Z")): FakeClock {
  let elapsed = 0
  let wall = start
  let sleepers: Sleeper[] = []

  return {
    now: () => wall + elapsed,
    monotonic: () => elapsed,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        const stop = () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          reject(signal?.reason)
        }
        const wake = () => {
          signal?.removeEventListener("abort", stop)
          resolve()
        }
        const sleeper: Sleeper = { at: elapsed + Math.max(0, ms), wake }
        if (signal?.aborted === true) {
          reject(signal.reason)
          return
        }
        signal?.addEventListener("abort", stop, { once: true })
        sleepers.push(sleeper)
      })
    },
    async advance(ms, everyMs = 1) {
      const target = elapsed + ms
      let woke = false
      await settle()
      for (;;) {
        const next = sleepers.reduce<Sleeper | undefined>(
          (first, other) => (first === undefined || other.at < first.at ? other : first),
          undefined,
        )
        if (next === undefined || next.at > target) break
        const due = everyMs > 1 ? Math.ceil(next.at / everyMs) * everyMs : next.at
        elapsed = Math.max(elapsed, Math.min(due, target))
        sleepers = sleepers.filter((other) => other !== next)
        next.wake()
        woke = true
        await settle()
      }
      elapsed = target
      if (woke) await settle()
    },
    settle,
    shiftWall(ms) {
      wall += ms
    },
  }
}

/** A few turns of the event loop: enough for promise chains without I/O. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}
