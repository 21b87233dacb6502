import type { Api } from "../../contract/status.ts"
import { reasonOf } from "../runtime.ts"
import type { BudgetStore, Choice, Clock, UsageRecord, WindowUse } from "../ports.ts"
import { createFairQueue, sharesOf } from "./fair-queue.ts"

/** Who waits: people at the desk, or work in the background. */
export type Lane = UsageRecord["lane"]

/** A request that wants a place. */
export interface PlaceRequest {
  readonly lane: Lane
  /** Id of the person or job; turns are taken between these. */
  readonly who: string
  /** Until when it waits, on the monotonic clock, ms. */
  readonly deadline: number
  readonly signal?: AbortSignal | undefined
  /** Called before the wait, when no place is free at once. */
  readonly waits?: () => void
}

/** No place became free before the deadline. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent"
}

interface Waiter extends PlaceRequest {
  readonly waiting: () => boolean
  readonly grant: () => void
  readonly refuse: (reason: unknown) => void
}

/** What a gate stands on. */
export interface GateDeps {
  readonly api: Api
  /** Requests a minute. */
  readonly limit: number
  readonly store: BudgetStore
  readonly clock: Clock
  /** Until when background work leaves room for people, on the monotonic clock, ms. */
  readonly peopleUntil: () => number
  /** Called when places or waiters changed. */
  readonly changed: () => void
}

/** One service's door: lets requests through at its rate, people first. */
export interface Gate {
  /** Takes a place that is in hand, without any wait; false when there is none. */
  atOnce(lane: Lane, who: string): boolean
  /**
   * Waits for a place and resolves with how long it waited, in ms.
   * @throws BudgetSpent at the deadline, the signal's reason, or what the store threw
   */
  acquire(request: PlaceRequest): Promise<number>
  /** Requests of people that wait now. */
  waiting(): number
  /** ms until the next waiting request of a person may go, as the last look had it; 0 when none of theirs waits. */
  nextIn(who: string): number
  stop(): void
}

/** Counted over a second more than a minute, so that travel time never puts 61 into one of the service's minutes. */
export const windowMs = 61_000

