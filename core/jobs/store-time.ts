import type { Api } from "../../contract/status.ts"
import type { Clock } from "../ports.ts"
import type { JobStore } from "./job-store.ts"

/** The clocks that matter: the store's, which all instances share, and each service's. */
export interface StoreTime {
  /** The store's time now, ms since 1970; it does not jump when this machine's wall clock does. */
  now(): number
  /** Asks the store again, at most every few seconds. */
  refresh(): Promise<void>
  /** An answer carried the service's own time. */
  noteServiceTime(api: Api, serviceTime: number | undefined): void
  /** A time of the store on the service's clock; undefined while the service has not said its time. */
  toServiceTime(api: Api, at: number): number | undefined
  /** A time of the service on the store's clock. */
  fromServiceTime(api: Api, at: number): number | undefined
}

const refreshEveryMs = 10_000
/** More than this within seconds is no drift: somebody set the clock. */
const mostDriftMs = 2000
/** The header is cut to whole seconds. */
const headerCutMs = 500

/** How far a service's clock was ahead at least, from a monotonic time on. */
interface Heard {
  readonly since: number
  least: number
}

/** Offsets are kept for two hours, the least of each five minutes, ms. */
const keptMs = 7_200_000
const sliceMs = 300_000

/** Makes the clocks. `refresh` once before use. */
export function createStoreTime(store: Pick<JobStore, "now">, clock: Clock): StoreTime {
  let ahead = clock.now() - clock.monotonic()
  let askedAt = -Infinity
  const offsets = new Map<Api, Heard[]>()
  /** The least of the last hours: servers of one service may differ, and to read from too early only costs a page. */
  const offsetOf = (api: Api): number | undefined => {
    const kept = offsets.get(api)
    return kept === undefined ? undefined : Math.min(...kept.map(({ least }) => least))
  }
  const now = () => ahead + clock.monotonic()
  return {
    now,
    async refresh() {
      if (clock.monotonic() - askedAt < refreshEveryMs) return
      const before = clock.monotonic()
      const there = await store.now()
      const after = clock.monotonic()
      const found = there - (before + after) / 2
      // A clock that was set makes no row older: only the small drift of a running one is followed.
      if (askedAt === -Infinity || Math.abs(found - ahead) <= mostDriftMs) ahead = found
      askedAt = after
    },
    noteServiceTime(api, serviceTime) {
      if (serviceTime === undefined) return
      const offset = serviceTime + headerCutMs - now()
      const since = clock.monotonic()
      const kept = (offsets.get(api) ?? []).filter((one) => since - one.since < keptMs)
      const last = kept.at(-1)
      if (last !== undefined && since - last.since < sliceMs) last.least = Math.min(last.least, offset)
      else kept.push({ since, least: offset })
      offsets.set(api, kept)
    },
    toServiceTime(api, at) {
      const offset = offsetOf(api)
      return offset === undefined ? undefined : at + offset
    },
    fromServiceTime(api, at) {
      const offset = offsetOf(api)
      return offset === undefined ? undefined : at - offset
    },
  }
}
