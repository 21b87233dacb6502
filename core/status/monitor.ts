import type { Api, Connection } from "../../contract/status.ts"
import type { UpstreamCall, UpstreamOutcome } from "../ports.ts"
import { slowMs, statusOf, troubleIn } from "../gateway/outcome.ts"

/** Calls looked at for "how is it doing now". */
const remembered = 50
/** So many calls in a row without an answer, and the service does not answer. */
const silentAfter = 2

interface Seen {
  readonly ms: number
  readonly answered: boolean
}

type Scope = Connection["seen"]["read"]

/** What this instance's own calls to one service showed. */
type ServiceHealth = Pick<Connection, "half_within_ms" | "most_within_ms" | "last_trouble" | "seen"> & {
  readonly state: Exclude<Connection["state"], "not_connected">
}

/** Watches every call; nothing is ever asked only to find out. */
export interface Monitor {
  record(api: Api, method: UpstreamCall["method"], outcome: UpstreamOutcome): void
  health(api: Api): ServiceHealth
}

interface Watched {
  readonly calls: Seen[]
  trouble: Connection["last_trouble"]
  read: Scope
  write: Scope
}

/** Starts watching both services. */
export function createMonitor(): Monitor {
  const services: Record<Api, Watched> = {
    program: { calls: [], trouble: null, read: "unseen", write: "unseen" },
    giftcard: { calls: [], trouble: null, read: "unseen", write: "unseen" },
  }
  return {
    record(api, method, outcome) {
      const watched = services[api]
      const status = statusOf(outcome)
      const answered = outcome.kind === "answer" && outcome.status < 500
      if (watched.calls.push({ ms: outcome.ms, answered }) > remembered) watched.calls.shift()
      const what = troubleIn(outcome)
      if (what !== undefined) watched.trouble = { at: new Date(outcome.endedAt).toISOString(), what }
      const scope = method === "GET" ? "read" : "write"
      if (status === 401 || status === 403) watched[scope] = "refused"
      else if (answered && status !== 429) watched[scope] = "working"
    },
    health(api) {
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
