import { limits } from "../../contract/limits.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import type { CachedResponse } from "../cache/cache.ts"
import type { Clock, Log, Store } from "../ports.ts"
import type { Settings } from "../settings/settings.ts"

const hourMs = 3_600_000
/** Snapshots are deleted after this time, because they contain people's names. */
export const snapshotRetentionMs = 400 * 24 * hourMs
/** Maximum length of a snapshot in characters, about three times the usual one hundred rows. */
const largest = 65_536

type Deps = Readonly<{ store: Store; clock: Clock; log: Log; settings: Settings }>

export type Snapshots = ReturnType<typeof createSnapshots>

/** Stores rankings that are read, the last of each day: the service has no history of them. */
export function createSnapshots({ store: { snapshots }, clock, log, settings }: Deps) {
  /** The last snapshot of each board by this instance. */
  const last = new Map<string, { readonly hour: number; readonly places: number }>()

  async function deleteEarlierOfDay(board: string): Promise<void> {
    const { time_zone } = await settings.get("program")
    const times = await snapshots.times(board)
    const days = times.map((at) => dayAt(at, time_zone))
    const earlier = times.filter((_, index) => days[index] === days[index + 1])
    if (earlier.length > 0) await snapshots.forget(board, earlier)
  }

  return {
    /** Stores a response at most once an hour, or again with more places. Never fails the read. */
    take(board: string, { data, at }: CachedResponse, limit: string | null): void {
      if (!Array.isArray(data)) return
      let sent: unknown[] = data.slice(0, limits.rankings.max)
      while (JSON.stringify(sent).length > largest) sent = sent.slice(0, sent.length / 2)
      const places = sent.length
      const hour = Math.floor(at / hourMs)
      const previous = last.get(board)
      if (places === 0 || (previous?.hour === hour && previous.places >= places)) return
      last.set(board, { hour, places })
      const complete = places === data.length && limit !== null && places < Number(limit)
      // The response is sent before the store is written to.
      clock
        .sleep(0)
        .then(() => snapshots.add({ board, at, places, complete, sent }))
        .then(() => deleteEarlierOfDay(board))
        .catch((error: unknown) => log.warn({ err: error }, "a leaderboard snapshot could not be stored"))
    },
  }
}
