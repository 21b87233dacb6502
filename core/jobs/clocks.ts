import type { Api } from "../../contract/response.ts"
import type { Clock } from "../ports.ts"
import type { JobStore } from "./job-store.ts"

// The clocks of store and services as this process knows them. Losing them costs time, never money.

const refreshEveryMs = 10_000
/** A larger change between refreshes is no drift: the clock was set. */
const mostDriftMs = 2000
const headerCutMs = 500
const offsetTtlMs = 7_200_000
const sliceMs = 300_000

export type StoreTime = ReturnType<typeof createStoreTime>

/** The store's clock, which all instances share, and the services' clocks. Call `refresh` before use. */
export function createStoreTime(store: Pick<JobStore, "now">, clock: Clock) {
  let ahead = clock.now() - clock.monotonic()
  let refreshedAt = -Infinity
  const offsets = new Map<Api, { readonly since: number; least: number }[]>()
  /** The smallest recent offset: servers may differ, and reading from too early only costs a page. */
  const offsetOf = (api: Api): number | undefined => {
    const recent = offsets.get(api)
    return recent && Math.min(...recent.map(({ least }) => least))
  }
  const shifted = (api: Api, at: number, sign: 1 | -1) => {
    const offset = offsetOf(api)
    return offset === undefined ? undefined : at + sign * offset
  }
  /** The store's time, ms since 1970; unaffected by jumps of this machine's wall clock. */
  const now = () => ahead + clock.monotonic()
  return {
    now,
    async refresh() {
      if (clock.monotonic() - refreshedAt < refreshEveryMs) return
      const before = clock.monotonic()
      const storeNow = await store.now()
      const after = clock.monotonic()
      const measured = storeNow - (before + after) / 2
      // Follow small drift only: setting the clock must not age rows.
      if (refreshedAt === -Infinity || Math.abs(measured - ahead) <= mostDriftMs) ahead = measured
      refreshedAt = after
    },
    noteServiceTime(api: Api, serviceTime: number | undefined) {
      if (serviceTime === undefined) return
      const offset = serviceTime + headerCutMs - now()
      const since = clock.monotonic()
      const recent = (offsets.get(api) ?? []).filter((one) => since - one.since < offsetTtlMs)
      const last = recent.at(-1)
      if (last !== undefined && since - last.since < sliceMs) last.least = Math.min(last.least, offset)
      else recent.push({ since, least: offset })
      offsets.set(api, recent)
    },
    toServiceTime: (api: Api, at: number) => shifted(api, at, 1),
    fromServiceTime: (api: Api, at: number) => shifted(api, at, -1),
  }
}

const gapTtlMs = 7_200_000

export type Gaps = ReturnType<typeof createGaps>

/** Recent delays between the end of a call and the booking of its effect. */
export function createGaps(clock: Clock) {
  let recent: { readonly at: number; readonly ms: number }[] = []
  return {
    /** Records an effect booked `ms` after the end of its call; negative: before. */
    record(ms: number) {
      if (ms > 0) recent.push({ at: clock.monotonic(), ms })
    },
    largest() {
      recent = recent.filter(({ at }) => clock.monotonic() - at < gapTtlMs)
      return recent.reduce((most, { ms }) => Math.max(most, ms), 0)
    },
  }
}
