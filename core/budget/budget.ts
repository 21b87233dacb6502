import { type Api, apis, type BudgetState } from "../../contract/response.ts"
import type { BudgetView } from "../../contract/status.ts"
import { reserveOf } from "./fair-share.ts"
import { BudgetSpent, type PermitRequest, RateLimiter, windowMs } from "./rate-limiter.ts"
import { isLimited, slowMs, serviceProblem } from "../gateway/upstream-errors.ts"
import type {
  BudgetState as StoredState,
  Clock,
  EventBus,
  Lane,
  Metrics,
  Store,
  UpstreamResult,
  UsageRecord,
  UsageStore,
} from "../ports.ts"
import { createNotifier } from "../runtime.ts"

export type PermitRequester = Readonly<{ api: Api; lane: Lane; id: string; name: string }>

const roomForPeopleMs = 60_000
const notifyInstancesEveryMs = 20_000
const peopleEventId = "people"
/** Responses carry a budget at most this old, ms. */
const recentMs = 1000

interface Dependencies {
  /** Requests a minute; undefined: not connected. */
  readonly limits: Readonly<Record<Api, number | undefined>>
  readonly store: Pick<Store, "budget" | "usage">
  readonly clock: Clock
  readonly events: EventBus
  readonly metrics: Metrics
}

/** What is left, for any number of people: `who` sees as its wait the one of this person. */
type States = (who?: string) => BudgetState[]

interface Service {
  readonly api: Api
  readonly limit: number
  readonly limiter: RateLimiter
  readonly backOff: ReturnType<typeof createBackOff>
}

