import { ExactNumber } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import type { CachedResponse } from "../cache/cache.ts"
import type { BoardSnapshot, Clock, Log, Store } from "../ports.ts"
import type { Settings } from "../settings.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Hourly snapshots are kept this long, then the last one of each day of the program. */
export const hourlyRetentionMs = 8 * dayMs
/** Snapshots are deleted after this time, because they contain people's names. */
export const snapshotRetentionMs = 400 * dayMs
/** Characters of a snapshot: one hundred rows as they usually are take a third of it. */
const largest = 65_536

type Parts = Readonly<{ store: Store; clock: Clock; log: Log; settings: Settings }>

export type Snapshots = ReturnType<typeof createSnapshots>

/** Stores snapshots of leaderboards that are read: the service has no history of them. */
export function createSnapshots({ store, clock, log, settings }: Parts) {
  /** The last snapshot of each board by this instance. */
  const last = new Map<string, { readonly hour: number; readonly places: number }>()

  async function keep(snapshot: BoardSnapshot): Promise<void> {
    // The response is sent before the store is written to.
    await clock.sleep(0)
    await store.snapshots.add(snapshot)
    const { time_zone } = await settings.get("program")
    const times = await store.snapshots.times(snapshot.board)
    const old = times.filter((at) => at < clock.now() - hourlyRetentionMs)
    const daily = new Set(lastOfDays(old, time_zone))
    const spare = old.filter((at) => at < clock.now() - snapshotRetentionMs || !daily.has(at))
    if (spare.length > 0) await store.snapshots.forget(snapshot.board, spare)
  }

  return {
    /** A ranking was read; one snapshot an hour is kept of each board, and no failure of that reaches anybody. */
    take(board: string, { data, at }: CachedResponse, limit: string | null): void {
      const rows = boundedRows(data)
      if (rows === undefined) return
      const hour = Math.floor(at / hourMs)
      const latest = last.get(board)
      if (latest?.hour === hour && latest.places >= rows.places) return
      last.set(board, { hour, places: rows.places })
      const complete = !rows.cut && limit !== null && rows.places < Number(limit)
      keep({ board, at, places: rows.places, complete, sent: rows.sent }).catch((error: unknown) =>
        log.warn({ err: error }, "a leaderboard snapshot could not be stored"),
      )
    },
  }
}

/** Of times in order, the last one of each day in a zone. */
export function lastOfDays(times: readonly number[], timeZone: string): number[] {
  return times.filter((at, index) => {
    const next = times[index + 1]
    return next === undefined || dayAt(next, timeZone) !== dayAt(at, timeZone)
  })
}

/** Rankings small enough to be kept; undefined when there are no rows, or none that are small enough. */
function boundedRows(data: unknown) {
  for (let most: number = limits.rankings.max; most >= 1; most = Math.floor(most / 2)) {
    const rows = firstRows(data, most)
    if (rows.places === 0) return undefined
    if (JSON.stringify(rows.sent).length <= largest) return { ...rows, cut: most < limits.rankings.max }
  }
  return undefined
}

const deepestList = 3

/**
 * The first rows of rankings in whatever form they came, and how many there are: those of every list in it, because
 * it is not documented which one holds the rows; else the number of keys of a record of records.
 */
export function firstRows(sent: unknown, most: number, depth = 0): { sent: unknown; places: number } {
  if (Array.isArray(sent)) return { sent: sent.slice(0, most), places: Math.min(sent.length, most) }
  if (!isRecord(sent) || depth >= deepestList) return { sent, places: 0 }
  const entries = Object.entries(sent)
  const parts = entries.map(([key, value]) => [key, firstRows(value, most, depth + 1)] as const)
  const longest = Math.max(0, ...parts.map(([, { places }]) => places))
  const isKeyed = depth === 0 && entries.length > 1 && entries.every(([, value]) => isRecord(value))
  return {
    sent: Object.fromEntries(parts.map(([key, part]) => [key, part.sent])),
    places: longest === 0 && isKeyed ? entries.length : longest,
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof ExactNumber)
}
