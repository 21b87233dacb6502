import type { Api, BudgetView } from "../../contract/status.ts"
import type { Clock, EventBus, Metrics, Store } from "../ports.ts"
import { createBackOff, type BackOff } from "./back-off.ts"
import { BudgetSpent, createGate, windowMs, type Gate, type Lane, type PlaceRequest } from "./rate-limiter.ts"
import { createNotifier } from "../runtime.ts"
import { type Caller, createUsage, type Usage } from "./usage.ts"
import { budgetView } from "./view.ts"

/** Somebody who asks for a place. */
export interface PermitRequester {
  readonly api: Api
  readonly lane: Lane
  readonly id: string
  readonly name: string
}

/** How somebody waits for a place. */
type Wait = Pick<PlaceRequest, "deadline" | "signal" | "waits">

/** The request budget of both services: every call to one passes here first. */
export interface Budget {
  /** Takes a place that is in hand, without any wait; false when there is none. */
  atOnce(asker: PermitRequester): boolean
  /**
   * Waits for a place until `deadline` (monotonic ms). `waits` is called when there is none at once.
   * @throws BudgetSpent, the signal's reason, or what the store threw
   */
  acquire(asker: PermitRequester, wait: Wait): Promise<void>
  /** The service said 429 to a call that began at `startedAt` (monotonic ms): nobody sends for a moment. */
  refused(asker: PermitRequester, startedAt: number, retryAfter: number | undefined): Promise<void>
  /** A call ended otherwise. */
  ended(asker: PermitRequester, startedAt: number, counts: { slow: boolean; trouble: boolean }): void
  /**
   * Seconds until a new request is likely to find a place, at least 1; and whether it is the service itself that wants
   * none until then (429), although the desk's own count has room.
   */
  likelyIn(api: Api): Promise<{ readonly seconds: number; readonly limited: boolean }>
  /** Somebody is at the desk: background work leaves them room for the next minute. */
  personActive(): void
  /** @param who id of the person who looks: what they wait for is shown as theirs */
  view(who?: string): Promise<BudgetView[]>
  readonly usage: Usage
  stop(): void
}

/** What the budget stands on. `limits` holds requests a minute of each connected service. */
export interface BudgetDeps {
  readonly limits: Readonly<Partial<Record<Api, number>>>
  readonly store: Pick<Store, "budget" | "usage">
  readonly clock: Clock
  readonly events: EventBus
  readonly metrics: Metrics
}

interface Door {
  readonly api: Api
  readonly limit: number
  readonly gate: Gate
  readonly backOff: BackOff
}

const roomForPeopleMs = 60_000
const tellOthersEveryMs = 20_000
/** Id of the event by which instances tell each other that somebody is at a desk. */
const personHereId = "people"

/** Makes the budget of the connected services. */
export function createBudget(deps: BudgetDeps): Budget {
  const { clock, store, events } = deps
  const stopped = new AbortController()
  const usage = createUsage(store.usage, clock)
  let peopleUntil = -Infinity
  let toldAt = -Infinity

  const doors = new Map<Api, Door>()
  const connected: readonly Api[] = ["program", "giftcard"]
  for (const api of connected) {
    const limit = deps.limits[api]
    if (limit === undefined) continue
    const notifier = createNotifier(clock, 1000, stopped.signal, () =>
      events.publish({ topic: "budget", id: api }),
    )
    const gate = createGate({
      api,
      limit,
      store: store.budget,
      clock,
      peopleUntil: () => peopleUntil,
      changed: () => notifier.changed(),
    })
    doors.set(api, { api, limit, gate, backOff: createBackOff() })
  }

  const hereNow = () => {
    peopleUntil = clock.monotonic() + roomForPeopleMs
  }
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "budget" && event.id === personHereId) hereNow()
  })

  const doorOf = (api: Api): Door => {
    const door = doors.get(api)
    if (door === undefined) throw new Error(`The ${api} service is not connected.`)
    return door
  }

  const took = (asker: PermitRequester, waitedMs: number) => {
    usage.waited(callerOf(asker), waitedMs, { requests: 1 })
    deps.metrics.budgetWait(asker.api, asker.lane, waitedMs)
  }

  return {
    usage,
    async acquire(asker, wait) {
      const started = clock.monotonic()
      try {
        took(asker, await doorOf(asker.api).gate.acquire({ ...wait, lane: asker.lane, who: asker.id }))
      } catch (error) {
        if (error instanceof BudgetSpent) usage.waited(callerOf(asker), clock.monotonic() - started)
        throw error
      }
    },
    atOnce(asker) {
      if (!doorOf(asker.api).gate.atOnce(asker.lane, asker.id)) return false
      took(asker, 0)
      return true
    },
    async refused(asker, startedAt, retryAfter) {
      usage.add(callerOf(asker), { refused: 1 })
      const door = doorOf(asker.api)
      const forMs = door.backOff.refused(startedAt, clock.monotonic(), retryAfter)
      if (forMs !== undefined) await store.budget.block(asker.api, door.limit, windowMs, forMs)
    },
    ended(asker, startedAt, counts) {
      doorOf(asker.api).backOff.answered(startedAt)
      if (counts.slow || counts.trouble) {
        usage.add(callerOf(asker), { slow: Number(counts.slow), trouble: Number(counts.trouble) })
      }
    },
    async likelyIn(api) {
      const { limit, gate } = doorOf(api)
      const { left, nextInMs, blocked = false } = await store.budget.state(api, limit, windowMs)
      const first = left > 0 ? 0 : nextInMs
      // What the service asks for is honoured, however long; else no queue is longer than the window.
      const ms = Math.min(first + (gate.waiting() * windowMs) / limit, Math.max(windowMs, first))
      return { seconds: Math.max(1, Math.ceil(ms / 1000)), limited: blocked }
    },
    personActive() {
      hereNow()
      if (clock.monotonic() - toldAt < tellOthersEveryMs) return
      toldAt = clock.monotonic()
      events.publish({ topic: "budget", id: personHereId })
    },
    view: (who) =>
      Promise.all(
        [...doors.values()].map(async ({ api, limit, gate }) =>
          budgetView({
            api,
            limit,
            state: await store.budget.state(api, limit, windowMs),
            waiting: gate.waiting(),
            ownNextInMs: who === undefined ? 0 : gate.nextIn(who),
            peopleActive: clock.monotonic() < peopleUntil,
            records: usage.recent(),
            now: clock.now(),
          }),
        ),
      ),
    stop() {
      stopped.abort()
      unsubscribe()
      for (const door of doors.values()) door.gate.stop()
    },
  }
}

function callerOf({ api, lane, name }: PermitRequester): Caller {
  return { api, lane, who: name }
}
