import type { Api } from "../../../contract/desk/status.ts"
import type { Clock } from "../ports.ts"
import type { JobStore } from "./job-store.ts"

/** The clocks that matter: the store's, which all instances share, and each service's. */
export interface StoreTime {
  /** The store's time now, ms since 1970; it does not jump when this machine's wall clock does. */
  now(): number
  /** Asks the store again, at most every few seconds. */
  refresh(): Promise<void>
  /** An answer carried the service's own time. */
  heard(api: Api, serviceTime: number | undefined): void
  /** A time of the store on the service's clock; undefined while the service has not said its time. */
  onService(api: Api, at: number): number | undefined
  /** A time of the service on the store's clock. */
  fromService(api: Api, at: number): number | undefined
}

const refreshEveryMs = 10_000
/** The header is cut to whole seconds. */
const headerCutMs = 500

/** Makes the clocks. `refresh` once before use. */
export function createStoreTime(store: Pick<JobStore, "now">, clock: Clock): StoreTime {
  let ahead = clock.now() - clock.monotonic()
  let askedAt = -Infinity
  const offsets = new Map<Api, number>()
  const now = () => ahead + clock.monotonic()
  return {
    now,
    async refresh() {
      if (clock.monotonic() - askedAt < refreshEveryMs) return
      const before = clock.monotonic()
      const there = await store.now()
      const after = clock.monotonic()
      ahead = there - (before + after) / 2
      askedAt = after
    },
    heard(api, serviceTime) {
      if (serviceTime !== undefined) offsets.set(api, serviceTime + headerCutMs - now())
    },
    onService(api, at) {
      const offset = offsets.get(api)
      return offset === undefined ? undefined : at + offset
    },
    fromService(api, at) {
      const offset = offsets.get(api)
      return offset === undefined ? undefined : at - offset
    },
  }
}
