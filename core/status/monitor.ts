import type { Drift } from "../../contract/reading.ts"
import type { Api } from "../../contract/response.ts"
import type { Connection, DriftRow } from "../../contract/status.ts"
import type { Clock, DriftStore, UpstreamCall, UpstreamResult } from "../ports.ts"
import { slowMs, statusOf, serviceProblem } from "../gateway/upstream-errors.ts"

const remembered = 50
/** Calls in a row without a response after which a service counts as not responding. */
const silentAfter = 2

type Seen = Readonly<{ ms: number; answered: boolean }>

type Scope = Connection["seen"]["read"]

type ServiceHealth = Pick<Connection, "half_within_ms" | "most_within_ms" | "last_trouble" | "seen"> & {
  readonly state: Exclude<Connection["state"], "not_connected">
}

export type Monitor = ReturnType<typeof createMonitor>

interface Watched {
  readonly calls: Seen[]
  trouble: Connection["last_trouble"]
  read: Scope
  write: Scope
}

/** Watches every call to both services; nothing is ever asked only to find out. */
export function createMonitor() {
  const services: Record<Api, Watched> = {
    program: { calls: [], trouble: null, read: "unseen", write: "unseen" },
    giftcard: { calls: [], trouble: null, read: "unseen", write: "unseen" },
  }
  return {
    record(api: Api, method: UpstreamCall["method"], result: UpstreamResult): void {
      const watched = services[api]
      const status = statusOf(result)
      const answered = result.kind === "answer" && result.status < 500
      if (watched.calls.push({ ms: result.ms, answered }) > remembered) watched.calls.shift()
      const what = serviceProblem(result)
      if (what !== undefined) watched.trouble = { at: new Date(result.endedAt).toISOString(), what }
      const scope = method === "GET" ? "read" : "write"
      if (status === 401 || status === 403) watched[scope] = "refused"
      else if (answered && status !== 429) watched[scope] = "working"
    },
    /** Another key is used from now on: what the earlier one was allowed says nothing about it. */
    keyReplaced(api: Api): void {
      services[api].read = "unseen"
      services[api].write = "unseen"
    },
    health(api: Api): ServiceHealth {
      const { calls, trouble, read, write } = services[api]
      const times = calls
        .filter((call) => call.answered)
        .map((call) => call.ms)
        .toSorted((one, other) => one - other)
      return {
        state: stateOf(calls, times),
        half_within_ms: within(times, 0.5),
        most_within_ms: within(times, 0.95),
        last_trouble: trouble,
        seen: { read, write },
      }
    },
  }
}

function stateOf(calls: readonly Seen[], times: readonly number[]): ServiceHealth["state"] {
  if (calls.length === 0) return "untried"
  if (calls.slice(-silentAfter).every((call) => !call.answered)) return "not_answering"
  return (within(times, 0.5) ?? 0) > slowMs ? "slow" : "answering"
}

function within(sorted: readonly number[], share: number): number | null {
  const at = Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)
  const value = sorted[at]
  return value === undefined ? null : Math.round(value)
}

type DriftCount = Omit<DriftRow, "first_at" | "last_at">

/** More differences would be another service, and are not counted. */
const maxCounts = 500

export type DriftLog = ReturnType<typeof createDriftLog>

/** Counts fields that differ from their documents; buffered for seconds and then stored. */
export function createDriftLog(store: DriftStore, clock: Clock) {
  let counted = new Map<string, DriftCount>()

  function count(row: DriftCount): void {
    const key = JSON.stringify([row.api, row.operation, row.field, row.kind])
    const before = counted.get(key)
    if (before === undefined && counted.size >= maxCounts) return
    counted.set(key, { ...row, seen: row.seen + (before?.seen ?? 0) })
  }

  return {
    add(api: Api, operation: string, drift: readonly Drift[]): void {
      for (const { field, kind } of drift) count({ api, operation, field, kind, seen: 1 })
    },
    async flush(): Promise<void> {
      if (counted.size === 0) return
      const rows = [...counted.values()]
      counted = new Map()
      try {
        await store.add(rows, clock.now())
      } catch (error) {
        for (const row of rows) count(row)
        throw error
      }
    },
  }
}
