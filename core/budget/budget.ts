import { type Api, apis, type BudgetState } from "../../contract/response.ts"
import type { BudgetView } from "../../contract/status.ts"
import { keptFree } from "./fair-queue.ts"
import { BudgetSpent, createRateLimiter, type Lane, type PermitRequest, windowMs } from "./rate-limiter.ts"
import { isLimited, slowMs, serviceProblem } from "../gateway/outcome.ts"
import type { Clock, EventBus, Metrics, Store, UpstreamOutcome, UsageRecord, UsageStore } from "../ports.ts"
import { createNotifier } from "../runtime.ts"

export type PermitRequester = Readonly<{ api: Api; lane: Lane; id: string; name: string }>

export type Budget = ReturnType<typeof createBudget>

const roomForPeopleMs = 60_000
const notifyInstancesEveryMs = 20_000
const peopleEventId = "people"
/** Responses carry a budget at most this old, ms. */
const recentMs = 1000

/** Permits taken of each service. */
type Taken = Record<Api, number>
const noneTaken: Readonly<Taken> = { program: 0, giftcard: 0 }

/** The request budget of the connected services: every call needs a permit. */
export function createBudget(deps: {
  /** Requests a minute; undefined: not connected. */
  readonly limits: Readonly<Record<Api, number | undefined>>
  readonly store: Pick<Store, "budget" | "usage">
  readonly clock: Clock
  readonly events: EventBus
  readonly metrics: Metrics
}) {
  const { clock, store, events } = deps
  const stopped = new AbortController()
  const usage = createUsage(store.usage, clock)
  let peopleUntil = -Infinity
  let notifiedAt = -Infinity

  const services = apis.flatMap((api) => {
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
  const read = () => Promise.all(services.map(({ api, limit }) => store.budget.state(api, limit, windowMs)))
  /** The budget for responses: as read at `at` (monotonic ms), and what was taken here since. */
  let recent:
    { readonly at: number; readonly read: ReturnType<typeof read>; readonly taken: Taken } | undefined
  function serviceOf(api: Api) {
    const service = services.find((one) => one.api === api)
    if (service === undefined) throw new Error(`The ${api} service is not connected.`)
    return service
  }

  const reserveForPeople = () => {
    peopleUntil = clock.monotonic() + roomForPeopleMs
  }
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "budget" && event.id === peopleEventId) reserveForPeople()
  })

  /** What is left, for any number of people; what one of them (`who`) waits for is shown as theirs. */
  const statesOf =
    (found: Awaited<ReturnType<typeof read>>, taken: Readonly<Taken>) =>
    (who?: string): BudgetState[] =>
      services.map(({ api, limit, limiter }, at) => {
        const { left: free = 0, nextInMs = 0 } = found[at] ?? {}
        const left = Math.max(0, free - taken[api])
        const reserved = clock.monotonic() < peopleUntil ? keptFree(limit) : 0
        const ownNextInMs = who === undefined ? 0 : limiter.nextIn(who)
        return {
          api,
          limit,
          left,
          left_for_jobs: Math.max(0, left - reserved),
          next_in_ms: Math.ceil(Math.max(0, ownNextInMs, left > 0 ? 0 : nextInMs)),
          waiting: limiter.waiting(),
        }
      })
  const states = async () => statesOf(await read(), noneTaken)

  /** The same for responses: read at most once a second while some is left. */
  async function recentStates(): Promise<ReturnType<typeof statesOf>> {
    if (recent === undefined || clock.monotonic() - recent.at >= recentMs)
      recent = { at: clock.monotonic(), read: read(), taken: { ...noneTaken } }
    const { taken } = recent
    const found = await recent.read
    // Only the store knows when the next becomes free.
    const someLeft = services.every(({ api }, at) => (found[at]?.left ?? 0) > taken[api])
    return someLeft ? statesOf(found, taken) : states()
  }

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
        usage.add(requester, { requests: 1, longestWaitMs: waitedMs })
        if (recent !== undefined) recent.taken[api] += 1
        deps.metrics.budgetWait(api, lane, waitedMs)
      } catch (error) {
        if (error instanceof BudgetSpent) usage.add(requester, { longestWaitMs: clock.monotonic() - started })
        throw error
      }
    },
    /** A call that began at `startedAt` (monotonic ms) ended. After a 429 all calls pause for a moment. */
    async ended(requester: PermitRequester, startedAt: number, outcome: UpstreamOutcome): Promise<void> {
      const { api, limit, backOff } = serviceOf(requester.api)
      if (isLimited(outcome)) {
        usage.add(requester, { refused: 1 })
        const retryAfter = outcome.kind === "answer" ? outcome.retryAfter : undefined
        const forMs = backOff.refused(startedAt, clock.monotonic(), retryAfter)
        if (forMs !== undefined) await store.budget.block(api, limit, windowMs, forMs)
        recent = undefined
        return
      }
      backOff.succeeded(startedAt)
      const slow = outcome.ms > slowMs
      const trouble = serviceProblem(outcome) !== undefined
      if (slow || trouble) usage.add(requester, { slow: Number(slow), trouble: Number(trouble) })
    },
    /** Seconds until a new request likely gets a permit; `limited`: the service itself wants none until then (429). */
    async likelyIn(api: Api): Promise<{ readonly seconds: number; readonly limited: boolean }> {
      const { limit, limiter } = serviceOf(api)
      const { left, nextInMs, blocked = false } = await store.budget.state(api, limit, windowMs)
      const first = left > 0 ? 0 : nextInMs
      // The service's wait applies, however long; else no queue is longer than the window.
      const ms = Math.min(first + (limiter.waiting() * windowMs) / limit, Math.max(windowMs, first))
      return { seconds: Math.max(1, Math.ceil(ms / 1000)), limited: blocked }
    },
    /** A person is active: background work leaves room for people for the next minute. */
    personActive(): void {
      reserveForPeople()
      if (clock.monotonic() - notifiedAt < notifyInstancesEveryMs) return
      notifiedAt = clock.monotonic()
      events.publish({ topic: "budget", id: peopleEventId })
    },
    states,
    recentStates,
    async view(who?: string): Promise<BudgetView[]> {
      return (await states())(who).map((state) => {
        const records = usage.recent().filter((record) => record.api === state.api)
        const people = records.filter(({ lane }) => lane === "people")
        return {
          ...state,
          longest_wait_ms: Math.max(0, ...people.map((record) => record.longestWaitMs)),
          refused: sumOf(records, "refused"),
          minutes: minutesOf(records, clock.now()),
          used_by: usedBy(records),
        }
      })
    },
    stop() {
      stopped.abort()
      unsubscribe()
      for (const { limiter } of services) limiter.stop()
    },
  }
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

