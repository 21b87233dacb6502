import type { Api } from "../../contract/response.ts"
import { reasonOf } from "../runtime.ts"
import type { BudgetStore, Choice, Clock, UsageRecord, WindowUse } from "../ports.ts"
import { createFairQueue, leastFreeForAnyone, sharesOf } from "./fair-queue.ts"

export type Lane = UsageRecord["lane"]

export interface PermitRequest {
  readonly lane: Lane
  /** Id of the person or job; turns are taken between these. */
  readonly who: string
  /** Monotonic ms. */
  readonly deadline: number
  readonly signal?: AbortSignal | undefined
  /** Called when no permit is free immediately. */
  readonly onWait?: () => void
}

/** No request is free now, and none became free while it was waited for. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent"
}

interface Waiter extends PermitRequest {
  readonly isWaiting: () => boolean
  readonly grant: () => void
  readonly refuse: (reason: unknown) => void
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

/** Counted over a second more than a minute, so that travel time never puts 61 into one of the service's minutes. */
export const windowMs = 61_000

/** Lets requests to one service through at its rate, people first; instances share it by sharing the store. */
export function createRateLimiter(deps: {
  readonly api: Api
  readonly limit: number
  readonly store: BudgetStore
  readonly clock: Clock
  /** Until when background work leaves room for people, monotonic ms. */
  readonly peopleUntil: () => number
  readonly onChange: () => void
}) {
  const { api, limit, store, clock } = deps
  const queues = { people: createFairQueue<Waiter>(), jobs: createFairQueue<Waiter>() }
  const stopped = new AbortController()
  const leastFree = leastFreeForAnyone({ limit, windowMs })
  /** When the next request of a waiting person may go, monotonic ms. */
  const dueAt = new Map<string, number>()
  let pumping = false
  let pause: AbortController | undefined
  /** Counts arrivals: a refusal computed before an arrival does not know of it. */
  let arrivals = 0

  const anyoneWaits = () => queues.people.size() + queues.jobs.size() > 0
  const peopleForMs = () => deps.peopleUntil() - clock.monotonic()

  function chooseAlone({ lane, who }: PermitRequest, use: WindowUse): Choice {
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
      const soonest =
        inMs < Infinity ? inMs : Math.min(windowMs, ...use.recentUse.map(({ freeInMs }) => freeInMs))
      dueAt.set(person.who, clock.monotonic() + soonest)
      if (inMs > 0) again = Math.min(again, inMs)
      else if (least === undefined || shares.taken(person.who) < shares.taken(least.who)) least = person
    }
    if (least !== undefined) return { waiter: least }
    return job !== undefined && again <= 0 ? { waiter: job } : { inMs: again }
  }

  async function rest(inMs: number): Promise<void> {
    pause = new AbortController()
    const signal = AbortSignal.any([pause.signal, stopped.signal])
    await clock.sleep(Math.max(inMs, 1), signal).catch(() => undefined)
    pause = undefined
  }

  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    while (anyoneWaits() && !stopped.signal.aborted) {
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
        else if (arrivals === seen) await rest(grant.inMs)
      } catch (error) {
        const first = chosen ?? queues.people.heads()[0] ?? queues.jobs.heads()[0]
        if (first === undefined) continue
        queues[first.lane].remove(first)
        first.refuse(error)
      }
    }
    pumping = false
  }

  /** The chosen waiter may have given up meanwhile: the permit goes to the next one. */
  function serve(chosen: Waiter | undefined): void {
    const next = chosen?.isWaiting() === true ? chosen : (queues.people.heads()[0] ?? queues.jobs.heads()[0])
    if (next === undefined) return
    queues[next.lane].served(next)
    next.grant()
  }

  function wait(request: PermitRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = new AbortController()
      const leave = (reason: unknown) => {
        queues[request.lane].remove(waiter)
        end(() => reject(reason))
      }
      const abort = () => leave(request.signal === undefined ? undefined : reasonOf(request.signal))
      const end = (finish: () => void) => {
        over.abort()
        request.signal?.removeEventListener("abort", abort)
        deps.onChange()
        finish()
      }
      const waiter: Waiter = {
        ...request,
        isWaiting: () => !over.signal.aborted,
        grant: () => end(resolve),
        refuse: (reason) => end(() => reject(reason)),
      }
      queues[request.lane].push(waiter)
      request.signal?.addEventListener("abort", abort, { once: true })
      clock
        .sleep(Math.max(0, request.deadline - clock.monotonic()), over.signal)
        .then(() => leave(new BudgetSpent()))
        .catch(() => undefined)
      deps.onChange()
      arrivals += 1
      pause?.abort()
      void pump()
    })
  }

  return {
    /** Resolves with how long it waited, ms. @throws BudgetSpent at the deadline, the signal's reason, the store's */
    async acquire(request: PermitRequest): Promise<number> {
      request.signal?.throwIfAborted()
      if (stopped.signal.aborted) throw new BudgetSpent()
      const started = clock.monotonic()
      if (!anyoneWaits()) {
        const { lane, who } = request
        const { granted } = await store.take(
          api,
          limit,
          windowMs,
          (use) => chooseAlone(request, use),
          lane === "people" ? { taker: { lane, who }, leastFree } : undefined,
        )
        if (granted) {
          deps.onChange()
          return 0
        }
      }
      request.onWait?.()
      await wait(request)
      return clock.monotonic() - started
    },
    waiting: () => queues.people.size(),
    /** ms until the next waiting request of a person may go, as last computed; 0 when none of theirs waits. */
    nextIn(who: string): number {
      const isWaiting = queues.people.heads().some((head) => head.who === who)
      return isWaiting ? Math.max(0, (dueAt.get(who) ?? 0) - clock.monotonic()) : 0
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
