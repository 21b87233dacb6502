import type { Api, BudgetView } from "../../contract/status.ts"
import { keptFree } from "./fair-queue.ts"
import {
  BudgetSpent,
  createRateLimiter,
  type Lane,
  type PermitRequest,
  type RateLimiter,
  windowMs,
} from "./rate-limiter.ts"
import type { BudgetState, Clock, EventBus, Metrics, Store, UsageRecord, UsageStore } from "../ports.ts"
import { createNotifier } from "../runtime.ts"

/** Somebody who wants a permit to call a service. */
export interface PermitRequester {
  readonly api: Api
  readonly lane: Lane
  readonly id: string
  readonly name: string
}

export type Budget = ReturnType<typeof createBudget>

interface BudgetDeps {
  readonly limits: Readonly<Partial<Record<Api, number>>>
  readonly store: Pick<Store, "budget" | "usage">
  readonly clock: Clock
  readonly events: EventBus
  readonly metrics: Metrics
}

const roomForPeopleMs = 60_000
const notifyInstancesEveryMs = 20_000
const peopleEventId = "people"

/** The request budget of the connected services: every call to one passes here first. */
export function createBudget(deps: BudgetDeps) {
  const { clock, store, events } = deps
  const stopped = new AbortController()
  const usage = createUsage(store.usage, clock)
  let peopleUntil = -Infinity
  let notifiedAt = -Infinity

  const connected: readonly Api[] = ["program", "giftcard"]
  const services = connected.flatMap((api) => {
    const limit = deps.limits[api]
    if (limit === undefined) return []
    const notifier = createNotifier(clock, 1000, stopped.signal, () =>
      events.publish({ topic: "budget", id: api }),
    )
    const limiter = createRateLimiter({
      api,
      limit,
      store: store.budget,
      clock,
      peopleUntil: () => peopleUntil,
      onChange: () => notifier.changed(),
    })
    return { api, limit, limiter, backOff: createBackOff() }
  })
  function serviceOf(api: Api) {
    const service = services.find((one) => one.api === api)
    if (service === undefined) throw new Error(`The ${api} service is not connected.`)
    return service
  }

  const leaveRoom = () => {
    peopleUntil = clock.monotonic() + roomForPeopleMs
  }
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "budget" && event.id === peopleEventId) leaveRoom()
  })

  return {
    usage,
    /** Waits for a permit until `deadline` (monotonic ms). @throws BudgetSpent, the signal's reason, the store's */
    async acquire(
      requester: PermitRequester,
      wait: Pick<PermitRequest, "deadline" | "signal" | "onWait">,
    ): Promise<void> {
      const { api, lane, id } = requester
      const started = clock.monotonic()
      try {
        const waitedMs = await serviceOf(api).limiter.acquire({ ...wait, lane, who: id })
        usage.waited(callerOf(requester), waitedMs, { requests: 1 })
        deps.metrics.budgetWait(api, lane, waitedMs)
      } catch (error) {
        if (error instanceof BudgetSpent) usage.waited(callerOf(requester), clock.monotonic() - started)
        throw error
      }
    },
    /** The service said 429 to a call that began at `startedAt` (monotonic ms): nobody sends for a moment. */
    async refused(
      requester: PermitRequester,
      startedAt: number,
      retryAfter: number | undefined,
    ): Promise<void> {
      usage.add(callerOf(requester), { refused: 1 })
      const { api, limit, backOff } = serviceOf(requester.api)
      const forMs = backOff.refused(startedAt, clock.monotonic(), retryAfter)
      if (forMs !== undefined) await store.budget.block(api, limit, windowMs, forMs)
    },
    ended(
      requester: PermitRequester,
      startedAt: number,
      { slow, trouble }: { slow: boolean; trouble: boolean },
    ): void {
      serviceOf(requester.api).backOff.succeeded(startedAt)
      if (slow || trouble) usage.add(callerOf(requester), { slow: Number(slow), trouble: Number(trouble) })
    },
    /** Seconds until a new request likely gets a permit; `limited`: the service itself wants none until then (429). */
    async likelyIn(api: Api): Promise<{ readonly seconds: number; readonly limited: boolean }> {
      const { limit, limiter } = serviceOf(api)
      const { left, nextInMs, blocked = false } = await store.budget.state(api, limit, windowMs)
      const first = left > 0 ? 0 : nextInMs
      // What the service asks for is honoured, however long; else no queue is longer than the window.
      const ms = Math.min(first + (limiter.waiting() * windowMs) / limit, Math.max(windowMs, first))
      return { seconds: Math.max(1, Math.ceil(ms / 1000)), limited: blocked }
    },
    /** Somebody is using Laurel: background work leaves them room for the next minute. */
    personActive(): void {
      leaveRoom()
      if (clock.monotonic() - notifiedAt < notifyInstancesEveryMs) return
      notifiedAt = clock.monotonic()
      events.publish({ topic: "budget", id: peopleEventId })
    },
    /** What the person `who` waits for is shown as theirs. */
    view: (who?: string): Promise<BudgetView[]> =>
      Promise.all(
        services.map(async ({ api, limit, limiter }) =>
          viewOf(limiter, who, {
            api,
            limit,
            state: await store.budget.state(api, limit, windowMs),
            kept: clock.monotonic() < peopleUntil ? keptFree(limit) : 0,
            records: usage.recent().filter((record) => record.api === api),
            now: clock.now(),
          }),
        ),
      ),
    stop() {
      stopped.abort()
      unsubscribe()
      for (const { limiter } of services) limiter.stop()
    },
  }
}

