import type { Api, BudgetView } from "../../contract/status.ts"
import type { UsageRecord } from "../ports.ts"
import { keptFree } from "./fair-queue.ts"

const minuteMs = 60_000
const minutesShown = 30

/** What the panel is made of. */
export interface ViewParts {
  readonly api: Api
  readonly limit: number
  readonly state: { readonly left: number; readonly nextInMs: number }
  readonly waiting: number
  /** ms until the next waiting request of the person who looks may go; 0 when none of theirs waits. */
  readonly ownNextInMs: number
  readonly peopleActive: boolean
  readonly records: readonly UsageRecord[]
  /** Wall time, ms since 1970. */
  readonly now: number
}

/** One service's budget as the chip and its panel show it. */
export function budgetView(parts: ViewParts): BudgetView {
  const own = parts.records.filter((record) => record.api === parts.api)
  const left = Math.max(0, parts.state.left)
  const kept = parts.peopleActive ? keptFree(parts.limit) : 0
  return {
    api: parts.api,
    limit: parts.limit,
    left,
    left_for_jobs: Math.max(0, left - kept),
    next_in_ms: Math.ceil(Math.max(0, parts.ownNextInMs, left > 0 ? 0 : parts.state.nextInMs)),
    waiting: parts.waiting,
    longest_wait_ms: Math.max(
      0,
      ...own.filter((record) => record.lane === "people").map((record) => record.longestWaitMs),
    ),
    refused: sum(own, (record) => record.refused),
    minutes: minutesOf(own, parts.now),
    used_by: usersOf(own),
  }
}

function minutesOf(records: readonly UsageRecord[], now: number): BudgetView["minutes"] {
  const current = Math.floor(now / minuteMs) * minuteMs
  return Array.from({ length: minutesShown }, (_, at) => {
    const minute = current - (minutesShown - 1 - at) * minuteMs
    const own = records.filter((record) => record.minute === minute)
    const of = (lane: UsageRecord["lane"]) =>
      sum(
        own.filter((record) => record.lane === lane),
        (record) => record.requests,
      )
    return { at: new Date(minute).toISOString(), people: of("people"), jobs: of("jobs") }
  })
}

function usersOf(records: readonly UsageRecord[]): BudgetView["used_by"] {
  const totals = new Map<string, number>()
  for (const record of records) totals.set(record.who, (totals.get(record.who) ?? 0) + record.requests)
  return [...totals]
    .filter(([, requests]) => requests > 0)
    .map(([name, requests]) => ({ name, requests }))
    .toSorted((one, other) => other.requests - one.requests || one.name.localeCompare(other.name))
}

function sum(records: readonly UsageRecord[], of: (record: UsageRecord) => number): number {
  return records.reduce((total, record) => total + of(record), 0)
}