const minuteMs = 60_000
const minutesShown = 30
const panelMs = minutesShown * minuteMs

function minutesOf(records: readonly UsageRecord[], now: number): BudgetView["minutes"] {
  const current = Math.floor(now / minuteMs) * minuteMs
  return Array.from({ length: minutesShown }, (_, at) => {
    const minute = current - (minutesShown - 1 - at) * minuteMs
    const lanes = Map.groupBy(
      records.filter((record) => record.minute === minute),
      ({ lane }) => lane,
    )
    const requests = (lane: Lane) => sumOf(lanes.get(lane) ?? [], "requests")
    return { at: new Date(minute).toISOString(), people: requests("people"), jobs: requests("jobs") }
  })
}

function usedBy(records: readonly UsageRecord[]): BudgetView["used_by"] {
  return [...Map.groupBy(records, ({ who }) => who)]
    .map(([name, own]) => ({ name, requests: sumOf(own, "requests") }))
    .filter(({ requests }) => requests > 0)
    .toSorted((one, other) => other.requests - one.requests || one.name.localeCompare(other.name))
}

type Count = "requests" | "refused" | "slow" | "trouble"

function sumOf(records: readonly UsageRecord[], count: Count): number {
  return records.reduce((total, record) => total + record[count], 0)
}

/** Counts of calls by minute, lane and person; buffered for seconds and then written to the store. */
function createUsage(store: UsageStore, clock: Clock) {
  let counted = new Map<string, UsageRecord>()
  let handingOver: readonly UsageRecord[] = []
  let stored: readonly UsageRecord[] = []

  function count(record: UsageRecord): void {
    // Only a name may contain a blank.
    const key = `${record.api} ${record.minute} ${record.lane} ${record.who}`
    const both = [counted.get(key) ?? [], record].flat()
    counted.set(key, {
      ...record,
      requests: sumOf(both, "requests"),
      refused: sumOf(both, "refused"),
      slow: sumOf(both, "slow"),
      trouble: sumOf(both, "trouble"),
      longestWaitMs: Math.max(...both.map(({ longestWaitMs }) => longestWaitMs)),
    })
  }

  return {
    add(
      { api, lane, name }: PermitRequester,
      counts: Partial<Pick<UsageRecord, Count | "longestWaitMs">>,
    ): void {
      const minute = Math.floor(clock.now() / minuteMs) * minuteMs
      const none = { requests: 0, refused: 0, slow: 0, trouble: 0 }
      const longestWaitMs = Math.round(counts.longestWaitMs ?? 0)
      count({ api, lane, who: name, minute, ...none, ...counts, longestWaitMs })
    },
    /** Writes all counts to the store and reads the panel's half hour again. */
    async flush(): Promise<void> {
      const records = [...counted.values()]
      counted = new Map()
      handingOver = records
      try {
        if (records.length > 0) await store.add(records)
      } catch (error) {
        for (const record of records) count(record)
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
