import type { Fleet, FleetApp } from "./fleet.ts"
import type { Random } from "./random.ts"

/** What kills did so far. */
export interface Kills {
  /** How often an app was killed. */
  readonly count: number
  /** ms from a start until Laurel listened, the longest. */
  readonly slowestStart: number
  /** Starts no further one, and waits until everything runs. Rejects with what went wrong. */
  stop(): Promise<void>
}

/**
 * Kills apps at random moments: each time after so many more requests reached the service as the seed says, and a
 * little later, so that every step of the work is met; the killed one is started again at once.
 * @param every requests between two kills, on average
 */
export function startKills(fleet: Fleet, most: number, every: number, random: Random): Kills {
  const state = { count: 0, slowestStart: 0 }
  const over = new AbortController()
  const work = run()
  // Notification by `stop`.
  work.catch(() => undefined)

  async function run(): Promise<void> {
    while (state.count < most) {
      const target = fleet.sandbox.requests.count + random.whole(1, Math.max(2, 2 * every - 1))
      while (fleet.sandbox.requests.count < target) {
        if (over.signal.aborted) return
        await pause(3)
      }
      await pause(random.whole(0, 40))
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
