import type { Api } from "../../contract/status.ts"
import type { Clock, UsageRecord, UsageStore } from "../ports.ts"
import type { Lane } from "./rate-limiter.ts"

const minuteMs = 60_000
/** How far back the budget panel looks. */
const panelMs = 30 * minuteMs

/** Whose call is counted. */
export interface Caller {
  readonly api: Api
  readonly lane: Lane
  /** Name of the person or job. */
  readonly who: string
}

/** What of a record can be added to. */
type Counts = Pick<UsageRecord, "requests" | "refused" | "slow" | "trouble">

/** Counts of calls by minute, lane and person; kept here for seconds and then handed to the store. */
export interface Usage {
  add(caller: Caller, counts: Partial<Counts>): void
  /** A wait for a permit that ended, in ms; when it got one, a request is counted too. */
  waited(caller: Caller, ms: number, counts?: Partial<Counts>): void
  /** Hands everything counted to the store and reads the panel's half hour anew. */
  flush(): Promise<void>
  /** The last half hour of all instances, as far as they have handed it over, and this one's own. */
  recent(): readonly UsageRecord[]
}

/** Starts counting. */
export function createUsage(store: UsageStore, clock: Clock): Usage {
  let counted = new Map<string, UsageRecord>()
  let handingOver: readonly UsageRecord[] = []
  let stored: readonly UsageRecord[] = []

  function add(record: UsageRecord): void {
    const key = usageKey(record)
    const before = counted.get(key)
    counted.set(key, before === undefined ? record : sumOf(before, record))
  }

  const waited: Usage["waited"] = (caller, ms, counts) => {
    const minute = Math.floor(clock.now() / minuteMs) * minuteMs
    const none = { requests: 0, refused: 0, slow: 0, trouble: 0 }
    add({ ...caller, minute, ...none, ...counts, longestWaitMs: Math.round(ms) })
  }

  return {
    add: (caller, counts) => waited(caller, 0, counts),
    waited,
    async flush() {
      const records = [...counted.values()]
      counted = new Map()
      handingOver = records
      try {
        if (records.length > 0) await store.add(records)
      } catch (error) {
        for (const record of records) add(record)
        handingOver = []
        throw error
      }
      stored = await store.since(clock.now() - panelMs)
      handingOver = []
    },
    recent() {
      const from = clock.now() - panelMs
      return [...stored, ...handingOver, ...counted.values()].filter((record) => record.minute > from)
    },
  }
}

/** What makes two counts one: the same minute, lane and person of one service. Only a name may hold a blank. */
function usageKey(record: Pick<UsageRecord, "api" | "minute" | "lane" | "who">): string {
  return `${record.api} ${record.minute} ${record.lane} ${record.who}`
}

/** Two counts of the same minute, lane and person as one. */
function sumOf(one: UsageRecord, other: UsageRecord): UsageRecord {
  return {
    ...one,
    requests: one.requests + other.requests,
    refused: one.refused + other.refused,
    slow: one.slow + other.slow,
    trouble: one.trouble + other.trouble,
    longestWaitMs: Math.max(one.longestWaitMs, other.longestWaitMs),
  }
}
