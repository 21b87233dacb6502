import type { UsageRecord } from "./ports.ts"

/** What makes two counts one: the same minute, lane and person of one service. Only a name may hold a blank. */
export function usageKey(record: Pick<UsageRecord, "api" | "minute" | "lane" | "who">): string {
  return `${record.api} ${record.minute} ${record.lane} ${record.who}`
}

/** Two counts of the same minute, lane and person as one. */
export function sumOf(one: UsageRecord, other: UsageRecord): UsageRecord {
  return {
    ...one,
    requests: one.requests + other.requests,
    refused: one.refused + other.refused,
    slow: one.slow + other.slow,
    trouble: one.trouble + other.trouble,
    longestWaitMs: Math.max(one.longestWaitMs, other.longestWaitMs),
  }
}
