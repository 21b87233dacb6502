import type { Api } from "../../../contract/desk/status.ts"
import { reasonOf } from "../clock.ts"
import type { BudgetGrant, BudgetStore, Clock, UsageRecord } from "../ports.ts"
import { createFairQueue } from "./fair-queue.ts"

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
  atOnce(lane: Lane): boolean
  /**
   * Waits for a place and resolves with how long it waited, in ms.
   * @throws BudgetSpent at the deadline, the signal's reason, or what the store threw
   */
  acquire(request: PlaceRequest): Promise<number>
  /** Requests of people that wait now. */
  waiting(): number
  stop(): void
}

/** Counted over a second more than a minute, so that travel time never puts 61 into one of the service's minutes. */
export const windowMs = 61_000

/** Background work takes a sixth of a minute's places in a sixth of a minute, so that whoever comes finds one soon. */
const spreadMs = 10_000

/** Places that background work leaves free while people are about. */
export function keptFree(limit: number): number {
  return Math.ceil(limit / 6)
}

/** Makes the door of one service. */
export function createGate(deps: GateDeps): Gate {
  const { api, limit, store, clock } = deps
  const queues = { people: createFairQueue<Waiter>(), jobs: createFairQueue<Waiter>() }
  const stopped = new AbortController()
  let pumping = false
  let rest: AbortController | undefined

  /** When background work took its last places, monotonic ms. */
  let jobsTook: number[] = []

  /** ms until background work may take another place: it uses the whole rate, but never a whole minute at once. */
  const spreadIn = (): number => {
    const now = clock.monotonic()
    jobsTook = jobsTook.filter((at) => at > now - spreadMs)
    const [oldest = now] = jobsTook
    return jobsTook.length < keptFree(limit) ? 0 : oldest + spreadMs - now
  }

  const keepFree = (lane: Lane) =>
    lane === "jobs" && clock.monotonic() < deps.peopleUntil() ? keptFree(limit) : 0
  const take = async (lane: Lane): Promise<BudgetGrant> => {
    const inMs = lane === "jobs" ? spreadIn() : 0
    if (inMs > 0) return { granted: false, inMs }
    const grant = await store.take(api, limit, windowMs, keepFree(lane))
    if (grant.granted && lane === "jobs") jobsTook.push(clock.monotonic())
    return grant
  }
  const next = () => queues.people.peek() ?? queues.jobs.peek()

  /** Sleeps until a place may be free, or until something makes another look worthwhile. */
  async function pause(lane: Lane, inMs: number): Promise<void> {
    const lapse = lane === "jobs" ? deps.peopleUntil() - clock.monotonic() : 0
    const ms = lapse > 0 ? Math.min(inMs, lapse) : inMs
    rest = new AbortController()
    try {
      await clock.sleep(Math.max(ms, 1), AbortSignal.any([rest.signal, stopped.signal]))
    } catch {
      // Woken early: the loop looks again.
    }
    rest = undefined
  }

  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    for (let head = next(); head !== undefined && !stopped.signal.aborted; head = next()) {
      try {
        const grant = await take(head.lane)
        // Whoever asked may have given up meanwhile: the place is the next one's.
        if (grant.granted) (queues.people.shift() ?? queues.jobs.shift())?.grant()
        // A person may have come while background work was refused: they may find a place at once.
        else if (next()?.lane === head.lane) await pause(head.lane, grant.inMs)
      } catch (error) {
        queues[head.lane].remove(head)
        head.refuse(error)
      }
    }
    pumping = false
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
      // People need not wait for the moment at which background work would have looked again.
      if (request.lane === "people") rest?.abort()
      void pump()
    })
  }

  return {
    atOnce(lane) {
      if (stopped.signal.aborted || next() !== undefined || keepFree(lane) > 0) return false
      if (lane === "jobs" && spreadIn() > 0) return false
      if (store.takeInHand?.(api, limit, windowMs) !== true) return false
      if (lane === "jobs") jobsTook.push(clock.monotonic())
      deps.changed()
      return true
    },
    async acquire(request) {
      request.signal?.throwIfAborted()
      if (stopped.signal.aborted) throw new BudgetSpent()
      const started = clock.monotonic()
      if (next() === undefined && (await take(request.lane)).granted) {
        deps.changed()
        return 0
      }
      request.waits?.()
      await wait(request)
      return clock.monotonic() - started
    },
    waiting: () => queues.people.size(),
    stop() {
      stopped.abort()
      for (const lane of [queues.people, queues.jobs]) {
        for (let left = lane.shift(); left !== undefined; left = lane.shift()) left.refuse(new BudgetSpent())
      }
    },
  }
}
