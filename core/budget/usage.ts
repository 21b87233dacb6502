import type { Api } from "../../contract/status.ts"
import type { Lane } from "./rate-limiter.ts"
import type { Clock, UsageRecord, UsageStore } from "../ports.ts"

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

/** A call or a wait. */
interface Happened {
  readonly caller: Caller
  readonly ms: number
  readonly counts: Partial<Counts>
  /** ms since 1970. */
  readonly at: number
}

const mostHappened = 1000

/** Counts of calls by minute, lane and person; kept here for seconds and then handed to the store. */
export interface Usage {
  add(caller: Caller, counts: Partial<Counts>): void
  /** A wait for a place that ended, in ms; with one found, a request is counted too. */
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

  /** What happened and is not added up yet: somebody waits while it happens, and nobody while it is added up. */
  let happened: Happened[] = []

  const waited: Usage["waited"] = (caller, ms, counts = {}) => {
    if (happened.push({ caller, ms, counts, at: clock.now() }) >= mostHappened) addUp()
  }

  function addUp(): void {
    const due = happened
    happened = []
    for (const one of due) count(one)
  }

  function count({ caller, ms, counts, at }: Happened): void {
    const minute = Math.floor(at / minuteMs) * minuteMs
    const key = usageKey({ ...caller, minute })
    const record = counted.get(key) ?? { ...caller, minute, ...none }
    counted.set(key, {
      ...record,
      requests: record.requests + (counts.requests ?? 0),
      refused: record.refused + (counts.refused ?? 0),
      slow: record.slow + (counts.slow ?? 0),
      trouble: record.trouble + (counts.trouble ?? 0),
      longestWaitMs: Math.max(record.longestWaitMs, Math.round(ms)),
    })
  }

  return {
    add: (caller, counts) => waited(caller, 0, counts),
    waited,
    async flush() {
      addUp()
      const records = [...counted.values()]
      counted = new Map()
      handingOver = records
      try {
        if (records.length > 0) await store.add(records)
      } catch (error) {
        for (const record of records) {
          const since = counted.get(usageKey(record))
          counted.set(usageKey(record), since === undefined ? record : sumOf(record, since))
        }
        handingOver = []
        throw error
      }
      stored = await store.since(clock.now() - panelMs)
      handingOver = []
    },
    recent() {
      addUp()
      const from = clock.now() - panelMs
      return [...stored, ...handingOver, ...counted.values()].filter((record) => record.minute > from)
    },
  }
}

const none = { requests: 0, refused: 0, slow: 0, trouble: 0, longestWaitMs: 0 }

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