/** Makes the door of one service. */
export function createGate(deps: GateDeps): Gate {
  const { api, limit, store, clock } = deps
  const queues = { people: createFairQueue<Waiter>(), jobs: createFairQueue<Waiter>() }
  const stopped = new AbortController()
  /** When the next request of a waiting person may go, monotonic ms. */
  const dueAt = new Map<string, number>()
  let pumping = false
  let rest: AbortController | undefined
  /** Counts who came to wait, so that a look at the budget that was under way then is not trusted. */
  let arrivals = 0

  const waits = () => queues.people.size() + queues.jobs.size() > 0
  const peopleForMs = () => deps.peopleUntil() - clock.monotonic()

  /** For somebody who finds nobody waiting. */
  const chooseOnly =
    (lane: Lane, who: string) =>
    (use: WindowUse): Choice => {
      const shares = sharesOf(use, { limit, windowMs, jobWaits: lane === "jobs" })
      const inMs = lane === "jobs" ? shares.job(peopleForMs()) : shares.person(who)
      return inMs > 0 ? { inMs } : { taker: { lane, who } }
    }

  /** A job that is due, then the person who took least, then jobs; each as far as their share allows. */
  function chooseWaiter(use: WindowUse): { readonly waiter: Waiter } | { readonly inMs: number } {
    const [job] = queues.jobs.heads()
    const shares = sharesOf(use, { limit, windowMs, jobWaits: job !== undefined })
    if (job !== undefined && shares.jobDue) return { waiter: job }
    let again = job === undefined ? Infinity : shares.job(peopleForMs())
    let least: Waiter | undefined
    dueAt.clear()
    for (const person of queues.people.heads()) {
      const inMs = shares.person(person.who)
      const soonest = inMs < Infinity ? inMs : Math.min(windowMs, ...use.held.map(({ freeInMs }) => freeInMs))
      dueAt.set(person.who, clock.monotonic() + soonest)
      if (inMs > 0) again = Math.min(again, inMs)
      else if (least === undefined || shares.taken(person.who) < shares.taken(least.who)) least = person
    }
    if (least !== undefined) return { waiter: least }
    return job !== undefined && again <= 0 ? { waiter: job } : { inMs: again }
  }

  /** Sleeps until a place may be free, or until something makes another look worthwhile. */
  async function pause(inMs: number): Promise<void> {
    rest = new AbortController()
    try {
      await clock.sleep(Math.max(inMs, 1), AbortSignal.any([rest.signal, stopped.signal]))
    } catch {
      // Woken early: the loop looks again.
    }
    rest = undefined
  }

  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    while (waits() && !stopped.signal.aborted) {
      const seen = arrivals
      let chosen: Waiter | undefined
      try {
        const grant = await store.take(api, limit, windowMs, (use) => {
          const choice = chooseWaiter(use)
          if (!("waiter" in choice)) return choice
          chosen = choice.waiter
          return { taker: chosen }
        })
        if (grant.granted) serve(chosen)
        else if (arrivals === seen) await pause(grant.inMs)
      } catch (error) {
        const first = chosen ?? queues.people.heads()[0] ?? queues.jobs.heads()[0]
        if (first === undefined) continue
        queues[first.lane].remove(first)
        first.refuse(error)
      }
    }
    pumping = false
  }

  /** Whoever was chosen may have given up meanwhile: the place is the next one's. */
  function serve(chosen: Waiter | undefined): void {
    const next = chosen?.waiting() === true ? chosen : (queues.people.heads()[0] ?? queues.jobs.heads()[0])
    if (next === undefined) return
    queues[next.lane].served(next)
    next.grant()
  }

  function wait(request: PlaceRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = new AbortController()
      const leave = (reason: unknown) => {
        queues[request.lane].remove(waiter)
        settle(() => reject(reason))
      }
      const abort = () => leave(request.signal === undefined ? undefined : reasonOf(request.signal))
      const settle = (finish: () => void) => {
        over.abort()
        request.signal?.removeEventListener("abort", abort)
        deps.changed()
        finish()
      }
      const waiter: Waiter = {
        ...request,
        waiting: () => !over.signal.aborted,
        grant: () => settle(resolve),
        refuse: (reason) => settle(() => reject(reason)),
      }
      queues[request.lane].push(waiter)
      request.signal?.addEventListener("abort", abort, { once: true })
      clock
        .sleep(Math.max(0, request.deadline - clock.monotonic()), over.signal)
        .then(() => leave(new BudgetSpent()))
        .catch(() => undefined)
      deps.changed()
      // Nobody need wait for the moment at which the others would have looked again.
      arrivals += 1
      rest?.abort()
      void pump()
    })
  }

  return {
    atOnce(lane, who) {
      if (stopped.signal.aborted || waits()) return false
      if (store.takeInHand?.(api, limit, windowMs, chooseOnly(lane, who)) !== true) return false
      deps.changed()
      return true
    },
    async acquire(request) {
      request.signal?.throwIfAborted()
      if (stopped.signal.aborted) throw new BudgetSpent()
      const started = clock.monotonic()
      if (!waits()) {
        const choose = chooseOnly(request.lane, request.who)
        const { granted } = await store.take(api, limit, windowMs, choose)
        if (granted) {
          deps.changed()
          return 0
        }
      }
      request.waits?.()
      await wait(request)
      return clock.monotonic() - started
    },
    waiting: () => queues.people.size(),
    nextIn(who) {
      const waits = queues.people.heads().some((head) => head.who === who)
      return waits ? Math.max(0, (dueAt.get(who) ?? 0) - clock.monotonic()) : 0
    },
    stop() {
      stopped.abort()
      for (const lane of [queues.people, queues.jobs]) {
        for (let left = lane.heads(); left.length > 0; left = lane.heads()) {
          for (const waiter of left) {
            lane.remove(waiter)
            waiter.refuse(new BudgetSpent())
          }
        }
      }
    },
  }
}