function callerOf({ api, lane, name }: PermitRequester): Caller {
  return { api, lane, who: name }
}

const firstBackOffMs = 1000
const longestBackOffMs = 30_000
const longestRetryAfterMs = 120_000

/**
 * How long to leave a service alone after a 429: doubles from a second to half a minute with jitter, because no header
 * is documented (docs/api/program.md, Limits); what a `Retry-After` asks is honoured up to two minutes.
 */
export function createBackOff(random: () => number = Math.random) {
  let streak = 0
  let decidedAt = -Infinity
  return {
    /** ms to wait after a 429 to a call that began at `startedAt` (monotonic ms); `retryAfter` is in seconds. */
    refused(startedAt: number, now: number, retryAfter: number | undefined): number | undefined {
      if (startedAt < decidedAt) return undefined
      const ownMs = Math.min(longestBackOffMs, firstBackOffMs * 2 ** streak) * (0.5 + random() / 2)
      streak += 1
      decidedAt = now
      return Math.max(ownMs, Math.min((retryAfter ?? 0) * 1000, longestRetryAfterMs))
    },
    succeeded(startedAt: number): void {
      if (startedAt >= decidedAt) streak = 0
    },
  }
}

const minutesShown = 30

function viewOf(
  limiter: RateLimiter,
  who: string | undefined,
  {
    api,
    limit,
    state,
    kept,
    records,
    now,
  }: {
    readonly api: Api
    readonly limit: number
    readonly state: BudgetState
    readonly kept: number
    readonly records: readonly UsageRecord[]
    readonly now: number
  },
): BudgetView {
  const left = Math.max(0, state.left)
  const ownNextInMs = who === undefined ? 0 : limiter.nextIn(who)
  const people = records.filter(({ lane }) => lane === "people")
  return {
    api,
    limit,
    left,
    left_for_jobs: Math.max(0, left - kept),
    next_in_ms: Math.ceil(Math.max(0, ownNextInMs, left > 0 ? 0 : state.nextInMs)),
    waiting: limiter.waiting(),
    longest_wait_ms: Math.max(0, ...people.map((record) => record.longestWaitMs)),
    refused: records.reduce((total, record) => total + record.refused, 0),
    minutes: minutesOf(records, now),
    used_by: usedBy(records),
  }
}

function minutesOf(records: readonly UsageRecord[], now: number): BudgetView["minutes"] {
  const current = Math.floor(now / minuteMs) * minuteMs
  return Array.from({ length: minutesShown }, (_, at) => {
    const minute = current - (minutesShown - 1 - at) * minuteMs
    const requests = (lane: Lane) =>
      records
        .filter((record) => record.minute === minute && record.lane === lane)
        .reduce((total, record) => total + record.requests, 0)
    return { at: new Date(minute).toISOString(), people: requests("people"), jobs: requests("jobs") }
  })
}

function usedBy(records: readonly UsageRecord[]): BudgetView["used_by"] {
  const totals = new Map<string, number>()
  for (const { who, requests } of records) totals.set(who, (totals.get(who) ?? 0) + requests)
  return [...totals]
    .filter(([, requests]) => requests > 0)
    .map(([name, requests]) => ({ name, requests }))
    .toSorted((one, other) => other.requests - one.requests || one.name.localeCompare(other.name))
}

const minuteMs = 60_000
const panelMs = 30 * minuteMs

interface Caller {
  readonly api: Api
  readonly lane: Lane
  readonly who: string
}

type Counts = Pick<UsageRecord, "requests" | "refused" | "slow" | "trouble">

/** Kept here for seconds and then handed to the store. */
function createUsage(store: UsageStore, clock: Clock) {
  let counted = new Map<string, UsageRecord>()
  let handingOver: readonly UsageRecord[] = []
  let stored: readonly UsageRecord[] = []

  function add(record: UsageRecord): void {
    const key = usageKey(record)
    const before = counted.get(key)
    counted.set(key, before === undefined ? record : sumOf(before, record))
  }

  const waited = (caller: Caller, ms: number, counts?: Partial<Counts>): void => {
    const minute = Math.floor(clock.now() / minuteMs) * minuteMs
    const none = { requests: 0, refused: 0, slow: 0, trouble: 0 }
    add({ ...caller, minute, ...none, ...counts, longestWaitMs: Math.round(ms) })
  }

  return {
    add: (caller: Caller, counts: Partial<Counts>) => waited(caller, 0, counts),
    waited,
    /** Hands everything counted to the store and reads the panel's half hour again. */
    async flush(): Promise<void> {
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
    recent(): readonly UsageRecord[] {
      const from = clock.now() - panelMs
      return [...stored, ...handingOver, ...counted.values()].filter((record) => record.minute > from)
    },
  }
}

/** What makes two counts one: the same minute, lane and person of one service. Only a name may hold a blank. */
function usageKey(record: Pick<UsageRecord, "api" | "minute" | "lane" | "who">): string {
  return `${record.api} ${record.minute} ${record.lane} ${record.who}`
}

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
