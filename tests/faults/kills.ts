import type { Fleet, FleetApp } from "./fleet.ts"
import type { Random } from "./random.ts"

/** State of the random kills. */
export interface Kills {
  /** Number of kills. */
  readonly count: number
  /** Longest time from a start until the app listened, ms. */
  readonly slowestStart: number
  /** Stops killing and waits until all apps run. Rejects with the first error. */
  stop(): Promise<void>
}

/**
 * Kills and restarts apps at random moments: after a random number of requests to the service plus a short delay, so
 * that every step is hit.
 * @param every average number of requests between two kills
 */
export function startKills(fleet: Fleet, most: number, every: number, random: Random): Kills {
  const state = { count: 0, slowestStart: 0 }
  const over = new AbortController()
  const work = run()
  // Reported by `stop`.
  work.catch(() => undefined)

  async function run(): Promise<void> {
    while (state.count < most) {
      const target = fleet.sandbox.requests.count + random.integer(1, Math.max(2, 2 * every - 1))
      while (fleet.sandbox.requests.count < target) {
        if (over.signal.aborted) return
        await pause(3)
      }
      await pause(random.integer(0, 40))
      if (over.signal.aborted) return
      await killOne(random.pick(fleet.apps))
    }
  }

  async function killOne(app: FleetApp): Promise<void> {
    await app.kill()
    state.count += 1
    state.slowestStart = Math.max(state.slowestStart, await app.start())
  }

  return {
    get count() {
      return state.count
    },
    get slowestStart() {
      return state.slowestStart
    },
    async stop() {
      over.abort()
      await work
    },
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