/** The request budget of the connected services: every call needs a permit. */
export class Budget {
  readonly usage: ReturnType<typeof createUsage>
  readonly #deps: Dependencies
  readonly #services: readonly Service[]
  readonly #stopped = new AbortController()
  readonly #unsubscribe: () => void
  /** Until when background work leaves room for people, monotonic ms. */
  #peopleUntil = -Infinity
  #notifiedAt = -Infinity
  #isEnding = false
  /** The budget for responses: as read at `at` (monotonic ms), and what was taken here since. */
  #recent:
    | { readonly at: number; readonly read: Promise<StoredState[]>; readonly taken: Record<Api, number> }
    | undefined

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.usage = createUsage(deps.store.usage, deps.clock)
    this.#services = apis.flatMap((api) => {
      const limit = deps.limits[api]
      return limit === undefined ? [] : [this.#service(api, limit)]
    })
    this.#unsubscribe = deps.events.subscribe(({ topic, id }) => {
      if (topic === "budget" && id === peopleEventId) this.#reserveForPeople()
    })
  }

  /** Decides again what a waiting request may have, because it is an update now, or no longer (`isUpdate`). */
  reconsider(api: Api): void {
    this.#serviceOf(api).limiter.reconsider()
  }

  /** Waits for a permit until `deadline` (monotonic ms). @throws BudgetSpent, the signal's reason, the store's */
  async acquire(
    requester: PermitRequester,
    wait: Pick<PermitRequest, "deadline" | "signal" | "onWait" | "isUpdate">,
  ): Promise<void> {
    const { clock, metrics } = this.#deps
    const { api, lane, id } = requester
    const started = clock.monotonic()
    try {
      const waitedMs = await this.#serviceOf(api).limiter.acquire({ ...wait, lane, who: id })
      // For an update the person did not wait.
      const isUpdate = wait.isUpdate?.() === true
      this.usage.add(requester, { requests: 1, longestWaitMs: isUpdate ? 0 : waitedMs })
      if (this.#recent !== undefined) this.#recent.taken[api] += 1
      if (!isUpdate) metrics.budgetWait(api, lane, waitedMs)
    } catch (error) {
      if (error instanceof BudgetSpent && wait.isUpdate?.() !== true)
        this.usage.add(requester, { longestWaitMs: clock.monotonic() - started })
      throw error
    }
  }

  /** A call that began at `startedAt` (monotonic ms) ended. After a 429 all calls pause for a moment. */
  async ended(requester: PermitRequester, startedAt: number, result: UpstreamResult): Promise<void> {
    const { clock, store } = this.#deps
    const { api, limit, backOff } = this.#serviceOf(requester.api)
    if (isLimited(result)) {
      this.usage.add(requester, { refused: 1 })
      const retryAfter = result.kind === "answer" ? result.retryAfter : undefined
      const forMs = backOff.refused(startedAt, clock.monotonic(), retryAfter)
      if (forMs !== undefined) await store.budget.block(api, limit, windowMs, forMs)
      this.#recent = undefined
      return
    }
    backOff.succeeded(startedAt)
    const slow = result.ms > slowMs
    const trouble = serviceProblem(result) !== undefined
    if (slow || trouble) this.usage.add(requester, { slow: Number(slow), trouble: Number(trouble) })
  }

  /** Seconds until a new request likely gets a permit; `limited`: the service itself wants none until then (429). */
  async likelyIn(api: Api): Promise<{ readonly seconds: number; readonly limited: boolean }> {
    const { limit, limiter } = this.#serviceOf(api)
    const { left, nextInMs, blocked = false } = await this.#deps.store.budget.state(api, limit, windowMs)
    const first = left > 0 ? 0 : nextInMs
    // The service's wait applies, however long; else no queue is longer than the window.
    const ms = Math.min(first + (limiter.waiting() * windowMs) / limit, Math.max(windowMs, first))
    return { seconds: Math.max(1, Math.ceil(ms / 1000)), limited: blocked }
  }

  /** A person is active: background work leaves room for people for the next minute. */
  personActive(): void {
    const { clock, events } = this.#deps
    this.#reserveForPeople()
    if (clock.monotonic() - this.#notifiedAt < notifyInstancesEveryMs) return
    this.#notifiedAt = clock.monotonic()
    events.publish({ topic: "budget", id: peopleEventId })
  }

  async states(): Promise<States> {
    return this.#statesFrom(await this.#read(), { program: 0, giftcard: 0 })
  }

  /** The same for responses: read at most once a second while some is left. */
  async recentStates(): Promise<States> {
    const now = this.#deps.clock.monotonic()
    if (this.#recent === undefined || now - this.#recent.at >= recentMs)
      this.#recent = { at: now, read: this.#read(), taken: { program: 0, giftcard: 0 } }
    const { taken } = this.#recent
    const stored = await this.#recent.read
    // Only the store knows when the next becomes free.
    const someLeft = this.#services.every(({ api }, at) => (stored[at]?.left ?? 0) > taken[api])
    return someLeft ? this.#statesFrom(stored, taken) : this.states()
  }

  async view(who?: string): Promise<BudgetView[]> {
    return (await this.states())(who).map((state) => {
      const records = this.usage.recent().filter((record) => record.api === state.api)
      const people = records.filter(({ lane }) => lane === "people")
      return {
        ...state,
        longest_wait_ms: Math.max(0, ...people.map((record) => record.longestWaitMs)),
        refused: sumOf(records, "refused"),
        minutes: minutesOf(records, this.#deps.clock.now()),
        used_by: usedBy(records),
      }
    })
  }

  /** Laurel stops: waiting requests are refused, and people’s no longer wait. */
  endWaits(): void {
    this.#isEnding = true
    for (const { limiter } of this.#services) limiter.endWaits()
  }

  get isEnding(): boolean {
    return this.#isEnding
  }

  stop(): void {
    this.#stopped.abort()
    this.#unsubscribe()
    for (const { limiter } of this.#services) limiter.stop()
  }

  #service(api: Api, limit: number): Service {
    const { clock, events, store } = this.#deps
    const notifier = createNotifier(clock, 1000, this.#stopped.signal, () =>
      events.publish({ topic: "budget", id: api }),
    )
    const limiter = new RateLimiter({
      api,
      limit,
      store: store.budget,
      clock,
      peopleUntil: () => this.#peopleUntil,
      onChange: () => notifier.changed(),
    })
    return { api, limit, limiter, backOff: createBackOff() }
  }

  #serviceOf(api: Api): Service {
    const service = this.#services.find((one) => one.api === api)
    if (service === undefined) throw new Error(`The ${api} service is not connected.`)
    return service
  }

  #reserveForPeople(): void {
    this.#peopleUntil = this.#deps.clock.monotonic() + roomForPeopleMs
  }

  #read(): Promise<StoredState[]> {
    const { budget } = this.#deps.store
    return Promise.all(this.#services.map(({ api, limit }) => budget.state(api, limit, windowMs)))
  }

  /** `taken`: permits taken here since `stored` was read. */
  #statesFrom(stored: readonly StoredState[], taken: Readonly<Record<Api, number>>): States {
    const { clock } = this.#deps
    return (who) =>
      this.#services.map(({ api, limit, limiter }, at) => {
        const { left: free = 0, nextInMs = 0 } = stored[at] ?? {}
        const left = Math.max(0, free - taken[api])
        const reserved = clock.monotonic() < this.#peopleUntil ? reserveOf(limit) : 0
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
    return {
      at: new Date(minute).toISOString(),
      people: requests("people"),
      jobs: requests("jobs"),
      sync: requests("sync"),
    }
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
